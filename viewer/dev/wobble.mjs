// A synthetic scene for developing the page: one block held at its left end that swings like a
// damped spring under gravity, with the histories a real run has. Not physics: every vertex follows
// one coordinate a.
export class Wobble {
  constructor({
    cells = [12, 4, 4],
    size = [1, 0.25, 0.25],
    frequency = 1.5,
    damping = 0.25,
  } = {}) {
    Object.assign(this, makeBlock(cells, size), { size, frequency, damping });
    this.gravity = [0, -9.81, 0];
    this.dt = 0.01;
    this.restart();
  }

  restart() {
    this.time = 0;
    this.stepCount = 0;
    this.a = 0; // how far the free end is down, m
    this.v = 0;
    this.pull = null;
  }

  step() {
    const omega = 2 * Math.PI * this.frequency;
    const grabbed = this.pull ? 60 * (this.pull.target[1] - this.grabbedPoint()[1]) : 0;
    const force =
      this.gravity[1] + grabbed - omega * omega * this.a - 2 * this.damping * omega * this.v;
    this.v += this.dt * force;
    this.a += this.dt * this.v;
    this.time += this.dt;
    ++this.stepCount;
  }

  // The deflection grows with the square of the distance from the held end.
  positions(a = this.a) {
    const moved = this.rest.slice();
    for (let k = 0; k < moved.length; k += 3) {
      const s = (this.rest[k] + this.size[0] / 2) / this.size[0];
      moved[k + 1] += a * s * s;
      moved[k] -= 0.4 * a * a * s * s;
    }
    return moved;
  }

  grabbedPoint() {
    const x = this.positions();
    const point = [0, 0, 0];
    this.pull.weights.forEach((w, i) => {
      const v = 3 * this.corners[3 * this.pull.triangle + i];
      for (let c = 0; c < 3; ++c) point[c] += w * x[v + c];
    });
    return point;
  }

  values(field) {
    return Float32Array.from({ length: this.rest.length / 3 }, (_, v) => {
      const s = (this.rest[3 * v] + this.size[0] / 2) / this.size[0];
      if (field === 1) return Math.abs(this.v) * s * s;
      if (field === 2)
        return (4e5 * Math.abs(this.a) * (1 - s) * Math.abs(this.rest[3 * v + 1])) / this.size[1];
      if (field === 3) return 1 + (0.3 * this.a * (1 - s) * this.rest[3 * v + 1]) / this.size[1];
      return 0;
    });
  }

  static columns =
    "step time dt kinetic elastic external contact total px py pz lx ly lz newton linear contacts min_gap wall_ms".split(
      " ",
    );
  row() {
    const omega = 2 * Math.PI * this.frequency;
    const [kinetic, elastic, external] = [
      0.5 * this.v ** 2,
      0.5 * (omega * this.a) ** 2,
      -this.gravity[1] * this.a,
    ];
    return [
      this.stepCount,
      this.time,
      this.dt,
      kinetic,
      elastic,
      external,
      0,
      kinetic + elastic + external,
      -0.2 * this.a * this.v,
      this.v,
      0,
      0,
      0,
      0.5 * this.v,
      this.stepCount === 0 ? null : 2 + (Math.abs(this.v) > 1 ? 1 : 0),
      null,
      null,
      null,
      3 + Math.abs(this.v),
    ];
  }
}

// The surface of a box of cells, with shared vertices, quads cut in two, and the quads' own edges.
function makeBlock(cells, size) {
  const ids = new Map();
  const [rest, corners, edges] = [[], [], new Set()];
  const vertex = (p) => {
    const key = p.join();
    if (!ids.has(key)) {
      ids.set(key, ids.size);
      p.forEach((x, i) => rest.push((x / cells[i] - 0.5) * size[i] + (i === 1 ? 0.6 : 0)));
    }
    return ids.get(key);
  };
  for (let axis = 0; axis < 3; ++axis)
    for (const side of [0, 1]) {
      const [u, w] = [(axis + 1) % 3, (axis + 2) % 3];
      for (let i = 0; i < cells[u]; ++i)
        for (let j = 0; j < cells[w]; ++j) {
          const quad = [
            [i, j],
            [i + 1, j],
            [i + 1, j + 1],
            [i, j + 1],
          ].map(([a, b]) => {
            const p = [0, 0, 0];
            [p[axis], p[u], p[w]] = [side * cells[axis], a, b];
            return vertex(p);
          });
          if (!side) quad.reverse();
          corners.push(quad[0], quad[1], quad[2], quad[0], quad[2], quad[3]);
          quad.forEach((a, k) => edges.add([a, quad[(k + 1) % 4]].sort((x, y) => x - y).join()));
        }
    }
  const pinned = Uint8Array.from({ length: rest.length / 3 }, (_, v) =>
    rest[3 * v] < -size[0] / 2 + 1e-9 ? 1 : 0,
  );
  return {
    rest: Float32Array.from(rest),
    corners: Uint32Array.from(corners),
    pinned,
    edges: Uint32Array.from([...edges].flatMap((edge) => edge.split(",").map(Number))),
  };
}
