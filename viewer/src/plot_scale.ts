// The axes of a plot: ranges over what is finite, round tick values, and the way from values to
// pixels.

export interface Extent {
  low: number;
  high: number;
}

export function extent(series: number[][]): Extent | null {
  let [low, high] = [Infinity, -Infinity];
  for (const values of series)
    for (const value of values) {
      if (!Number.isFinite(value)) continue;
      if (value < low) low = value;
      if (value > high) high = value;
    }
  return low <= high ? { low, high } : null;
}

// With some air above and below; a constant gets room about itself, relative to its size.
export function padded(range: Extent, share = 0.06): Extent {
  const width = range.high - range.low;
  const scale = Math.max(Math.abs(range.low), Math.abs(range.high));
  const air = width > 1e-9 * scale ? share * width : scale > 0 ? 0.1 * scale : 1;
  return { low: range.low - air, high: range.high + air };
}

// Multiples of 1, 2 or 5 times a power of ten, at most `most` of them.
export function ticks(range: Extent, most: number): number[] {
  const width = range.high - range.low;
  if (!(width > 0) || most < 1) return [];
  const rough = width / most;
  const power = Math.pow(10, Math.floor(Math.log10(rough)));
  const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= rough * (1 - 1e-9)) ?? 10);
  const first = Math.ceil(range.low / step - 1e-9);
  const last = Math.floor(range.high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, k) => (first + k) * step);
}

export class Axis {
  constructor(
    readonly range: Extent,
    readonly from: number,
    readonly to: number,
  ) {}
  pixel(value: number): number {
    const { low, high } = this.range;
    return this.from + ((value - low) / (high - low || 1)) * (this.to - this.from);
  }
  value(pixel: number): number {
    const { low, high } = this.range;
    return low + ((pixel - this.from) / (this.to - this.from || 1)) * (high - low);
  }
}

// Indices to draw of a long series: the smallest and largest within each of `columns` bins, so that
// spikes stay visible.
export function thinned(values: number[], columns: number): number[] {
  if (values.length <= 2 * columns) return values.map((_, k) => k);
  const kept: number[] = [];
  for (let c = 0; c < columns; ++c) {
    const from = Math.floor((c * values.length) / columns);
    const to = Math.floor(((c + 1) * values.length) / columns);
    let [least, most] = [from, from];
    for (let k = from; k < to; ++k) {
      if (values[k] < values[least] || Number.isNaN(values[least])) least = k;
      if (values[k] > values[most] || Number.isNaN(values[most])) most = k;
    }
    kept.push(Math.min(least, most));
    if (least !== most) kept.push(Math.max(least, most));
  }
  return kept;
}
