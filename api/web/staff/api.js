/**
 * The API calls of the staff pages. The cookie travels by itself; after signing in no page holds the key.
 */
import { call } from "../api.js";

/**
 * @typedef {{signed_in: boolean, name: string|null, needs_key: boolean, expires_in: number, locale: string,
 *   time_zone: string, venues: {venue_id: string, name: string}[]}} StaffState
 * @typedef {{message: string, by: string, at: string, in_chat: boolean}} StaffReply
 * @typedef {{escalation_id: string, reference: string, venue_id: string, session_id: string,
 *   status: "open"|"resolved"|"lapsed", reason: string, why: string, asked: string, reply: string, opened_at: string,
 *   lapses_at: string, ended_at?: string, answer?: StaffReply}} Escalation
 * @typedef {{at: string, role: "user"|"assistant"|"person", text: string}} TranscriptLine
 */

/** @returns {Promise<StaffState>} */
export async function getSession() {
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

/** @typedef {{escalation_id: string, opened_at: string, why: "unanswered"|"unreadable"}} OmittedEscalation */

/** @returns {Promise<{escalations: Escalation[], left_out: OmittedEscalation[]}>} */
export async function listEscalations() {
  return (await call("../v1/escalations?status=open,resolved,lapsed")).body;
}

/**
 * @param {string} id
 * @returns {Promise<TranscriptLine[]>}
 */
export async function getMessages(id) {
  return (await call(`../v1/escalations/${encodeURIComponent(id)}`)).body.messages;
}

/**
 * @param {string} id
 * @param {{message: string, request_id: string}} answer
 * @returns {Promise<Escalation>}
 */
export async function resolveEscalation(id, answer) {
  return (await call(`../v1/escalations/${encodeURIComponent(id)}/resolve`, { method: "POST", body: answer })).body;
}
