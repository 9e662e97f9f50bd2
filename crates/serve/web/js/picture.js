/** Pictures: SVG of the server as nodes of the page, and boards on which moves are made by touching spots. */

import { button, fill, h } from "./dom.js";

const SVG = "http://www.w3.org/2000/svg";

/** The picture in a text of SVG, fitted to the width there is. @param {string} text @param {number} [zoom] the most it may grow */
export function svg(text, zoom = 1) {
  const root = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  if (root.namespaceURI !== SVG || root.localName !== "svg") return h("p", { class: "hint" }, "No picture.");
  const picture = /** @type {SVGSVGElement} */ (/** @type {unknown} */ (document.importNode(root, true)));
  const width = Number.parseFloat(picture.getAttribute("width") ?? "0");
  for (const size of ["width", "height"]) picture.removeAttribute(size);
  if (width) picture.style.maxWidth = `${Math.round(width * zoom)}px`;
  return picture;
}

/** A box with a picture that is exchanged only if it has changed. @param {string} [test] @param {number} [zoom] */
export function pictureBox(test, zoom) {
  const el = h("div", { class: "picture", test });
  let shown = "";
  return {
    el,
    /** @param {string | undefined} text */
    show(text) {
      if (text === shown) return;
      shown = text ?? "";
      fill(el, text ? svg(text, zoom) : null);
    },
  };
}

