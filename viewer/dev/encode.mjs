// Surfaces and frames as the protocol wants them (docs/viewer-protocol.md), for the stand-in
// server.
function bytesOf(parts) {
  return Buffer.concat(
    parts.map((part) => Buffer.from(part.buffer, part.byteOffset, part.byteLength)),
  );
}

export function encodeSurface(body) {
  const count = body.rest.length / 3;
  const pinned = new Uint8Array(4 * Math.ceil(count / 4));
  pinned.set(body.pinned);
  return bytesOf([
    Uint32Array.of(0x53544c50, 1, count, body.corners.length / 3, 1, body.edges.length / 2),
    body.rest,
    body.corners,
    new Uint32Array(count),
    body.edges,
    pinned,
  ]);
}

export const fieldNumber = (name) =>
  Math.max(0, ["none", "velocity", "stress", "det", "error", "contact_force"].indexOf(name));

// `before` is what the page has, null for a whole frame: only vertices that moved are sent.
export function encodeFrame(
  { run, number, time, positions, field, values, grabbed },
  before = null,
) {
  const count = positions.length / 3;
  const moved = [];
  for (let v = 0; before && v < count; ++v)
    if (before[3 * v] !== positions[3 * v] || before[3 * v + 1] !== positions[3 * v + 1] || field)
      moved.push(v);
  const whole = before === null;
  const chosen = whole ? [...Array(count).keys()] : moved;
  const flags = (whole ? 1 : 0) | (field ? 2 : 0) | (grabbed ? 4 : 0);
  const parts = [
    Uint32Array.of(0x46544c50, 1, run, number),
    Float64Array.of(time),
    Uint32Array.of(count, chosen.length, field, flags),
    Float32Array.of(
      field ? values.reduce((a, b) => Math.min(a, b)) : 0,
      field ? values.reduce((a, b) => Math.max(a, b)) : 0,
    ),
  ];
  if (!whole) parts.push(Uint32Array.from(chosen));
  parts.push(
    Float32Array.from(
      chosen.flatMap((v) => [positions[3 * v], positions[3 * v + 1], positions[3 * v + 2]]),
    ),
  );
  if (field) parts.push(Float32Array.from(chosen.map((v) => values[v])));
  if (grabbed) parts.push(Float32Array.from(grabbed));
  return bytesOf(parts);
}
