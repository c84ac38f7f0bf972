// Light or dark: what was chosen last, else what the system prefers. Kept in this browser only.

export type Theme = "light" | "dark";
const key = "pliant-theme";

function remembered(): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null; // storage is switched off
  }
}

export function firstTheme(): Theme {
  const chosen = remembered();
  if (chosen === "light" || chosen === "dark") return chosen;
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

export function applyTheme(theme: Theme, remember: boolean): void {
  document.documentElement.dataset.theme = theme;
  if (!remember) return;
  try {
    localStorage.setItem(key, theme);
  } catch {
    /* then it holds for this visit */
  }
}
