// Numbers as people read them: three or four digits, SI prefixes on units, no noise.

const prefixes: [number, string][] = [
  [1e9, "G"],
  [1e6, "M"],
  [1e3, "k"],
  [1, ""],
  [1e-3, "m"],
  [1e-6, "µ"],
  [1e-9, "n"],
];

export function plain(value: number | null | undefined, digits = 4): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e6 || size < 1e-3)
    return value
      .toExponential(digits - 2)
      .replace("-", "−")
      .replace("e+", "e");
  return String(Number(value.toPrecision(digits))).replace("-", "−");
}

// With its unit, whose prefix follows the size: 12.3 kPa.
export function withUnit(value: number | null | undefined, unit: string): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  if (!unit) return plain(value);
  if (value === 0) return `0 ${unit}`;
  const size = Math.abs(value);
  const [scale, prefix] =
    prefixes.find(([limit]) => size >= 0.9995 * limit) ?? prefixes[prefixes.length - 1];
  return `${String(Number((value / scale).toPrecision(3))).replace("-", "−")} ${prefix}${unit}`;
}

export function seconds(time: number): string {
  return Number.isFinite(time) ? `${time.toFixed(3)} s` : "–";
}
