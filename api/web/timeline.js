/**
 * The rows of the conversation, in order: messages of both sides, plans, and messages of plans. Each row has a key that
 * stays, so that a row is never drawn twice, whether its text came with an answer, over the stream or after a reload.
 *
 * @import {Entry, ExecutionPlan, Outgoing, PlanState, QuickAction, State, Turn} from "./types.js"
 */
import { dayOf, t } from "./i18n/format.js";
import { isAnswer, RUN } from "./store.js";

/**
 * @typedef {{key: string, kind: "message", text: string, at: number, outgoing: Outgoing|null}} OperatorRow
 * @typedef {{key: string, kind: "reply", text: string, at: number, tone: "plain"|"question"|"handed"|"person"|"lapsed"|"error",
 *   actions: QuickAction[], of: string|null, reference?: string|null}} AssistantRow
 * @typedef {{key: string, kind: "plan", at: number, planId: string, state: PlanState}} PlanRow
 * @typedef {{key: string, kind: "run", text: string, at: number, entries: Entry[]}} RunRow
 * @typedef {{key: string, kind: "looking", text: string, at: number}} ProgressRow
 * @typedef {{key: string, kind: "date", day: string, at: number}} DateRow
 * @typedef {OperatorRow|AssistantRow|PlanRow|RunRow|ProgressRow|DateRow} Row
 */

const NO_ACTIONS = /** @type {QuickAction[]} */ ([]);

/** How long a message without an answer is taken to be worked on, in milliseconds. */
const WORKING_TIMEOUT = 30_000;

/**
 * @param {State} state
 * @param {number} now
 * @returns {Row[]}
 */
export function timeline(state, now) {
  const rows = conversation(state);
  for (const [planId, known] of Object.entries(state.plans)) insertPlanMessages(rows, planId, known);
  for (const one of state.outbox) rows.push(...sent(state, one, rows));
  keepLatestActions(rows);
  const waiting = progressRow(state, now);
  if (waiting) rows.push(waiting);
  return dated(rows);
}

/** @param {State} state */
function conversation(state) {
  /** @type {Row[]} */
  const rows = [];
  /** @type {Set<string>} */
  const keys = new Set();
  const shownPlans = new Set();
  const over = new Set(state.entries.filter(isAnswer).map((entry) => entry.request_id));
  for (const one of state.outbox) over.add(one.request_id);
  let offered = NO_ACTIONS;
  for (const entry of state.entries) {
    // An error belongs to the message that can be sent again, and is hidden once that message got through.
    if (entry.kind === "progress" || (entry.kind === "error" && entry.request_id && over.has(entry.request_id))) continue;
    const at = Date.parse(entry.at);
    if (isAnswer(entry)) offered = entry.actions ?? NO_ACTIONS;
    if (RUN.has(entry.kind)) {
      runOf(rows, keys, entry, at);
    } else if (entry.kind === "message") {
      const outgoing = state.outbox.find((one) => one.request_id === entry.request_id) ?? null;
      rows.push({ key: uniqueKey(keys, `message-${entry.request_id ?? entry.number}`), kind: "message", text: offeredLabel(entry.text, offered), at, outgoing });
    } else if (entry.kind === "plan" && entry.plan_id && state.plans[entry.plan_id]) {
      if (!shownPlans.has(entry.plan_id)) {
        shownPlans.add(entry.plan_id);
        // The steps of its run are the first of its own.
        const begun = rows.findLastIndex((row) => row.kind === "run" && row.entries[0]?.request_id === entry.request_id);
        if (begun >= 0) rows.splice(begun, 1);
        rows.push(planRow(state, entry.plan_id, at));
      }
      const beside = messageBeside(entry, state.plans[entry.plan_id]?.plan ?? null);
      if (beside) rows.push(assistantRow(uniqueKey(keys, `reply-${entry.request_id ?? entry.number}`), beside, at, entry.actions));
    } else {
      rows.push({
        key: uniqueKey(keys, `reply-${entry.request_id ?? entry.number}`), kind: "reply", text: entry.text, at,
        tone: toneOf(entry.kind), actions: entry.kind === "error" ? resendActions(state, entry) : (entry.actions ?? NO_ACTIONS), of: entry.plan_id ?? null,
        reference: entry.reference ?? null,
      });
    }
  }
  return rows;
}

