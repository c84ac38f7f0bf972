import { expect, test } from "vitest";
import { addNormals, makeDrawMesh } from "../src/creases";
import { pick } from "../src/pick";
import { difference } from "../src/session";
import { decodeSurface, Surface } from "../src/protocol";
import { swing } from "../src/panels/modes";
import { tetrahedron } from "./bytes";

// A unit cube of 8 shared vertices, and the same subdivided strip laid flat.
const quads = [
  [0, 3, 2, 1],
  [4, 5, 6, 7],
  [0, 1, 5, 4],
  [2, 3, 7, 6],
  [1, 2, 6, 5],
  [0, 4, 7, 3],
];
function makeSurface(rest: number[], corners: number[]): Surface {
  const vertices = rest.length / 3;
  return {
    vertices,
    triangles: corners.length / 3,
    bodies: 1,
    rest: Float32Array.from(rest),
    corners: Uint32Array.from(corners),
    body: new Uint32Array(vertices),
    edges: new Uint32Array(0),
    pinned: new Uint8Array(vertices),
    bodyVertices: vertices,
  };
}
const cube = makeSurface(
  [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1],
  quads.flatMap(([a, b, c, d]) => [a, b, c, a, c, d]),
);

test("a cube's corners are drawn once per face, and their normals are the faces'", () => {
  const mesh = makeDrawMesh(cube);
  expect(mesh.source.length).toBe(24);
  mesh.corners.forEach((drawn, corner) => expect(mesh.source[drawn]).toBe(cube.corners[corner]));
  const positions = Float32Array.from(
    [...mesh.source].flatMap((v) => [...cube.rest.slice(3 * v, 3 * v + 3)]),
  );
  const normals = new Float32Array(positions.length);
  addNormals(positions, mesh.corners, normals);
  for (let k = 0; k < normals.length; k += 3) {
    const sizes = [0, 1, 2].map((i) => Math.abs(normals[k + i])).sort();
    expect(sizes).toEqual([0, 0, 1]);
    // Outwards: away from the cube's middle.
    expect(
      [0, 1, 2].reduce((sum, i) => sum + normals[k + i] * (positions[k + i] - 0.5), 0),
    ).toBeCloseTo(0.5, 6);
  }
});

test("a flat sheet is drawn with its own vertices", () => {
  const sheet = makeSurface(
    [0, 0, 0, 1, 0, 0, 2, 0, 0, 0, 0, 1, 1, 0, 1, 2, 0, 1],
    [0, 3, 1, 1, 3, 4, 1, 4, 2, 2, 4, 5],
  );
  expect([...makeDrawMesh(sheet).source].sort()).toEqual([0, 1, 2, 3, 4, 5]);
});

test("a ray hits the nearest triangle, with weights that give the point back", () => {
  const hit = pick(cube.rest, cube.corners, [0.3, 0.6, 5], [0, 0, -1])!;
  expect(hit.distance).toBeCloseTo(4, 12);
  const corners = [0, 1, 2].map((i) => cube.corners[3 * hit.triangle + i]);
  for (let c = 0; c < 3; ++c) {
    const point = hit.weights.reduce(
      (sum, weight, i) => sum + weight * cube.rest[3 * corners[i] + c],
      0,
    );
    expect(point).toBeCloseTo([0.3, 0.6, 1][c], 6);
  }
  expect(pick(cube.rest, cube.corners, [3, 0.5, 5], [0, 0, -1])).toBeNull();
  expect(pick(cube.rest, cube.corners, [0.5, 0.5, 5], [0, 0, 1])).toBeNull();
});

test("the difference of two runs is the distance of their vertices", () => {
  const { values, largest } = difference(
    Float32Array.of(0, 0, 0, 3, 4, 0),
    Float32Array.of(0, 0, 0, 0, 0, 0),
  );
  expect([[...values], largest]).toEqual([[0, 5], 5]);
});

test("a mode moves the rest shape along itself", () => {
  const { rest } = decodeSurface(tetrahedron());
  const target = new Float32Array(rest.length);
  swing(
    rest,
    Float32Array.from(rest, (x) => 2 * x),
    0.5,
    target,
  );
  expect([...target]).toEqual([...rest].map((x) => 2 * x));
});
