// What may be changed while the run goes on, as a form made from the server's list. A value is sent when its
// field is left or Enter pressed; a list that comes back never overwrites a field someone is typing in.
import { byId, make } from "../dom";
import { Parameter } from "../protocol";

type Send = (path: string, value: Parameter["value"]) => void;
const axes = ["x", "y", "z"];

export class ParameterPanel {
  private readonly form = byId("parameters-form");
  private names = "";

  constructor(private readonly send: Send) {}

  show(parameters: Parameter[], control: boolean): void {
    byId("no-parameters").hidden = parameters.length > 0;
    byId("parameters-watch-only").hidden = control || parameters.length === 0;
    const names = parameters.map((parameter) => parameter.path + parameter.kind).join("\n") + control;
    if (names !== this.names) {
      this.names = names;
      this.form.replaceChildren(...parameters.map((parameter) => this.makeField(parameter, control)));
    }
    for (const parameter of parameters) this.fill(parameter);
  }

  private makeField(parameter: Parameter, control: boolean): HTMLElement {
    const title = make("span", { class: "field-label" }, parameter.label,
                       make("span", { class: "unit" }, parameter.unit ?? ""));
    const row = make("div", { class: "field-inputs" });
    if (parameter.kind === "choice") {
      const select = make("select", { "aria-label": parameter.label, "data-path": parameter.path, disabled: !control });
      select.append(...(parameter.choices ?? []).map((choice) => make("option", { value: choice }, choice)));
      select.addEventListener("change", () => this.send(parameter.path, select.value));
      row.append(select);
    } else {
      const count = Array.isArray(parameter.value) ? parameter.value.length : 1;
      for (let k = 0; k < count; ++k) row.append(this.makeNumber(parameter, count > 1 ? k : -1, control));
    }
    return make("div", { class: "field" }, title, row);
  }

  private makeNumber(parameter: Parameter, k: number, control: boolean): HTMLInputElement {
    const label = k < 0 ? parameter.label : `${parameter.label} ${axes[k] ?? k + 1}`;
    const input = make("input", { type: "number", step: "any", "aria-label": label, "data-path": parameter.path,
                                  min: parameter.min, max: parameter.max, disabled: !control, required: true });
    input.addEventListener("change", () => {
      const inputs = this.inputs(parameter.path);
      if (!inputs.every((one) => one.reportValidity())) return;
      const values = inputs.map((one) => one.valueAsNumber);
      this.send(parameter.path, k < 0 ? values[0] : values);
    });
    return input;
  }

  private inputs(path: string): HTMLInputElement[] {
    return [...this.form.querySelectorAll<HTMLInputElement>("[data-path]")]
      .filter((input) => input.dataset.path === path);
  }

  private fill(parameter: Parameter): void {
    const values = Array.isArray(parameter.value) ? parameter.value : [parameter.value];
    this.inputs(parameter.path).forEach((input, k) => {
      if (document.activeElement !== input) input.value = String(values[k] ?? "");
    });
  }
}
