// What the server says, decoded: docs/viewer-protocol.md in types and pure functions. Binary
// messages are checked against their own counts before anything is read, so that a cut or foreign
// message is refused in words instead of drawn.

export const fieldNames = ["none", "velocity", "stress", "det", "error", "contact_force"] as const;
export type FieldName = (typeof fieldNames)[number];
export type ColourName = "body" | Exclude<FieldName, "none">;

export interface BodyInfo {
  name: string;
  vertices: number;
  triangles: number;
}
export interface RunInfo {
  name: string;
  integrator?: string;
  dt?: number;
  duration?: number;
  bodies: BodyInfo[];
  fields: ColourName[];
  times?: number[];
  columns?: string[];
  modes?: { frequency: number | null }[]; // null: not computed yet
}
export interface Parameter {
  path: string;
  label: string;
  kind: "number" | "vector" | "choice";
  value: number | number[] | string;
  choices?: string[];
  min?: number;
  max?: number;
  unit?: string;
}
export interface SceneCard {
  name: string;
  description: string;
  thumbnail: boolean;
}
export interface Hello {
  type: "hello";
  version: number;
  session: number;
  mode: "live" | "replay" | "gallery";
  control: boolean;
  title: string;
  speed?: number;
  runs: RunInfo[];
  parameters?: Parameter[];
  scenes?: SceneCard[];
}
export type RunState = "running" | "paused" | "done" | "failed" | "starting";
export interface Status {
  type: "status";
  state: RunState;
  step: number;
  time: number;
  duration: number;
  speed: number;
  wall_ms: number;
  reason?: string;
}
export type Row = (number | null)[];
export interface Rows {
  type: "rows";
  run: number;
  rows: Row[];
}
export interface LogLine {
  type: "log";
  level: "info" | "warning" | "error";
  time: number | null;
  text: string;
}
export interface Parameters {
  type: "parameters";
  parameters: Parameter[];
}
export interface Refused {
  type: "refused";
  text: string;
}
export type Message = Hello | Status | Rows | LogLine | Parameters | Refused;

export interface Surface {
  vertices: number;
  triangles: number;
  bodies: number;
  rest: Float32Array; // 3 per vertex, m
  corners: Uint32Array; // 3 per triangle
  body: Uint32Array; // of each vertex
  edges: Uint32Array; // 2 per edge of an element's face
  pinned: Uint8Array; // per vertex, at the start
  bodyVertices: number; // those behind them are of obstacles and threads
}
export interface Frame {
  run: number;
  number: number;
  time: number; // s
  vertices: number;
  count: number; // vertices that follow
  field: FieldName;
  whole: boolean;
  least: number; // of the field, over the whole surface
  largest: number;
  indices: Uint32Array | null;
  positions: Float32Array;
  values: Float32Array | null;
  grabbed: Float32Array | null; // the grabbed point and its target
}

// Of each vertex of a spring, tendon, muscle or rod: this, and the number of its kind.
export const firstThread = 0xffffff00;

export class ProtocolError extends Error {}

const surfaceMagic = 0x53544c50;
const frameMagic = 0x46544c50;
const knownTypes = ["hello", "status", "rows", "log", "parameters", "refused"];

// A text message; null where its type is one this page does not know, which a later server may
// send.
export function decodeMessage(text: string): Message | null {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    throw new ProtocolError("a text message of the server is not JSON");
  }
  if (typeof message !== "object" || message === null || !("type" in message))
    throw new ProtocolError("a text message of the server has no type");
  const known = message as Message;
  if (known.type === "hello" && known.version !== 1)
    throw new ProtocolError(
      `the server speaks version ${known.version} of the protocol, this page 1`,
    );
  return knownTypes.includes(known.type) ? known : null;
}

// Reads arrays one after the other; all items are four bytes wide.
class Reader {
  private at = 0;
  private readonly view: DataView;
  constructor(
    private readonly buffer: ArrayBuffer,
    private readonly what: string,
  ) {
    this.view = new DataView(buffer);
  }
  private take(bytes: number): number {
    const start = this.at;
    if (start + bytes > this.buffer.byteLength)
      throw new ProtocolError(
        `${this.what} ends after ${this.buffer.byteLength} bytes, needs ${start + bytes}`,
      );
    this.at += bytes;
    return start;
  }
  u32(): number {
    return this.view.getUint32(this.take(4), true);
  }
  f32(): number {
    return this.view.getFloat32(this.take(4), true);
  }
  f64(): number {
    return this.view.getFloat64(this.take(8), true);
  }
  u32s(count: number): Uint32Array {
    return new Uint32Array(this.buffer, this.take(4 * count), count);
  }
  f32s(count: number): Float32Array {
    return new Float32Array(this.buffer, this.take(4 * count), count);
  }
  u8s(count: number): Uint8Array {
    const bytes = new Uint8Array(this.buffer, this.take(count), count);
    this.take((4 - (count % 4)) % 4);
    return bytes;
  }
  finish(): void {
    if (this.at !== this.buffer.byteLength)
      throw new ProtocolError(
        `${this.what} has ${this.buffer.byteLength} bytes, its counts say ${this.at}`,
      );
  }
}

function expectHeader(read: Reader, magic: number, what: string): void {
  if (read.u32() !== magic) throw new ProtocolError(`${what} does not start as one`);
  const version = read.u32();
  if (version !== 1) throw new ProtocolError(`${what} is of version ${version}, this page reads 1`);
}

function expectBelow(indices: Uint32Array, limit: number, what: string): void {
  for (const index of indices)
    if (index >= limit) throw new ProtocolError(`${what} names vertex ${index} of ${limit}`);
}

export function decodeSurface(buffer: ArrayBuffer): Surface {
  const read = new Reader(buffer, "a surface");
  expectHeader(read, surfaceMagic, "a surface");
  const [vertices, triangles, bodies, edges] = [read.u32(), read.u32(), read.u32(), read.u32()];
  const surface: Surface = {
    bodyVertices: vertices,
    vertices,
    triangles,
    bodies,
    rest: read.f32s(3 * vertices),
    corners: read.u32s(3 * triangles),
    body: read.u32s(vertices),
    edges: read.u32s(2 * edges),
    pinned: read.u8s(vertices),
  };
  read.finish();
  expectBelow(surface.corners, vertices, "a triangle");
  expectBelow(surface.edges, vertices, "an edge");
  const obstacle = surface.body.findIndex((body) => body >= bodies);
  if (obstacle >= 0) surface.bodyVertices = obstacle;
  return surface;
}

export function decodeFrame(buffer: ArrayBuffer): Frame {
  const read = new Reader(buffer, "a frame");
  expectHeader(read, frameMagic, "a frame");
  const [run, number, time] = [read.u32(), read.u32(), read.f64()];
  const [vertices, count, field, flags] = [read.u32(), read.u32(), read.u32(), read.u32()];
  const [least, largest] = [read.f32(), read.f32()];
  const whole = (flags & 1) !== 0;
  if (count > vertices || (whole && count !== vertices))
    throw new ProtocolError(`a frame of ${vertices} vertices cannot hold ${count}`);
  const indices = whole ? null : read.u32s(count);
  const positions = read.f32s(3 * count);
  const values = (flags & 2) !== 0 ? read.f32s(count) : null;
  const grabbed = (flags & 4) !== 0 ? read.f32s(6) : null;
  read.finish();
  if (indices) expectBelow(indices, vertices, "a frame");
  return {
    run,
    number,
    time,
    vertices,
    count,
    whole,
    least,
    largest,
    indices,
    positions,
    values,
    grabbed,
    field: fieldNames[field] ?? "none",
  };
}
