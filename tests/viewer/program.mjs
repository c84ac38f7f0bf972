// Starts what serves the page: the program (PLIANT_PROGRAM), or, where that is not set, the
// stand-in server of viewer/dev, with which the page is developed.
import { execFile, execFileSync, spawn } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const here = path.dirname(fileURLToPath(import.meta.url));
const program = process.env.PLIANT_PROGRAM && path.resolve(process.env.PLIANT_PROGRAM);
export const pageFolder = path.resolve(
  process.env.PLIANT_VIEWER_PAGE ?? path.join(here, "..", "..", "viewer"),
);
const scene = path.join(here, "swing.json");
export const folder = fs.mkdtempSync(path.join(os.tmpdir(), "pliant-viewer-"));
const running = new Set();

export function freePort() {
  return new Promise((done) => {
    const server = net.createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });
}

// The result folders of one scene run with two methods, for the side by side view.
let recorded = null;
function record() {
  recorded ??= ["be", "trapezoidal"].map((method) => {
    const out = path.join(folder, method);
    execFileSync(program, [
      "run",
      scene,
      "--out",
      out,
      "--quiet",
      "--set",
      `integrator=${method}`,
      "--set",
      "time.duration=1",
    ]);
    return out;
  });
  return recorded;
}

// The result folder of a run that is as long as asked for, from where it ended before. The stand-in's
// grows by itself.
const growing = path.join(folder, "growing");
async function growTo(duration) {
  const words = ["run", scene, "--out", growing, "--quiet", "--set", `time.duration=${duration}`];
  if (fs.existsSync(growing)) words.push("--resume");
  if (program) await promisify(execFile)(program, words);
  return [growing];
}

// kind: "live" a scene that runs, "replay" two result folders, "growing" one that gets longer,
// "gallery" all scenes. The program keeps the token of a port under `state`; the stand-in takes one of that name.
export async function start(kind, { port = 0, state = "state" } = {}) {
  const chosen = port || (await freePort());
  const kinds = { live: () => [scene], replay: record, growing: () => growTo(1), gallery: () => [] };
  const words = program
    ? ["view", ...(await kinds[kind]()), "--port", String(chosen)]
    : [path.join(pageFolder, "dev", "stand_in.mjs"), kind, String(chosen), `token-${state}`];
  const child = spawn(program ?? process.execPath, words, {
    cwd: path.join(here, "..", ".."),
    env: { ...process.env, XDG_STATE_HOME: path.join(folder, state) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.add(child);
  const ended = new Promise((done) =>
    child.once("exit", (code) => {
      running.delete(child);
      done(code);
    }),
  );
  const url = await addressOf(child);
  return {
    url,
    port: chosen,
    token: new URL(url).searchParams.get("token"),
    growTo,
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

// The first address the program prints.
function addressOf(child) {
  let text = "";
  return new Promise((done, failed) => {
    const read = (data) => {
      text += data;
      const found = text.match(/http:\/\/\S+token=\S+/);
      if (found) done(found[0]);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.once("exit", (code) =>
      failed(new Error(`the server ended with ${code} before it gave an address: ${text}`)),
    );
  });
}

export function stopAll() {
  for (const child of running) child.kill("SIGKILL");
  fs.rmSync(folder, { recursive: true, force: true });
}
