/**
 * The service as the page calls it: every call has an end, and every way of failing has words. The cookie travels by
 * itself; the page knows no token.
 *
 * @import {Booking, Edit, ExecutionPlan, Reasoned, SessionSnapshot, SignedIn, SignedOut, Turn} from "./types.js"
 */
import { t } from "./i18n/words.js";

/** How long is waited, in milliseconds. A turn may take the service 15 s by its own account. */
const TURN = 25_000;
const WORD = 15_000;
const READ = 10_000;

export class CallError extends Error {
  /**
   * @param {"offline"|"timeout"|"network"|"signed_out"|"forbidden"|"missing"|"conflict"|"busy"|"refused"|"away"} kind
   * @param {string} message
   * @param {{plan?: ExecutionPlan, after?: number}} [more]  `after`: seconds to wait before another try
   */
  constructor(kind, message, more = {}) {
    super(message);
    this.kind = kind;
    this.plan = more.plan ?? null;
    this.after = more.after ?? null;
  }

  /** Whether it may have arrived all the same: the same request is safe to send again. */
  get unsettled() {
    return this.kind === "timeout" || this.kind === "network";
  }
}

/** The service's clock against this machine's, in milliseconds; deadlines are the service's. */
let ahead = 0;
let measured = false;

/** The service's time. */
export function now() {
  return Date.now() + ahead;
}

/**
 * @param {Response} response
 * @param {number} asked
 */
function readClock(response, asked) {
  const date = Date.parse(response.headers.get("date") ?? "");
  if (Number.isNaN(date)) return;
  // A Date header is cut to the second and may be a second old: small differences are no news.
  const found = date + 500 - (asked + Date.now()) / 2;
  const told = Math.abs(found) < 3000 ? 0 : found;
  if (!measured || Math.abs(told - ahead) > 3000) [ahead, measured] = [told, true];
}

/** Marks that turn the rest of a line round, wherever they stand in a name (Unicode UAX 9): a plan must read as it is. */
const TURNING = /[\u202a-\u202e\u2066-\u2069]/g;

/**
 * What the service says, without marks in it that make other words of ours read otherwise.
 * @param {string} text
 */
export function read(text) {
  return JSON.parse(text, (_, value) => (typeof value === "string" ? value.replace(TURNING, "") : value));
}

/**
 * @param {string} path
 * @param {{method?: string, body?: unknown, within?: number}} [how]
 * @returns {Promise<{status: number, body: any}>}
 */
