// What one run looks like at one time, and how it comes out of frames of which most hold only what
// moved. A picture is never changed once made, so that the past can keep it without copying.
import { Frame, FieldName, ProtocolError } from "./protocol";

export interface Picture {
  time: number; // s
  number: number;
  positions: Float32Array; // 3 per vertex, m
  field: FieldName;
  values: Float32Array | null; // per vertex; NaN where not known
  least: number;
  largest: number;
  grabbed: Float32Array | null;
}

export function pictureBytes(picture: Picture): number {
  return 256 + picture.positions.byteLength + (picture.values?.byteLength ?? 0);
}

function scatter(
  target: Float32Array,
  source: Float32Array,
  indices: Uint32Array,
  width: number,
): void {
  for (let k = 0; k < indices.length; ++k)
    for (let c = 0; c < width; ++c) target[width * indices[k] + c] = source[width * k + c];
}

// The picture after `frame`, where `before` is what the frame before it left.
export function nextPicture(before: Picture | null, frame: Frame): Picture {
  const { time, number, field, least, largest } = frame;
  const grabbed = frame.grabbed ? frame.grabbed.slice() : null;
  if (frame.whole)
    return {
      time,
      number,
      field,
      least,
      largest,
      grabbed,
      positions: frame.positions.slice(),
      values: frame.values?.slice() ?? null,
    };
  if (!before || before.positions.length !== 3 * frame.vertices)
    throw new ProtocolError("a frame of changes came before any whole one");
  const positions = before.positions.slice();
  scatter(positions, frame.positions, frame.indices!, 3);
  let values: Float32Array | null = null;
  if (frame.values) {
    const known = before.field === field && before.values;
    values = known ? known.slice() : new Float32Array(frame.vertices).fill(NaN);
    scatter(values, frame.values, frame.indices!, 1);
  } else if (before.field === field) {
    values = before.values;
  }
  return { time, number, positions, field, values, least, largest, grabbed };
}
