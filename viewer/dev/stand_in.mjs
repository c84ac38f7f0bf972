// A server for developing the page without the program: speaks docs/viewer-protocol.md over a
// synthetic block that wobbles. Modes: live, replay (two runs), growing (a recorded run that is still
// being written), gallery.
//   npm run build && node dev/stand_in.mjs [live|replay|growing|gallery] [port] [token]
// PLIANT_CELLS, e.g. 100,50,50, makes the block finer, to see how the page copes.
import http from "node:http";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { WebSocketServer } from "ws";
import { Wobble } from "./wobble.mjs";
import { encodeFrame, encodeSurface, fieldNumber } from "./encode.mjs";

const [mode = "live", port = "8765", token = "stand-in"] = process.argv.slice(2);
const dist =
  process.env.PLIANT_VIEWER_DIST ??
  path.join(path.dirname(fileURLToPath(import.meta.url)), "..", "dist");
const types = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
};
const session = Date.now() % 1e9;
const scenes = ["beam", "jello", "tree"].map((name) => ({
  name,
  description: `A ${name} that wobbles under its own weight.`,
  thumbnail: false,
}));

const growing = mode === "growing";
const replay = mode === "replay" || growing;
let opened = growing ? "replay" : mode;
let modesKnown = false; // as in the program: found when first asked for
let state = "running";
let speed = 0; // simulated seconds per second at most; 0: three steps a picture
let owed = 0; // steps
const runs =
  mode === "replay"
    ? [new Wobble({ damping: 0.05 }), new Wobble({ damping: 0.4 })]
    : [
        new Wobble(
          process.env.PLIANT_CELLS
            ? { cells: process.env.PLIANT_CELLS.split(",").map(Number) }
            : {},
        ),
      ];
const writer = new Wobble({}); // of the run that grows
const recorded = growing ? [record(writer, 3)] : replay ? runs.map((run) => record(run, 61)) : [];
let rows = [runs[0].row()];
const pages = new Set();

function record(run, count) {
  const frames = [];
  for (let k = 0; k < count; ++k) {
    frames.push({ time: run.time, a: run.a, v: run.v, row: run.row() });
    for (let s = 0; s < 4; ++s) run.step();
  }
  return frames;
}

function parameters() {
  return [
    { path: "gravity", label: "Gravity", kind: "vector", value: runs[0].gravity, unit: "m/s²" },
    {
      path: "damping",
      label: "Damping",
      kind: "number",
      value: runs[0].damping,
      min: 0,
      max: 2,
      unit: "",
    },
    {
      path: "integrator.type",
      label: "Integrator",
      kind: "choice",
      value: "be",
      choices: ["be", "bdf2", "trbdf2"],
    },
  ];
}

function hello() {
  const live = opened === "live";
  return {
    type: "hello",
    version: 1,
    session,
    mode: opened,
    control: true,
    title: opened === "gallery" ? "scenes" : "wobbling block",
    runs:
      opened === "gallery"
        ? []
        : runs.map((run, k) => ({
            name: `wobble ${k + 1}`,
            integrator: ["be", "bdf2"][k],
            dt: run.dt,
            duration: live ? 60 : 2.4,
            bodies: [{ name: "block", vertices: 0, triangles: 0 }],
            fields: ["body", "velocity", "stress", "det"],
            times: live ? undefined : recorded[k].map((f) => f.time),
            columns: Wobble.columns,
            modes: [1.5, 9.4].map((frequency) => ({ frequency: modesKnown ? frequency : null })),
          })),
    parameters: live ? parameters() : undefined,
    scenes: mode === "gallery" ? scenes : undefined,
  };
}

function frameOf(run, number, field) {
  const r = runs[run];
  return {
    run,
    number,
    time: r.time,
    positions: r.positions(),
    field,
    values: r.values(field),
    grabbed: r.pull ? [...r.grabbedPoint(), ...r.pull.target] : null,
  };
}

function runAnswer(parts, url) {
  const k = Number(parts[1]);
  const run = runs[k];
  if (!run) return null;
  if (parts[2] === "surface") return encodeSurface(run);
  if (parts[2] === "history")
    return JSON.stringify({
      columns: Wobble.columns,
      rows: replay ? recorded[k].map((f) => f.row) : rows,
    });
  if (parts[2] === "modes") {
    if (!modesKnown) {
      modesKnown = true;
      for (const page of pages) page.send(hello());
    }
    const shape = run.positions(1).map((x, i) => (i % 3 === 1 ? x - run.rest[i] : 0));
    return encodeFrame({ run: k, number: 0, time: 0, positions: shape, field: 0 });
  }
  const frame = recorded[k]?.[Number(parts[3])];
  if (!frame) return null;
  Object.assign(run, { a: frame.a, v: frame.v, time: frame.time });
  return encodeFrame(frameOf(k, Number(parts[3]), fieldNumber(url.searchParams.get("field"))));
}

