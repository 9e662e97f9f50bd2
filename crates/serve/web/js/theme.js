/** Light or dark: the system's wish at first, then what was chosen here. */

const system = matchMedia("(prefers-color-scheme: dark)");
const chosen = () => localStorage.getItem("fogtree-theme");

/** @returns {"light" | "dark"} */
export const theme = () => ((chosen() ?? (system.matches ? "dark" : "light")) === "dark" ? "dark" : "light");

function apply() {
  document.documentElement.dataset.theme = theme();
  window.dispatchEvent(new Event("theme"));
}

/** Changes to the other theme and remembers it. */
export function switchTheme() {
  localStorage.setItem("fogtree-theme", theme() === "dark" ? "light" : "dark");
  apply();
}

system.addEventListener("change", () => chosen() || apply());
apply();
