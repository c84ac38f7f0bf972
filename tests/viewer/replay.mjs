// Recorded runs side by side, the gallery, and what the page itself does: keys, captures, layout.
import assert from "node:assert/strict";
import fs from "node:fs";
import { after, afterEach, before, describe, test } from "node:test";
import {
  centre,
  changedPixels,
  closeLeft,
  closePage,
  openPage,
  openSeen,
  probe,
  until,
} from "./browser.mjs";
import { start } from "./program.mjs";

describe("two recorded runs", () => {
  let server;
  before(async () => {
    server = await start("replay");
  });
  after(() => server.stop());
  afterEach(closeLeft);

  test("play side by side in step, to the same end", async () => {
    const page = await openSeen(server.url);
    assert.deepEqual([await probe(page, "runs"), await probe(page, "panes")], [2, 2]);
    await until(
      page,
      () => !window.pliant.playing && window.pliant.shownTime === window.pliant.newestTime,
    );
    await until(page, () => window.pliant.settled);
    const end = await centre(page, 0);
    await page.getByLabel("Back to the start").click();
    await until(page, () => window.pliant.differences()[1] < 1e-6); // both start from the same rest
    await page.getByLabel("Play", { exact: true }).click();
    await until(page, () => window.pliant.differences()[1] > 1e-3);
    await until(page, () => !window.pliant.playing && window.pliant.settled);
    assert.deepEqual(await centre(page, 0), end);
    await closePage(page);
  });

  test("show where they differ, in colours with a legend and a unit", async () => {
    const page = await openSeen(server.url);
    await page.keyboard.press("End");
    await until(page, () => window.pliant.shownTime === window.pliant.newestTime);
    const plain = await page.locator("#canvas").screenshot();
    await page.getByLabel("Colour by").selectOption("error");
    const legend = page.getByLabel("Legend");
    await legend.filter({ hasText: /difference to run 1/ }).waitFor();
    assert.match(await legend.textContent(), /\d (m|mm|µm)$/);
    assert.ok((await changedPixels(plain, await page.locator("#canvas").screenshot())) > 2000);
    await page.getByLabel("Arrange runs").selectOption("overlay");
    await until(page, () => window.pliant.panes === 1 && window.pliant.layout === "overlay");
    await closePage(page);
  });

  test("are stepped through forwards and back, and scrubbed", async () => {
    const page = await openSeen(server.url);
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    const two = await probe(page, "shownTime");
    await page.keyboard.press("ArrowLeft");
    const one = await probe(page, "shownTime");
    assert.ok(
      Math.abs(two - 2 * one) < 1e-9 && one > 0,
      `two frames after the start is ${two} s, one is ${one} s`,
    );
    const box = await page.getByLabel("Time", { exact: true }).boundingBox();
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    // Awaited: where drawing is slow the browser may hand the click on after it said it had.
    await until(page, () => {
      const { shownTime, newestTime } = window.pliant;
      return Math.abs(shownTime - newestTime / 2) < 0.05 * newestTime;
    });
    await closePage(page);
  });

  test("every field can be coloured and every key does its work", async () => {
    const page = await openSeen(server.url);
    for (const [key, name] of [
      ["2", "velocity"],
      ["3", "stress"],
      ["4", "det"],
      ["5", "error"],
      ["1", "body"],
    ]) {
      await page.keyboard.press(key);
      await until(page, (colour) => window.pliant.colour === colour, name);
    }
    for (const [key, label] of [
      ["w", "Wireframe"],
      ["s", "Smooth shading"],
      ["p", "Show pins"],
      ["g", "Show the ground grid"],
    ]) {
      const button = page.getByLabel(label, { exact: true });
      const before = await button.getAttribute("aria-pressed");
      await page.keyboard.press(key);
      assert.notEqual(await button.getAttribute("aria-pressed"), before, label);
    }
    const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
    assert.equal(await theme(), "light");
    await page.keyboard.press("m");
    assert.equal(await theme(), "dark");
    await page.keyboard.press("?");
    await page.getByRole("dialog").waitFor();
    await page.getByLabel("Close help").click();
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await closePage(page);
  });

  test("are saved as a picture and as a film", async () => {
    const page = await openSeen(server.url);
    const saved = async (act) => {
      const [download] = await Promise.all([page.waitForEvent("download"), act()]);
      return [download.suggestedFilename(), fs.readFileSync(await download.path())];
    };
    const [picture, png] = await saved(() => page.getByLabel("Save a picture").click());
    assert.match(picture, /\.png$/);
    assert.equal(png.subarray(0, 8).toString("latin1"), "\x89PNG\r\n\x1a\n");
    assert.deepEqual([png.readUInt32BE(16) > 600, png.readUInt32BE(20) > 400], [true, true]);
    await page.getByLabel("Record a film").click();
    await page.getByLabel("Play", { exact: true }).click();
    const drawn = await probe(page, "drawn");
    await until(page, (count) => window.pliant.drawn > count + 10, drawn);
    const [film, webm] = await saved(() => page.getByLabel("Stop the film").click());
    assert.match(film, /\.webm$/);
    assert.equal(webm.readUInt32BE(0), 0x1a45dfa3); // EBML, RFC 8794
    await closePage(page);
  });

  test("at 1280 by 720 nothing scrolls, is cut off or lies over another control, in either layout", async () => {
    const page = await openSeen(server.url);
    const wrong = await page.evaluate(() => {
      const found = [];
      const root = document.documentElement;
      if (root.scrollWidth > innerWidth || root.scrollHeight > innerHeight)
        found.push("the page scrolls");
      const controls = [
        ...document.querySelectorAll(
          "header button, header select, footer button, footer select, footer input, [role=tab]",
        ),
      ].filter((control) => control.checkVisibility());
      const boxes = controls.map((control) => [
        control.getAttribute("aria-label") ?? control.textContent,
        control.getBoundingClientRect(),
      ]);
      for (const [name, box] of boxes) {
        if (!name) found.push("a control has no name");
        if (box.left < 0 || box.top < 0 || box.right > innerWidth || box.bottom > innerHeight)
          found.push(`${name} is cut off`);
        for (const [other, b] of boxes)
          if (
            name < other &&
            box.left < b.right - 1 &&
            b.left < box.right - 1 &&
            box.top < b.bottom - 1 &&
            b.top < box.bottom - 1
          )
            found.push(`${name} lies over ${other}`);
      }
      return found;
    });
    assert.deepEqual(wrong, []);
    await closePage(page);
  });
});

