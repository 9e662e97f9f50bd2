/** The list of legal moves: a filter, arrows, numbers and Enter. */

import { fill, h } from "./dom.js";

const SHOWN = 150;

/** @param {(move: string) => void} play @param {(spots: string[]) => void} point */
export function moveList(play, point) {
  const filter = h("input", { type: "search", placeholder: "Filter moves  ( / )",
    "aria-label": "Filter moves",
    test: "move-filter", autocomplete: "off" });
  const list = h("ol", { class: "moves", test: "move-list", tabindex: "-1", "aria-label": "Legal moves" });
  const note = h("p", { class: "hint" });
  const el = h("div", { class: "move-box" }, filter, list, note);
  /** @type {LegalMove[]} */
  let legal = [];
  let [digits, typed, idle] = ["", 0, ""];

  const items = () => /** @type {HTMLButtonElement[]} */ ([...list.querySelectorAll("button")]);

  function draw() {
    const wanted = filter.value.trim().toLowerCase();
    const fitting = legal.filter((m) => m.move.toLowerCase().includes(wanted));
    const shown = fitting.slice(0, SHOWN);
    fill(list, shown.map((m, i) => h("li", null, h("button", {
      type: "button", test: "move-item", "data-key": m.move, tabindex: i ? "-1" : "0",
      onclick: () => play(m.move), onfocus: () => point(m.spots ?? []), onblur: () => point([]),
      onmouseenter: () => point(m.spots ?? []), onmouseleave: () => point([]),
    }, m.move))));
    const more = fitting.length - shown.length;
    fill(note, !legal.length ? idle : more > 0 ? `${more} more: filter to see them` : !fitting.length
      ? "No move fits." : null);
    filter.hidden = legal.length < 8;
  }

  /** @param {number} to */
  const go = (to) => items()[Math.max(0, Math.min(items().length - 1, to))]?.focus();

  filter.addEventListener("input", draw);
  filter.addEventListener("keydown", (event) => {
    if (event.key === "Escape") filter.value = "";
    else if (event.key === "ArrowDown") go(0);
    else if (event.key === "Enter" && items().length === 1) items()[0].click();
    else return;
    event.preventDefault();
    if (event.key === "Escape") draw();
  });
  list.addEventListener("keydown", (event) => {
    const at = items().indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
    const row = () => Math.max(1, items().findIndex((b) => b.offsetTop !== items()[0].offsetTop));
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: items().length - 1 };
    if (event.key === "ArrowDown" || event.key === "ArrowUp") go(at + (event.key === "ArrowDown" ? row()
      : -row()));
    else if (event.key in to) go(to[/** @type {keyof to} */ (event.key)]);
    else return;
    event.preventDefault();
  });

  draw();
  return {
    el,
    /**
     * A key pressed anywhere on the page: numbers go to a move, a slash to the filter.
     * @param {KeyboardEvent} event
     */
    key(event) {
      const target = /** @type {Element} */ (event.target);
      if (event.ctrlKey || event.metaKey || event.altKey || target.closest("input, select, textarea")) return;
      if (event.key === "/" && !filter.hidden) {
        filter.focus();
        event.preventDefault();
      } else if (/^\d$/.test(event.key) && legal.length) {
        digits = Date.now() - typed < 900 ? digits + event.key : event.key;
        typed = Date.now();
        if (Number(digits)) go(Number(digits) - 1);
      }
    },
    /** @param {LegalMove[]} moves @param {string} empty what to say if there are none */
    show(moves, empty) {
      if (JSON.stringify(moves) === JSON.stringify(legal) && idle === empty) return;
      const had = list.contains(document.activeElement) || document.activeElement === filter;
      legal = moves;
      idle = empty;
      if (!moves.length) filter.value = "";
      draw();
      if (had && (filter.hidden || document.activeElement !== filter)) (items()[0]
        ?? list).focus({ preventScroll: true });
    },
  };
}
