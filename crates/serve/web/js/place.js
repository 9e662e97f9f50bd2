/** Places (positions that can be looked at) and how they are written in addresses. */

import { address, post } from "./api.js";
import { theme } from "./theme.js";

/** @param {string} text @returns {string} */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Reads `#/path/parts?key=value`; a plus is a plus.
 * @param {string} hash @returns {{path: string[], query: Query}}
 */
export function readHash(hash) {
  const [, path, rest] = /^#?\/?([^?]*)\??(.*)$/.exec(hash) ?? ["", "", ""];
  /** @type {Query} */
  const query = {};
  for (const part of rest.split("&").filter(Boolean)) {
    const at = part.indexOf("=");
    query[decoded(at < 0 ? part : part.slice(0, at))] = at < 0 ? "" : decoded(part.slice(at + 1));
  }
  return { path: path.split("/").filter(Boolean).map(decoded), query };
}

/** The other way round, easy to read. @param {string} path @param {Query} query */
export function hash(path, query) {
  const plain = { "%2C": ",", "%3D": "=", "%2B": "+", "%3A": ":", "%5B": "[", "%5D": "]", "%3B": ";",
    "%2F": "/" };
  const text = address(`#/${path}`, query);
  return text.replace(/%(2C|3D|2B|3A|5B|5D|3B|2F)/g, (code) => plain[/** @type {keyof plain} */ (code)]);
}

/** @param {string | undefined} text @returns {number | undefined} */
export const whole = (text) => (text && /^\d+$/.test(text) ? Number(text) : undefined);

/** The place that an address names, if any. @param {Query} q @returns {Place | null} */
export function readPlace(q) {
  if (q.table) return { of: "table", table: q.table, step: whole(q.step) };
  if (q.replay) return { of: "replay", replay: q.replay, number: whole(q.number) ?? 1, step: whole(q.step) };
  return q.game ? { of: "moves", game: q.game, moves: q.moves ?? "", seed: whole(q.seed) } : null;
}

/** @param {Place} place @returns {Query} */
export function placeQuery(place) {
  const { of: _, ...rest } = place;
  return Object.fromEntries(Object.entries(rest).map(([k, v]) => [k, v === undefined ? v : String(v)]));
}

/**
 * The same place after so many steps.
 * @param {Place} place @param {number | undefined} step @returns {Place}
 */
export const atStep = (place, step) => (place.of === "moves" ? place : { ...place, step });

/**
 * The position at a place, as a seat sees it, or as it is.
 * @param {Place} place @param {number} [seat] @returns {Promise<Position>}
 */
export const positionAt = (place, seat) => post("/api/position", { place, seat }, { theme: theme() });
