// The gallery: a card for every scene, with its picture and what it shows; a click starts it.
import { byId, make } from "../dom";
import { SceneCard } from "../protocol";

export class Gallery {
  again: (() => void) | null = null; // shows the cards anew, after a start was refused
  private readonly root = byId("gallery");

  constructor(
    private readonly picture: (scene: number) => string,
    private readonly open: (scene: number) => void,
  ) {}

  show(scenes: SceneCard[], control: boolean): void {
    this.root.hidden = false;
    this.again = () => this.show(scenes, control);
    byId("gallery-cards").replaceChildren(
      ...scenes.map((scene, k) => this.card(scene, k, control)),
    );
    byId("gallery-count").textContent = control
      ? `${scenes.length} scenes`
      : `${scenes.length} scenes; this page may only watch, so none can be started from here`;
  }

  hide(): void {
    this.root.hidden = true;
  }

  private card(scene: SceneCard, k: number, control: boolean): HTMLElement {
    const face = make("div", { class: "card-picture" });
    if (scene.thumbnail)
      face.append(make("img", { src: this.picture(k), alt: "", loading: "lazy" }));
    else face.append(make("span", {}, scene.name.slice(0, 1).toUpperCase()));
    const start = make(
      "button",
      { type: "button", class: "start", disabled: !control, "aria-label": `Start ${scene.name}` },
      "Start",
    );
    start.addEventListener("click", () => {
      start.disabled = true;
      start.textContent = "Starting…";
      this.open(k);
    });
    return make(
      "article",
      { class: "card" },
      face,
      make(
        "div",
        { class: "card-text" },
        make("h2", {}, scene.name),
        make("p", {}, scene.description),
        start,
      ),
    );
  }
}
