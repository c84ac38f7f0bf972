// window.pliant: what the page's tests look at, read-only. Nothing in the page depends on it.
//
//   connected, reconnects, session, mode, state   the connection and the run
//   frames      frames received in this session
//   drawn       pictures drawn since the page was opened
//   kept        pictures of the past that can be scrubbed to;  memory  their bytes
//   shownTime, newestTime, following, playing     what is shown, s
//   settled     whether the drawn pictures are those of the shown time
//   runs, panes, colour, layout                   how it is shown
//   sceneTime   simulated time the server reported last, s
//   centre(run)            mean of the drawn vertices of a run's bodies, m
//   vertices(run)          how many vertices the surface of a run has
//   point(run, vertex)     where a vertex is drawn, in pixels of the page
//   history(run, column)   the values of a column of the history
//   differences()          largest distance of each run to the first, m
import type { App } from "./app";

export function makeProbe(app: App): object {
  const session = () => app.session;
  return Object.freeze({
    get connected() {
      return app.connection.open;
    },
    get reconnects() {
      return app.connection.reconnects;
    },
    get session() {
      return session()?.hello.session ?? null;
    },
    get mode() {
      return app.mode;
    },
    get state() {
      return app.status?.state ?? null;
    },
    get sceneTime() {
      return app.status?.time ?? null;
    },
    get frames() {
      return session()?.framesReceived ?? 0;
    },
    get drawn() {
      return app.drawn;
    },
    get kept() {
      return session()?.kept ?? 0;
    },
    get memory() {
      return session()?.bytes ?? 0;
    },
    get shownTime() {
      return session()?.playback.time ?? 0;
    },
    get newestTime() {
      return session()?.newest ?? 0;
    },
    get following() {
      return session()?.playback.following ?? false;
    },
    get playing() {
      return session()?.playback.playing ?? false;
    },
    get settled() {
      return app.settled;
    },
    get runs() {
      return session()?.hello.runs.length ?? 0;
    },
    get panes() {
      return app.stage.panes;
    },
    get layout() {
      return app.stage.layout;
    },
    get colour() {
      return app.colouring.colour;
    },
    vertices: (run: number) => app.stage.runs[run]?.surface.vertices ?? 0,
    centre: (run: number) => app.stage.centre(run),
    point: (run: number, vertex: number) => app.stage.pixel(run, vertex),
    history: (run: number, column: string) => session()?.histories[run]?.values(column) ?? [],
    differences: () => app.stage.differences(),
  });
}
