/**
 * The API calls of the page: every call has a timeout, and every failure has a message. The cookie travels by
 * itself; the page knows no token.
 *
 * @import {Booking, Edit, ExecutionPlan, ReasoningEntry, SessionSnapshot, SignedIn, SignedOut, Turn} from "./types.js"
 */
import { t } from "./i18n/format.js";

/** How long is waited, in milliseconds. A turn may take the service 15 s by its own account. */
const TURN_TIMEOUT = 25_000;
const COMMAND_TIMEOUT = 15_000;
const READ_TIMEOUT = 10_000;

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
let clockOffset = 0;
let measured = false;

/** The service's time. */
export function now() {
  return Date.now() + clockOffset;
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
  const offset = Math.abs(found) < 3000 ? 0 : found;
  if (!measured || Math.abs(offset - clockOffset) > 3000) [clockOffset, measured] = [offset, true];
}

/** Marks that turn the rest of a line round, wherever they stand in a name (Unicode UAX 9): a plan must read as it is. */
const BIDI_CONTROLS = /[\u202a-\u202e\u2066-\u2069]/g;

/**
 * Parses JSON and removes bidirectional control characters from its strings.
 * @param {string} text
 */
export function parseJson(text) {
  return JSON.parse(text, (_, value) => (typeof value === "string" ? value.replace(BIDI_CONTROLS, "") : value));
}

/**
 * @param {string} path
 * @param {{method?: string, body?: unknown, timeout?: number}} [how]
 * @returns {Promise<{status: number, body: any}>}
 */
export async function call(path, { method = "GET", body, timeout = READ_TIMEOUT } = {}) {
  const asked = Date.now();
  let response;
  try {
    response = await fetch(path, {
      method,
      credentials: "same-origin",
      cache: "no-store",
      headers: body === undefined ? { Accept: "application/json" } : { "Content-Type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(timeout),
    });
    readClock(response, asked);
    const found = response.status === 204 ? null : parseJson(await response.text());
    if (response.ok) return { status: response.status, body: found };
    throw toCallError(response, found);
  } catch (error) {
    if (error instanceof CallError) throw error;
    if (error instanceof DOMException && (error.name === "TimeoutError" || error.name === "AbortError")) {
      throw new CallError("timeout", t("send.timeout"));
    }
    // A gateway's own failure, or an answer that broke off, says nothing of what became of the call.
    if (response && !response.ok && response.status < 500) throw toCallError(response, null);
    if (response) throw new CallError("network", t("send.unclear"));
    if (!navigator.onLine) throw new CallError("offline", t("send.offline"));
    throw new CallError("network", t("send.network"));
  }
}

/**
 * @param {Response} response
 * @param {any} found
 */
function toCallError(response, found) {
  const error = found?.error ?? {};
  const sentences = typeof error.message === "string" ? [error.message, ...(error.suggestions ?? [])] : [t("send.unexpected")];
  const message = sentences.map((one) => (/[.!?…]$/.test(one) ? one : `${one}.`)).join(" ");
  const after = Number(error.retry_after_seconds ?? response.headers.get("retry-after")) || undefined;
  const kinds = /** @type {const} */ ({ 401: "signed_out", 403: "forbidden", 404: "missing", 409: "conflict", 429: "busy", 503: "away" });
  const kind = kinds[/** @type {keyof typeof kinds} */ (response.status)] ?? "refused";
  return new CallError(kind, message, { plan: error.plan, after });
}

/** @returns {Promise<SignedIn|SignedOut>} */
export async function getSession() {
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
 * The snapshot of a chat; null when it has no messages yet.
 * @param {SignedIn} who
 * @param {string} chat
 * @returns {Promise<SessionSnapshot|null>}
 */
export async function getSnapshot(who, chat) {
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
export async function sendMessage(who, chat, what) {
  const body = {
    user_message: what.text, session_id: chat, user_id: who.user_id, venue_id: who.venue.venue_id,
    request_id: what.request_id, ...(what.edit ? { edit: what.edit } : {}),
  };
  return (await call("v1/requests", { method: "POST", body, timeout: TURN_TIMEOUT })).body;
}

/**
 * @param {SignedIn} who
 * @param {string} planId
 * @returns {Promise<ExecutionPlan>}
 */
export async function getPlan(who, planId) {
  const path = `v1/plans/${encodeURIComponent(planId)}?${new URLSearchParams({ user_id: who.user_id })}`;
  return (await call(path)).body;
}

/**
 * The operator's plans, newest first.
 * @param {SignedIn} who
 * @param {{status: string, limit: string}} which
 * @returns {Promise<ExecutionPlan[]>}
 */
export async function listPlans(who, which) {
  return (await call(`v1/plans?${query(who, which)}`)).body.plans;
}

/**
 * Sends a command on a plan.
 * @param {SignedIn} who
 * @param {string} planId
 * @param {"confirm"|"cancel"|"undo"|"answer"|"skip"} kind
 * @param {{request_id: string, text?: string, prompt_id?: string, step?: number}} what
 * @returns {Promise<ExecutionPlan>}
 */
export async function sendCommand(who, planId, kind, what) {
  const body = {
    user_id: who.user_id, request_id: what.request_id,
    ...(kind === "answer" ? { user_message: what.text, prompt_id: what.prompt_id } : {}),
  };
  const way = kind === "answer" ? "answers" : kind === "skip" ? `steps/${what.step}/skip` : kind;
  const path = `v1/plans/${encodeURIComponent(planId)}/${way}`;
  return (await call(path, { method: "POST", body, timeout: COMMAND_TIMEOUT })).body;
}

/**
 * The reasoning log of a chat; null when it has no messages yet. The server allows it to engineers only.
 * @param {SignedIn} who
 * @param {string} chat
 * @returns {Promise<ReasoningEntry[]|null>}
 */
export async function getReasoning(who, chat) {
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
export async function getDay(who, date) {
  try {
    return (await call(`v1/day?${query(who, { date })}`)).body.bookings;
  } catch (error) {
    if (error instanceof CallError && error.kind === "missing") return null;
    throw error;
  }
}
