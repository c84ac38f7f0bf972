// A live run in the page: seen, paused, scrubbed, changed and pulled on.
import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import {
  centre,
  changedPixels,
  closeLeft,
  closePage,
  history,
  openPage,
  openSeen,
  probe,
  seen,
  until,
} from "./browser.mjs";
import { start } from "./program.mjs";

// Hangs still: hardly any energy of motion (no eye sees 1e-5 J) over half a second. One row would
// not do, for a swing has none where it turns.
const hangsStill = (page) =>
  until(page, () => {
    const kinetic = window.pliant.history(0, "kinetic").slice(-50);
    return kinetic.length === 50 && Math.max(...kinetic) < 1e-5;
  });
const last = (values) => values[values.length - 1];

describe("a live run", () => {
  let server;
  before(async () => {
    server = await start("live");
  });
  after(() => server.stop());
  afterEach(closeLeft);

  test("is seen to move, and the console stays empty", async () => {
    const page = await openSeen(server.url);
    const canvas = page.locator("#canvas");
    await hangsStill(page);
    const hanging = await canvas.screenshot();
    const low = await centre(page);
    // From its start, and slowly, or it hangs still again before a slow machine looks.
    const speed = page.getByLabel("Speed", { exact: true });
    await speed.selectOption("0.05");
    await page.getByLabel("Start the run again").click();
    await until(page, (y) => window.pliant.centre(0)[1] > y + 0.02, low[1]);
    const high = await centre(page);
    await until(page, (y) => window.pliant.centre(0)[1] < y - 0.001, high[1]);
    await page.getByLabel("Pause", { exact: true }).click();
    assert.ok((await changedPixels(hanging, await canvas.screenshot())) > 1000, "pixels change");
    await page.getByLabel("Play", { exact: true }).click();
    await speed.selectOption("1");
    await closePage(page);
  });

  test("pauses, goes one step on, and runs again", async () => {
    const page = await openSeen(server.url);
    await page.getByLabel("Pause", { exact: true }).click();
    await until(page, () => window.pliant.state === "paused");
    const time = last(await history(page, "time"));
    await page.getByLabel("Step forward").click();
    await until(page, (t) => window.pliant.history(0, "time").at(-1) > t, time);
    const times = await history(page, "time");
    assert.ok(Math.abs(last(times) - time - 0.01) < 1e-9, "one step of 0.01 s");
    await page.getByLabel("Play", { exact: true }).click();
    await until(page, (t) => window.pliant.newestTime > t + 0.1, time);
    await closePage(page);
  });

  test("is scrubbed through its past while it goes on", async () => {
    const page = await openSeen(server.url);
    await until(page, () => window.pliant.kept > 20);
    const box = await page.getByLabel("Time", { exact: true }).boundingBox();
    await page.mouse.click(box.x + 0.25 * box.width, box.y + box.height / 2);
    await until(page, () => !window.pliant.following);
    const [shown, newest] = [await probe(page, "shownTime"), await probe(page, "newestTime")];
    assert.ok(shown < newest, "the past is shown");
    await until(page, (t) => window.pliant.newestTime > t, newest);
    assert.equal(await probe(page, "shownTime"), shown);
    await page.keyboard.press("ArrowRight");
    await until(page, (t) => window.pliant.shownTime > t, shown);
    await page.getByLabel("Follow the run").click();
    await until(
      page,
      () => window.pliant.following && window.pliant.shownTime === window.pliant.newestTime,
    );
    await closePage(page);
  });

  test("without gravity has no energy of height, and the plot shows it", async () => {
    const page = await openSeen(server.url);
    await until(page, () => Math.abs(window.pliant.history(0, "external").at(-1)) > 0);
    const plot = page.getByLabel("Plot of energy over time");
    const before = await plot.screenshot();
    await page.getByRole("tab", { name: "Parameters" }).click();
    const field = page.getByLabel("gravity y");
    await field.fill("0");
    await field.press("Enter");
    // Zero up to rounding: the potential of no gravity.
    await until(page, () => Math.abs(window.pliant.history(0, "external").at(-1)) < 1e-12);
    await page.getByRole("tab", { name: "Plots" }).click();
    assert.ok((await changedPixels(before, await plot.screenshot())) > 50, "the plot changes");
    await page.getByRole("tab", { name: "Parameters" }).click();
    await field.fill("-9.81");
    await field.press("Enter");
    await until(page, () => Math.abs(window.pliant.history(0, "external").at(-1)) > 0);
    await closePage(page);
  });

  test("is pulled with the mouse, and its energy rises", async () => {
    const page = await openSeen(server.url);
    // At rest first: the energy of motion has gone, so that what comes is the mouse's.
    await hangsStill(page);
    const energy = last(await history(page, "total"));
    const [x, y] = await freeEnd(page);
    await page.keyboard.down("Shift");
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x, y - 150, { steps: 5 });
    await page.keyboard.up("Shift");
    await until(
      page,
      (e) => Math.max(...window.pliant.history(0, "total").slice(-50)) > e + 0.05,
      energy,
    );
    await page.mouse.up();
    // Let go, it comes back to where it hung: nothing of the spring is left.
    await until(page, (e) => Math.abs(window.pliant.history(0, "total").at(-1) - e) < 0.01, energy);
    await closePage(page);
  });

  test("swings in a chosen mode while it is paused", async () => {
    const page = await openSeen(server.url);
    await page.keyboard.press(" ");
    await until(page, () => window.pliant.state === "paused");
    await page.getByRole("tab", { name: "Modes" }).click();
    await page.getByLabel("Mode 1", { exact: true }).click();
    const size = await spread(page);
    assert.ok(size > 0.01, "the shape moves");
    await page.getByLabel("Stop the mode").click();
    await page.keyboard.press(" ");
    await until(page, () => window.pliant.state === "running");
    await closePage(page);
  });

  test("is watched by two pages at once, and what one does the other sees", async () => {
    const [one, two] = [await openSeen(server.url), await openSeen(server.url)];
    await one.keyboard.press(" ");
    for (const page of [one, two]) await until(page, () => window.pliant.state === "paused");
    await until(one, () => window.pliant.following);
    for (const page of [one, two])
      await until(page, () => window.pliant.shownTime === window.pliant.newestTime);
    await two.keyboard.press(" ");
    for (const page of [one, two]) await until(page, () => window.pliant.state === "running");
    const times = [await probe(one, "newestTime"), await probe(two, "newestTime")];
    await until(one, (t) => window.pliant.newestTime > t, times[0]);
    await until(two, (t) => window.pliant.newestTime > t, times[1]);
    await closePage(one);
    await closePage(two);
  });
});

