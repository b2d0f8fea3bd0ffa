/**
 * The service as the staff's pages call it. The cookie travels by itself; after signing in no page holds the key.
 */
import { call } from "../api.js";

/**
 * @typedef {{signed_in: boolean, name: string|null, needs_key: boolean, expires_in: number, locale: string,
 *   time_zone: string, venues: {venue_id: string, name: string}[]}} StaffState
 * @typedef {{message: string, by: string, at: string, in_chat: boolean}} Answered
 * @typedef {{escalation_id: string, reference: string, venue_id: string, session_id: string,
 *   status: "open"|"resolved"|"lapsed", reason: string, why: string, asked: string, told: string, opened_at: string,
 *   lapses_at: string, ended_at?: string, answer?: Answered}} Escalation
 * @typedef {{at: string, role: "user"|"assistant"|"person", text: string}} Line
 */

/** @returns {Promise<StaffState>} */
export async function session() {
  return (await call("session")).body;
}

/**
 * @param {string} name
 * @param {string} key
 * @returns {Promise<StaffState>}
 */
export async function signIn(name, key) {
  return (await call("session", { method: "POST", body: { name, key } })).body;
}

export async function signOut() {
  await call("session", { method: "DELETE" });
}

/** @typedef {{escalation_id: string, opened_at: string, why: "unanswered"|"unreadable"}} LeftOut */

/** @returns {Promise<{escalations: Escalation[], left_out: LeftOut[]}>} */
export async function escalations() {
  return (await call("../v1/escalations?status=open,resolved,lapsed")).body;
}

/**
 * @param {string} id
 * @returns {Promise<Line[]>}
 */
export async function lines(id) {
  return (await call(`../v1/escalations/${encodeURIComponent(id)}`)).body.messages;
}

/**
 * @param {string} id
 * @param {{message: string, request_id: string}} answer
 * @returns {Promise<Escalation>}
 */
export async function resolve(id, answer) {
  return (await call(`../v1/escalations/${encodeURIComponent(id)}/resolve`, { method: "POST", body: answer })).body;
}
