// The bar under the scene: play, step, scrub, speed, and the way back to the newest frame of a live
// run. On a live run that is followed, play and step steer the simulation; in the past they only
// move through it.
import { byId } from "../dom";
import { plain, seconds } from "../format";
import { Session } from "../session";
import { RunState } from "../protocol";

export interface TransportActions {
  session(): Session | null;
  state(): RunState;
  send(message: object): void;
}

export class Transport {
  private readonly play = byId<HTMLButtonElement>("play");
  private readonly scrubber = byId<HTMLInputElement>("scrubber");
  private readonly speed = byId<HTMLSelectElement>("speed");
  private wasFollowing = true;

  constructor(private readonly actions: TransportActions) {
    this.play.addEventListener("click", () => this.toggle());
    byId("step-back").addEventListener("click", () => this.step(-1));
    byId("step-forward").addEventListener("click", () => this.step(1));
    byId("restart").addEventListener("click", () => this.restart());
    byId("live").addEventListener("click", () => actions.session()?.playback.follow());
    this.scrubber.addEventListener("input", () => this.scrub(this.scrubber.valueAsNumber));
    this.speed.addEventListener("change", () => this.setSpeed(Number(this.speed.value)));
  }

  // For a new session: what can be chosen depends on whether it is live.
  reset(session: Session): void {
    byId("live").hidden = !session.live;
    byId("speed-unlimited").hidden = !session.live;
    this.speed.value = String(session.live ? (session.hello.speed ?? 0) : 1);
    this.speed.disabled = session.live && !session.hello.control;
    byId("restart").setAttribute(
      "aria-label",
      session.live ? "Start the run again" : "Back to the start",
    );
    byId<HTMLButtonElement>("restart").disabled = session.live && !session.hello.control;
  }

  private get steers(): boolean {
    const session = this.actions.session();
    const over = ["done", "failed"].includes(this.actions.state());
    return (
      !!session && session.live && session.playback.following && session.hello.control && !over
    );
  }

  toggle(): void {
    const session = this.actions.session();
    if (!session) return;
    const { playback, times } = session;
    if (this.steers)
      return this.actions.send({ type: this.actions.state() === "paused" ? "resume" : "pause" });
    if (playback.following && ["done", "failed"].includes(this.actions.state())) {
      playback.scrub(times.length ? times[0] : 0); // over: play shows it again
      playback.playing = true;
    } else if (playback.playing || (session.live && playback.following)) {
      playback.pause();
    } else {
      playback.play(times);
    }
  }

  step(direction: 1 | -1): void {
    const session = this.actions.session();
    if (!session) return;
    if (direction > 0 && this.steers) return this.actions.send({ type: "step" });
    if (direction < 0 && this.steers && this.actions.state() === "running")
      this.actions.send({ type: "pause" });
    session.playback.step(direction, session.times);
  }

  scrub(time: number): void {
    const session = this.actions.session();
    if (session && time >= session.newest) session.playback.follow();
    else session?.playback.scrub(time);
  }
  toEnd(): void {
    this.actions.session()?.playback.follow();
  }
  toStart(): void {
    const session = this.actions.session();
    if (session) this.scrub(session.times.length ? session.times[0] : 0);
  }

  private restart(): void {
    if (!this.actions.session()?.live) return this.toStart();
    this.actions.send({ type: "restart" });
    this.actions.session()!.playback.follow();
  }

  private setSpeed(value: number): void {
    const session = this.actions.session();
    if (!session) return;
    session.playback.speed = value || 1;
    if (session.live) this.actions.send({ type: "speed", value });
  }

  update(session: Session): void {
    const { playback } = session;
    const moving = playback.playing || (playback.following && this.actions.state() === "running");
    const label = moving ? "Pause" : "Play";
    if (this.play.getAttribute("aria-label") !== label) {
      this.play.setAttribute("aria-label", label);
      this.play.classList.toggle("moving", moving);
    }
    const first = session.times.length ? session.times[0] : 0;
    // The bar is what can be scrubbed to; how long a live run will be stands beside it.
    const end = Math.max(session.newest, first + 1e-9);
    const planned = session.live ? (session.hello.runs[0]?.duration ?? 0) : 0;
    if (this.scrubber.max !== String(end)) this.scrubber.max = String(end);
    if (this.scrubber.min !== String(first)) this.scrubber.min = String(first);
    this.scrubber.value = String(playback.time);
    byId("time").textContent = seconds(playback.time);
    byId("end-time").textContent = planned > 0 ? `of ${plain(planned)} s` : seconds(end);
    if (this.wasFollowing !== playback.following || !session.live) {
      byId("live").setAttribute("aria-pressed", String(playback.following));
      this.wasFollowing = playback.following;
    }
  }
}
