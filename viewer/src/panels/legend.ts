// The legend: what the colours mean, from which value to which, with the unit. A click fits the
// range to what is shown.
import { byId, make } from "../dom";
import { bodyPalette, css, cssGradient, fieldStyles, Range } from "../colour";
import { withUnit } from "../format";
import { ColourName } from "../protocol";

export class Legend {
  private readonly root = byId("legend");
  private last = "";

  constructor(refit: () => void) {
    this.root.addEventListener("click", refit);
  }

  showNames(names: string[]): void {
    if (!this.changed(`names ${names.join()}`)) return;
    this.root.replaceChildren(
      ...names.slice(0, 8).map((name, k) => {
        const swatch = make("span", { class: "swatch" });
        swatch.style.background = css(bodyPalette[k % bodyPalette.length]);
        return make("span", { class: "legend-body" }, swatch, name);
      }),
    );
    if (names.length > 8)
      this.root.append(make("span", { class: "legend-body" }, `and ${names.length - 8} more`));
  }

  showField(colour: Exclude<ColourName, "body">, range: Range | null, label?: string): void {
    const style = fieldStyles[colour];
    // What is nothing beside the other end is written as nothing.
    const end = (value = NaN, other = NaN): string =>
      withUnit(Math.abs(value) < 1e-6 * Math.abs(other) ? 0 : value, style.unit);
    const least = end(range?.least, range?.largest);
    const largest = end(range?.largest, range?.least);
    if (!this.changed(`${colour} ${least} ${largest} ${label}`)) return;
    const strip = make("span", { class: "strip" });
    strip.style.background = cssGradient(style.map, "to right");
    this.root.replaceChildren(
      make("span", { class: "legend-title" }, label ?? style.label),
      strip,
      make("span", { class: "legend-ends" }, make("span", {}, least), make("span", {}, largest)),
    );
    this.root.title = "Click to fit the range to what is shown";
  }

  // The colours do not apply to what is shown.
  showMissing(colour: Exclude<ColourName, "body">): void {
    const text = `${fieldStyles[colour].label}: not known here`;
    if (this.changed(text))
      this.root.replaceChildren(make("span", { class: "legend-title" }, text));
  }

  private changed(state: string): boolean {
    const changed = state !== this.last;
    this.last = state;
    return changed;
  }
}
