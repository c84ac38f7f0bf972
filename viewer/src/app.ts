// The page as a whole: what the server says goes to the session and the panels, and once per screen
// refresh what is to be shown goes to the stage. A frame is asked for only after one was drawn, so
// a page that cannot keep up is sent less and the simulation never waits for it.
import { Connection } from "./connection";
import { byId } from "./dom";
import { Frame, Hello, Message, ProtocolError, Status } from "./protocol";
import { seconds } from "./format";
import { Picture } from "./picture";
import { Session } from "./session";
import { Gallery } from "./panels/gallery";
import { Legend } from "./panels/legend";
import { LogPanel } from "./panels/log";
import { ModePanel } from "./panels/modes";
import { ParameterPanel } from "./panels/parameters";
import { PlotPanel } from "./panels/plots";
import { Transport } from "./panels/transport";
import { Chrome } from "./chrome";
import { Colouring } from "./view/colouring";
import { Drag } from "./view/drag";
import { Film } from "./view/capture";
import { Stage } from "./view/stage";

const framesAhead = 2; // on their way while one is drawn

export class App {
  session: Session | null = null;
  status: Status | null = null;
  mode: Hello["mode"] | null = null;
  drawn = 0;
  readonly connection: Connection;
  readonly stage = new Stage(byId<HTMLCanvasElement>("canvas"));
  readonly film = new Film();
  readonly log = new LogPanel();
  readonly plots = new PlotPanel((time) => this.session?.playback.scrub(time));
  readonly colouring = new Colouring(new Legend(() => this.refresh(true)));
  readonly parameters = new ParameterPanel((path, value) =>
    this.send({ type: "set", path, value }),
  );
  readonly modes = new ModePanel(
    (mode) => this.session!.mode(0, mode),
    (text) => this.complain(text),
  );
  readonly transport = new Transport({
    session: () => this.session,
    state: () => this.status?.state ?? "starting",
    send: (m) => this.send(m),
  });
  readonly drag = new Drag(this.stage, {
    allowed: () => this.mayDrag(),
    send: (m) => this.send(m),
  });
  readonly gallery: Gallery;
  private readonly chrome: Chrome;
  private shown: (Picture | null)[] = [];
  private shownAt = NaN; // the time for which `shown` was looked for, s
  private repaint = true;
  private credit = 0; // frames the server may still send
  private toAnswer = 0; // frames received that were not yet asked to be followed by another
  private early: Frame[] = []; // came before the surfaces did
  private fitted = false;
  private fromGallery = false;
  private lastTick = performance.now();
  private lastPlots = 0;

  constructor(token: string) {
    this.connection = new Connection(token, {
      message: (message) => this.receive(message),
      frame: (frame) => {
        --this.credit;
        this.receiveFrame(frame);
      },
      connected: () => this.connected(),
      lost: (reason) => this.chrome.setConnection(reason),
      broken: (error) => this.complain(error.message),
    });
    this.gallery = new Gallery(
      (k) => this.connection.address(`thumbnails/${k}`),
      (scene) => this.send({ type: "open", scene }),
    );
    this.chrome = new Chrome(this);
  }

  start(): void {
    this.connection.start();
    requestAnimationFrame((now) => this.tick(now));
  }

  // Whether what is drawn is what belongs to the shown time; recorded frames take a moment to come.
  get settled(): boolean {
    return (
      this.shown.length > 0 &&
      this.shown.every((picture) => picture !== null) &&
      this.shownAt === this.session?.playback.time
    );
  }

  private connected(): void {
    this.credit = 0;
    this.chrome.setConnection("");
  }

  // Lets the server send so many more frames.
  private ask(count: number): void {
    if (count > 0 && this.connection.send({ type: "ready", count })) this.credit += count;
  }

  send(message: object): void {
    if (!this.connection.send(message)) this.chrome.toast("Not connected: nothing was sent.");
  }

  complain(text: string): void {
    this.log.add("error", text);
    this.chrome.toast(text);
  }

  refresh(refit = false): void {
    if (refit) this.colouring.refit();
    this.repaint = true;
  }

  private receive(message: Message): void {
    switch (message.type) {
      case "hello":
        return void this.greet(message).catch((error: Error) => this.complain(error.message));
      case "status":
        this.status = message;
        return this.mode === "live" ? this.chrome.setStatus(message) : undefined;
      case "rows":
        this.session?.addRows(message.run, message.rows);
        this.plots.dirty = true;
        return;
      case "log":
        return this.log.add(
          message.level,
          message.text,
          message.time === null ? "" : seconds(message.time),
        );
      case "parameters":
        return this.parameters.show(message.parameters, this.session?.hello.control ?? false);
      case "refused":
        this.log.add("warning", message.text);
        if (this.mode === "gallery" && this.gallery.again) this.gallery.again();
        return this.chrome.toast(message.text);
    }
  }

  // A new session, or the same one after the connection was lost or the recorded run grew: then what
  // is known stays, and what is being loaded is loaded to its end.
  private async greet(hello: Hello): Promise<void> {
    const before = this.session?.hello;
    const same =
      before &&
      before.session === hello.session &&
      before.mode === hello.mode &&
      before.title === hello.title;
    this.mode = hello.mode;
    this.early = [];
    this.toAnswer = 0;
    if (hello.mode === "gallery") return this.openGallery(hello);
    this.gallery.hide();
    this.parameters.show(hello.parameters ?? [], hello.control);
    if (!same) await this.openSession(hello);
    else if (this.session!.loaded) this.continueSession(hello);
    else return this.session!.grow(hello);
    if (this.session?.hello.session !== hello.session) return; // another hello came meanwhile
    this.connection.send({ type: "field", name: this.colouring.colour });
    if (hello.mode === "live") this.ask(framesAhead - this.credit);
  }

