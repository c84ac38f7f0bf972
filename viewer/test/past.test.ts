import { expect, test } from "vitest";
import { FrameCache } from "../src/frame_cache";
import { Past } from "../src/past";
import { Picture, pictureBytes } from "../src/picture";

function picture(time: number, vertices = 100): Picture {
  return {
    time,
    number: 0,
    positions: new Float32Array(3 * vertices),
    field: "none",
    values: null,
    least: 0,
    largest: 0,
    grabbed: null,
  };
}

test("memory stays below the cap however long the run is, and the newest picture is always there", () => {
  const cap = 50 * pictureBytes(picture(0));
  const past = new Past(cap);
  for (let k = 0; k < 10000; ++k) {
    past.add(picture(k));
    expect(past.bytes).toBeLessThanOrEqual(cap);
    expect(past.newest!.time).toBe(k);
  }
  // Halving keeps between half of what fits and all of it.
  expect(past.length).toBeGreaterThanOrEqual(25);
  expect(past.bytes).toBe(past.length * pictureBytes(picture(0)));
});

test("what is kept is spread evenly over the whole run", () => {
  const past = new Past(50 * pictureBytes(picture(0)));
  for (let k = 0; k < 5000; ++k) past.add(picture(k));
  expect(past.times[0]).toBe(0);
  const gaps = past.times.slice(1, -1).map((time, k) => time - past.times[k]);
  expect(new Set(gaps)).toEqual(new Set([past.spacing]));
  expect(past.times.at(-1)! - past.times.at(-2)!).toBeLessThanOrEqual(past.spacing);
});

test("a time is shown by the last picture at or before it", () => {
  const past = new Past();
  expect(past.find(1)).toBeNull();
  for (const time of [1, 2, 4]) past.add(picture(time));
  expect([0, 1, 3.9, 4, 9].map((time) => past.find(time)!.time)).toEqual([1, 1, 2, 4, 4]);
});

test("after clearing, a run can be kept from its start again", () => {
  const past = new Past(10 * pictureBytes(picture(0)));
  for (let k = 0; k < 100; ++k) past.add(picture(k));
  past.clear();
  expect([past.length, past.bytes, past.newest]).toEqual([0, 0, null]);
  past.add(picture(0));
  past.add(picture(1));
  expect(past.times).toEqual([0, 1]);
});

test("fetched pictures beyond the cap go in the order in which they were last wanted", async () => {
  const asked: number[] = [];
  const cache = new FrameCache(
    async (_, frame) => {
      asked.push(frame);
      return picture(frame);
    },
    () => undefined,
    (reason) => {
      throw new Error(reason);
    },
    2 * pictureBytes(picture(0)),
  );
  const want = async (frame: number) => {
    cache.want(0, frame, "body");
    await new Promise((done) => setTimeout(done));
    return cache.want(0, frame, "body")!.time;
  };
  expect([await want(0), await want(1), await want(0), await want(2), await want(0)]).toEqual([
    0, 1, 0, 2, 0,
  ]);
  expect(asked).toEqual([0, 1, 2]);
  expect(await want(1)).toBe(1);
  expect(asked).toEqual([0, 1, 2, 1]);
  expect(cache.length).toBe(2);
});

test("a picture on its way is asked for once", async () => {
  let asked = 0;
  const cache = new FrameCache(
    async () => {
      ++asked;
      return picture(0);
    },
    () => undefined,
    () => undefined,
    1e6,
  );
  for (let k = 0; k < 5; ++k) expect(cache.want(0, 0, "body")).toBeNull();
  await new Promise((done) => setTimeout(done));
  expect([asked, cache.want(0, 0, "body")!.time]).toEqual([1, 0]);
});