function answer(request, response) {
  const url = new URL(request.url, "http://host");
  const parts = url.pathname.split("/").filter(Boolean);
  const asset = parts[0] === "assets";
  const say = (code, type, body) =>
    response
      .writeHead(code, {
        "content-type": type,
        "content-security-policy":
          "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' blob: data:; connect-src 'self' ws:",
      })
      .end(body);
  if (!asset && url.searchParams.get("token") !== token)
    return say(403, "text/plain", "a token is needed");
  if (parts[0] === "session") return say(200, "application/json", JSON.stringify(hello()));
  if (parts[0] === "runs") {
    const body = runAnswer(parts, url);
    return body ? say(200, "application/octet-stream", body) : say(404, "text/plain", "not there");
  }
  const file = path.join(
    dist,
    asset ? path.join("assets", path.basename(url.pathname)) : "index.html",
  );
  if (!fs.existsSync(file)) return say(404, "text/plain", "not there");
  return say(200, types[path.extname(file)] ?? "application/octet-stream", fs.readFileSync(file));
}

class Page {
  credit = 0;
  number = 0;
  field = 0;
  before = null;
  last = -1;
  constructor(socket) {
    this.socket = socket;
    this.send(hello());
    this.send(status());
    this.send({ type: "log", level: "info", time: 0, text: "the stand-in server is running" });
  }
  send(message) {
    this.socket.send(JSON.stringify(message));
  }
  offer() {
    if (opened !== "live" || this.credit < 1 || runs[0].stepCount === this.last) return;
    --this.credit;
    const frame = frameOf(0, this.number++, this.field);
    this.socket.send(encodeFrame(frame, this.before));
    [this.before, this.last] = [frame.positions, runs[0].stepCount];
  }
}

function status() {
  return {
    type: "status",
    state: replay ? "done" : state,
    step: runs[0].stepCount,
    time: runs[0].time,
    duration: 60,
    speed: state === "running" ? 1 : 0,
    wall_ms: 3.2,
    reason: "",
  };
}

function advance() {
  runs[0].step();
  rows.push(runs[0].row());
  if (rows.length > 5000) rows = rows.filter((_, k) => k % 2 === 0);
  for (const page of pages) page.send({ type: "rows", run: 0, rows: [runs[0].row()] });
}

const actions = {
  ready: (page, m) => {
    page.credit += m.count;
  },
  field: (page, m) => {
    page.field = fieldNumber(m.name);
    page.before = null;
    page.last = -1;
  },
  pause: () => {
    state = "paused";
  },
  resume: () => {
    state = "running";
  },
  step: () => {
    advance();
    state = "paused";
  },
  speed: (_, m) => {
    speed = m.value;
  },
  restart: () => {
    runs[0].restart();
    rows = [runs[0].row()];
  },
  set: (page, m) => {
    if (m.path === "gravity" && Math.abs(m.value[1]) > 1000)
      return page.send({ type: "refused", text: "gravity: must be below 1000 m/s², got more" });
    if (m.path in runs[0]) runs[0][m.path] = m.value;
    for (const one of pages) one.send({ type: "parameters", parameters: parameters() });
  },
  grab: (_, m) => {
    runs[0].pull = m;
  },
  drag: (_, m) => {
    if (runs[0].pull) runs[0].pull.target = m.target;
  },
  release: () => {
    runs[0].pull = null;
  },
  open: () => {
    opened = "live";
    for (const page of pages) {
      page.before = null;
      page.credit = 0;
      page.send(hello());
    }
  },
  close: () => {
    opened = "gallery";
    for (const page of pages) page.send(hello());
  },
};

const server = http.createServer(answer);
const sockets = new WebSocketServer({ noServer: true });
server.on("upgrade", (request, socket, head) => {
  if (new URL(request.url, "http://host").searchParams.get("token") !== token)
    return socket.end("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n");
  sockets.handleUpgrade(request, socket, head, (channel) => {
    const page = new Page(channel);
    pages.add(page);
    channel.on("message", (data) => {
      const message = JSON.parse(data);
      actions[message.type]?.(page, message);
    });
    channel.on("close", () => pages.delete(page));
  });
});
setInterval(() => {
  if (opened === "live" && state === "running") owed += speed > 0 ? (0.03 * speed) / runs[0].dt : 3;
  for (; owed >= 1; --owed) advance();
  for (const page of pages) page.offer();
}, 30);
setInterval(() => {
  if (growing) recorded[0].push(...record(writer, 1));
  for (const page of pages) {
    if (growing) page.send(hello());
    page.send(status());
  }
}, 200);
server.listen(Number(port), "127.0.0.1", () =>
  console.log(`http://127.0.0.1:${server.address().port}/?token=${token}`),
);
