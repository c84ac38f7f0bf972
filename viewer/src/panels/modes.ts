// Free vibrations: a chosen mode swings about the rest shape, x = rest + a sin(ωt) d. Real
// frequencies are mostly too fast to see: a mode above 2 Hz is slowed to one swing a second, and
// the panel says so.
import { byId, make } from "../dom";
import { plain } from "../format";

const fastest = 2; // Hz, shown as it is
const slowed = 1; // Hz, shown instead of faster ones

export type Frequency = number | null; // Hz; null: not known yet

export const shownFrequency = (frequency: number): number =>
  frequency > 0 && frequency <= fastest ? frequency : slowed;

export function swing(
  rest: Float32Array,
  shape: Float32Array,
  reach: number,
  target: Float32Array,
): void {
  for (let k = 0; k < rest.length; ++k) target[k] = rest[k] + reach * shape[k];
}

export class ModePanel {
  shape: Float32Array | null = null; // largest length 1
  private frequencies: Frequency[] = [];
  private chosen = -1;
  private readonly list = byId("mode-list");
  private readonly amplitude = byId<HTMLInputElement>("mode-amplitude");

  constructor(
    private readonly load: (mode: number) => Promise<Float32Array>,
    private readonly failed: (reason: string) => void,
  ) {
    byId("mode-stop").addEventListener("click", () => this.choose(-1));
  }

  get active(): boolean {
    return this.shape !== null;
  }

  // The server finds frequencies when a mode is first asked for: the same list then comes anew, and the
  // mode that was chosen stays chosen.
  show(frequencies: Frequency[]): void {
    const same = frequencies.length === this.frequencies.length;
    this.frequencies = frequencies;
    byId("no-modes").hidden = frequencies.length > 0;
    byId("mode-controls").hidden = frequencies.length === 0;
    if (!same) this.list.replaceChildren(...frequencies.map((_, k) => this.makeItem(k)));
    frequencies.forEach((frequency, k) => {
      const text = frequency === null ? "" : `${plain(frequency)} Hz`;
      this.list.children[k].querySelector(".number")!.textContent = text;
    });
    if (same) this.describe();
    else this.choose(-1);
  }

  private makeItem(k: number): HTMLElement {
    const label = `Mode ${k + 1}`;
    const number = make("span", { class: "number" });
    const attributes = { type: "button", role: "option", "aria-label": label };
    const button = make("button", attributes, make("span", {}, label), number);
    button.addEventListener("click", () => this.choose(k));
    return button;
  }

  choose(mode: number): void {
    this.chosen = mode;
    this.shape = null;
    [...this.list.children].forEach((item, k) =>
      item.setAttribute("aria-selected", String(k === mode)),
    );
    byId("mode-stop").toggleAttribute("disabled", mode < 0);
    this.describe();
    if (mode < 0) return;
    this.load(mode).then(
      (shape) => this.arrived(mode, shape),
      (error: Error) => {
        this.choose(-1);
        this.failed(error.message);
      },
    );
  }

  private arrived(mode: number, shape: Float32Array): void {
    if (this.chosen !== mode) return;
    this.shape = shape;
    this.describe();
  }

  private describe(): void {
    const frequency = this.frequencies[this.chosen] ?? null;
    const words =
      this.chosen < 0
        ? "Choose a mode to see it swing."
        : !this.shape
          ? "The modes are being computed…"
          : frequency === null
            ? "Shown at one swing a second."
            : frequency > fastest
              ? `${plain(frequency)} Hz, slowed to ${slowed} Hz to be seen.`
              : `${plain(frequency)} Hz.`;
    byId("mode-note").textContent = words;
  }

  // The positions `seconds` after the start; `size` is that of the scene, in m.
  positions(rest: Float32Array, size: number, seconds: number, target: Float32Array): void {
    const phase = Math.sin(
      2 * Math.PI * shownFrequency(this.frequencies[this.chosen] ?? 0) * seconds,
    );
    swing(rest, this.shape!, Number(this.amplitude.value) * size * phase, target);
  }
}
