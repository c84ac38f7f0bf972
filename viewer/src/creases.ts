// Vertices for drawing: a vertex whose triangles meet at a sharp angle at rest is drawn several
// times, once per smooth patch around it, so that boxes keep their edges and round bodies look
// round. Found once per surface; each picture then only copies positions.
import { Surface } from "./protocol";

export interface DrawMesh {
  source: Uint32Array; // the surface's vertex of each drawn one
  corners: Uint32Array; // 3 per triangle, of drawn vertices
}

const sharpest = Math.cos((40 * Math.PI) / 180);

function faceNormals(positions: Float32Array, corners: Uint32Array): Float32Array {
  const normals = new Float32Array(corners.length);
  for (let t = 0; t < corners.length; t += 3) {
    const [a, b, c] = [3 * corners[t], 3 * corners[t + 1], 3 * corners[t + 2]];
    const [ux, uy, uz] = [0, 1, 2].map((i) => positions[b + i] - positions[a + i]);
    const [wx, wy, wz] = [0, 1, 2].map((i) => positions[c + i] - positions[a + i]);
    const n = [uy * wz - uz * wy, uz * wx - ux * wz, ux * wy - uy * wx];
    const length = Math.hypot(n[0], n[1], n[2]) || 1;
    for (let i = 0; i < 3; ++i) normals[t + i] = n[i] / length;
  }
  return normals;
}

// The corners (3t + i) around each vertex, one after the other.
function cornersAround(surface: Surface): { start: Uint32Array; list: Uint32Array } {
  const start = new Uint32Array(surface.vertices + 1);
  for (const v of surface.corners) ++start[v + 1];
  for (let v = 0; v < surface.vertices; ++v) start[v + 1] += start[v];
  const next = start.slice();
  const list = new Uint32Array(surface.corners.length);
  surface.corners.forEach((v, corner) => {
    list[next[v]++] = corner;
  });
  return { start, list };
}

// Two triangles about v are neighbours where they share another vertex besides.
function shareEdge(corners: Uint32Array, s: number, t: number, v: number): boolean {
  for (let i = 0; i < 3; ++i)
    for (let j = 0; j < 3; ++j)
      if (corners[3 * s + i] !== v && corners[3 * s + i] === corners[3 * t + j]) return true;
  return false;
}

export function makeDrawMesh(surface: Surface): DrawMesh {
  const normals = faceNormals(surface.rest, surface.corners);
  const { start, list } = cornersAround(surface);
  const corners = new Uint32Array(surface.corners.length);
  const source: number[] = [];
  const smooth = (s: number, t: number): boolean =>
    normals[3 * s] * normals[3 * t] +
      normals[3 * s + 1] * normals[3 * t + 1] +
      normals[3 * s + 2] * normals[3 * t + 2] >=
    sharpest;
  for (let v = 0; v < surface.vertices; ++v) {
    const open = Array.from(list.subarray(start[v], start[v + 1]));
    while (open.length > 0) {
      const patch = [open.pop()!];
      for (let k = 0; k < patch.length; ++k) {
        const s = Math.floor(patch[k] / 3);
        for (let o = open.length - 1; o >= 0; --o) {
          const t = Math.floor(open[o] / 3);
          if (smooth(s, t) && shareEdge(surface.corners, s, t, v)) patch.push(...open.splice(o, 1));
        }
      }
      for (const corner of patch) corners[corner] = source.length;
      source.push(v);
    }
  }
  return { source: Uint32Array.from(source), corners };
}

// Normals of the drawn vertices: the mean of their triangles', weighted by area.
export function addNormals(
  positions: Float32Array,
  corners: Uint32Array,
  normals: Float32Array,
): void {
  normals.fill(0);
  for (let t = 0; t < corners.length; t += 3) {
    const [a, b, c] = [3 * corners[t], 3 * corners[t + 1], 3 * corners[t + 2]];
    const ux = positions[b] - positions[a],
      uy = positions[b + 1] - positions[a + 1];
    const uz = positions[b + 2] - positions[a + 2];
    const wx = positions[c] - positions[a],
      wy = positions[c + 1] - positions[a + 1];
    const wz = positions[c + 2] - positions[a + 2];
    const nx = uy * wz - uz * wy,
      ny = uz * wx - ux * wz,
      nz = ux * wy - uy * wx;
    for (let i = 0; i < 3; ++i) {
      const v = 3 * corners[t + i];
      normals[v] += nx;
      normals[v + 1] += ny;
      normals[v + 2] += nz;
    }
  }
  for (let v = 0; v < normals.length; v += 3) {
    const length = Math.hypot(normals[v], normals[v + 1], normals[v + 2]) || 1;
    normals[v] /= length;
    normals[v + 1] /= length;
    normals[v + 2] /= length;
  }
}
