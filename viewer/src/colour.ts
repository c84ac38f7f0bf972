// Colour maps for scalar fields and a palette for bodies. The maps are tables of colours on an even
// grid, chosen so that lightness grows steadily (sequential) or falls away on both sides of the
// middle (diverging): differences that look equal are equal, and they read in grey too. Colours are
// sRGB, 0 to 1.
import { ColourName } from "./protocol";

export type Rgb = [number, number, number];
export interface ColourMap {
  name: string;
  stops: Rgb[];
}

const rgb = (hex: number): Rgb => [(hex >> 16) / 255, ((hex >> 8) & 255) / 255, (hex & 255) / 255];

export const speedMap: ColourMap = {
  name: "sea", // dark violet through green to yellow
  stops: [
    0x440154, 0x472d7b, 0x3b528b, 0x2c728e, 0x21918c, 0x28ae80, 0x5ec962, 0xaddc30, 0xfde725,
  ].map(rgb),
};
export const stressMap: ColourMap = {
  name: "ember", // dark blue through magenta to yellow
  stops: [
    0x0d0887, 0x4c02a1, 0x7e03a8, 0xaa2395, 0xcc4778, 0xe66c5c, 0xf89540, 0xfdc527, 0xf0f921,
  ].map(rgb),
};
export const ratioMap: ColourMap = {
  name: "balance", // blue below the middle, red above
  stops: [
    0x2166ac, 0x4393c3, 0x92c5de, 0xd1e5f0, 0xf0efee, 0xfddbc7, 0xf4a582, 0xd6604d, 0xb2182b,
  ].map(rgb),
};
export const errorMap: ColourMap = {
  name: "heat", // pale grey to dark red
  stops: [
    0xe8e6e1, 0xf6d9b8, 0xf9c189, 0xf7a35f, 0xee8046, 0xdd5b39, 0xc23a35, 0x9d1f31, 0x6f0f26,
  ].map(rgb),
};

export const bodyPalette: Rgb[] = [
  0x5b8ff0, 0xe8974a, 0x55b58a, 0xc874c2, 0xd9c04f, 0x6cb9d8, 0xd9706d, 0x9a8cf0,
].map(rgb);
// What stands in the bodies' way.
export const obstacleColour: Rgb = rgb(0xa9adb3);
// Threads that no body is, by their kind: cable, spring, tendon, muscle, rod.
export const threadColours: Rgb[] = [0x5c5f66, 0xd8a21f, 0xe07b39, 0xb3262e, 0x6d727b].map(rgb);
// What is drawn where a value is not known.
export const unknownColour: Rgb = [0.55, 0.57, 0.6];

export interface FieldStyle {
  label: string;
  unit: string;
  map: ColourMap;
  middle: number | null;
}
export const fieldStyles: Record<Exclude<ColourName, "body">, FieldStyle> = {
  velocity: { label: "speed", unit: "m/s", map: speedMap, middle: null },
  stress: { label: "von Mises stress", unit: "Pa", map: stressMap, middle: null },
  contact_force: { label: "contact force", unit: "N", map: stressMap, middle: null },
  det: { label: "det F", unit: "", map: ratioMap, middle: 1 },
  error: { label: "difference to run 1", unit: "m", map: errorMap, middle: null },
};

export interface Range {
  least: number;
  largest: number;
}

// The colour at s in [0, 1]; outside it is clamped, and what is no number is grey.
export function sample(map: ColourMap, s: number): Rgb {
  if (!Number.isFinite(s)) return unknownColour;
  const last = map.stops.length - 1;
  const x = Math.min(Math.max(s, 0), 1) * last;
  const k = Math.min(Math.floor(x), last - 1);
  const f = x - k;
  const [a, b] = [map.stops[k], map.stops[k + 1]];
  return [a[0] + f * (b[0] - a[0]), a[1] + f * (b[1] - a[1]), a[2] + f * (b[2] - a[2])];
}

// Where a value stands in its range; a diverging range is widened to be even about its middle.
export function position(value: number, range: Range): number {
  const width = range.largest - range.least;
  return width > 0 ? (value - range.least) / width : 0;
}

export function evenAbout(range: Range, middle: number | null): Range {
  if (middle === null) return range;
  const half = Math.max(Math.abs(range.largest - middle), Math.abs(range.least - middle), 1e-6);
  return { least: middle - half, largest: middle + half };
}

export function widen(range: Range | null, least: number, largest: number): Range | null {
  if (!Number.isFinite(least) || !Number.isFinite(largest)) return range;
  if (!range) return { least, largest };
  return { least: Math.min(range.least, least), largest: Math.max(range.largest, largest) };
}

function toLinear(c: number): number {
  return c <= 0.04045 ? c / 12.92 : Math.pow((c + 0.055) / 1.055, 2.4);
}
export const linear = (colour: Rgb): Rgb => [
  toLinear(colour[0]),
  toLinear(colour[1]),
  toLinear(colour[2]),
];

// A map as 256 linear colours and a last one for what is not known: what the drawing looks values
// up in.
export function table(map: ColourMap): Float32Array {
  const entries = new Float32Array(3 * 257);
  for (let k = 0; k < 256; ++k) entries.set(linear(sample(map, k / 255)), 3 * k);
  entries.set(linear(unknownColour), 3 * 256);
  return entries;
}

export const css = (c: Rgb): string => `rgb(${c.map((x) => Math.round(255 * x)).join(" ")})`;
export function cssGradient(map: ColourMap, direction: string): string {
  return `linear-gradient(${direction}, ${map.stops.map(css).join(", ")})`;
}
