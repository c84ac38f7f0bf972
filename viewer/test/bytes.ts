// Binary messages put together by hand from the protocol's own words, so that the decoder is held
// to the description and not to an encoder of ours.

export class Bytes {
  private readonly parts: number[] = [];
  u32(...values: number[]): this {
    return this.put(4, values, (view, value) => view.setUint32(0, value, true));
  }
  f32(...values: number[]): this {
    return this.put(4, values, (view, value) => view.setFloat32(0, value, true));
  }
  f64(...values: number[]): this {
    return this.put(8, values, (view, value) => view.setFloat64(0, value, true));
  }
  u8(...values: number[]): this {
    this.parts.push(...values);
    return this;
  }
  private put(
    width: number,
    values: number[],
    write: (view: DataView, value: number) => void,
  ): this {
    for (const value of values) {
      const view = new DataView(new ArrayBuffer(width));
      write(view, value);
      this.parts.push(...new Uint8Array(view.buffer));
    }
    return this;
  }
  buffer(): ArrayBuffer {
    return Uint8Array.from(this.parts).buffer;
  }
}

// A tetrahedron with vertex 3 pinned: 4 vertices, 4 triangles, 6 edges.
export function tetrahedron(): ArrayBuffer {
  return new Bytes()
    .u32(0x53544c50, 1, 4, 4, 1, 6)
    .f32(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1)
    .u32(0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3)
    .u32(0, 0, 0, 0)
    .u32(0, 1, 0, 2, 0, 3, 1, 2, 1, 3, 2, 3)
    .u8(0, 0, 0, 1)
    .buffer();
}

export function frameHeader(
  time: number,
  vertices: number,
  count: number,
  field: number,
  flags: number,
): Bytes {
  return new Bytes()
    .u32(0x46544c50, 1, 0, 7)
    .f64(time)
    .u32(vertices, count, field, flags)
    .f32(-1, 5);
}
