// Search in the documentation site when it is opened from a disk. Browsers let pages of file:// neither fetch the index
// nor start workers, so the index comes as a script that sets __search, where the theme looks for it, and what would be
// a worker is a frame without a sight: its messages go to and fro by calls. Over http the theme's own way is taken.
(() => {
  if (location.protocol !== "file:") return;
  const here = document.currentScript.src;
  document.write(`<script src="${new URL("search_index.js", here)}"></` + "script>");
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      this.waiting = [];
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      const inside = frame.contentWindow;
      inside.postMessage = (data) => {
        const message = new MessageEvent("message", { data });
        this.dispatchEvent(message);
        if (this.onmessage) this.onmessage(message);
      };
      inside.importScripts = () => {}; // of other languages
      const script = frame.contentDocument.createElement("script");
      script.src = new URL(url, location);
      script.onload = () => {
        this.inside = inside;
        for (const data of this.waiting.splice(0)) this.postMessage(data);
      };
      frame.contentDocument.body.append(script);
    }
    postMessage(data) {
      if (!this.inside) this.waiting.push(data);
      else this.inside.dispatchEvent(new this.inside.MessageEvent("message", { data }));
    }
    terminate() {}
  };
})();
