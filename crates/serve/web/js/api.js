/** Calls to the server, and its streams of events. */

/** An answer that is an error, with the server's own sentence. */
export class ApiError extends Error {
  /** @param {number} status @param {string} message */
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/** An address with a query. @param {string} path @param {Props} [query] */
export function address(path, query) {
  const parts = Object.entries(query ?? {}).filter(([, v]) => v !== undefined && v !== null && v !== "");
  const text = parts.map(([k, v]) => `${k}=${encodeURIComponent(v)}`).join("&");
  return text ? `${path}?${text}` : path;
}

/** Reads JSON; a seed too large for a number stays a text. @param {string} text */
const read = (text) => JSON.parse(text.replace(/"seed":\s*(\d{16,})/g, '"seed":"$1"'));

/**
 * @param {string} method @param {string} path @param {Props} [query] @param {unknown} [body]
 * @param {AbortSignal} [signal] @returns {Promise<any>} JSON as an object, everything else as text
 */
async function call(method, path, query, body, signal) {
  const raw = typeof body === "string";
  const headers = body === undefined ? undefined : { "content-type": raw ? "text/plain"
    : "application/json" };
  const sent = { method, headers, body: raw ? body : JSON.stringify(body), signal };
  const answer = await fetch(address(path, query), sent).catch((error) => {
    if (error.name === "AbortError") throw error;
    throw new ApiError(0, "The server does not answer. Is fogtree serve still running?");
  });
  const text = await answer.text();
  const json = answer.headers.get("content-type")?.startsWith("application/json");
  if (answer.ok) return json && text ? read(text) : text;
  if (answer.status === 401) window.dispatchEvent(new Event("nokey"));
  throw new ApiError(answer.status, (json && JSON.parse(text).error)
    || `The server answers ${answer.status}.`);
}

/** @param {string} path @param {Props} [query] @param {AbortSignal} [signal] @returns {Promise<any>} */
export const get = (path, query, signal) => call("GET", path, query, undefined, signal);
/** @param {string} path @param {unknown} [body] @param {Props} [query] @returns {Promise<any>} */
export const post = (path, body = {}, query) => call("POST", path, query, body);
/** @param {string} path @returns {Promise<any>} */
export const remove = (path) => call("DELETE", path);
/** Forgets something whose end nobody waits for. @param {string} path */
export const forget = (path) => void fetch(path, { method: "DELETE", keepalive: true }).catch(() =>
  undefined);

/** @type {Map<string, Promise<any>>} */
const kept = new Map();

/** What never changes while the page is open, asked for once. @param {string} path @returns {Promise<any>} */
function once(path) {
  const known = kept.get(path) ?? get(path);
  kept.set(path, known);
  known.catch(() => kept.delete(path));
  return known;
}

/** @returns {Promise<GameAbout[]>} */
export const games = () => once("/api/games");
/** Agents that need no file and no program. @returns {Promise<About[]>} */
export const agents = async () => (await once("/api/agents")).filter(/** @param {About} a */ (a) =>
  !a.params.some(outside));
/** @returns {Promise<About[]>} */
export const solvers = () => once("/api/solvers");
/** @returns {Promise<Me>} */
export const me = () => once("/api/me");

/** @param {Param} param */
const outside = (param) => param.domain.kind === "command" || (param.domain.kind === "file"
  && param.default === "none");

/**
 * Listens to a stream of events until it is closed. A stream that ends with the event `end` closes itself. A
 * page that nobody sees lets go of its stream, since a browser has only a few connections to one server.
 * @param {string} path @param {Record<string, (data: any) => void>} on
 * @param {(state: "open" | "lost" | "gone") => void} [state] @returns {() => void} closes it
 */
export function live(path, on, state) {
  /** @type {EventSource | undefined} */
  let source;
  let [timer, closed] = [0, false];
  const stop = () => (clearTimeout(timer), source?.close());
  const close = () => {
    closed = true;
    stop();
    document.removeEventListener("visibilitychange", seen);
  };
  const seen = () => (document.hidden ? stop() : open());
  const probe = async () => {
    const { status } = await fetch(path.replace(/\/live\b/, "")).catch(() => ({ status: 0 }));
    if (closed) return;
    if (status === 401) window.dispatchEvent(new Event("nokey"));
    if ([401, 403, 404].includes(status)) return close(), state?.("gone");
    open();
  };
  const open = () => {
    if (closed) return;
    stop();
    const here = (source = new EventSource(path));
    here.onopen = () => state?.("open");
    here.onerror = () => {
      if (closed || document.hidden) return;
      state?.("lost");
      if (here.readyState === EventSource.CLOSED) timer = window.setTimeout(probe, 1500);
    };
    for (const [name, act] of Object.entries(on)) {
      here.addEventListener(name, (event) => {
        if (closed) return;
        if (name === "end") close();
        act(event.data ? read(event.data) : {});
      });
    }
  };
  document.addEventListener("visibilitychange", seen);
  if (!document.hidden) open();
  return close;
}