/** A picture whose spots are touched to make moves. @param {(move: string) => void} play */
export function board(play) {
  const drawing = h("div", { class: "picture board", test: "board", tabindex: "-1" });
  const choices = h("div", { class: "choices", test: "choices", "aria-live": "polite" });
  const zoom = h("button", { type: "button", class: "quiet zoom", "aria-pressed": "false" }, "Zoom");
  zoom.addEventListener("click", () => {
    const large = drawing.classList.toggle("large");
    zoom.setAttribute("aria-pressed", String(large));
  });
  const el = h("div", { class: "board-box" }, drawing, choices, zoom);
  new ResizeObserver(() => {
    const natural = /** @type {SVGSVGElement | null} */ (drawing.querySelector("svg"))?.viewBox.baseVal.width ?? 0;
    zoom.hidden = natural <= drawing.clientWidth * 1.1 && !drawing.classList.contains("large");
  }).observe(drawing);
  /** @type {LegalMove[]} */
  let legal = [];
  /** @type {string[]} */
  let touched = [];
  let [shown, focus, waiting] = ["", "", false];

  const spots = () => /** @type {SVGGElement[]} */ ([...drawing.querySelectorAll("g.spot")]);
  const name = (/** @type {Element | null} */ g) => g?.getAttribute("data-spot") ?? "";
  const fits = (/** @type {LegalMove} */ m) => m.spots?.length && touched.every((s, i) => m.spots?.[i] === s);

  /** Shows what was touched and what can be touched next; makes the move if there is just one. */
  function update() {
    const open = legal.filter(fits);
    const done = open.filter((m) => m.spots?.length === touched.length);
    if (done.length === 1 && open.length === 1) {
      touched = [];
      play(done[0].move);
      return mark(new Set());
    }
    mark(new Set(open.flatMap((m) => m.spots?.[touched.length] ?? [])));
    const words = done.length ? (open.length > done.length ? "Play this, or touch on:" : "Which move?") : "";
    fill(choices, !touched.length ? null : [
      h("span", null, words || `${touched.map((s) => s.split("/").pop()).join(" → ")} … touch on`),
      done.slice(0, 60).map((m) => button(m.move, () => ((touched = []), mark(new Set()), fill(choices), play(m.move)))),
      button("Clear", clear, { class: "quiet", title: "Escape" }),
    ]);
    const first = choices.querySelector("button");
    if (done.length && open.length === done.length && first) first.focus({ preventScroll: true });
  }

  /** @param {Set<string>} next */
  function mark(next) {
    for (const old of drawing.querySelectorAll("rect.mark")) old.remove();
    for (const g of spots()) {
      const [can, was] = [next.has(name(g)), touched.includes(name(g))];
      if (can || was) g.setAttribute("role", "button");
      else g.removeAttribute("role");
      g.setAttribute("tabindex", can || was ? "0" : "-1");
      g.classList.toggle("next", can);
      g.classList.toggle("chosen", was);
      if (was || (can && touched.length)) outline(g, was ? "chosen" : "next");
    }
  }

  function clear() {
    if (!touched.length) return;
    focus = touched[0];
    touched = [];
    update();
    if (el.contains(document.activeElement) || document.activeElement === document.body) toSpot();
  }

  /** Gives the focus to the spot that had it last, or to the first. */
  function toSpot() {
    const all = spots().filter((g) => g.tabIndex === 0);
    (all.find((g) => name(g) === focus) ?? all[0] ?? drawing).focus({ preventScroll: true });
  }

  /** @param {string} spot */
  function touch(spot) {
    const can = (/** @type {string[]} */ list) => legal.some((m) => list.every((s, i) => m.spots?.[i] === s));
    if (can([...touched, spot])) touched.push(spot);
    else if (touched.at(-1) === spot) touched.pop();
    else if (can([spot])) touched = [spot];
    else return;
    update();
  }

  /** Goes to the nearest spot in a direction. @param {Element} from @param {number} dx @param {number} dy */
  function go(from, dx, dy) {
    const middle = (/** @type {Element} */ g) => {
      const { x, y, width, height } = g.getBoundingClientRect();
      return [x + width / 2, y + height / 2];
    };
    const [x, y] = middle(from);
    let [best, least] = [/** @type {SVGGElement | null} */ (null), Infinity];
    for (const g of spots()) {
      const [a, b] = middle(g);
      const [ahead, aside] = [(a - x) * dx + (b - y) * dy, Math.abs((a - x) * dy) + Math.abs((b - y) * dx)];
      if (g.tabIndex === 0 && ahead > 2 && ahead + 3 * aside < least) [best, least] = [g, ahead + 3 * aside];
    }
    best?.focus();
  }

  drawing.addEventListener("click", (event) => {
    const spot = /** @type {Element} */ (event.target).closest("g.spot");
    if (spot) touch(name(spot));
  });
  drawing.addEventListener("focusin", (event) => {
    focus = name(/** @type {Element} */ (event.target).closest("g.spot")) || focus;
  });
  el.addEventListener("keydown", (event) => {
    const spot = /** @type {Element} */ (event.target).closest("g.spot");
    const arrows = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
    const arrow = arrows[/** @type {keyof arrows} */ (event.key)];
    if (spot && arrow) go(spot, arrow[0], arrow[1]);
    else if (spot && (event.key === "Enter" || event.key === " ")) touch(name(spot));
    else if (event.key === "Escape" && touched.length) clear();
    else return;
    event.preventDefault();
  });

  return {
    el,
    clear,
    focus: toSpot,
    /** Outlines the spots of a move that is thought of. @param {string[]} wanted */
    point(wanted) {
      for (const old of drawing.querySelectorAll("rect.thought")) old.remove();
      for (const g of spots()) if (wanted.includes(name(g))) outline(g, "thought");
    },
    /** @param {string} text @param {LegalMove[]} moves */
    show(text, moves) {
      const same = JSON.stringify(moves) === JSON.stringify(legal);
      if (text === shown && same) return;
      const had = drawing.contains(document.activeElement) || (waiting && document.activeElement === document.body);
      if (text !== shown) fill(drawing, svg(text, 1.7));
      shown = text;
      legal = moves;
      if (!same) touched = [];
      update();
      waiting = had && !moves.length;
      if (had) toSpot();
    },
  };
}

/** Draws a frame around a spot. @param {SVGGElement} g @param {string} kind */
function outline(g, kind) {
  const { x, y, width, height } = g.getBBox();
  const rect = document.createElementNS(SVG, "rect");
  const sizes = { x: x - 1, y: y - 1, width: width + 2, height: height + 2, rx: 5, class: `mark ${kind}` };
  for (const [key, value] of Object.entries(sizes)) rect.setAttribute(key, String(value));
  g.append(rect);
}
