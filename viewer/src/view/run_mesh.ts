// What is drawn of one run: its surface, coloured, the edges of its elements, its pins, and the
// spring the mouse pulls with. Buffers are made once per surface and refilled for every picture.
import * as THREE from "three";
import { addNormals, DrawMesh, makeDrawMesh } from "../creases";
import {
  bodyPalette,
  linear,
  obstacleColour,
  position,
  Range,
  Rgb,
  threadColours,
} from "../colour";
import { firstThread, Surface } from "../protocol";

export interface Look {
  wireframe: boolean;
  smooth: boolean;
  pins: boolean;
}
export type Paint =
  | { kind: "body"; run: number | null }
  | { kind: "field"; values: Float32Array; range: Range; table: Float32Array };

export class RunMesh {
  readonly group = new THREE.Group();
  private readonly draw: DrawMesh;
  private readonly geometry = new THREE.BufferGeometry();
  private readonly material = new THREE.MeshPhongMaterial({
    vertexColors: true,
    side: THREE.DoubleSide,
    specular: 0x1c1c1c,
    shininess: 28,
    polygonOffset: true,
    polygonOffsetFactor: 1,
    polygonOffsetUnits: 1,
  });
  private readonly mesh: THREE.Mesh;
  private readonly points = new THREE.BufferGeometry();
  private readonly edges: THREE.LineSegments;
  private readonly pins: THREE.Points;
  private readonly spring: THREE.Line;
  private smooth = true;

  constructor(
    readonly surface: Surface,
    pinTexture: THREE.Texture,
  ) {
    this.draw = makeDrawMesh(surface);
    const count = this.draw.source.length;
    for (const name of ["position", "normal", "color"])
      this.geometry.setAttribute(name, dynamic(new Float32Array(3 * count)));
    this.geometry.setIndex(new THREE.BufferAttribute(this.draw.corners, 1));
    this.mesh = new THREE.Mesh(this.geometry, this.material);

    this.points.setAttribute("position", dynamic(surface.rest.slice()));
    const lines = this.points.clone().setIndex(new THREE.BufferAttribute(surface.edges, 1));
    lines.setAttribute("position", this.points.getAttribute("position"));
    this.edges = new THREE.LineSegments(
      lines,
      new THREE.LineBasicMaterial({ transparent: true, opacity: 0.6 }),
    );

    const pinned = Uint32Array.from([...surface.pinned.keys()].filter((v) => surface.pinned[v]));
    const dots = new THREE.BufferGeometry().setIndex(new THREE.BufferAttribute(pinned, 1));
    dots.setAttribute("position", this.points.getAttribute("position"));
    this.pins = new THREE.Points(
      dots,
      new THREE.PointsMaterial({
        size: 7,
        sizeAttenuation: false,
        map: pinTexture,
        transparent: true,
        alphaTest: 0.3,
      }),
    );

    const ends = new THREE.BufferGeometry();
    ends.setAttribute("position", dynamic(new Float32Array(6)));
    this.spring = new THREE.Line(
      ends,
      new THREE.LineBasicMaterial({ color: 0xff8a2a, depthTest: false }),
    );
    const handles = new THREE.Points(
      ends,
      new THREE.PointsMaterial({
        size: 9,
        sizeAttenuation: false,
        map: pinTexture,
        transparent: true,
        alphaTest: 0.3,
        depthTest: false,
      }),
    );
    handles.frustumCulled = false;
    this.spring.renderOrder = handles.renderOrder = 2;
    this.spring.add(handles);
    this.spring.visible = false;
    for (const part of [this.mesh, this.edges, this.pins, this.spring]) {
      part.frustumCulled = false; // bounds change with every picture
      this.group.add(part);
    }
  }

  get positions(): Float32Array {
    return this.points.getAttribute("position").array as Float32Array;
  }

