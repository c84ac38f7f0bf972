import { expect, test } from "vitest";
import {
  ColourMap,
  errorMap,
  evenAbout,
  linear,
  position,
  ratioMap,
  sample,
  speedMap,
  stressMap,
  table,
  unknownColour,
  widen,
} from "../src/colour";

// Relative luminance of sRGB, IEC 61966-2-1.
function luminance(map: ColourMap, s: number): number {
  const [r, g, b] = linear(sample(map, s));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

test("sequential maps grow lighter or darker all the way", () => {
  for (const [map, sign] of [
    [speedMap, 1],
    [stressMap, 1],
    [errorMap, -1],
  ] as const)
    for (let k = 1; k <= 64; ++k)
      expect(sign * (luminance(map, k / 64) - luminance(map, (k - 1) / 64))).toBeGreaterThan(0);
});

test("the diverging map is lightest in the middle", () => {
  for (let k = 1; k <= 32; ++k) {
    expect(luminance(ratioMap, k / 64)).toBeGreaterThan(luminance(ratioMap, (k - 1) / 64));
    expect(luminance(ratioMap, 1 - k / 64)).toBeGreaterThan(luminance(ratioMap, 1 - (k - 1) / 64));
  }
});

test("values outside the range get the end's colour and unknown ones grey", () => {
  expect(sample(speedMap, -3)).toEqual(speedMap.stops[0]);
  expect(sample(speedMap, 7)).toEqual(speedMap.stops.at(-1));
  expect(sample(speedMap, NaN)).toEqual(unknownColour);
  expect([...table(speedMap).slice(768)].map((x) => x.toFixed(5))).toEqual(
    linear(unknownColour).map((x) => x.toFixed(5)),
  );
});

test("a range only grows, ignores what is no number, and is even about a middle", () => {
  expect(widen(null, 1, 2)).toEqual({ least: 1, largest: 2 });
  expect(widen({ least: 1, largest: 2 }, 0, 1.5)).toEqual({ least: 0, largest: 2 });
  expect(widen({ least: 1, largest: 2 }, NaN, 9)).toEqual({ least: 1, largest: 2 });
  const even = evenAbout({ least: 0.9, largest: 1.3 }, 1);
  expect(even.least).toBeCloseTo(0.7, 12);
  expect(position(1, even)).toBeCloseTo(0.5, 12);
  expect(position(3, { least: 3, largest: 3 })).toBe(0);
});
