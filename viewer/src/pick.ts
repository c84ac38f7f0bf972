// Which point of a surface a ray hits: all triangles are tried, which for 100 000 of them takes a
// few milliseconds and is done once per click. The test is Möller and Trumbore's, from both sides.

export interface Hit {
  triangle: number;
  weights: [number, number, number];
  distance: number;
  point: number[];
}

export function pick(
  positions: Float32Array,
  corners: Uint32Array,
  origin: number[],
  direction: number[],
): Hit | null {
  let best: Hit | null = null;
  for (let t = 0; t < corners.length / 3; ++t) {
    const hit = hitTriangle(positions, corners, t, origin, direction);
    if (hit && (!best || hit.distance < best.distance)) best = hit;
  }
  if (best) best.point = origin.map((o, i) => o + best!.distance * direction[i]);
  return best;
}

function hitTriangle(
  x: Float32Array,
  corners: Uint32Array,
  t: number,
  o: number[],
  d: number[],
): Hit | null {
  const a = 3 * corners[3 * t],
    b = 3 * corners[3 * t + 1],
    c = 3 * corners[3 * t + 2];
  const e1x = x[b] - x[a],
    e1y = x[b + 1] - x[a + 1],
    e1z = x[b + 2] - x[a + 2];
  const e2x = x[c] - x[a],
    e2y = x[c + 1] - x[a + 1],
    e2z = x[c + 2] - x[a + 2];
  const px = d[1] * e2z - d[2] * e2y,
    py = d[2] * e2x - d[0] * e2z,
    pz = d[0] * e2y - d[1] * e2x;
  const determinant = e1x * px + e1y * py + e1z * pz;
  if (determinant === 0) return null;
  const sx = o[0] - x[a],
    sy = o[1] - x[a + 1],
    sz = o[2] - x[a + 2];
  const u = (sx * px + sy * py + sz * pz) / determinant;
  if (u < 0 || u > 1) return null;
  const qx = sy * e1z - sz * e1y,
    qy = sz * e1x - sx * e1z,
    qz = sx * e1y - sy * e1x;
  const v = (d[0] * qx + d[1] * qy + d[2] * qz) / determinant;
  if (v < 0 || u + v > 1) return null;
  const distance = (e2x * qx + e2y * qy + e2z * qz) / determinant;
  return distance > 0 ? { triangle: t, weights: [1 - u - v, u, v], distance, point: [] } : null;
}
