// The site's search answers when the site is opened as files, from the first page and from one deep
// inside. It answers from a worker, in its own time: what is waited for is the answer itself.
//   PLIANT_SITE=build/site-test/site PLIANT_VIEWER_PAGE=build/viewer/page node --test tests/docs/search.test.mjs
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { after, afterEach, test } from "node:test";
import { pathToFileURL } from "node:url";
import { closeBrowser, closeLeft, openPage, until } from "../viewer/browser.mjs";
import { stopAll } from "../viewer/program.mjs";

const site = path.resolve(process.env.PLIANT_SITE);
const sources = fs.readdirSync(path.join(site, "source/src/pliant"), { recursive: true });
const deep = path.join(site, "source/src/pliant", sources.find((name) => name.endsWith(".html")));

afterEach(closeLeft);
after(async () => {
  await closeBrowser();
  stopAll();
});

async function ask(page, query) {
  const asked = await openPage(`${pathToFileURL(page)}?q=${query}`);
  await until(asked, () =>
    /matching/.test(document.querySelector(".md-search-result__meta")?.innerText),
  );
  return asked.evaluate(() => ({
    summary: document.querySelector(".md-search-result__meta").innerText,
    links: [...document.querySelectorAll(".md-search-result__link")].map((link) => link.href),
  }));
}

test("the first page finds friction", async () => {
  const { links } = await ask(path.join(site, "index.html"), "friction");
  assert.ok(
    links.some((link) => link.includes("contact.html")),
    `found ${links}`,
  );
});

test("a page deep inside finds barriers", async () => {
  const { links } = await ask(deep, "barrier");
  assert.ok(
    links.some((link) => link.includes("contact.html")),
    `found ${links}`,
  );
});

test("where there is nothing, it says so", async () => {
  const { summary, links } = await ask(path.join(site, "index.html"), "qwertzuiop");
  assert.equal(summary, "No matching documents");
  assert.deepEqual(links, []);
});
