// Keys that do what buttons do; none while something is typed. Buttons pressed with the mouse give
// the focus back, so that the space bar keeps meaning play.

export type Keys = Record<string, () => void>;

const typed = ["INPUT", "SELECT", "TEXTAREA"];

export function listen(keys: Keys): void {
  addEventListener("keydown", (event) => {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || typed.includes(target.tagName)) return;
    if (target.tagName === "BUTTON" && [" ", "Enter"].includes(event.key)) return;
    if (document.querySelector("dialog[open]") && event.key !== "?") return;
    const action = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
  addEventListener("click", (event) => {
    if (event.detail > 0) (event.target as HTMLElement).closest?.("button")?.blur();
  });
  for (const name of ["pointerup", "change"])
    addEventListener(name, (event) => {
      const target = event.target as HTMLElement;
      if (target.id === "scrubber" || (name === "change" && target.tagName === "SELECT"))
        target.blur?.();
    });
}
