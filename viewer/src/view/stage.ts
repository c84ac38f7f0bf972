// The canvas: one scene, one camera that all panes share, so that runs side by side are always seen
// from the same place. Draws only when something changed.
import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { Surface } from "../protocol";
import { difference } from "../session";
import { Bounds, Ground } from "./ground";
import { Look, RunMesh } from "./run_mesh";

export type Layout = "split" | "overlay";
export interface Ray {
  run: number;
  origin: number[];
  direction: number[];
}
interface Colours {
  background: number;
  line: number;
  strong: number;
  weak: number;
}
const themes: Record<"light" | "dark", Colours> = {
  light: { background: 0xeef1f5, line: 0x1b2430, strong: 0xaab4c0, weak: 0xd3dae2 },
  dark: { background: 0x14181f, line: 0xe8edf4, strong: 0x465061, weak: 0x272e3a },
};

export class Stage {
  readonly runs: RunMesh[] = [];
  readonly controls: OrbitControls;
  readonly camera = new THREE.PerspectiveCamera(40, 1, 0.01, 100);
  layout: Layout = "split";
  dirty = true;
  private readonly renderer: THREE.WebGLRenderer;
  private readonly scene = new THREE.Scene();
  private readonly ground = new Ground(this.scene);
  private readonly pinTexture = makeDot();
  private colours = themes.light;
  private look: Look = { wireframe: false, smooth: true, pins: true };

