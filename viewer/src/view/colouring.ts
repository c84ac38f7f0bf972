// Which colours the surfaces get: bodies, a field that comes with the frames, or the difference of
// the other runs to the first. The range only grows while the colour stays, so that the same colour
// keeps its meaning from frame to frame; a click on the legend fits it anew.
import { ColourName, Hello } from "../protocol";
import { evenAbout, fieldStyles, Range, table, widen } from "../colour";
import { Picture } from "../picture";
import { Legend } from "../panels/legend";
import { difference, Session } from "../session";
import { RunMesh } from "./run_mesh";

interface Values {
  values: Float32Array | null;
  least: number;
  largest: number;
}
const nothing: Values = { values: null, least: NaN, largest: NaN };

export class Colouring {
  colour: ColourName = "body";
  private range: Range | null = null;
  private readonly tables = new Map<ColourName, Float32Array>();

  constructor(private readonly legend: Legend) {}

  set(colour: ColourName): void {
    this.colour = colour;
    this.refit();
  }
  refit(): void {
    this.range = null;
  }

  // The colours that can be chosen.
  choices(hello: Hello, comparable: boolean): ColourName[] {
    const fields = new Set<ColourName>(["body", ...hello.runs.flatMap((run) => run.fields)]);
    if (hello.runs.length > 1) {
      if (comparable) fields.add("error");
      else fields.delete("error");
    }
    return (
      ["body", "velocity", "stress", "det", "contact_force", "error"] as ColourName[]
    ).filter((name) => fields.has(name));
  }

  paint(meshes: RunMesh[], pictures: (Picture | null)[], session: Session, overlay: boolean): void {
    const names = overlay
      ? session.hello.runs.map((run) => run.name)
      : (session.hello.runs[0]?.bodies ?? []).map((body) => body.name);
    if (this.colour === "body") {
      meshes.forEach((mesh, run) => mesh.paint({ kind: "body", run: overlay ? run : null }));
      return this.legend.showNames(names);
    }
    const found = pictures.map((picture, run) => this.values(picture, pictures[0], run, session));
    for (const { values, least, largest } of found)
      if (values) this.range = widen(this.range, least, largest);
    if (!this.range) {
      meshes.forEach((mesh, run) => mesh.paint({ kind: "body", run: overlay ? run : null }));
      return this.legend.showMissing(this.colour);
    }
    const range = evenAbout(this.range, fieldStyles[this.colour].middle);
    meshes.forEach((mesh, run) => {
      const values = found[run].values ?? new Float32Array(mesh.surface.vertices).fill(NaN);
      mesh.paint({
        kind: "field",
        values,
        range,
        table: this.table(this.colour as Exclude<ColourName, "body">),
      });
    });
    const single = this.colour === "error" && session.hello.runs.length === 1 ? "error" : undefined;
    this.legend.showField(this.colour, range, single);
  }

  // Whatever the field, where it means nothing: the shapes of free vibrations.
  paintBodies(meshes: RunMesh[], session: Session): void {
    for (const mesh of meshes) mesh.paint({ kind: "body", run: null });
    this.legend.showNames((session.hello.runs[0]?.bodies ?? []).map((body) => body.name));
  }

  private values(
    picture: Picture | null,
    first: Picture | null,
    run: number,
    session: Session,
  ): Values {
    if (!picture) return nothing;
    if (this.colour === "error" && session.hello.runs.length > 1) {
      if (!first || picture.positions.length !== first.positions.length) return nothing;
      const { values, largest } = difference(picture.positions, first.positions);
      return { values, least: 0, largest: run === 0 ? 0 : largest };
    }
    if (picture.field !== this.colour) return nothing;
    return { values: picture.values, least: picture.least, largest: picture.largest };
  }

  private table(colour: Exclude<ColourName, "body">): Float32Array {
    if (!this.tables.has(colour)) this.tables.set(colour, table(fieldStyles[colour].map));
    return this.tables.get(colour)!;
  }
}
