import { expect, test } from "vitest";
import { nextPicture } from "../src/picture";
import { decodeFrame } from "../src/protocol";
import { frameHeader } from "./bytes";

const whole = () =>
  decodeFrame(
    frameHeader(0, 3, 3, 1, 1 | 2)
      .f32(0, 0, 0, 1, 0, 0, 2, 0, 0)
      .f32(1, 2, 3)
      .buffer(),
  );

test("a frame of changes moves only the vertices it names and leaves the picture before it as it was", () => {
  const first = nextPicture(null, whole());
  const second = nextPicture(
    first,
    decodeFrame(frameHeader(1, 3, 1, 1, 2).u32(1).f32(9, 9, 9).f32(7).buffer()),
  );
  expect([...second.positions]).toEqual([0, 0, 0, 9, 9, 9, 2, 0, 0]);
  expect([...second.values!]).toEqual([1, 7, 3]);
  expect([...first.positions]).toEqual([0, 0, 0, 1, 0, 0, 2, 0, 0]);
  expect([second.time, second.least, second.largest]).toEqual([1, -1, 5]);
});

test("a frame in which nothing moved is the picture before it at a later time", () => {
  const first = nextPicture(null, whole());
  const second = nextPicture(first, decodeFrame(frameHeader(2, 3, 0, 1, 2).buffer()));
  expect([...second.positions]).toEqual([...first.positions]);
  expect(second.time).toBe(2);
});

test("values of another field are unknown where the frame does not name them", () => {
  const second = nextPicture(
    nextPicture(null, whole()),
    decodeFrame(frameHeader(1, 3, 1, 2, 2).u32(2).f32(2, 0, 0).f32(8).buffer()),
  );
  expect([...second.values!]).toEqual([NaN, NaN, 8]);
});

test("changes without a whole frame before them, or of another surface, are refused", () => {
  const changes = decodeFrame(frameHeader(1, 3, 1, 0, 0).u32(1).f32(9, 9, 9).buffer());
  expect(() => nextPicture(null, changes)).toThrow(/before any whole/);
  const other = nextPicture(null, decodeFrame(frameHeader(0, 1, 1, 0, 1).f32(0, 0, 0).buffer()));
  expect(() => nextPicture(other, changes)).toThrow(/before any whole/);
});
