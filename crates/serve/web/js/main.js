/** The frame around all pages: addresses, navigation, theme. */

import { me } from "./api.js";
import { fill, goTo, guard, h } from "./dom.js";
import { experiments } from "./experiments.js";
import { lobby } from "./lobby.js";
import { look } from "./look.js";
import { hash, readHash } from "./place.js";
import { replay } from "./replay.js";
import { review } from "./review.js";
import { setup } from "./setup.js";
import { solve } from "./solve.js";
import { table } from "./table.js";
import { switchTheme } from "./theme.js";

/** Every page: its title, whether it stands in the navigation, and what makes it.
 * @type {Record<string, [string, boolean, (context: Context) => Promise<Node>]>} */
const pages = {
  "": ["Play", true, lobby],
  new: ["New game", false, setup],
  table: ["Table", false, table],
  look: ["Look inside", true, look],
  solve: ["Solve", true, solve],
  replay: ["Replay", true, replay],
  review: ["Review", false, review],
  experiments: ["Experiments", true, experiments],
};

const main = /** @type {HTMLElement} */ (document.getElementById("main"));
/** @type {(() => void)[]} */
let closing = [];
/** @type {(() => void)[]} */
let redrawing = [];
/** @type {Context | undefined} */
let current;

/** Shows the page of the address. @param {boolean} [moved] whether the reader came from another page */
async function show(moved = true) {
  if (current) current.closed = true;
  for (const close of closing) close();
  closing = [];
  redrawing = [];
  document.getElementById("lost")?.setAttribute("hidden", "");
  const { path, query } = readHash(location.hash);
  const name = path[0] ?? "";
  const [title, , make] = pages[name] ?? ["Not found", false, missing];
  document.title = `${title} · Fogtree`;
  const seen = name === "new" || name === "table" ? "" : name;
  for (const link of document.querySelectorAll("#nav a")) {
    if (link.getAttribute("data-page") === seen) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  /** @type {Context} */
  const context = (current = {
    path,
    query,
    closed: false,
    setQuery: (next) => {
      if (!context.closed) history.replaceState(null, "", hash(path.join("/"), (context.query = next)));
    },
    onClose: (close) => (context.closed ? close() : void closing.push(close)),
    onTheme: (redraw) => void redrawing.push(redraw),
  });
  if (moved) fill(main, h("p", { class: "loading" }, "Loading …"));
  let page;
  try {
    page = await make(context);
  } catch (error) {
    const { status, message } = /** @type {any} */ (error);
    page = status === 401 ? noKey() : failure(message ?? String(error));
  }
  if (context.closed) return;
  fill(main, page);
  if (moved) {
    scrollTo(0, 0);
    main.focus({ preventScroll: true });
  }
}

/** @param {string} message */
function failure(message) {
  const again = h("button", { type: "button", class: "main", onclick: () => show() }, "Try again");
  return h("section", { class: "card narrow", test: "failure" }, h("h1", null, "This did not work"),
    h("p", null, message), h("p", { class: "buttons" }, again, goTo("To the games", "#/")));
}

async function missing() {
  return failure("There is no such page.");
}

/** What is shown to a browser that holds no key. */
function noKey() {
  return h("section", { class: "card narrow", test: "no-key" }, h("h1", null, "This browser has no key yet"),
    h("p", null, "The studio lets in only those who were given a key. To get in:"),
    h("ol", null,
      h("li", null, "Start ", h("code", null, "fogtree serve"), " in a terminal."),
      h("li", null, "Open the link that it prints. It works once and lets this browser in for good.")),
    h("p", null, "If somebody has invited you to a table, open the link that they have sent you."));
}

/** The links to the pages that a visitor may use. */
async function navigation() {
  const nav = /** @type {HTMLElement} */ (document.getElementById("nav"));
  const link = (/** @type {string} */ name) => h("a", { href: `#/${name}`, "data-page": name },
    pages[name][0]);
  const { owner } = await me().catch(() => ({ owner: false }));
  fill(nav, Object.keys(pages).filter((n) => pages[n][1] && (owner || n === "" || n === "replay")).map(link));
}

window.addEventListener("hashchange", () => show());
window.addEventListener("nokey", () => {
  if (current) current.closed = true;
  for (const close of closing) close();
  closing = [];
  fill(main, noKey());
});
window.addEventListener("theme", () => {
  if (redrawing.length) for (const redraw of redrawing) guard(redraw);
  else show(false);
});
document.getElementById("theme")?.addEventListener("click", switchTheme);
document.getElementById("skip")?.addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
navigation().then(() => show());