  private openGallery(hello: Hello): void {
    this.fromGallery = true;
    this.session = null;
    this.status = null;
    this.stage.setSurfaces([]);
    this.chrome.setGallery(hello);
    this.gallery.show(hello.scenes ?? [], hello.control);
  }

  private async openSession(hello: Hello): Promise<void> {
    const session = new Session(
      hello,
      this.connection,
      () => {
        this.repaint = true;
      },
      (text) => this.complain(text),
    );
    this.session = session;
    this.shown = [];
    this.fitted = false;
    this.status = null;
    this.stage.setSurfaces([]);
    this.modes.show([]);
    try {
      await session.load();
    } catch (error) {
      if (this.session === session) this.session = null; // the next hello tries again
      throw error;
    }
    if (this.session !== session) return;
    this.stage.setSurfaces(session.surfaces);
    this.chrome.setSession(
      session,
      this.fromGallery || (hello.mode === "live" && (hello.scenes ?? []).length > 0),
    );
    this.transport.reset(session);
    this.modes.show((hello.runs[0]?.modes ?? []).map((mode) => mode.frequency));
    for (const frame of this.early.splice(0)) this.receiveFrame(frame);
    this.repaint = this.plots.dirty = true;
  }

  private continueSession(hello: Hello): void {
    this.session!.hello.control = hello.control;
    this.session!.grow(hello);
    this.chrome.setSession(this.session!, !byId("to-gallery").hidden);
    this.modes.show((hello.runs[0]?.modes ?? []).map((mode) => mode.frequency));
    if (this.status && hello.mode === "live") this.chrome.setStatus(this.status);
    this.plots.dirty = true;
  }

  private receiveFrame(frame: Frame): void {
    if (!this.session?.loaded) return void this.early.push(frame);
    ++this.toAnswer;
    try {
      this.session.addFrame(frame);
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      this.complain(error.message);
    }
  }

  private mayDrag(): boolean {
    if (!this.session?.live || this.modes.active) return false;
    if (!this.session.hello.control) {
      this.chrome.toast("This page may only watch.");
      return false;
    }
    this.session.playback.follow();
    return true;
  }

  private tick(now: number): void {
    requestAnimationFrame((next) => this.tick(next));
    const elapsed = Math.min((now - this.lastTick) / 1000, 0.25);
    this.lastTick = now;
    if (this.session?.loaded && this.stage.runs.length) this.show(this.session, elapsed, now);
    if (this.stage.draw(this.film.recording)) ++this.drawn;
    if (this.toAnswer > 0) {
      this.ask(this.toAnswer);
      this.toAnswer = 0;
    }
  }

  private show(session: Session, elapsed: number, now: number): void {
    // A recorded run waits for frames that are still on their way.
    const waiting = !session.live && this.shown.some((picture) => picture === null);
    if (!waiting) session.playback.advance(elapsed, session.times);
    const pictures = session.hello.runs.map((_, run) =>
      session.picture(run, this.colouring.colour),
    );
    if (this.modes.active) this.showMode(session, now);
    else this.showPictures(session, pictures);
    this.shownAt = session.playback.time;
    this.stage.runs[0].setSpring(
      this.drag.ends() ?? (session.playback.following ? (pictures[0]?.grabbed ?? null) : null),
    );
    this.transport.update(session);
    this.chrome.setTools(session);
    if (now - this.lastPlots > 80) {
      this.plots.draw(session.histories, session.playback.time);
      this.lastPlots = now;
    }
  }

  private showPictures(session: Session, pictures: (Picture | null)[]): void {
    const ready = pictures.every((picture) => picture !== null);
    const moved = pictures.some((picture, run) => picture !== null && picture !== this.shown[run]);
    if (!this.repaint && !moved) {
      if (!ready) this.shown = this.shown.map((old, run) => (pictures[run] ? old : null));
      return;
    }
    if (!ready && !session.live) {
      // runs side by side move together or not at all
      this.shown = pictures.map(() => null);
      return;
    }
    pictures.forEach((picture, run) => {
      if (picture) this.stage.runs[run].setPositions(picture.positions);
    });
    this.colouring.paint(
      this.stage.runs,
      pictures,
      session,
      this.stage.layout === "overlay" && pictures.length > 1,
    );
    this.shown = pictures;
    this.repaint = false;
    this.stage.dirty = true;
    if (!this.fitted) this.stage.fit();
    this.fitted = true;
  }

  private showMode(session: Session, now: number): void {
    const { rest, bodyVertices } = session.surfaces[0];
    const positions = new Float32Array(rest.length);
    const size = this.stage.size(rest.subarray(0, 3 * bodyVertices));
    this.modes.positions(rest, size, now / 1000, positions);
    this.stage.runs[0].setPositions(positions);
    this.colouring.paintBodies(this.stage.runs, session);
    this.stage.dirty = this.repaint = true;
  }
}
