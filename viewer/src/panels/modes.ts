// Free vibrations: a chosen mode swings about the rest shape, x = rest + a sin(ωt) d. Real
// frequencies are mostly too fast to see: a mode above 2 Hz is slowed to one swing a second, and
// the panel says so.
import { byId, make } from "../dom";
import { plain } from "../format";

const fastest = 2; // Hz, shown as it is
const slowed = 1; // Hz, shown instead of faster ones

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
  private frequencies: number[] = [];
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

  show(frequencies: number[]): void {
    this.frequencies = frequencies;
    byId("no-modes").hidden = frequencies.length > 0;
    byId("mode-controls").hidden = frequencies.length === 0;
    this.list.replaceChildren(
      ...frequencies.map((frequency, k) => {
        const button = make(
          "button",
          { type: "button", role: "option", "aria-label": `Mode ${k + 1}` },
          make("span", {}, `Mode ${k + 1}`),
          make("span", { class: "number" }, `${plain(frequency)} Hz`),
        );
        button.addEventListener("click", () => this.choose(k));
        return button;
      }),
    );
    this.choose(-1);
  }

  choose(mode: number): void {
    this.chosen = mode;
    this.shape = null;
    [...this.list.children].forEach((item, k) =>
      item.setAttribute("aria-selected", String(k === mode)),
    );
    byId("mode-stop").toggleAttribute("disabled", mode < 0);
    const frequency = this.frequencies[mode] ?? 0;
    byId("mode-note").textContent =
      mode < 0
        ? "Choose a mode to see it swing."
        : frequency > fastest
          ? `${plain(frequency)} Hz, slowed to ${slowed} Hz to be seen.`
          : `${plain(frequency)} Hz.`;
    if (mode < 0) return;
    this.load(mode).then(
      (shape) => {
        if (this.chosen === mode) this.shape = shape;
      },
      (error: Error) => this.failed(error.message),
    );
  }

  // The positions `seconds` after the start; `size` is that of the scene, in m.
  positions(rest: Float32Array, size: number, seconds: number, target: Float32Array): void {
    const phase = Math.sin(
      2 * Math.PI * shownFrequency(this.frequencies[this.chosen] ?? 0) * seconds,
    );
    swing(rest, this.shape!, Number(this.amplitude.value) * size * phase, target);
  }
}
