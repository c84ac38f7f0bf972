// What stands round the scene: title, state, tools, tabs, messages, help, and the keys that go with
// them.
import type { App } from "./app";
import { byId, make, toggle } from "./dom";
import { plain } from "./format";
import { Keys, listen } from "./keyboard";
import { ColourName, Hello, Status } from "./protocol";
import { Session } from "./session";
import { applyTheme, firstTheme, Theme } from "./theme";
import { fileName, savePicture } from "./view/capture";
import { Layout } from "./view/stage";

const colourLabels: Record<ColourName, string> = {
  body: "Body",
  velocity: "Velocity",
  stress: "Stress",
  det: "det F",
  error: "Difference",
  contact_force: "Contact force",
};
const stateLabels: Record<Status["state"], string> = {
  running: "running",
  paused: "paused",
  done: "done",
  failed: "failed",
  starting: "starting",
};

export class Chrome {
  private theme: Theme = firstTheme();
  private readonly look = { wireframe: false, smooth: true, pins: true };
  private readonly colour = byId<HTMLSelectElement>("colour");
  private readonly layout = byId<HTMLSelectElement>("layout");
  private toastTimer = 0;

  constructor(private readonly app: App) {
    this.setTheme(this.theme, false);
    const tools = this.makeToggles();
    this.colour.addEventListener("change", () => this.setColour(this.colour.value as ColourName));
    this.layout.addEventListener("change", () => this.setLayout(this.layout.value as Layout));
    byId("fit").addEventListener("click", () => app.stage.fit());
    byId("theme").addEventListener("click", () => this.otherTheme());
    for (const id of ["help", "close-help"]) byId(id).addEventListener("click", () => this.help());
    byId("picture").addEventListener("click", () => this.picture());
    byId("film").addEventListener("click", () => this.film());
    byId("to-gallery").addEventListener("click", () => app.send({ type: "close" }));
    for (const tab of this.tabs) tab.addEventListener("click", () => this.openTab(tab));
    listen(this.keys(tools));
  }

  private makeToggles(): Record<string, { set(on: boolean): void }> {
    const { stage, drag } = this.app;
    const look = (name: "wireframe" | "smooth" | "pins") =>
      toggle(name, this.look[name], (on) => {
        this.look[name] = on;
        stage.setLook(this.look);
      });
    return {
      wireframe: look("wireframe"),
      smooth: look("smooth"),
      pins: look("pins"),
      grid: toggle("grid", true, (on) => stage.showGround(on)),
      drag: toggle("drag", false, (on) => {
        drag.tool = on;
        stage.canvas.classList.toggle("dragging", on);
      }),
    };
  }

  private keys(tools: Record<string, { set(on: boolean): void }>): Keys {
    const { transport } = this.app;
    const flip = (name: string) => () =>
      tools[name].set(byId(name).getAttribute("aria-pressed") !== "true");
    const keys: Keys = {
      " ": () => transport.toggle(),
      ArrowRight: () => transport.step(1),
      ArrowLeft: () => transport.step(-1),
      Home: () => transport.toStart(),
      End: () => transport.toEnd(),
      f: () => this.app.stage.fit(),
      w: flip("wireframe"),
      s: flip("smooth"),
      p: flip("pins"),
      g: flip("grid"),
      d: flip("drag"),
      c: () => this.picture(),
      m: () => this.otherTheme(),
      "?": () => this.help(),
    };
    (Object.keys(colourLabels) as ColourName[]).forEach((name, k) => {
      keys[String(k + 1)] = () => {
        if (this.offered(name)) this.setColour(name);
      };
    });
    return keys;
  }

  private get tabs(): HTMLElement[] {
    return [...document.querySelectorAll<HTMLElement>("[role=tab]")];
  }
  private openTab(chosen: HTMLElement): void {
    for (const tab of this.tabs) {
      tab.setAttribute("aria-selected", String(tab === chosen));
      byId(tab.getAttribute("aria-controls")!).hidden = tab !== chosen;
    }
    this.app.plots.dirty = true;
  }

  private offered(name: ColourName): boolean {
    return [...this.colour.options].some((option) => option.value === name);
  }
  private setColour(name: ColourName): void {
    this.colour.value = name;
    this.app.colouring.set(name);
    if (this.app.session?.live) this.app.send({ type: "field", name });
    this.app.refresh();
  }

  private setLayout(layout: Layout): void {
    this.app.stage.setLayout(layout);
    this.app.stage.fit();
    this.labelPanes();
    this.app.refresh();
  }

  private setTheme(theme: Theme, remember: boolean): void {
    this.theme = theme;
    applyTheme(theme, remember);
    this.app.stage.setTheme(theme);
    this.app.plots.dirty = true;
  }
  private otherTheme(): void {
    this.setTheme(this.theme === "light" ? "dark" : "light", true);
  }

