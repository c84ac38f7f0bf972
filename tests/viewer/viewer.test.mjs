// The viewer as its users meet it: the page in headless Chromium, served by the program. One file,
// so that one browser serves all tests and they run one after the other.
//   PLIANT_PROGRAM=build/pliant PLIANT_VIEWER_PAGE=build/viewer/page node --test tests/viewer/viewer.test.mjs
import { after, afterEach } from "node:test";
import { closeBrowser, closeLeft } from "./browser.mjs";
import { stopAll } from "./program.mjs";
import "./live.mjs";
import "./replay.mjs";

afterEach(closeLeft);
after(async () => {
  await closeBrowser();
  stopAll();
});
