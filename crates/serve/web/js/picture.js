/** Pictures: SVG of the server as nodes of the page, and boards on which moves are made by touching spots. */

import { button, fill, h, hint } from "./dom.js";

/** No more moves than this are offered beside the spots that can be touched next. */
const OFFERED = 8;
const SVG = "http://www.w3.org/2000/svg";

/**
 * The picture in a text of SVG, fitted to the width there is.
 * @param {string} text @param {number} [zoom] the most it may grow
 */
export function svg(text, zoom = 1) {
  const root = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  if (root.namespaceURI !== SVG || root.localName !== "svg") return hint("No picture.");
  const picture = /** @type {SVGSVGElement} */ (/** @type {unknown} */ (document.importNode(root, true)));
  const width = Number.parseFloat(picture.getAttribute("width") ?? "0");
  for (const size of ["width", "height"]) picture.removeAttribute(size);
  if (width) picture.style.maxWidth = `${Math.round(width * zoom)}px`;
  return picture;
}

/**
 * A box with a picture that is exchanged only if it has changed.
 * @param {string} [test] @param {number} [zoom]
 */
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
  const zoom = h("button", { type: "button", class: "quiet", "aria-pressed": "false", test: "zoom" }, "Zoom");
  const el = h("div", { class: "board-box" }, drawing, h("div", { class: "head" }, choices, zoom));
  const root = () => /** @type {SVGSVGElement | null} */ (drawing.querySelector("svg"));
  /** Shows the picture in its natural size if that is wanted and more than there is room for. */
  function fit() {
    const [picture, large] = [root(), zoom.getAttribute("aria-pressed") === "true"];
    const natural = picture?.viewBox.baseVal.width ?? 0;
    zoom.hidden = natural <= drawing.clientWidth * 1.1 && !large;
    drawing.classList.toggle("large", large);
    if (picture) picture.style.width = large ? `${natural}px` : "";
  }
  zoom.addEventListener("click", () => {
    zoom.setAttribute("aria-pressed", String(!drawing.classList.contains("large")));
    fit();
  });
  new ResizeObserver(fit).observe(drawing);
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
      fill(choices);
      play(done[0].move);
      return mark(new Set());
    }
    mark(new Set(open.flatMap((m) => m.spots?.[touched.length] ?? [])));
    const offered = open.length <= OFFERED ? open : done;
    fill(choices, touched.length > 0 && [
      h("span", null, `${touched.map((s) => s.split("/").pop()).join(" → ")} …`),
      offered.map((m) => button(m.move, () => ((touched = []), mark(new Set()), fill(choices),
        play(m.move)))),
      button("Clear", clear, { class: "quiet", title: "Escape" }),
    ]);
    const first = choices.querySelector("button");
    if (done.length && open.length === done.length && first) first.focus({ preventScroll: true });
  }

  const erase = (/** @type {string[]} */ ...kinds) => {
    for (const kind of kinds) for (const old of drawing.querySelectorAll(`rect.${kind}`)) old.remove();
  };

  /** Frames a spot, above everything else. @param {SVGGElement} g @param {string} kind */
  function outline(g, kind) {
    const box = g.getBBox();
    // Small spots are framed at a distance, so that their words can still be read.
    const apart = Math.min(box.width, box.height) < 20 ? 4 : 0;
    const [x, y, width, height] = [box.x - apart, box.y - apart, box.width + 2 * apart, box.height + 2 * apart];
    const [outer, inner] = [root()?.getScreenCTM(), g.getScreenCTM()];
    const m = outer && inner ? outer.inverse().multiply(inner) : null;
    const rect = document.createElementNS(SVG, "rect");
    const sizes = { x, y, width, height, rx: 4, class: `mark ${kind}`,
      transform: m ? `matrix(${m.a} ${m.b} ${m.c} ${m.d} ${m.e} ${m.f})` : "" };
    for (const [key, value] of Object.entries(sizes)) rect.setAttribute(key, String(value));
    root()?.append(rect);
  }

  /** @param {Set<string>} next */
  function mark(next) {
    erase("next", "chosen");
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
    const g = /** @type {SVGGElement | null} */ (/** @type {Element} */ (event.target).closest("g.spot"));
    focus = name(g) || focus;
    erase("focus");
    if (g?.matches(":focus-visible")) outline(g, "focus");
  });
  drawing.addEventListener("focusout", () => erase("focus"));
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
    again: update,
    focus: toSpot,
    /** Outlines the spots of a move that is thought of. @param {string[]} wanted */
    point(wanted) {
      erase("thought");
      for (const g of spots()) if (wanted.includes(name(g))) outline(g, "thought");
    },
    /** @param {string} text @param {LegalMove[]} moves */
    show(text, moves) {
      const same = JSON.stringify(moves) === JSON.stringify(legal);
      if (text === shown && same) return;
      const had = drawing.contains(document.activeElement)
        || (waiting && document.activeElement === document.body);
      if (text !== shown) fill(drawing, svg(text, 1.7));
      fit();
      shown = text;
      legal = moves;
      if (!same) touched = [];
      update();
      waiting = had && !moves.length;
      if (had) toSpot();
    },
  };
}