  constructor(readonly canvas: HTMLCanvasElement) {
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true });
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.camera.position.set(2, 1.5, 3);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.2;
    this.controls.addEventListener("change", () => {
      this.dirty = true;
    });
    const lamp = new THREE.DirectionalLight(0xffffff, 1.9); // over the viewer's shoulder: nothing seen is black
    lamp.position.set(-0.5, 0.8, 0.6);
    this.camera.add(lamp);
    this.scene.add(this.camera, new THREE.HemisphereLight(0xffffff, 0x8a8f9a, 1.6));
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement!);
    this.resize();
  }

  setSurfaces(surfaces: Surface[]): void {
    for (const run of this.runs.splice(0)) {
      this.scene.remove(run.group);
      run.dispose();
    }
    for (const surface of surfaces) {
      const run = new RunMesh(surface, this.pinTexture);
      this.runs.push(run);
      this.scene.add(run.group);
    }
    this.applyLook();
    surfaces.forEach((surface, k) => this.runs[k].setPositions(surface.rest));
  }

  get panes(): number {
    return this.layout === "split" ? Math.max(this.runs.length, 1) : 1;
  }

  setTheme(theme: "light" | "dark"): void {
    this.colours = themes[theme];
    this.scene.background = new THREE.Color(this.colours.background);
    this.applyLook();
    if (this.runs.length) this.ground.place(this.bounds(), this.colours);
  }
  setLook(look: Look): void {
    this.look = look;
    this.applyLook();
  }
  setLayout(layout: Layout): void {
    this.layout = layout;
    this.applyLook();
    this.resize();
  }
  showGround(visible: boolean): void {
    this.ground.show(visible);
    this.dirty = true;
  }

  private applyLook(): void {
    this.runs.forEach((run, k) => {
      run.setLook(this.look, this.colours.line, this.layout === "overlay" ? k : 0);
      run.setPositions(run.positions.slice());
    });
    this.dirty = true;
  }

  private bounds(): Bounds {
    const low = new THREE.Vector3(Infinity, Infinity, Infinity);
    const high = new THREE.Vector3(-Infinity, -Infinity, -Infinity);
    const point = new THREE.Vector3();
    for (const run of this.runs)
      for (let k = 0; k < 3 * run.surface.bodyVertices; k += 3) {
        point.fromArray(run.positions, k);
        if (Number.isFinite(point.x + point.y + point.z)) {
          low.min(point);
          high.max(point);
        }
      }
    if (low.x > high.x)
      return { low: new THREE.Vector3(-1, 0, -1), high: new THREE.Vector3(1, 1, 1) };
    return { low, high };
  }

  // Puts the camera where all of what is shown fits, looking from the front, a little from above.
  fit(): void {
    const bounds = this.bounds();
    const middle = bounds.low.clone().add(bounds.high).multiplyScalar(0.5);
    const radius = Math.max(0.5 * bounds.high.distanceTo(bounds.low), 1e-6);
    const narrow = Math.min(1, this.aspect);
    const distance = (1.12 * radius) / Math.sin((0.5 * this.camera.fov * Math.PI) / 180) / narrow;
    this.camera.near = distance / 200;
    this.camera.far = distance * 60;
    this.camera.position
      .copy(middle)
      .add(new THREE.Vector3(0.55, 0.38, 1).normalize().multiplyScalar(distance));
    this.controls.target.copy(middle);
    this.controls.update();
    this.ground.place(bounds, this.colours);
    this.dirty = true;
  }

  private get aspect(): number {
    return this.canvas.clientWidth / this.panes / Math.max(this.canvas.clientHeight, 1);
  }

  private resize(): void {
    const parent = this.canvas.parentElement!;
    this.renderer.setSize(parent.clientWidth, parent.clientHeight, false);
    this.dirty = true;
  }

  // The ray through a point of the page, and the run whose pane it is in.
  ray(clientX: number, clientY: number): Ray {
    const box = this.canvas.getBoundingClientRect();
    const across = ((clientX - box.left) / box.width) * this.panes;
    const run = Math.min(Math.floor(across), this.panes - 1);
    const pointer = new THREE.Vector2(
      2 * (across - run) - 1,
      1 - (2 * (clientY - box.top)) / box.height,
    );
    this.camera.aspect = this.aspect;
    this.camera.updateProjectionMatrix();
    const caster = new THREE.Raycaster();
    caster.setFromCamera(pointer, this.camera);
    return { run, origin: caster.ray.origin.toArray(), direction: caster.ray.direction.toArray() };
  }

  // Where things are drawn, for the page's tests.
  centre(run: number): number[] {
    const sum = [0, 0, 0];
    const shown = this.runs[run];
    const positions = shown
      ? shown.positions.subarray(0, 3 * shown.surface.bodyVertices)
      : new Float32Array(0);
    positions.forEach((x, k) => {
      sum[k % 3] += x;
    });
    return sum.map((x) => (3 * x) / positions.length);
  }
  pixel(run: number, vertex: number): [number, number] {
    const box = this.canvas.getBoundingClientRect();
    const point = new THREE.Vector3()
      .fromArray(this.runs[run].positions, 3 * vertex)
      .project(this.camera);
    const width = box.width / this.panes;
    const left = box.left + (this.panes > 1 ? run * width : 0);
    return [left + (0.5 + 0.5 * point.x) * width, box.top + (0.5 - 0.5 * point.y) * box.height];
  }
  differences(): number[] {
    return this.runs.map((run) =>
      run.positions.length === this.runs[0].positions.length
        ? difference(run.positions, this.runs[0].positions).largest
        : NaN,
    );
  }
  size(positions: Float32Array): number {
    const box = new THREE.Box3().setFromArray(positions);
    return box.getSize(new THREE.Vector3()).length();
  }

  // Draws if anything changed; true if it did.
  draw(always = false): boolean {
    this.controls.update();
    if (!this.dirty && !always) return false;
    this.dirty = false;
    const { clientWidth: width, clientHeight: height } = this.canvas;
    this.camera.aspect = this.aspect;
    this.camera.updateProjectionMatrix();
    this.renderer.setScissorTest(true);
    for (let pane = 0; pane < this.panes; ++pane) {
      const left = Math.round((pane * width) / this.panes);
      const right = Math.round(((pane + 1) * width) / this.panes);
      this.renderer.setViewport(left, 0, right - left, height);
      this.renderer.setScissor(left, 0, right - left, height);
      this.runs.forEach((run, k) => {
        run.group.visible = this.panes === 1 || k === pane;
      });
      this.renderer.render(this.scene, this.camera);
    }
    return true;
  }
}

// A round dot with a dark rim, drawn for pins.
function makeDot(): THREE.Texture {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 32;
  const pen = canvas.getContext("2d")!;
  pen.arc(16, 16, 13, 0, 2 * Math.PI);
  pen.fillStyle = "#f2b01e";
  pen.fill();
  pen.lineWidth = 5;
  pen.strokeStyle = "#5a3d00";
  pen.stroke();
  const texture = new THREE.CanvasTexture(canvas);
  texture.colorSpace = THREE.SRGBColorSpace;
  return texture;
}
