import { describe, expect, test } from "vitest";
import {
  decodeFrame,
  decodeMessage,
  decodeSurface,
  firstThread,
  ProtocolError,
} from "../src/protocol";
import { Bytes, frameHeader, tetrahedron } from "./bytes";

describe("a surface", () => {
  test("holds what the protocol says, byte for byte", () => {
    const surface = decodeSurface(tetrahedron());
    expect([surface.vertices, surface.triangles, surface.bodies]).toEqual([4, 4, 1]);
    expect([...surface.rest.slice(3, 6)]).toEqual([1, 0, 0]);
    expect([...surface.corners.slice(9)]).toEqual([1, 2, 3]);
    expect([...surface.edges.slice(0, 2)]).toEqual([0, 1]);
    expect([...surface.pinned]).toEqual([0, 0, 0, 1]);
  });
  test("may be padded after pins to a multiple of four bytes, and no further", () => {
    const header = () =>
      new Bytes()
        .u32(0x53544c50, 1, 3, 1, 1, 0)
        .f32(0, 0, 0, 1, 0, 0, 0, 1, 0)
        .u32(0, 1, 2, 0, 0, 0);
    expect([...decodeSurface(header().u8(1, 0, 1, 0).buffer()).pinned]).toEqual([1, 0, 1]);
    expect(() => decodeSurface(header().u8(1, 0, 1).buffer())).toThrow(ProtocolError);
    expect(() => decodeSurface(header().u8(1, 0, 1, 0, 0, 0, 0, 0).buffer())).toThrow(/counts say/);
  });
  test("has obstacles behind its bodies, told by numbers beyond theirs", () => {
    const whole = new Bytes()
      .u32(0x53544c50, 1, 6, 2, 1, 0)
      .f32(...Array(18).fill(0))
      .u32(0, 1, 2, 3, 4, 5)
      .u32(0, 0, 0, 1, 1, 1)
      .u8(0, 0, 0, 0, 0, 0, 0, 0);
    expect(decodeSurface(whole.buffer()).bodyVertices).toBe(3);
    expect(decodeSurface(tetrahedron()).bodyVertices).toBe(4);
  });
  test("has threads behind its bodies, told by the largest numbers", () => {
    const whole = new Bytes()
      .u32(0x53544c50, 1, 6, 2, 1, 0)
      .f32(...Array(18).fill(0))
      .u32(0, 1, 2, 3, 4, 5)
      .u32(0, 0, 0, firstThread + 3, firstThread + 3, firstThread + 3)
      .u8(0, 0, 0, 0, 0, 0, 0, 0);
    const surface = decodeSurface(whole.buffer());
    expect(surface.bodyVertices).toBe(3);
    expect(surface.body[5] - firstThread).toBe(3);
  });
  test("that names a vertex it does not have is refused", () => {
    const bad = new Bytes()
      .u32(0x53544c50, 1, 3, 1, 1, 0)
      .f32(0, 0, 0, 1, 0, 0, 0, 1, 0)
      .u32(0, 1, 3, 0, 0, 0)
      .u8(0, 0, 0, 0);
    expect(() => decodeSurface(bad.buffer())).toThrow(/vertex 3 of 3/);
  });
  test("cut at any byte is refused", () => {
    const whole = tetrahedron();
    for (let length = 0; length < whole.byteLength; ++length)
      expect(() => decodeSurface(whole.slice(0, length))).toThrow(ProtocolError);
  });
});

describe("a frame", () => {
  test("that is whole has a position for every vertex and no indices", () => {
    const frame = decodeFrame(frameHeader(0.25, 2, 2, 0, 1).f32(1, 2, 3, 4, 5, 6).buffer());
    expect(frame).toMatchObject({
      run: 0,
      number: 7,
      time: 0.25,
      vertices: 2,
      whole: true,
      field: "none",
    });
    expect([...frame.positions]).toEqual([1, 2, 3, 4, 5, 6]);
    expect([frame.indices, frame.values, frame.grabbed]).toEqual([null, null, null]);
  });
  test("of changes carries indices, positions, values and the grabbed point in this order", () => {
    const frame = decodeFrame(
      frameHeader(1, 4, 2, 2, 2 | 4)
        .u32(1, 3)
        .f32(1, 1, 1, 3, 3, 3)
        .f32(10, 30)
        .f32(0, 0, 0, 1, 1, 1)
        .buffer(),
    );
    expect([...frame.indices!]).toEqual([1, 3]);
    expect([...frame.values!]).toEqual([10, 30]);
    expect([...frame.grabbed!]).toEqual([0, 0, 0, 1, 1, 1]);
    expect([frame.field, frame.least, frame.largest]).toEqual(["stress", -1, 5]);
  });
  test("with more vertices than there are, a foreign index or another start is refused", () => {
    expect(() =>
      decodeFrame(frameHeader(0, 1, 2, 0, 0).u32(0, 0).f32(0, 0, 0, 0, 0, 0).buffer()),
    ).toThrow(/cannot hold/);
    expect(() => decodeFrame(frameHeader(0, 2, 1, 0, 0).u32(2).f32(0, 0, 0).buffer())).toThrow(
      /vertex 2 of 2/,
    );
    expect(() => decodeFrame(tetrahedron())).toThrow(/does not start/);
  });
});

describe("a text message", () => {
  test("is handed on by its type, and passed over where the type is new", () => {
    expect(decodeMessage('{"type":"refused","text":"no"}')).toEqual({
      type: "refused",
      text: "no",
    });
    expect(decodeMessage('{"type":"later"}')).toBeNull();
  });
  test("that is no JSON, has no type or is of another version is refused", () => {
    for (const text of ["{", "3", "null", "{}", '{"type":"hello","version":2}'])
      expect(() => decodeMessage(text)).toThrow(ProtocolError);
  });
});
