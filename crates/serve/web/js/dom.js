/** Small helpers to make elements, words and notices. */

/**
 * Makes an element. `test` becomes `data-test`, functions become listeners, `value` and `checked` are set as
 * properties; null, undefined and false are left out.
 * @template {keyof HTMLElementTagNameMap} K @param {K} tag @param {Props | null} [props]
 * @param {...Child} children @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, props, ...children) {
  const el = document.createElement(tag);
  el.append(...nodes(children));
  for (const [key, value] of Object.entries(props ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") el.addEventListener(key.slice(2), value);
    else if (key === "value" || key === "checked") /** @type {any} */ (el)[key] = value;
    else el.setAttribute(key === "test" ? "data-test" : key, value === true ? "" : String(value));
  }
  return el;
}

/** @param {Child[]} children @returns {(Node | string)[]} */
function nodes(children) {
  return children.flat(9).flatMap((c) => (c === null || c === undefined || c === false ? [] : [asNode(c)]));
}

/** @param {any} child @returns {Node | string} */
const asNode = (child) => (child instanceof Node ? child : String(child));

/** Puts new children in the place of the old ones. @param {Element} el @param {...Child} children */
export function fill(el, ...children) {
  el.replaceChildren(...nodes(children));
}

/** A button. @param {string} text @param {() => any} act @param {Props} [props] */
export function button(text, act, props) {
  return h("button", { type: "button", onclick: () => guard(act), ...props }, text);
}

/** A button that copies a link. @param {() => string} link @param {Props} [props] */
export function copyButton(link, props) {
  return button("Copy link", async () => {
    await navigator.clipboard.writeText(link()).then(() => toast("Copied.", "fine"),
      () => prompt("The link:", link()));
  }, props);
}

/** A link that looks like a button. @param {Child} words @param {string} href @param {Props} [props] */
export function goTo(words, href, props) {
  return h("a", { ...props, href, class: `button ${props?.class ?? ""}` }, words);
}

/** A box with a part of the page. @param {...Child} children */
export const card = (...children) => h("section", { class: "card" }, children);

/** Words of less weight. @param {...Child} children */
export const hint = (...children) => h("p", { class: "hint" }, children);

/** A short word in a frame. @param {Child} words @param {Props} [props] */
export const badge = (words, props) => h("span", { ...props, class: `badge ${props?.class ?? ""}` }, words);

/** The properties of a game as badges. @param {Facts | null} facts @param {number} [players] */
export function properties(facts, players) {
  const count = players ?? facts?.players ?? 0;
  const words = [`${count} player${count === 1 ? "" : "s"}`, facts?.hidden && "hidden information",
    facts && facts.chance !== "never" && "chance", facts?.simultaneous && "simultaneous"];
  return words.filter(Boolean).map((w) => badge(w));
}

/** How many moves are played before a picture of a game is drawn. @param {Facts | null} facts */
export const midway = (facts) => Math.min(8, Math.ceil((facts?.max_length ?? 0) / 3));

/** Marks an agent that cheats. */
export const cheating = () => badge("cheats", { class: "bad", title: "Looks at the true state" });

/** Something that is only shown when it is opened. @param {string} title @param {...Child} children */
export const fold = (title, ...children) => h("details", { class: "fold" }, h("summary", null, title),
  children);

/** A control with its label above. @param {string} label @param {Child} control @param {string} [title] */
export function field(label, control, title) {
  return h("label", { class: "field", title }, h("span", null, label), control);
}

/** A list to choose from. @param {[string, string][]} options @param {Props} props */
export function select(options, props) {
  const { value, ...rest } = props;
  return h("select", { ...rest, value }, options.map(([v, words]) => h("option", { value: v }, words)));
}

/**
 * Runs something; an error becomes a notice.
 * @template T @param {() => T} act @returns {Promise<T | undefined>}
 */
export async function guard(act) {
  try {
    return await act();
  } catch (error) {
    const { name, message, status } = /** @type {any} */ (error);
    if (name !== "AbortError" && status !== 401) toast(message ?? String(error));
  }
}