  private help(): void {
    const dialog = byId<HTMLDialogElement>("help-dialog");
    if (dialog.open) dialog.close();
    else dialog.showModal();
  }

  private picture(): void {
    const { stage, session } = this.app;
    stage.draw(true);
    savePicture(
      stage.canvas,
      fileName(session?.hello.title ?? "pliant", session?.playback.time ?? 0, "png"),
    ).then(
      (bytes) => this.toast(`Picture saved, ${Math.round(bytes / 1024)} kB.`),
      (error: Error) => this.app.complain(error.message),
    );
  }

  private film(): void {
    const { film, stage, session } = this.app;
    try {
      if (film.recording) film.stop();
      else
        film.start(
          stage.canvas,
          fileName(session?.hello.title ?? "pliant", session?.playback.time ?? 0, "webm"),
          (bytes) => this.toast(`Film saved, ${Math.round(bytes / 1024)} kB.`),
        );
    } catch (error) {
      this.app.complain((error as Error).message);
    }
    byId("film").setAttribute("aria-pressed", String(film.recording));
    byId("film").setAttribute("aria-label", film.recording ? "Stop the film" : "Record a film");
  }

  toast(text: string): void {
    const element = byId("toast");
    element.textContent = text;
    element.hidden = false;
    clearTimeout(this.toastTimer);
    this.toastTimer = window.setTimeout(() => {
      element.hidden = true;
    }, 5000);
  }

  setConnection(problem: string): void {
    byId("connection").textContent = problem;
    byId("connection").hidden = problem === "";
    if (problem === "") return;
    byId("state").textContent = "not connected";
    byId("state").dataset.state = "paused";
  }

  // What the chip says where there is no run to speak of.
  private setState(text: string): void {
    byId("state").textContent = text;
    byId("state").dataset.state = "quiet";
    byId("state").title = "";
  }

  setStatus(status: Status): void {
    const chip = byId("state");
    chip.dataset.state = status.state;
    const pace =
      status.state === "running" && status.speed > 0
        ? ` · ${plain(status.speed, 2)}× real time`
        : "";
    chip.textContent = `${stateLabels[status.state] ?? status.state}${pace}`;
    chip.title = status.reason ?? `step ${status.step}, ${plain(status.wall_ms, 3)} ms per step`;
    if (status.state === "failed" && status.reason) this.toast(status.reason);
  }

  setSession(session: Session, fromGallery: boolean): void {
    const { hello } = session;
    this.setTitle(hello.title);
    byId("page").classList.remove("gallery-open");
    if (!session.live) this.setState("replay");
    byId("to-gallery").hidden = !fromGallery;
    byId<HTMLButtonElement>("to-gallery").disabled = !hello.control;
    const choices = this.app.colouring.choices(hello, session.comparable);
    // Left alone where they are the same: someone may have the list open while a run grows.
    if ([...this.colour.options].map((option) => option.value).join() !== choices.join())
      this.colour.replaceChildren(
        ...choices.map((name) => make("option", { value: name }, colourLabels[name])),
      );
    if (!choices.includes(this.app.colouring.colour)) this.app.colouring.set("body");
    this.colour.value = this.app.colouring.colour;
    byId("layout-field").hidden = hello.runs.length < 2;
    for (const [tab, there] of [
      ["tab-parameters", session.live],
      ["tab-modes", (hello.runs[0]?.modes ?? []).length > 0],
    ] as const)
      byId(tab).hidden = !there;
    if (this.tabs.find((tab) => tab.getAttribute("aria-selected") === "true")?.hidden)
      this.openTab(byId("tab-plots"));
    this.labelPanes();
  }

  setGallery(hello: Hello): void {
    this.setTitle(hello.title);
    byId("page").classList.add("gallery-open");
    this.setState("gallery");
  }

  private setTitle(title: string): void {
    byId("title").textContent = title;
    byId("title").title = title;
    document.title = title ? `${title} · Pliant` : "Pliant";
  }

  // The run's name over each pane.
  private labelPanes(): void {
    const runs = this.app.session?.hello.runs ?? [];
    const split = runs.length > 1 && this.app.stage.layout === "split";
    byId("pane-labels").replaceChildren(
      ...(split ? runs : []).map((run) =>
        make("span", {}, make("strong", {}, run.name), run.integrator ? ` ${run.integrator}` : ""),
      ),
    );
  }

  setTools(session: Session): void {
    const drag = byId<HTMLButtonElement>("drag");
    const off = !session.live || !session.hello.control;
    if (drag.disabled !== off) drag.disabled = off;
  }
}
