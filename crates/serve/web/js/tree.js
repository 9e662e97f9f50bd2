/** A search tree, opened node by node. */

import { get } from "./api.js";
import { bar, button, fill, grid, guard, h, num, percent, seatName, select, short } from "./dom.js";
import { svg } from "./picture.js";
import { theme } from "./theme.js";

/** What leads to a node, in words. @param {TreeNode} node */
function words(node) {
  const by = node.by === undefined || node.by === null ? "" : `P${node.by} `;
  if (node.kind === "seen") return node.seen?.length ? node.seen.join(", ") : "learns nothing";
  return node.kind === "root" ? "root" : node.kind === "chance" ? `chance ${node.move ?? ""}` : `${by}${node.move ?? ""}`;
}

/** The tree of one agent of a search. @param {string} url */
export async function treeView(url) {
  const el = h("div", { class: "tree" });
  const at = { tree: 0, node: 0, depth: 2, top: 6 };

  /** @param {Partial<typeof at>} to */
  async function go(to) {
    Object.assign(at, to);
    draw(await get(`${url}/tree`, { ...at, theme: theme() }));
  }

  /** @param {TreePart} part */
  function draw(part) {
    const trail = part.path.map((p, i) => [i ? " › " : null, p.node === part.node.id ? h("b", null, p.words)
      : h("button", { type: "button", class: "link", onclick: () => guard(() => go({ node: p.node })) }, p.words)]);
    const picture = svg(part.svg);
    picture.addEventListener("click", (event) => {
      const g = /** @type {Element} */ (event.target).closest("[data-node]");
      const node = Number(g?.getAttribute("data-node"));
      if (!g || !Number.isInteger(node)) return;
      guard(() => go(node === at.node ? { top: at.top + (g.classList.contains("more") ? 10 : 0) } : { node, top: 6 }));
    });
    const rows = part.children.map(({ node, share, more }) => h("tr", null,
      h("td", null, button(words(node), () => go({ node: node.id, top: 6 }), { class: "link", test: "tree-child" }), more > 0 && h("span", { class: "hint" }, ` +${more}`)),
      h("td", { class: "n" }, short(node.visits)), h("td", null, bar(share), percent(share)),
      h("td", { class: "n" }, node.values ? node.values.map((v) => num(v)).join(" / ") : "–"),
      h("td", null, node.turn === null ? "–" : node.turn === "chance" ? "chance" : seatName(node.turn))));
    const trees = select(part.trees.map((t, i) => [String(i), `Tree of player ${t.player} (${short(t.nodes)} nodes)`]), {
      value: String(at.tree), "aria-label": "Tree", onchange: () => guard(() => go({ tree: Number(trees.value), node: 0, top: 6 })) });
    const depth = select([1, 2, 3, 4].map((d) => [String(d), `${d} level${d > 1 ? "s" : ""}`]), {
      value: String(at.depth), "aria-label": "Levels shown", onchange: () => guard(() => go({ depth: Number(depth.value) })) });
    fill(el, h("div", { class: "buttons" }, part.trees.length > 1 && trees, depth), h("p", { class: "trail", "aria-label": "Path" }, trail),
      h("div", { class: "tree-picture" }, picture),
      h("div", { class: "tree-parts" },
        h("div", { class: "lazy" }, grid(["Next", "Visits", "Share", "Values", "Decides"], rows),
          part.rest > 0 && h("p", null, button(`${part.rest} more`, () => go({ top: at.top + 10 }), { test: "tree-more" })),
          !rows.length && h("p", { class: "hint" }, "The tree ends here.")),
        h("div", { class: "lazy" }, h("h4", null, "What its player knows here"), part.svg_infoset && h("div", { class: "picture" }, svg(part.svg_infoset)),
          h("details", { class: "fold", open: !part.svg_infoset }, h("summary", null, "As text"), h("pre", { tabindex: "0" }, part.text)))));
  }

  await go({});
  return { el };
}