/** Shows a sentence for a while. @param {string} text @param {"bad" | "fine"} [kind] */
export function toast(text, kind = "bad") {
  const box = document.getElementById("toasts");
  const note = h("div", { class: `toast ${kind}`, test: "toast" }, h("span", null, text));
  const close = () => note.remove();
  note.append(h("button", { type: "button", class: "quiet", "aria-label": "Close", onclick: close }, "×"));
  while (box && box.childElementCount > 3) box.firstElementChild?.remove();
  box?.append(note);
  setTimeout(close, kind === "bad" ? 9000 : 2500);
}

/**
 * A table in a box that scrolls by itself.
 * @param {Child[]} head @param {Child[]} rows @param {Record<string, any>} [props]
 */
export function grid(head, rows, props) {
  const top = h("thead", null, h("tr", null, head.map((c) => h("th", { scope: "col" }, c))));
  return h("div", { class: "scroll", ...props }, h("table", null, top, h("tbody", null, rows)));
}

/** Bar for a share between 0 and 1. @param {number} share @param {string} [kind] */
export function bar(share, kind = "") {
  const inner = h("i");
  inner.style.width = `${Math.max(0, Math.min(1, share || 0)) * 100}%`;
  return h("span", { class: `bar ${kind}`, "aria-hidden": "true" }, inner);
}

/** @param {number | null | undefined} value @param {number} [digits] */
export function num(value, digits = 3) {
  return value === null || value === undefined ? "–" : Number(value.toFixed(digits)).toString();
}

/** A large number in few signs. @param {number | null | undefined} value */
export function short(value) {
  if (value === null || value === undefined) return "–";
  if (value < 10000) return num(value, 0);
  return value < 1e6 ? `${num(value / 1e3, 1)}k` : value < 1e9 ? `${num(value / 1e6, 1)}M`
    : `${num(value / 1e9, 1)}G`;
}

/** @param {number | null | undefined} share */
export const percent = (share) => (share === null || share === undefined ? "–" : `${num(share * 100, 1)} %`);

/** @param {number} unix seconds @returns {string} how long ago that was */
export function ago(unix) {
  const minutes = Math.max(0, Math.round((Date.now() / 1000 - unix) / 60));
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes} min ago`;
  return minutes < 2880 ? `${Math.round(minutes / 60)} h ago` : `${Math.round(minutes / 1440)} days ago`;
}

/** A seat's name with its colour. @param {number} seat @param {string} [words] */
export function seatName(seat, words) {
  return h("span", { class: `seat seat-${seat % 6}` }, words ?? `Player ${seat}`);
}

/**
 * Renders anew without losing the place: what has the same `data-key` has the focus afterwards, boxes stay
 * scrolled.
 * @param {Element} root @param {() => void} render
 */
export function keepPlace(root, render) {
  const boxes = () => [...root.querySelectorAll(".scroll")];
  const offsets = boxes().map((e) => [e.scrollTop, e.scrollLeft]);
  const active = document.activeElement;
  const key = active && root.contains(active) ? active.getAttribute("data-key") : null;
  render();
  boxes().forEach((e, i) => e.scrollTo(offsets[i]?.[1] ?? 0, offsets[i]?.[0] ?? 0));
  if (key && !root.contains(document.activeElement)) {
    const again = [...root.querySelectorAll("[data-key]")].find((e) => e.getAttribute("data-key") === key);
    if (again instanceof HTMLElement) again.focus({ preventScroll: true });
  }
}

/**
 * Calls something at most once in so many milliseconds, the last call always.
 * @param {number} ms @param {() => any} act
 */
export function atMostEvery(ms, act) {
  let [timer, last] = [0, 0];
  const run = () => ((timer = 0), (last = Date.now()), guard(act));
  return () => void (timer ||= window.setTimeout(run, Math.max(0, last + ms - Date.now())));
}

/** Waits until typing pauses. @param {number} ms @param {() => any} act */
export function afterPause(ms, act) {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = window.setTimeout(() => guard(act), ms);
  };
}
