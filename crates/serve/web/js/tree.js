/** A search tree, opened node by node. */

import { get } from "./api.js";
import { bar, button, fill, grid, guard, h, hint, num, percent, seatName, select, short } from "./dom.js";
import { svg } from "./picture.js";
import { theme } from "./theme.js";

/** Of the children of a node, the most visited that are shown at first. */
const TOP = 6;

/** What leads to a node, in words. @param {TreeNode} node */
function words(node) {
  const by = node.by === undefined || node.by === null ? "" : `P${node.by} `;
  if (node.kind === "seen") return node.seen?.length ? node.seen.join(", ") : "learns nothing";
  return node.kind === "root" ? "root" : `${node.kind === "chance" ? "chance " : by}${node.move ?? ""}`;
}

/** The tree of one agent of a search. @param {string} url */
export async function treeView(url) {
  const el = h("div", { class: "tree" });
  const at = { tree: 0, node: 0, depth: 2, top: TOP };

  /** @param {Partial<typeof at>} to */
  async function go(to) {
    Object.assign(at, to);
    const part = await get(`${url}/tree`, { ...at, theme: theme() });
    const had = el.contains(document.activeElement);
    draw(part);
    if (had) /** @type {HTMLElement | null} */ (el.querySelector("td button, .trail button"))?.focus();
  }

  /** @param {TreePart} part */
  function draw(part) {
    const trail = part.path.map((p, i) => [i ? " › " : null, p.node === part.node.id ? h("b", null, p.words)
      : button(p.words, () => go({ node: p.node, top: TOP }), { class: "link" })]);
    const picture = svg(part.svg);
    const open = (/** @type {Event} */ event) => {
      const g = /** @type {Element} */ (event.target).closest("[data-node]");
      const node = Number(g?.getAttribute("data-node"));
      if (!g || !Number.isInteger(node)) return;
      const more = g.classList.contains("more") ? 10 : 0;
      guard(() => go(node === at.node ? { top: at.top + more } : { node, top: TOP }));
      event.preventDefault();
    };
    picture.addEventListener("click", open);
    picture.addEventListener("keydown", (event) => {
      if (["Enter", " "].includes(/** @type {KeyboardEvent} */ (event).key)) open(event);
    });
    const rows = part.children.map(({ node, share, more }) => h("tr", null,
      h("td", null,
        button(words(node), () => go({ node: node.id, top: TOP }), { class: "link", test: "tree-child" }),
        more > 0 && h("span", { class: "hint" }, ` +${more}`)),
      h("td", { class: "n" }, short(node.visits)), h("td", null, bar(share), percent(share)),
      h("td", { class: "n" }, node.values ? node.values.map((v) => num(v)).join(" / ") : "–"),
      h("td", null, node.turn === null ? "–" : node.turn === "chance" ? "chance" : seatName(node.turn))));
    /** @type {[string, string][]} */
    const names = part.trees.map((t, i) =>
      [String(i), `Tree of player ${t.player} (${short(t.nodes)} nodes)`]);
    const trees = select(names, { value: String(at.tree), "aria-label": "Tree",
      onchange: () => guard(() => go({ tree: Number(trees.value), node: 0, top: TOP })) });
    /** @type {[string, string][]} */
    const levels = [1, 2, 3, 4].map((d) => [String(d), `${d} level${d > 1 ? "s" : ""}`]);
    const depth = select(levels, { value: String(at.depth), "aria-label": "Levels shown",
      onchange: () => guard(() => go({ depth: Number(depth.value) })) });
    fill(el, h("div", { class: "buttons" }, part.trees.length > 1 && trees, depth),
      h("p", { class: "trail", "aria-label": "Path" }, trail),
      h("div", { class: "tree-picture" }, picture),
      h("div", { class: "tree-parts" },
        h("div", { class: "lazy" }, grid(["Next", "Visits", "Share", "Values", "Decides"], rows),
          part.rest > 0 && h("p", null,
            button(`${part.rest} more`, () => go({ top: at.top + 10 }), { test: "tree-more" })),
          !rows.length && hint("The tree ends here.")),
        h("div", { class: "lazy" }, h("h4", null, "What its player knows here"),
          part.svg_infoset && h("div", { class: "picture" }, svg(part.svg_infoset)),
          h("details", { class: "fold", open: !part.svg_infoset }, h("summary", null, "As text"),
            h("pre", { tabindex: "0" }, part.text)))));
  }

  await go({});
  return { el };
}
