// Pulling a body with the mouse: with Shift held, or with the tool chosen, pressing on the surface
// grabs the point under the mouse, and moving draws its target about in the plane that faces the
// camera.
import * as THREE from "three";
import { pick } from "../pick";
import { Stage } from "./stage";

export interface DragActions {
  allowed(): boolean;
  send(message: object): void;
}

export class Drag {
  tool = false;
  active = false;
  private readonly plane = new THREE.Plane();
  private grabbed: { triangle: number; weights: number[] } | null = null;
  private target = new THREE.Vector3();

  constructor(
    private readonly stage: Stage,
    private readonly actions: DragActions,
  ) {
    const canvas = stage.canvas;
    canvas.addEventListener("pointerdown", (event) => this.press(event), { capture: true });
    canvas.addEventListener("pointermove", (event) => this.move(event), { capture: true });
    for (const name of ["pointerup", "pointercancel"] as const)
      canvas.addEventListener(name, (event) => this.letGo(event), { capture: true });
  }

  // The spring as this page knows it: from where the grabbed point is drawn to its target.
  ends(): number[] | null {
    if (!this.active || !this.grabbed) return null;
    const { positions, surface } = this.stage.runs[0];
    const point = [0, 0, 0];
    this.grabbed.weights.forEach((weight, i) => {
      const v = 3 * surface.corners[3 * this.grabbed!.triangle + i];
      for (let c = 0; c < 3; ++c) point[c] += weight * positions[v + c];
    });
    return [...point, ...this.target.toArray()];
  }

  private press(event: PointerEvent): void {
    if (event.button !== 0 || !(this.tool || event.shiftKey) || !this.actions.allowed()) return;
    const ray = this.stage.ray(event.clientX, event.clientY);
    const run = this.stage.runs[0];
    const hit =
      ray.run === 0 && run
        ? pick(run.positions, run.surface.corners, ray.origin, ray.direction)
        : null;
    if (!hit || run.surface.corners[3 * hit.triangle] >= run.surface.bodyVertices) return;
    event.stopImmediatePropagation();
    this.stage.canvas.setPointerCapture(event.pointerId);
    this.grabbed = { triangle: hit.triangle, weights: hit.weights };
    this.target.fromArray(hit.point);
    this.plane.setFromNormalAndCoplanarPoint(
      this.stage.camera.getWorldDirection(new THREE.Vector3()),
      this.target,
    );
    this.active = true;
    this.actions.send({ type: "grab", run: 0, ...this.grabbed, target: hit.point });
    this.stage.dirty = true;
  }

  private move(event: PointerEvent): void {
    if (!this.active) return;
    event.stopImmediatePropagation();
    const { origin, direction } = this.stage.ray(event.clientX, event.clientY);
    const ray = new THREE.Ray(
      new THREE.Vector3().fromArray(origin),
      new THREE.Vector3().fromArray(direction),
    );
    if (!ray.intersectPlane(this.plane, this.target)) return;
    this.actions.send({ type: "drag", target: this.target.toArray() });
    this.stage.dirty = true;
  }

  private letGo(event: PointerEvent): void {
    if (!this.active) return;
    event.stopImmediatePropagation();
    this.active = false;
    this.grabbed = null;
    this.actions.send({ type: "release" });
    this.stage.dirty = true;
  }
}
