// What happened, newest at the bottom: the run's own log and what the page itself has to say. The
// oldest lines go when there are many.
import { byId, make } from "../dom";
import { LogLine } from "../protocol";

const mostLines = 500;

export class LogPanel {
  private readonly list = byId("log-lines");
  count = 0;

  add(level: LogLine["level"], text: string, when = "page"): void {
    ++this.count;
    const atEnd = this.list.scrollHeight - this.list.scrollTop - this.list.clientHeight < 24;
    this.list.append(
      make(
        "li",
        { class: level },
        make("span", { class: "log-time" }, when),
        make("span", {}, text),
      ),
    );
    while (this.list.children.length > mostLines) this.list.firstChild!.remove();
    byId("no-log").hidden = true;
    if (atEnd) this.list.scrollTop = this.list.scrollHeight;
  }
}
