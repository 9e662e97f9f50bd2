/** What a seat may believe: shares on its picture, worlds to leaf through, the truth where it may be seen. */

import { post } from "./api.js";
import { button, fill, guard, h, percent } from "./dom.js";
import { svg } from "./picture.js";
import { theme } from "./theme.js";

/** @param {Place} place @param {number} seat @param {() => string | undefined} agent whose beliefs */
export function beliefsView(place, seat, agent) {
  const body = h("div", { class: "lazy" });
  const own = h("input", { type: "checkbox" });
  let loaded = false;
  const load = () => guard(async () => {
    const asked = { place, seat, shown: 8, agent: own.checked ? agent() : undefined };
    draw(await post("/api/worlds", asked, { theme: theme() }));
    loaded = true;
  });
  const go = button("Draw worlds", load, { test: "draw-worlds" });
  const el = h("section", { class: "believed", test: "beliefs" },
    h("div", { class: "head" }, h("h3", null, "What may be hidden"),
      h("span", { class: "buttons" }, h("label", { class: "chip" }, own, "as the agent believes"), go)),
        body);

  /** @param {Worlds} found */
  function draw(found) {
    const world = h("div", { class: "picture" });
    const name = h("figcaption");
    const slider = h("input", { type: "range", min: 1, max: Math.max(1, found.worlds.length), value: 1,
      test: "worlds", "aria-label": "Sample world", oninput: leaf });
    const total = found.worlds.reduce((sum, w) => sum + w.weight, 0);
    function leaf() {
      const i = Number(slider.value) - 1;
      const one = found.worlds[i];
      const share = percent((one?.weight ?? 0) / (total || 1));
      const words = `World ${i + 1} of ${found.worlds.length}, ${share} of those shown`;
      fill(name, one ? words : "No world was found.");
      fill(world, one && svg(one.svg));
    }
    leaf();
    go.textContent = "Draw again";
    const picture = (/** @type {string} */ text) => h("div", { class: "picture" }, svg(text));
    const shares = `Shares in ${found.beliefs.worlds} worlds that agree with what player ${seat} knows`;
    fill(body, h("div", { class: "figures-grid" },
      h("figure", null, h("figcaption", null, shares), picture(found.svg)),
      h("figure", null, name, slider, world),
      found.truth && h("figure", { test: "truth" }, h("figcaption", null, "The truth"),
        picture(found.truth))));
  }

  return { el, load, again: () => loaded && load() };
}