/**
 * The label of the quick action that a message came from: a booking's label, not its number.
 * @param {string} text
 * @param {readonly QuickAction[]} offered
 */
function offeredLabel(text, offered) {
  return offered.find((action) => action.say === text)?.label ?? text;
}

/**
 * The message beside a plan; empty where the entry has only the plan's intent, which its card shows.
 * @param {Entry} entry
 * @param {ExecutionPlan|null} plan
 */
function messageBeside(entry, plan) {
  return plan && !plan.intent.startsWith(entry.text) ? entry.text : "";
}

/**
 * @param {string} key
 * @param {string} text
 * @param {number} at
 * @param {QuickAction[]} [actions]
 * @returns {AssistantRow}
 */
function assistantRow(key, text, at, actions) {
  return { key, kind: "reply", text, at, tone: "plain", actions: actions ?? NO_ACTIONS, of: null, reference: null };
}

/**
 * Puts what goes on before there is a plan into the row of its run.
 * @param {Row[]} rows
 * @param {Set<string>} keys
 * @param {Entry} entry
 * @param {number} at
 */
function runOf(rows, keys, entry, at) {
  const last = rows.findLast((row) => row.kind === "run" && row.entries[0]?.request_id === entry.request_id);
  if (entry.kind !== "initiated" && last?.kind === "run") last.entries.push(entry);
  else rows.push({ key: uniqueKey(keys, `run-${entry.request_id}`), kind: "run", text: entry.text, at, entries: [entry] });
}

/**
 * @param {State} state
 * @param {string} planId
 * @param {number} at
 * @returns {PlanRow}
 */
function planRow(state, planId, at) {
  const known = state.plans[planId] ?? { plan: null, events: [], live: new Set(), command: null };
  return { key: `plan-${planId}`, kind: "plan", at, planId, state: known };
}

/**
 * A key that nothing else has.
 * @param {Set<string>} keys
 * @param {string} wanted
 */
function uniqueKey(keys, wanted) {
  let key = wanted;
  for (let n = 2; keys.has(key); n++) key = `${wanted}-${n}`;
  keys.add(key);
  return key;
}

/**
 * The action that sends a failed message again, also after a reload.
 * @param {State} state
 * @param {Entry} entry
 */
function resendActions(state, entry) {
  const message = state.entries.findLast((one) => one.kind === "message" && one.number < entry.number);
  return message ? [{ label: t("chat.again"), say: message.text }] : NO_ACTIONS;
}

/** The action that drafts an expired plan again. */
function retryActions() {
  return [{ label: t("chat.again"), say: t("chat.again") }];
}

/** @param {Entry["kind"]} kind */
function toneOf(kind) {
  if (kind === "clarification") return "question";
  if (kind === "person" || kind === "lapsed") return kind;
  return kind === "escalation" ? "handed" : kind === "error" ? "error" : "plain";
}

/**
 * Inserts a plan's own messages by their time, but never above its card.
 * @param {Row[]} rows
 * @param {string} planId
 * @param {PlanState} known
 */
function insertPlanMessages(rows, planId, known) {
  const card = rows.findIndex((row) => row.kind === "plan" && row.planId === planId);
  if (card < 0) return;
  for (const message of planMessages(planId, known)) {
    let index = rows.length;
    while (index > card + 1 && /** @type {Row} */ (rows[index - 1]).at > message.at) index--;
    rows.splice(index, 0, message);
  }
}

/**
 * @param {string} planId
 * @param {PlanState} known
 * @returns {AssistantRow[]}
 */
function planMessages(planId, { events, plan }) {
  const actions = plan?.failure?.quick_actions ?? (plan?.status === "expired" ? retryActions() : NO_ACTIONS);
  const messages = events.filter((event) => event.kind === "separate_message");
  const rows = messages.map((event) => ({ text: event.text, at: Date.parse(event.at) }));
  return rows.map(({ text, at }, index) => ({
    key: `words-${planId}-${index + 1}`, kind: "reply", text, at, tone: "plain", of: planId,
    actions: index === rows.length - 1 ? actions : NO_ACTIONS,
  }));
}

