// The plots beside the scene: a small canvas per quantity over time, with the values at the shown
// time, or under the mouse, beside the names. A quantity no run has is left out. Several runs share
// a plot: the first is drawn solid, the others dashed.
import { byId, make } from "../dom";
import { plain } from "../format";
import { History } from "../history";
import { Axis, extent, Extent, padded, thinned, ticks } from "../plot_scale";

interface Series {
  column: string;
  label: string;
  colour: string;
}
interface PlotSpec {
  title: string;
  unit: string;
  series: Series[];
  share: number;
  fromZero?: boolean;
}

const specs: PlotSpec[] = [
  {
    title: "Energy",
    unit: "J",
    share: 2,
    series: [
      { column: "kinetic", label: "kinetic", colour: "--plot-1" },
      { column: "elastic", label: "elastic", colour: "--plot-2" },
      { column: "external", label: "external", colour: "--plot-3" },
      { column: "total", label: "total", colour: "--plot-0" },
    ],
  },
  {
    title: "Where it went",
    unit: "J",
    share: 1,
    series: [
      { column: "damped", label: "damped", colour: "--plot-1" },
      { column: "rubbed", label: "rubbed", colour: "--plot-2" },
      { column: "created", label: "from nothing", colour: "--plot-3" },
    ],
  },
  {
    title: "Momentum p",
    unit: "N s",
    share: 1,
    series: [
      { column: "px", label: "x", colour: "--plot-1" },
      { column: "py", label: "y", colour: "--plot-2" },
      { column: "pz", label: "z", colour: "--plot-3" },
    ],
  },
  {
    title: "Angular momentum l",
    unit: "N m s",
    share: 1,
    series: [
      { column: "lx", label: "x", colour: "--plot-1" },
      { column: "ly", label: "y", colour: "--plot-2" },
      { column: "lz", label: "z", colour: "--plot-3" },
    ],
  },
  {
    title: "Smallest gap",
    unit: "m",
    share: 1,
    series: [{ column: "min_gap", label: "", colour: "--plot-1" }],
  },
  {
    title: "Newton iterations",
    unit: "per step",
    share: 1,
    fromZero: true,
    series: [{ column: "newton", label: "", colour: "--plot-1" }],
  },
  {
    title: "Time per step",
    unit: "ms",
    share: 1,
    fromZero: true,
    series: [{ column: "wall_ms", label: "", colour: "--plot-1" }],
  },
];
const dashes = [[], [5, 3], [2, 2], [8, 3, 2, 3]];

class Plot {
  readonly box: HTMLElement;
  private readonly canvas = make("canvas");
  private readonly values: HTMLElement[] = [];
  private axis: Axis | null = null;

  constructor(
    private readonly spec: PlotSpec,
    private readonly panel: PlotPanel,
  ) {
    const head = make(
      "div",
      { class: "plot-head" },
      make("strong", {}, spec.title),
      make("span", { class: "unit" }, spec.unit),
    );
    for (const series of spec.series) {
      const value = make("span", { class: "number" });
      const item = make("span", { class: "series" }, series.label, value);
      item.style.setProperty("--series", `var(${series.colour})`);
      if (spec.series.length > 1) item.classList.add("named");
      head.append(item);
      this.values.push(value);
    }
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", `Plot of ${spec.title.toLowerCase()} over time`);
    this.box = make(
      "section",
      { class: "plot" },
      head,
      make("div", { class: "plot-area" }, this.canvas),
    );
    this.box.style.flexGrow = String(spec.share);
    this.canvas.addEventListener("pointermove", (event) =>
      panel.hover(this.axis?.value(event.offsetX) ?? null),
    );
    this.canvas.addEventListener("pointerleave", () => panel.hover(null));
    this.canvas.addEventListener("click", (event) => {
      if (this.axis) panel.chosen(this.axis.value(event.offsetX));
    });
  }

  update(histories: History[], times: Extent): void {
    const lines = histories.map((history) =>
      this.spec.series.map((series) => history.values(series.column)),
    );
    const range = extent(lines.flat());
    this.box.hidden = range === null;
    if (!range) return;
    const { width, height } = this.fitCanvas();
    if (width < 20 || height < 20) return;
    if (this.spec.fromZero) range.low = Math.min(range.low, 0);
    const x = new Axis(times, 46, width - 6);
    const y = new Axis(padded(range), height - 14, 3);
    this.axis = x;
    const pen = this.canvas.getContext("2d")!;
    const scale = devicePixelRatio;
    pen.setTransform(scale, 0, 0, scale, 0, 0);
    pen.clearRect(0, 0, width, height);
    this.drawAxes(pen, x, y);
    histories.forEach((history, run) => this.drawLines(pen, history, lines[run], [x, y], run));
    this.drawCursor(pen, x, y);
    this.writeValues(histories, lines);
  }

