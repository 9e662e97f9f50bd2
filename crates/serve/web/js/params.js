/** Specification strings `name(key=value,...)`, and forms for them made from tables of parameters. */

import { fill, h } from "./dom.js";

/**
 * Reads `key=value,...`; commas within brackets belong to a value.
 * @param {string} text @returns {[string, string][]}
 */
export function readParams(text) {
  /** @type {[string, string][]} */
  const params = [];
  let [depth, part] = [0, ""];
  for (const c of `${text},`) {
    if (c === "," && depth <= 0) {
      const at = part.indexOf("=");
      if (at > 0) params.push([part.slice(0, at).trim(), part.slice(at + 1).trim()]);
      part = "";
      continue;
    }
    depth += "([".includes(c) ? 1 : ")]".includes(c) ? -1 : 0;
    part += c;
  }
  return params;
}

/** @param {string} text @returns {{name: string, params: [string, string][]}} */
export function readSpec(text) {
  const [, name, inner] = /^\s*([^(]*?)\s*(?:\((.*)\))?\s*$/s.exec(text) ?? ["", text, ""];
  return { name, params: readParams(inner ?? "") };
}

/** @param {string} name @param {[string, string][]} params */
export const writeSpec = (name, params) =>
  params.length ? `${name}(${params.map(([k, v]) => `${k}=${v}`).join(",")})` : name;

/** @param {Param} param @param {string} value @param {(value: string) => void} change */
function control(param, value, change) {
  const { kind, words, or, least, most } = param.domain;
  const input = (/** @type {Event} */ e) => /** @type {HTMLInputElement} */ (e.target);
  const said = (/** @type {Event} */ e) => change(input(e).value.trim());
  const ticked = (/** @type {Event} */ e) => change(input(e).checked ? "yes" : "no");
  const key = { "data-key": param.name, name: param.name };
  if (kind === "flag") {
    return h("input", { ...key, type: "checkbox", checked: value === "yes", onchange: ticked });
  }
  if (kind === "choice") {
    const all = [...new Set([...(or ? [or] : []), ...(words ?? []), value])];
    return h("select", { ...key, value, onchange: said }, all.map((w) => h("option", { value: w }, w)));
  }
  const number = (kind === "integer" || kind === "real") && !or && value !== "none";
  const range = number ? { type: "number", min: least, max: most, step: kind === "real" ? "any" : "1" }
    : { type: "text" };
  const hint = or ? `${or}, or a ${kind === "integer" ? "number" : kind}` : param.default;
  return h("input", { ...key, ...range, value, placeholder: hint, autocomplete: "off", spellcheck: "false",
    oninput: said });
}

/**
 * A form for one entry of a list of games, agents or solvers, as a specification string.
 * @param {About[]} abouts @param {string} spec @param {(spec: string) => void} change
 * @param {{label: string, test?: string, folded?: boolean}} options
 */
export function specForm(abouts, spec, change, options) {
  /** @type {Map<string, [About, Preset | undefined]>} */
  const entries = new Map();
  for (const about of abouts) {
    entries.set(about.name, [about, undefined]);
    for (const preset of about.presets) entries.set(preset.name, [about, preset]);
  }
  const list = h("select", { "aria-label": options.label, "data-key": "name", test: options.test },
    abouts.map((a) => [h("option", { value: a.name }, a.name),
      a.presets.map((p) => h("option", { value: p.name, title: p.about }, `\u2003${p.name}`))]));
  const summary = h("p", { class: "hint" });
  const fields = h("div", { class: "fields" });
  const head = h("summary", null, "Parameters");
  const fold = h("details", { class: "fold", test: "params" }, head, fields);
  const el = h("div", { class: "spec" }, list, summary, fold);
  let name = "";
  /** @type {Map<string, string>} */
  let values = new Map();

  const find = (/** @type {About} */ about, /** @type {string} */ key) =>
    about.params.find((p) => p.name === key || p.aliases.includes(key))?.name ?? key;
  const base = (/** @type {About} */ about, /** @type {Preset | undefined} */ preset) => {
    const map = new Map(about.params.map((p) => [p.name, p.default]));
    for (const [k, v] of readParams(preset?.params ?? "")) map.set(find(about, k), v);
    return map;
  };
  const written = () => writeSpec(name, [...values]);
  const count = () => fill(head, values.size ? `Parameters (${values.size} changed)` : "Parameters");

  function draw() {
    const [about, preset] = entries.get(name) ?? [];
    list.value = name;
    fill(summary, preset?.about ?? about?.summary);
    const shown = about?.params.filter((p) => p.domain.kind !== "file" && p.domain.kind !== "command") ?? [];
    fold.hidden = !shown.length;
    const usual = about ? base(about, preset) : new Map();
    fill(fields, shown.map((p) => {
      const row = h("label", { class: "field", title: p.about }, h("span", null, p.name));
      row.classList.toggle("set", values.has(p.name));
      row.append(control(p, values.get(p.name) ?? usual.get(p.name) ?? p.default, (value) => {
        if (value === "" || value === usual.get(p.name)) values.delete(p.name);
        else values.set(p.name, value);
        row.classList.toggle("set", values.has(p.name));
        count();
        change(written());
      }), h("small", null, p.about));
      return row;
    }));
    count();
  }

  /** @param {string} text */
  function set(text) {
    if (text === written() && name) return;
    const read = readSpec(text);
    name = read.name;
    const [about, preset] = entries.get(name) ?? [];
    const usual = about ? base(about, preset) : new Map();
    /** @type {[string, string][]} */
    const named = read.params.map(([k, v]) => [about ? find(about, k) : k, v]);
    values = new Map(named.filter(([k, v]) => usual.get(k) !== v));
    draw();
  }

  list.addEventListener("change", () => {
    name = list.value;
    values = new Map();
    draw();
    change(written());
  });
  set(spec);
  fold.open = !options.folded && fields.childElementCount <= 8;
  return {
    el,
    set,
    spec: written,
    /** Disables what cannot be chosen, and says why. @param {Map<string, string>} why */
    forbid(why) {
      for (const option of list.options) {
        const reason = why.get(entries.get(option.value)?.[0].name ?? "");
        option.disabled = reason !== undefined;
        option.title = reason ?? "";
      }
    },
  };
}
