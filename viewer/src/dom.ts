// The page's elements by name, and new ones in one line.

export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no element ${id}`);
  return element as T;
}

type Attributes = Record<string, string | boolean | number | undefined>;

export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined && value !== false)
      element.setAttribute(name, value === true ? "" : String(value));
  element.append(...children);
  return element;
}

// A button that is on or off, and says so to screen readers.
export function toggle(
  id: string,
  on: boolean,
  changed: (on: boolean) => void,
): { set(on: boolean): void } {
  const button = byId<HTMLButtonElement>(id);
  const set = (state: boolean): void => {
    button.setAttribute("aria-pressed", String(state));
    changed(state);
  };
  button.setAttribute("aria-pressed", String(on));
  button.addEventListener("click", () => set(button.getAttribute("aria-pressed") !== "true"));
  return { set };
}