test("a folder that gets more frames is followed at its end, and elsewhere the picture stays", async () => {
  const server = await start("growing");
  const page = await openSeen(server.url);
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  await until(page, () => window.pliant.settled);
  const [shown, newest] = [await probe(page, "shownTime"), await probe(page, "newestTime")];
  const place = await centre(page);
  await server.growTo(2);
  // The time bar grows with the next picture drawn.
  await until(page, (t) => Number(document.querySelector("#scrubber").max) > t, newest);
  assert.deepEqual([await probe(page, "shownTime"), await centre(page)], [shown, place]);
  await page.keyboard.press("End");
  const end = await probe(page, "newestTime");
  await server.growTo(3);
  await until(
    page,
    (t) => window.pliant.shownTime > t && window.pliant.shownTime === window.pliant.newestTime,
    end,
  );
  await until(page, (t) => window.pliant.history(0, "time").at(-1) > t, end);
  await closePage(page);
  await server.stop();
});

test("the gallery shows the scenes, starts one, and is come back to", async () => {
  const server = await start("gallery");
  const page = await openPage(server.url);
  const starts = page.getByRole("button", { name: /^Start / });
  await starts.first().waitFor();
  assert.ok((await starts.count()) >= 3);
  const names = await page.getByRole("article").locator("h2").allTextContents();
  const chosen = Math.max(0, names.indexOf("soft-beam"));
  await starts.nth(chosen).click();
  await until(
    page,
    () => window.pliant.mode === "live" && window.pliant.frames > 1 && window.pliant.drawn > 1,
  );
  await page.getByLabel("Back to the gallery").click();
  await starts.first().waitFor();
  await closePage(page);
  await server.stop();
});
