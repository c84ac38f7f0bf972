// What this page knows of the runs it shows: their surfaces, pictures and histories, and the time
// shown. Live runs push frames, which go into the past; recorded ones are fetched frame by frame
// when wanted.
import { Connection } from "./connection";
import { FrameCache } from "./frame_cache";
import { History } from "./history";
import { Past, pastCap } from "./past";
import { nextPicture, Picture } from "./picture";
import { lastAtOrBefore, Playback } from "./playback";
import { ColourName, decodeFrame, decodeSurface, Frame, Hello, Row, Surface } from "./protocol";

export class Session {
  surfaces: Surface[] = [];
  histories: History[];
  readonly playback: Playback;
  readonly live: boolean;
  framesReceived = 0;
  loaded = false;
  private readonly pasts: Past[];
  private readonly latest: (Picture | null)[];
  private readonly cache: FrameCache;
  private recorded: number[] = []; // times of recorded frames, of all runs

  constructor(
    readonly hello: Hello,
    private readonly connection: Connection,
    changed: () => void,
    failed: (reason: string) => void,
  ) {
    this.live = hello.mode === "live";
    this.playback = new Playback(this.live);
    this.histories = hello.runs.map((run) => new History(run.columns ?? []));
    this.pasts = hello.runs.map(() => new Past(pastCap / hello.runs.length));
    this.latest = hello.runs.map(() => null);
    this.cache = new FrameCache(
      (run, frame, field) => this.fetchPicture(run, frame, field),
      changed,
      failed,
      pastCap,
    );
    if (!this.live) this.recorded = joinTimes(hello.runs.map((run) => run.times ?? []));
  }

  get bytes(): number {
    return this.cache.bytes + this.pasts.reduce((sum, past) => sum + past.bytes, 0);
  }
  get kept(): number {
    return this.live ? (this.pasts[0]?.length ?? 0) : this.cache.length;
  }
  get times(): ArrayLike<number> {
    return this.live ? (this.pasts[0]?.times ?? []) : this.recorded;
  }
  get newest(): number {
    return this.times.length ? this.times[this.times.length - 1] : 0;
  }
  // Runs can be compared vertex by vertex where they have the same surface.
  get comparable(): boolean {
    const [first, ...others] = this.surfaces;
    return others.length > 0 && others.every((other) => other.vertices === first.vertices);
  }

  async load(): Promise<void> {
    this.surfaces = await Promise.all(
      this.hello.runs.map(async (_, run) =>
        decodeSurface(await (await this.connection.get(`runs/${run}/surface`)).arrayBuffer()),
      ),
    );
    this.loaded = true;
    await Promise.all(this.hello.runs.map((_, run) => this.loadHistory(run)));
  }

  // A recorded run that was still being written has more frames now.
  grow(hello: Hello): void {
    if (this.live) return;
    hello.runs.forEach((run, k) => {
      if (this.hello.runs[k]) this.hello.runs[k].times = run.times;
    });
    this.recorded = joinTimes(hello.runs.map((run) => run.times ?? []));
    hello.runs.forEach((_, run) => void this.loadHistory(run).catch(() => undefined));
  }

  async loadHistory(run: number): Promise<void> {
    const table = (await (await this.connection.get(`runs/${run}/history`)).json()) as {
      columns: string[];
      rows: Row[];
    };
    const known = this.histories[run];
    const history = new History(table.columns);
    history.rows = known.rows;
    history.join(table.rows);
    this.histories[run] = history;
  }

  addRows(run: number, rows: Row[]): void {
    this.histories[run]?.add(rows);
  }

  // A live frame; one earlier than the last means that the run was started again.
  addFrame(frame: Frame): void {
    const past = this.pasts[frame.run];
    if (!past || frame.vertices !== this.surfaces[frame.run]?.vertices) return;
    const picture = nextPicture(this.latest[frame.run], frame);
    if (past.newest && picture.time < past.newest.time) this.startAgain(frame.run);
    // The same time again: the field changed, or the mouse took hold while the run was paused.
    this.latest[frame.run] = picture;
    past.add(picture);
    ++this.framesReceived;
  }

  private startAgain(run: number): void {
    this.pasts[run].clear();
    this.histories[run].clear();
    this.playback.follow();
    void this.loadHistory(run).catch(() => undefined);
  }

  // What to draw of a run at the shown time; null while it is not there yet.
  picture(run: number, colour: ColourName): Picture | null {
    if (this.live)
      return this.playback.following
        ? this.pasts[run].newest
        : this.pasts[run].find(this.playback.time);
    const times = this.hello.runs[run].times ?? [];
    if (!times.length) return null;
    const field = colour === "error" && this.surfaces.length > 1 ? "body" : colour;
    const frame = lastAtOrBefore(times, this.playback.time);
    const picture = this.cache.want(run, frame, field);
    if (picture && this.playback.playing)
      for (let ahead = 1; ahead <= 3 && frame + ahead < times.length; ++ahead)
        this.cache.want(run, frame + ahead, field);
    return picture;
  }

  private async fetchPicture(run: number, frame: number, field: string): Promise<Picture> {
    const answer = await this.connection.get(`runs/${run}/frames/${frame}`, `&field=${field}`);
    const picture = nextPicture(null, decodeFrame(await answer.arrayBuffer()));
    ++this.framesReceived;
    return { ...picture, number: frame };
  }

  async mode(run: number, mode: number): Promise<Float32Array> {
    const answer = await this.connection.get(`runs/${run}/modes/${mode}`);
    return nextPicture(null, decodeFrame(await answer.arrayBuffer())).positions;
  }
}

// All times of several runs in order, those that differ by rounding only once.
export function joinTimes(lists: number[][]): number[] {
  const all = lists.flat().sort((a, b) => a - b);
  return all.filter((time, k) => k === 0 || time - all[k - 1] > 1e-9);
}

// How far apart two runs are, vertex by vertex, in m.
export function difference(
  a: Float32Array,
  b: Float32Array,
): { values: Float32Array; largest: number } {
  const values = new Float32Array(a.length / 3);
  let largest = 0;
  for (let v = 0; v < values.length; ++v) {
    values[v] = Math.hypot(
      a[3 * v] - b[3 * v],
      a[3 * v + 1] - b[3 * v + 1],
      a[3 * v + 2] - b[3 * v + 2],
    );
    if (values[v] > largest) largest = values[v];
  }
  return { values, largest };
}
