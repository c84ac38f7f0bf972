// What may be changed while the run goes on, as a form made from the server's list. A value is sent
// when its field is left or Enter pressed; a list that comes back never overwrites a field someone
// is typing in.
import { byId, make } from "../dom";
import { Parameter } from "../protocol";

type Send = (path: string, value: Parameter["value"]) => void;
const axes = ["x", "y", "z"];

// Between a slider's place, 0 to 1, and the value it stands for, with three digits.
export function sliderScale(
  min: number,
  max: number,
): { value(place: number): number; place(value: number): number } {
  const byFactors = min > 0 && max / min > 20;
  const exact = (place: number): number =>
    byFactors ? min * Math.pow(max / min, place) : min + place * (max - min);
  return {
    value: (place) => Number(exact(place).toPrecision(3)),
    place: (value) =>
      byFactors
        ? Math.log(Math.max(value, min) / min) / Math.log(max / min)
        : (value - min) / (max - min),
  };
}

export class ParameterPanel {
  private readonly form = byId("parameters-form");
  private names = "";
  private readonly sliders = new Map<string, (value: number) => void>();

  constructor(private readonly send: Send) {}

  show(parameters: Parameter[], control: boolean): void {
    byId("no-parameters").hidden = parameters.length > 0;
    byId("parameters-watch-only").hidden = control || parameters.length === 0;
    const names =
      parameters.map((parameter) => parameter.path + parameter.kind).join("\n") + control;
    if (names !== this.names) {
      this.names = names;
      this.form.replaceChildren(
        ...parameters.map((parameter) => this.makeField(parameter, control)),
      );
    }
    for (const parameter of parameters) this.fill(parameter);
  }

  private makeField(parameter: Parameter, control: boolean): HTMLElement {
    const title = make(
      "div",
      { class: "field-label" },
      make("span", { class: "capital" }, parameter.label),
      make("span", { class: "unit" }, parameter.unit ?? ""),
    );
    const row = make("div", { class: "field-inputs" });
    if (parameter.kind === "choice") {
      const select = make("select", {
        "aria-label": parameter.label,
        "data-path": parameter.path,
        disabled: !control,
      });
      select.append(
        ...(parameter.choices ?? []).map((choice) => make("option", { value: choice }, choice)),
      );
      select.addEventListener("change", () => this.send(parameter.path, select.value));
      row.append(select);
    } else if (Array.isArray(parameter.value)) {
      parameter.value.forEach((_, k) => row.append(this.makeNumber(parameter, k, control)));
    } else {
      const { min, max } = parameter;
      const number = this.makeNumber(parameter, -1, control);
      if (typeof min === "number" && typeof max === "number" && max > min)
        row.append(this.makeSlider(parameter, { min, max }, number, control));
      row.append(number);
    }
    return make("div", { class: "field" }, title, row);
  }

  // Any number may be typed; the server says what is wrong with it.
  private makeNumber(parameter: Parameter, k: number, control: boolean): HTMLInputElement {
    const label = k < 0 ? parameter.label : `${parameter.label} ${axes[k] ?? k + 1}`;
    const input = make("input", {
      type: "number",
      step: "any",
      "aria-label": label,
      "data-path": parameter.path,
      disabled: !control,
      required: true,
    });
    input.addEventListener("change", () => {
      const inputs = this.inputs(parameter.path);
      if (!inputs.every((one) => one.reportValidity())) return;
      const values = inputs.map((one) => one.valueAsNumber);
      this.send(parameter.path, k < 0 ? values[0] : values);
    });
    return input;
  }

  // Wide ranges of positive numbers are walked by factors.
  private makeSlider(
    parameter: Parameter,
    range: { min: number; max: number },
    number: HTMLInputElement,
    control: boolean,
  ): HTMLInputElement {
    const scale = sliderScale(range.min, range.max);
    const slider = make("input", {
      type: "range",
      min: 0,
      max: 1,
      step: 0.005,
      "aria-label": `${parameter.label}, slider`,
      disabled: !control,
    });
    slider.addEventListener("input", () => {
      number.value = String(scale.value(slider.valueAsNumber));
    });
    slider.addEventListener("change", () =>
      this.send(parameter.path, scale.value(slider.valueAsNumber)),
    );
    this.sliders.set(parameter.path, (value) => {
      slider.value = String(scale.place(value));
    });
    return slider;
  }

  private inputs(path: string): HTMLInputElement[] {
    return [...this.form.querySelectorAll<HTMLInputElement>("[data-path]")].filter(
      (input) => input.dataset.path === path,
    );
  }

  private fill(parameter: Parameter): void {
    if (typeof parameter.value === "number") this.sliders.get(parameter.path)?.(parameter.value);
    const values = Array.isArray(parameter.value) ? parameter.value : [parameter.value];
    this.inputs(parameter.path).forEach((input, k) => {
      if (document.activeElement !== input) input.value = String(values[k] ?? "");
    });
  }
}