  // Runs laid over another one are let through, and lie a little behind where they touch it.
  setLook(look: Look, lineColour: number, under: number): void {
    const opacity = under > 0 ? 0.45 : 1;
    this.material.polygonOffsetFactor = 1 + 2 * under;
    this.material.polygonOffsetUnits = 1 + 16 * under;
    this.edges.visible = look.wireframe;
    (this.edges.material as THREE.LineBasicMaterial).color.setHex(lineColour);
    this.pins.visible = look.pins;
    this.smooth = look.smooth;
    this.material.flatShading = !look.smooth;
    this.material.opacity = opacity;
    this.material.transparent = opacity < 1;
    this.material.depthWrite = opacity >= 1;
    this.material.needsUpdate = true;
  }

  setPositions(positions: Float32Array): void {
    this.positions.set(positions);
    this.points.getAttribute("position").needsUpdate = true;
    const drawn = this.geometry.getAttribute("position");
    const target = drawn.array as Float32Array;
    const source = this.draw.source;
    for (let k = 0; k < source.length; ++k) {
      const v = 3 * source[k];
      target[3 * k] = positions[v];
      target[3 * k + 1] = positions[v + 1];
      target[3 * k + 2] = positions[v + 2];
    }
    drawn.needsUpdate = true;
    this.setNormals();
  }

  private setNormals(): void {
    if (!this.smooth) return; // the shader finds them
    const normals = this.geometry.getAttribute("normal");
    addNormals(
      this.geometry.getAttribute("position").array as Float32Array,
      this.draw.corners,
      normals.array as Float32Array,
    );
    normals.needsUpdate = true;
  }

  paint(paint: Paint): void {
    const attribute = this.geometry.getAttribute("color");
    const colours = attribute.array as Float32Array;
    if (paint.kind === "body") this.paintBodies(colours, paint.run);
    else this.paintField(colours, paint.values, paint.range, paint.table);
    this.paintObstacles(colours);
    attribute.needsUpdate = true;
  }

  // Each body in its colour; where runs lie over each other, each run in its own.
  private paintBodies(colours: Float32Array, run: number | null): void {
    const palette = bodyPalette.map(linear);
    this.draw.source.forEach((v, k) => {
      const colour: Rgb = palette[(run ?? this.surface.body[v]) % palette.length];
      colours.set(colour, 3 * k);
    });
  }

  // Whatever the bodies show, what stands in their way is grey, and threads have their own colours.
  private paintObstacles(colours: Float32Array): void {
    const grey: Rgb = linear(obstacleColour);
    const threads = threadColours.map(linear);
    this.draw.source.forEach((v, k) => {
      if (v < this.surface.bodyVertices) return;
      const kind = this.surface.body[v] - firstThread;
      colours.set(kind >= 0 ? (threads[kind] ?? grey) : grey, 3 * k);
    });
  }

  private paintField(
    colours: Float32Array,
    values: Float32Array,
    range: Range,
    table: Float32Array,
  ): void {
    const source = this.draw.source;
    for (let k = 0; k < source.length; ++k) {
      const s = position(values[source[k]], range);
      const entry = Number.isFinite(s) ? Math.min(255, Math.max(0, Math.round(255 * s))) : 256;
      for (let c = 0; c < 3; ++c) colours[3 * k + c] = table[3 * entry + c];
    }
  }

  setSpring(ends: ArrayLike<number> | null): void {
    this.spring.visible = ends !== null;
    if (!ends) return;
    const attribute = this.spring.geometry.getAttribute("position");
    (attribute.array as Float32Array).set(ends);
    attribute.needsUpdate = true;
  }

  dispose(): void {
    for (const part of [this.mesh, this.edges, this.pins, this.spring]) {
      part.geometry.dispose();
      (part.material as THREE.Material).dispose();
    }
  }
}

function dynamic(array: Float32Array): THREE.BufferAttribute {
  return new THREE.BufferAttribute(array, 3).setUsage(THREE.DynamicDrawUsage);
}