// A drawn point of the bar's free end, in pixels of the page: a little inside the outline.
async function freeEnd(page) {
  const points = await page.evaluate(() => {
    const count = window.pliant.vertices(0);
    return Array.from({ length: count }, (_, v) => window.pliant.point(0, v));
  });
  const right = points.reduce((a, b) => (b[0] > a[0] ? b : a));
  const middle = points.reduce(
    (sum, p) => [sum[0] + p[0] / points.length, sum[1] + p[1] / points.length],
    [0, 0],
  );
  return [right[0] + 0.12 * (middle[0] - right[0]), right[1] + 0.12 * (middle[1] - right[1])];
}

// How far the middle of what is drawn moves up and down, over its size, within two seconds.
async function spread(page) {
  return page.evaluate(async () => {
    const heights = [];
    for (let k = 0; k < 40; ++k) {
      heights.push(window.pliant.centre(0));
      await new Promise((done) => setTimeout(done, 50));
    }
    const range = (i) =>
      Math.max(...heights.map((c) => c[i])) - Math.min(...heights.map((c) => c[i]));
    return Math.max(range(0), range(1), range(2));
  });
}

test("after the server restarts the page finds it again and shows its run from the start", async () => {
  const first = await start("live");
  const page = await openSeen(first.url);
  const session = await probe(page, "session");
  page.losesServer = true;
  await first.stop();
  await page
    .getByRole("alert")
    .filter({ hasText: /trying again/ })
    .waitFor();
  const second = await start("live", { port: first.port });
  assert.equal(second.url, first.url);
  await until(
    page,
    (old) => window.pliant.reconnects === 1 && window.pliant.session !== old,
    session,
  );
  await seen(page);
  await until(page, () => window.pliant.following && window.pliant.newestTime > 0);
  assert.equal(await page.getByRole("alert").count(), 0);
  await closePage(page);
  await second.stop();
});

test("a server started anew with another token is not taken for the old one", async () => {
  const first = await start("live");
  const page = await openSeen(first.url);
  page.losesServer = true;
  await first.stop();
  const second = await start("live", { port: first.port, state: "another" });
  await page
    .getByRole("alert")
    .filter({ hasText: /open the one it printed last/ })
    .waitFor();
  assert.equal(await probe(page, "connected"), false);
  await closePage(page);
  await second.stop();
});

test("a wrong token is refused for the page, its data and its socket", async () => {
  const server = await start("live");
  const base = `http://127.0.0.1:${server.port}`;
  for (const path of ["/", "/session", "/runs/0/surface"])
    for (const query of ["", "?token=", "?token=wrong", `?token=${server.token}x`])
      assert.equal((await fetch(base + path + query)).status, 403, path + query);
  const page = await openPage(`${base}/?token=wrong`);
  assert.equal(page.answer.status(), 403);
  assert.equal(await page.evaluate(() => typeof window.pliant), "undefined");
  await page.goto(server.url);
  await seen(page);
  const opened = await page.evaluate(
    (host) =>
      new Promise((done) => {
        const socket = new WebSocket(`ws://${host}/socket?token=wrong`);
        socket.onopen = () => done(true);
        socket.onerror = () => done(false);
      }),
    `127.0.0.1:${server.port}`,
  );
  assert.equal(opened, false);
  await closeLeft();
  await server.stop();
});
