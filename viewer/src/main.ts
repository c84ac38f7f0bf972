// Starts the page: the token comes from the page's own address and goes into every request.
import { App } from "./app";
import { byId } from "./dom";
import { makeProbe } from "./probe";
import "./style.css";

try {
  const app = new App(new URLSearchParams(location.search).get("token") ?? "");
  Object.defineProperty(window, "pliant", { value: makeProbe(app), writable: false });
  app.start();
} catch (error) {
  const text = (error as Error).message;
  byId("connection").textContent = /WebGL/i.test(text)
    ? "This browser gives no WebGL 2, which the viewer draws with: switch on hardware acceleration or use another browser."
    : text;
  byId("connection").hidden = false;
}