  private fitCanvas(): { width: number; height: number } {
    const { clientWidth: width, clientHeight: height } = this.canvas.parentElement!;
    const [w, h] = [Math.round(width * devicePixelRatio), Math.round(height * devicePixelRatio)];
    if (this.canvas.width !== w) this.canvas.width = w;
    if (this.canvas.height !== h) this.canvas.height = h;
    return { width, height };
  }

  private drawAxes(pen: CanvasRenderingContext2D, x: Axis, y: Axis): void {
    pen.font = "10px system-ui, sans-serif";
    pen.lineWidth = 1;
    pen.setLineDash([]);
    pen.strokeStyle = this.panel.colour("--plot-grid");
    pen.fillStyle = this.panel.colour("--muted");
    pen.textAlign = "right";
    pen.textBaseline = "middle";
    for (const tick of ticks(y.range, Math.max(3, (y.from - y.to) / 26))) {
      const at = Math.round(y.pixel(tick)) + 0.5;
      line(pen, x.from, at, x.to, at);
      pen.fillText(plain(tick, 3), x.from - 4, at);
    }
    pen.textBaseline = "top";
    for (const tick of ticks(x.range, (x.to - x.from) / 60)) {
      const at = Math.round(x.pixel(tick)) + 0.5;
      line(pen, at, y.to, at, y.from);
      pen.textAlign = at > x.to - 14 ? "right" : "center";
      pen.fillText(`${plain(tick, 3)} s`, at, y.from + 3);
    }
  }

  private drawLines(
    pen: CanvasRenderingContext2D,
    history: History,
    lines: number[][],
    [x, y]: Axis[],
    run: number,
  ): void {
    pen.lineWidth = 1.4;
    pen.lineJoin = "round";
    pen.setLineDash(dashes[run % dashes.length]);
    lines.forEach((values, s) => {
      pen.strokeStyle = this.panel.colour(this.spec.series[s].colour);
      pen.beginPath();
      let drawing = false;
      for (const k of thinned(values, Math.max(50, Math.round(x.to - x.from)))) {
        const finite = Number.isFinite(values[k]);
        if (finite) {
          const [px, py] = [x.pixel(history.time(history.rows[k])), y.pixel(values[k])];
          if (drawing) pen.lineTo(px, py);
          else pen.moveTo(px, py);
        }
        drawing = finite;
      }
      pen.stroke();
    });
  }

  private drawCursor(pen: CanvasRenderingContext2D, x: Axis, y: Axis): void {
    pen.setLineDash([]);
    pen.lineWidth = 1;
    for (const [time, colour] of [
      [this.panel.shown, "--accent"],
      [this.panel.hovered, "--muted"],
    ] as const) {
      if (time === null || time < x.range.low || time > x.range.high) continue;
      pen.strokeStyle = this.panel.colour(colour);
      const at = Math.round(x.pixel(time)) + 0.5;
      line(pen, at, y.to, at, y.from);
    }
  }

  private writeValues(histories: History[], lines: number[][][]): void {
    const time = this.panel.hovered ?? this.panel.shown;
    const rows = histories.map((history) => history.find(time));
    this.values.forEach((element, s) => {
      element.textContent = rows.map((row, run) => plain(lines[run][s][row], 3)).join(" | ");
    });
  }
}

function line(pen: CanvasRenderingContext2D, x0: number, y0: number, x1: number, y1: number): void {
  pen.beginPath();
  pen.moveTo(x0, y0);
  pen.lineTo(x1, y1);
  pen.stroke();
}

export class PlotPanel {
  shown = 0;
  hovered: number | null = null;
  dirty = true;
  private readonly plots: Plot[];
  private readonly root = byId("plots");

  constructor(readonly chosen: (time: number) => void) {
    this.plots = specs.map((spec) => new Plot(spec, this));
    this.root.append(...this.plots.map((plot) => plot.box));
    new ResizeObserver(() => {
      this.dirty = true;
    }).observe(this.root);
  }

  colour(name: string): string {
    return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  }

  hover(time: number | null): void {
    this.hovered = time;
    this.dirty = true;
  }

  draw(histories: History[], shown: number): void {
    if (this.root.hidden || (!this.dirty && shown === this.shown)) return;
    this.shown = shown;
    this.dirty = false;
    const times = extent(histories.map((history) => history.values("time")));
    byId("no-plots").hidden = times !== null;
    for (const plot of this.plots)
      if (times)
        plot.update(
          histories,
          times.high > times.low ? times : { low: times.low, high: times.low + 1e-3 },
        );
      else plot.box.hidden = true;
  }
}
