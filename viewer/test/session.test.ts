import { expect, test } from "vitest";
import { Connection } from "../src/connection";
import { Hello } from "../src/protocol";
import { Session } from "../src/session";
import { frameHeader, tetrahedron } from "./bytes";

const allTimes = [0, 0.1, 0.2, 0.3, 0.4];

function hello(frames: number): Hello {
  const run = {
    name: "run",
    bodies: [],
    fields: ["body" as const],
    times: allTimes.slice(0, frames),
    columns: ["step", "time"],
  };
  return {
    type: "hello",
    version: 1,
    session: 5,
    mode: "replay",
    control: true,
    title: "t",
    runs: [run],
  };
}

// A server with a folder in which `written` frames lie.
class Folder {
  written = 3;
  asked: string[] = [];
  readonly session = new Session(
    hello(3),
    { get: (path: string) => this.get(path) } as unknown as Connection,
    () => undefined,
    (reason) => {
      throw new Error(reason);
    },
  );

  private async get(path: string): Promise<Response> {
    this.asked.push(path);
    if (path.endsWith("surface")) return new Response(tetrahedron());
    if (path.endsWith("history"))
      return Response.json({
        columns: ["step", "time"],
        rows: allTimes.slice(0, this.written).map((time, step) => [step, time]),
      });
    const number = Number(path.split("/").at(-1));
    if (number >= this.written) return new Response("", { status: 404 });
    return new Response(
      frameHeader(allTimes[number], 4, 4, 0, 1)
        .f32(...new Array(12).fill(number))
        .buffer(),
    );
  }

  grow(frames: number): void {
    this.written = frames;
    this.session.grow(hello(frames));
  }
  // What is drawn once it has come.
  async shown(elapsed = 0): Promise<{ time: number; number: number; x: number }> {
    const { session } = this;
    session.playback.advance(elapsed, session.times);
    session.picture(0, "body");
    await settled();
    const picture = session.picture(0, "body")!;
    return { time: session.playback.time, number: picture.number, x: picture.positions[0] };
  }
}

const settled = () => new Promise((done) => setTimeout(done));

test("a recorded run that grows can be scrubbed to its new end, and what is shown stays", async () => {
  const folder = new Folder();
  const { session } = folder;
  await session.load();
  session.playback.pause();
  session.playback.scrub(0.1);
  expect(await folder.shown()).toEqual({ time: 0.1, number: 1, x: 1 });
  folder.grow(5);
  expect(Array.from(session.times)).toEqual(allTimes);
  expect(session.newest).toBe(0.4);
  expect(await folder.shown(1)).toEqual({ time: 0.1, number: 1, x: 1 });
  expect(session.histories[0].values("time")).toEqual(allTimes);
  session.playback.scrub(0.4);
  expect(await folder.shown()).toEqual({ time: 0.4, number: 4, x: 4 });
  expect(folder.asked.filter((path) => path.endsWith("frames/1")).length).toBe(1);
});

test("a page that shows the end of a recorded run goes on to its new end", async () => {
  const folder = new Folder();
  await folder.session.load();
  expect(await folder.shown(10)).toEqual({ time: 0.2, number: 2, x: 2 }); // played to its end
  folder.grow(4);
  expect(await folder.shown()).toEqual({ time: 0.3, number: 3, x: 3 });
  folder.session.playback.step(-1, folder.session.times);
  folder.grow(5);
  expect(await folder.shown(1)).toEqual({ time: 0.2, number: 2, x: 2 });
});

test("a run that grows while it is loaded is loaded once, with the frames it has then", async () => {
  const folder = new Folder();
  const loading = folder.session.load();
  folder.grow(5);
  await loading;
  await settled();
  expect(folder.session.newest).toBe(0.4);
  expect(folder.session.histories[0].values("step")).toEqual([0, 1, 2, 3, 4]);
  expect(folder.asked.filter((path) => path.endsWith("surface")).length).toBe(1);
});
