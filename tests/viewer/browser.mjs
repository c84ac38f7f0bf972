// Headless Chromium for the tests, drawing WebGL 2 in software, and pages that remember what went
// wrong in them. Waiting is always for a condition; the limit is generous, since machines differ in
// speed.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import path from "node:path";
import { pageFolder } from "./program.mjs";

const { chromium } = createRequire(path.join(pageFolder, "package.json"))("playwright-core");
const flags = [
  "--no-sandbox",
  "--use-gl=angle",
  "--use-angle=swiftshader",
  "--enable-unsafe-swiftshader",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
const limit = 45000; // ms
const open = new Set();
let browser = null;

async function theBrowser() {
  browser ??= await chromium.launch({
    executablePath: process.env.PLIANT_CHROMIUM ?? "/usr/bin/chromium",
    headless: true,
    args: flags,
  });
  return browser;
}
// Pages that a failed test left behind, which would slow down the next one.
export async function closeLeft() {
  for (const context of open) await context.close();
  open.clear();
}
export async function closeBrowser() {
  await browser?.close();
}

// A page at 1280×720 with nothing kept from earlier ones. `problems` collects errors of its
// console. A test whose server goes away says so by `losesServer`: then the browser itself tells the
// console of connections that fail, at any moment until the page is closed.
export async function openPage(url, { scheme = "light" } = {}) {
  const context = await (
    await theBrowser()
  ).newContext({
    viewport: { width: 1280, height: 720 },
    colorScheme: scheme,
    acceptDownloads: true,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(limit);
  open.add(context);
  page.problems = [];
  page.on("console", (message) => {
    const text = message.text();
    if (!["error", "warning"].includes(message.type()) || slowReads(text)) return;
    if (!(page.losesServer && isOfConnections(text))) page.problems.push(text);
  });
  page.on("pageerror", (error) => page.problems.push(error.message));
  page.answer = await page.goto(url);
  return page;
}

// Chromium's software renderer remarks that screenshots make it wait: no fault of the page.
const slowReads = (text) => text.includes("GPU stall due to ReadPixels");

const isOfConnections = (text) => /^(WebSocket connection to|Failed to load resource)/.test(text);

export const probe = (page, name) => page.evaluate((key) => window.pliant[key], name);
export const centre = (page, run = 0) => page.evaluate((k) => window.pliant.centre(k), run);
export const history = (page, column, run = 0) =>
  page.evaluate(([k, c]) => window.pliant.history(k, c), [run, column]);
// The plain values of the page's probe, for messages.
const told = (page) =>
  page.evaluate(() =>
    JSON.stringify(window.pliant, (_, value) => (typeof value === "function" ? undefined : value)),
  );
// Asks again and again; playwright's own way to wait needs eval, which the page's policy refuses.
export async function until(page, condition, argument) {
  const end = Date.now() + limit;
  while (!(await page.evaluate(condition, argument))) {
    if (Date.now() > end)
      throw new Error(`waited in vain for ${condition}\nthe page says ${await told(page)}`);
    await new Promise((done) => setTimeout(done, 50));
  }
}

export async function seen(page) {
  await until(page, () => window.pliant?.frames > 3 && window.pliant.drawn > 3);
}

export async function openSeen(url, options) {
  const page = await openPage(url, options);
  await seen(page);
  return page;
}

export async function closePage(page) {
  const problems = page.problems;
  open.delete(page.context());
  await page.context().close();
  assert.deepEqual(problems, [], "the page's console is empty");
}

// How many pixels two PNGs differ in noticeably; a page of its own decodes them.
export async function changedPixels(first, second) {
  const context = await (await theBrowser()).newContext();
  const page = await context.newPage();
  const count = await page.evaluate(
    async (pictures) => {
      const [a, b] = await Promise.all(
        pictures.map(async (data) => {
          const bitmap = await createImageBitmap(
            await (await fetch(`data:image/png;base64,${data}`)).blob(),
          );
          const pen = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
          pen.drawImage(bitmap, 0, 0);
          return pen.getImageData(0, 0, bitmap.width, bitmap.height).data;
        }),
      );
      let changed = 0;
      for (let k = 0; k < a.length; k += 4)
        if (
          Math.abs(a[k] - b[k]) + Math.abs(a[k + 1] - b[k + 1]) + Math.abs(a[k + 2] - b[k + 2]) >
          30
        )
          ++changed;
      return changed;
    },
    [first.toString("base64"), second.toString("base64")],
  );
  await context.close();
  return count;
}