export async function call(path, { method = "GET", body, within = READ } = {}) {
  const asked = Date.now();
  let response;
  try {
    response = await fetch(path, {
      method,
      credentials: "same-origin",
      cache: "no-store",
      headers: body === undefined ? { Accept: "application/json" } : { "Content-Type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(within),
    });
    readClock(response, asked);
    const found = response.status === 204 ? null : read(await response.text());
    if (response.ok) return { status: response.status, body: found };
    throw refusal(response, found);
  } catch (error) {
    if (error instanceof CallError) throw error;
    if (error instanceof DOMException && (error.name === "TimeoutError" || error.name === "AbortError")) {
      throw new CallError("timeout", t("send.timeout"));
    }
    // A gateway's own failure, or an answer that broke off, says nothing of what became of the call.
    if (response && !response.ok && response.status < 500) throw refusal(response, null);
    if (response) throw new CallError("network", t("send.unclear"));
    if (!navigator.onLine) throw new CallError("offline", t("send.offline"));
    throw new CallError("network", t("send.network"));
  }
}

/**
 * @param {Response} response
 * @param {any} found
 */
function refusal(response, found) {
  const error = found?.error ?? {};
  const said = typeof error.message === "string" ? [error.message, ...(error.suggestions ?? [])] : [t("send.unexpected")];
  const message = said.map((one) => (/[.!?…]$/.test(one) ? one : `${one}.`)).join(" ");
  const after = Number(error.retry_after_seconds ?? response.headers.get("retry-after")) || undefined;
  const kinds = /** @type {const} */ ({ 401: "signed_out", 403: "forbidden", 404: "missing", 409: "conflict", 429: "busy", 503: "away" });
  const kind = kinds[/** @type {keyof typeof kinds} */ (response.status)] ?? "refused";
  return new CallError(kind, message, { plan: error.plan, after });
}

/** @returns {Promise<SignedIn|SignedOut>} */
export async function session() {
  return (await call("page/session")).body;
}

/** @returns {Promise<SignedIn|SignedOut>} */
export async function signIn() {
  return (await call("page/session", { method: "POST", body: {} })).body;
}

export async function signOut() {
  await call("page/session", { method: "DELETE" });
}

/**
 * @param {SignedIn} who
 * @param {Record<string, string|undefined|null>} [more]
 */
export function query(who, more = {}) {
  const found = new URLSearchParams({ user_id: who.user_id, venue_id: who.venue.venue_id });
  for (const [name, value] of Object.entries(more)) if (value) found.set(name, value);
  return found.toString();
}

/**
 * A chat as it stands; null when nothing was said in it yet.
 * @param {SignedIn} who
 * @param {string} chat
 * @returns {Promise<SessionSnapshot|null>}
 */
export async function snapshot(who, chat) {
  try {
    return (await call(`v1/sessions/${encodeURIComponent(chat)}?${query(who)}`)).body;
  } catch (error) {
    if (error instanceof CallError && error.kind === "missing") return null;
    throw error;
  }
}

/**
 * @param {SignedIn} who
 * @param {string} chat
 * @param {{text: string, request_id: string, edit?: Edit}} what
 * @returns {Promise<Turn>}
 */
export async function say(who, chat, what) {
  const body = {
    user_message: what.text, session_id: chat, user_id: who.user_id, venue_id: who.venue.venue_id,
    request_id: what.request_id, ...(what.edit ? { edit: what.edit } : {}),
  };
  return (await call("v1/requests", { method: "POST", body, within: TURN })).body;
}

/**
 * @param {SignedIn} who
 * @param {string} planId
 * @returns {Promise<ExecutionPlan>}
 */
export async function plan(who, planId) {
  const path = `v1/plans/${encodeURIComponent(planId)}?${new URLSearchParams({ user_id: who.user_id })}`;
  return (await call(path)).body;
}

/**
 * One's own plans, newest first.
 * @param {SignedIn} who
 * @param {{status: string, limit: string}} which
 * @returns {Promise<ExecutionPlan[]>}
 */
export async function plans(who, which) {
  return (await call(`v1/plans?${query(who, which)}`)).body.plans;
}

/**
 * A word on a plan.
 * @param {SignedIn} who
 * @param {string} planId
 * @param {"confirm"|"cancel"|"undo"|"answer"|"skip"} kind
 * @param {{request_id: string, text?: string, prompt_id?: string, step?: number}} what
 * @returns {Promise<ExecutionPlan>}
 */
export async function word(who, planId, kind, what) {
  const body = {
    user_id: who.user_id, request_id: what.request_id,
    ...(kind === "answer" ? { user_message: what.text, prompt_id: what.prompt_id } : {}),
  };
  const way = kind === "answer" ? "answers" : kind === "skip" ? `steps/${what.step}/skip` : kind;
  const path = `v1/plans/${encodeURIComponent(planId)}/${way}`;
  return (await call(path, { method: "POST", body, within: WORD })).body;
}

/**
 * How a chat was reasoned; null where nothing was said in it yet. Refused to whoever is not signed in as an engineer.
 * @param {SignedIn} who
 * @param {string} chat
 * @returns {Promise<Reasoned[]|null>}
 */
export async function reasoned(who, chat) {
  try {
    const query = new URLSearchParams({ venue_id: who.venue.venue_id });
    return (await call(`v1/sessions/${encodeURIComponent(chat)}/debug?${query}`)).body.entries;
  } catch (error) {
    if (error instanceof CallError && error.kind === "missing") return null;
    throw error;
  }
}

/**
 * The venue's day; null where the venue's pack has no such read.
 * @param {SignedIn} who
 * @param {string} date  YYYY-MM-DD
 * @returns {Promise<Booking[]|null>}
 */
export async function day(who, date) {
  try {
    return (await call(`v1/day?${query(who, { date })}`)).body.bookings;
  } catch (error) {
    if (error instanceof CallError && error.kind === "missing") return null;
    throw error;
  }
}
