import { expect, test } from "vitest";
import { Axis, extent, padded, thinned, ticks } from "../src/plot_scale";
import { plain, withUnit } from "../src/format";
import { sliderScale } from "../src/panels/parameters";

test("the range passes over what is no number and is nothing where there is none", () => {
  expect(
    extent([
      [1, NaN, 3],
      [-2, Infinity],
    ]),
  ).toEqual({ low: -2, high: 3 });
  expect(extent([[NaN], []])).toBeNull();
});

test("a constant gets room about itself", () => {
  for (const value of [0, 5, -1e-9, 1e12]) {
    const range = padded({ low: value, high: value });
    expect(range.low).toBeLessThan(value);
    expect(range.high).toBeGreaterThan(value);
  }
});

test("ticks are multiples of 1, 2 or 5 times a power of ten, inside the range and not too many", () => {
  for (const [low, high, most] of [
    [0, 1, 5],
    [-3.3, 7.1, 4],
    [1e-7, 9e-7, 3],
    [1e5, 1.2e5, 6],
    [-2, 2, 3],
  ] as const) {
    const found = ticks({ low, high }, most);
    expect(found.length).toBeGreaterThan(0);
    expect(found.length).toBeLessThanOrEqual(most + 1);
    const step = found.length > 1 ? found[1] - found[0] : Math.abs(found[0]) || 1;
    const mantissa = step / 10 ** Math.floor(Math.log10(step) + 1e-9);
    expect([1, 2, 5].some((round) => Math.abs(mantissa - round) < 1e-6)).toBe(true);
    const slack = 1e-9 * Math.abs(high - low);
    for (const tick of found) {
      expect(tick).toBeGreaterThanOrEqual(low - slack);
      expect(tick).toBeLessThanOrEqual(high + slack);
    }
  }
});

test("an axis goes from values to pixels and back, upside down too", () => {
  const axis = new Axis({ low: -1, high: 3 }, 100, 20);
  expect([axis.pixel(-1), axis.pixel(3), axis.pixel(1)]).toEqual([100, 20, 60]);
  expect(axis.value(axis.pixel(2.5))).toBeCloseTo(2.5, 12);
});

test("a long series keeps its spikes when it is thinned", () => {
  const values = Array.from({ length: 10000 }, (_, k) =>
    k === 4321 ? 50 : k === 777 ? -50 : Math.sin(k),
  );
  const kept = thinned(values, 100);
  expect(kept.length).toBeLessThanOrEqual(200);
  expect(kept).toContain(4321);
  expect(kept).toContain(777);
  expect(kept).toEqual([...kept].sort((a, b) => a - b));
});

test("numbers are written short, with a prefix that fits their size", () => {
  expect([12345, 0.00012, 0, -2.5, NaN].map((value) => plain(value))).toEqual([
    "12350",
    "1.20e−4",
    "0",
    "−2.5",
    "–",
  ]);
  expect(
    [
      [12300, "Pa"],
      [0.062, "m"],
      [999.9, "Pa"],
      [0, "m"],
      [1.05, ""],
    ].map(([value, unit]) => withUnit(value as number, unit as string)),
  ).toEqual(["12.3 kPa", "62 mm", "1 kPa", "0 m", "1.05"]);
});

test("a slider walks a wide range by factors, a narrow one evenly, and finds its place again", () => {
  const wide = sliderScale(1e3, 1e7);
  expect([0, 0.25, 0.5, 1].map((place) => wide.value(place))).toEqual([1e3, 1e4, 1e5, 1e7]);
  expect(wide.place(1e6)).toBeCloseTo(0.75, 12);
  const narrow = sliderScale(0, 0.5);
  expect(narrow.value(0.3)).toBeCloseTo(0.15, 12);
  expect(narrow.place(0.25)).toBe(0.5);
});