/**
 * @param {State} state
 * @param {Outgoing} one
 * @param {readonly Row[]} before
 * @returns {Row[]}
 */
function sent(state, one, before) {
  const own = state.entries.some((entry) => entry.request_id === one.request_id && entry.kind === "message");
  const offered = state.entries.findLast(isAnswer)?.actions ?? NO_ACTIONS;
  /** @type {Row[]} */
  const rows = own ? [] : [{ key: `message-${one.request_id}`, kind: "message", text: offeredLabel(one.text, offered), at: one.at, outgoing: one }];
  return one.turn ? [...rows, ...answered(state, one.request_id, one.turn, one.at, before)] : rows;
}

/**
 * @param {State} state
 * @param {string} requestId
 * @param {Turn} turn
 * @param {number} at
 * @param {readonly Row[]} before
 * @returns {Row[]}
 */
function answered(state, requestId, turn, at, before) {
  if (turn.type === "plan") {
    const { plan, message, quick_actions } = turn;
    const card = before.some((row) => row.kind === "plan" && row.planId === plan.plan_id) ? [] : [planRow(state, plan.plan_id, at)];
    return message ? [...card, assistantRow(`reply-${requestId}`, message, at, quick_actions)] : card;
  }
  const picks = turn.type === "clarification" ? (turn.candidates ?? []) : [];
  const taps = turn.quick_actions?.length
    ? turn.quick_actions
    : picks.map((one) => ({ label: one.label || one.reference || one.booking_id, say: one.reference || one.label || one.booking_id }));
  const text = turn.type === "clarification" ? turn.question : turn.message;
  const reference = turn.type === "escalation" ? (turn.reference ?? null) : null;
  return [{ ...assistantRow(`reply-${requestId}`, text, at, taps), tone: toneOf(turn.type), reference }];
}

/**
 * What can be tapped is tapped on the newest message only: an older choice may no longer be one.
 * @param {Row[]} rows
 */
function keepLatestActions(rows) {
  let open = true;
  for (let index = rows.length - 1; index >= 0; index--) {
    const row = rows[index];
    if (row?.kind === "reply" && row.actions.length && !open) rows[index] = { ...row, actions: NO_ACTIONS };
    if (row?.kind === "message" || row?.kind === "plan" || (row?.kind === "reply" && row.actions.length)) open = false;
  }
}

/**
 * What goes on for a message that has no answer yet.
 * @param {State} state
 * @param {number} now
 * @returns {ProgressRow|null}
 */
function progressRow(state, now) {
  const sending = state.outbox.findLast((one) => one.state === "sending");
  const last = state.entries.at(-1);
  const open = last && (last.kind === "progress" || last.kind === "message") && now - Date.parse(last.at) < WORKING_TIMEOUT;
  const failed = state.outbox.some((one) => one.state !== "sending" && one.request_id === last?.request_id);
  // A run shows by itself what goes on.
  if (last && RUN.has(last.kind) && last.kind !== "complete") return null;
  if (!sending && (!open || failed)) return null;
  const progress = last?.kind === "progress" && (!sending || last.request_id === sending.request_id) ? last.text : null;
  return { key: "looking", kind: "looking", text: progress ?? t("chat.looking"), at: now };
}

/**
 * @param {Row[]} rows
 * @returns {Row[]}
 */
function dated(rows) {
  /** @type {Row[]} */
  const found = [];
  let before = "";
  for (const row of rows) {
    const day = row.kind === "looking" ? before : dayKey(row.at);
    if (day > before) {
      found.push({ key: `date-${day}`, kind: "date", day, at: row.at });
      before = day;
    }
    found.push(row);
  }
  // A chat of one day needs no date.
  return found.filter((row) => row.kind !== "date" || found[0]?.kind !== "date" || found[0].day !== before);
}

/** @type {Map<number, string>} */
const days = new Map();

/**
 * Asking Intl for each of a thousand rows on each change is what would make it slow.
 * @param {number} at
 */
function dayKey(at) {
  const hour = Math.floor(at / 900_000);
  let day = days.get(hour);
  if (day === undefined) days.set(hour, (day = dayOf(at)));
  return day;
}
