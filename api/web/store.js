/**
 * The page's state as one value, and the reducer of all its actions. Nothing here touches the document, the
 * network or a clock, so that all of it runs under a test.
 *
 * Duplicates are ignored: entries and plan events are identified by their numbers.
 *
 * @import {Entry, ExecutionPlan, OtherPlans, Outgoing, PlanEvent, PlanState, SessionSnapshot, SignedIn, SignedOut, State, Turn, Command} from "./types.js"
 */

/**
 * @typedef {{type: "signed_in", session: SignedIn}
 *   | {type: "signed_out", out: SignedOut|null}
 *   | {type: "failed", message: string}
 *   | {type: "chat", chat: string}
 *   | {type: "reset"}
 *   | {type: "snapshot", snapshot: SessionSnapshot|null}
 *   | {type: "entry", entry: Entry}
 *   | {type: "event", event: PlanEvent, live: boolean}
 *   | {type: "plan", plan: ExecutionPlan}
 *   | {type: "lost", plan_id: string}
 *   | {type: "sent", outgoing: Outgoing}
 *   | {type: "not_sent", request_id: string, message: string}
 *   | {type: "answered", request_id: string, turn: Turn}
 *   | {type: "dropped", request_id: string}
 *   | {type: "command", plan_id: string, command: Command|null}
 *   | {type: "others", others: OtherPlans}
 *   | {type: "link", link: State["link"], message?: string|null}} Action
 */

/** Link states in which no event arrives and which the page shows to the operator. */
const CUT = new Set(["waiting", "away", "offline"]);

/** @returns {State} */
export function initialState() {
  return {
    phase: "loading", failure: null, session: null, out: null, chat: "", loaded: false, entries: [], plans: {},
    others: { plans: [], known: false, trouble: null, undoing: [] }, outbox: [], link: "connecting", cut: false, away: null,
  };
}

/**
 * @param {State} state
 * @param {Action} action
 * @returns {State}
 */
export function reduce(state, action) {
  switch (action.type) {
    case "signed_in":
      return { ...state, phase: "ready", failure: null, session: action.session, out: null, plans: clearFailedCommands(state.plans) };
    case "signed_out":
      return { ...state, phase: "signed_out", out: action.out ?? state.out };
    case "failed":
      return { ...state, phase: "failed", failure: action.message };
    case "chat":
      return action.chat === state.chat
        ? state
        : { ...state, chat: action.chat, loaded: false, entries: [], plans: {}, outbox: [] };
    case "others":
      return { ...state, others: action.others };
    case "reset":
      return { ...state, loaded: false, entries: [], plans: {} };
    case "snapshot":
      return afterSnapshot(state, action.snapshot);
    case "entry":
      return afterEntry(state, action.entry);
    case "event":
      return afterEvent(state, action.event, action.live);
    case "plan":
      return withPlan(state, action.plan.plan_id, (old) => afterPlan(old, action.plan));
    case "lost":
      return state.plans[action.plan_id]?.plan ? state : { ...state, plans: omitted(state.plans, action.plan_id) };
    case "sent":
      return { ...state, outbox: [...without(state.outbox, action.outgoing.request_id), action.outgoing] };
    case "not_sent":
      return revised(state, action.request_id, { state: "failed", message: action.message });
    case "answered":
      return afterAnswer(state, action.request_id, action.turn);
    case "dropped":
      return { ...state, outbox: without(state.outbox, action.request_id) };
    case "command":
      return withPlan(state, action.plan_id, (old) => ({ ...old, command: action.command }));
    case "link":
      return { ...state, link: action.link, cut: CUT.has(action.link), away: action.message ?? null };
  }
}

/** @returns {PlanState} */
export function unknownPlan() {
  return { plan: null, events: [], live: new Set(), command: null };
}

/**
 * The last number that was taken of a plan's events.
 * @param {State} state
 * @param {string} planId
 */
export function lastNumber(state, planId) {
  return state.plans[planId]?.events.at(-1)?.number ?? 0;
}

export const FINAL = new Set(["completed", "failed", "rolled_back", "expired", "cancelled"]);

/**
 * Whether nothing more happens to a plan by itself.
 * @param {ExecutionPlan} plan
 */
export function settled(plan) {
  return FINAL.has(plan.status) && (!plan.rollback || plan.rollback.state === "done");
}

/** How far a plan has come, for telling an old answer from a new one: status never moves backwards. */
const ORDER = ["pending_confirmation", "confirmed", "executing", "completed", "failed", "cancelled", "expired", "rolled_back"];

/**
 * Two answers about one plan may overtake each other; the one that has come further stands.
 * @param {ExecutionPlan|null} old
 * @param {ExecutionPlan} plan
 */
function newer(old, plan) {
  if (!old) return plan;
  const [was, is] = [ORDER.indexOf(old.status), ORDER.indexOf(plan.status)];
  if (is < was) return old;
  if (is > was) return plan;
  const results = (/** @type {ExecutionPlan} */ of) => of.results?.length ?? 0;
  if (results(plan) < results(old) || (settled(old) && !settled(plan) && !plan.rollback)) return old;
  return JSON.stringify(old) === JSON.stringify(plan) ? old : plan;
}

/**
 * A refused command stays visible until the plan's status changes; a failed one until the plan shows its effect.
 * @param {PlanState} old
 * @param {ExecutionPlan} found
 * @returns {PlanState}
 */
function afterPlan(old, found) {
  const plan = newer(old.plan, found);
  const command = commandAfterRefresh(old, plan, found.stale === true);
  return plan === old.plan && command === old.command ? old : { ...old, plan, command };
}

/**
 * @param {PlanState} old
 * @param {ExecutionPlan} plan
 * @param {boolean} stale
 * @returns {Command|null}
 */
function commandAfterRefresh({ plan: before, command }, plan, stale) {
  if (!command || command.state === "sending") return command;
  if ((before !== null && before.status !== plan.status) || (command.state === "failed" && showsEffect(plan, command))) return null;
  if (stale || !command.away) return command;
  const { message: _, ...kept } = command;
  return { ...kept, away: false };
}

/**
 * Whether a plan shows the effect of a command.
 * @param {ExecutionPlan} plan
 * @param {Command} command
 */
function showsEffect(plan, { kind, prompt_id, step }) {
  if (kind === "confirm") return plan.status !== "pending_confirmation";
  if (kind === "cancel") return plan.stopping === true || FINAL.has(plan.status);
  if (kind === "answer") return plan.blocking_prompt?.prompt_id !== prompt_id;
  if (kind === "skip") return plan.actions.some((action) => action.step === step && action.status === "skipped");
  return !!plan.rollback;
}

/**
 * @param {State} state
 * @param {SessionSnapshot|null} snapshot
 * @returns {State}
 */
function afterSnapshot(state, snapshot) {
  if (!snapshot) return { ...state, loaded: true };
  /** @type {State} */
  let next = { ...state, loaded: true, entries: merged(state.entries, snapshot.messages) };
  for (const plan of snapshot.plans ?? []) {
    next = withPlan(next, plan.plan_id, (old) => afterPlan(old, plan));
  }
  return { ...next, outbox: state.outbox.filter((one) => !isAnswered(next.entries, one.request_id)) };
}

/**
 * @param {readonly Entry[]} old
 * @param {readonly Entry[]} found
 */
function merged(old, found) {
  const byNumber = new Map(old.map((entry) => [entry.number, entry]));
  for (const entry of found) byNumber.set(entry.number, byNumber.get(entry.number) ?? entry);
  return [...byNumber.values()].sort((a, b) => a.number - b.number);
}

/**
 * @param {State} state
 * @param {Entry} entry
 * @returns {State}
 */
function afterEntry(state, entry) {
  const last = state.entries.at(-1);
  if (last && entry.number <= last.number && state.entries.some((one) => one.number === entry.number)) return state;
  const entries = last && entry.number < last.number ? merged(state.entries, [entry]) : [...state.entries, entry];
  // A plan that is named before it is known has a card that says so; a plan of an expired history has none.
  const plans = entry.kind === "plan" && entry.plan_id && !state.plans[entry.plan_id]
    ? { ...state.plans, [entry.plan_id]: unknownPlan() } : state.plans;
  const done = entry.request_id && isAnswer(entry) ? entry.request_id : null;
  return { ...state, entries, plans, outbox: done ? without(state.outbox, done) : state.outbox };
}

/**
 * @param {State} state
 * @param {PlanEvent} event
 * @param {boolean} live
 */
function afterEvent(state, event, live) {
  return withPlan(state, event.plan_id, (old) => {
    const last = old.events.at(-1);
    if (last && event.number <= last.number) return old;
    const watched = live && event.step && event.kind === "step_started" && !old.live.has(event.step);
    return {
      ...old,
      events: [...old.events, event],
      live: watched ? new Set([...old.live, /** @type {number} */ (event.step)]) : old.live,
    };
  });
}

/**
 * @param {State} state
 * @param {string} requestId
 * @param {Turn} turn
 * @returns {State}
 */
function afterAnswer(state, requestId, turn) {
  const next = turn.type === "plan" ? reduce(state, { type: "plan", plan: turn.plan }) : state;
  if (isAnswered(next.entries, requestId)) return { ...next, outbox: without(next.outbox, requestId) };
  return revised(next, requestId, { state: "answered", turn });
}

/**
 * Whether the chat itself has shown the answer to a message.
 * @param {readonly Entry[]} entries
 * @param {string} requestId
 */
function isAnswered(entries, requestId) {
  return entries.some((one) => one.request_id === requestId && isAnswer(one));
}

/** What a chat tells of a run before there is a plan that goes on with it. */
export const RUN = new Set(["initiated", "step_started", "step_result", "complete"]);

const NOT_ANSWERS = new Set(["message", "progress", "error", ...RUN]);

/**
 * Whether an entry is what a message came to. An error is not the end: the message can be sent again.
 * @param {Entry} entry
 */
export function isAnswer(entry) {
  return !NOT_ANSWERS.has(entry.kind);
}

/**
 * @param {State} state
 * @param {string} requestId
 * @param {Partial<Outgoing>} change
 * @returns {State}
 */
function revised(state, requestId, change) {
  const outbox = state.outbox.map((one) => (one.request_id === requestId ? { ...one, ...change } : one));
  return { ...state, outbox };
}

/**
 * @param {readonly Outgoing[]} outbox
 * @param {string} requestId
 */
function without(outbox, requestId) {
  return outbox.some((one) => one.request_id === requestId)
    ? outbox.filter((one) => one.request_id !== requestId)
    : outbox;
}

/**
 * @param {State} state
 * @param {string} planId
 * @param {(old: PlanState) => PlanState} change
 * @returns {State}
 */
function withPlan(state, planId, change) {
  const old = state.plans[planId] ?? unknownPlan();
  const next = change(old);
  return next === old ? state : { ...state, plans: { ...state.plans, [planId]: next } };
}

/**
 * @param {State["plans"]} plans
 * @param {string} planId
 */
function omitted(plans, planId) {
  return Object.fromEntries(Object.entries(plans).filter(([id]) => id !== planId));
}

/**
 * Drops failed commands once the operator has signed in again.
 * @param {State["plans"]} plans
 */
function clearFailedCommands(plans) {
  const kept = Object.entries(plans).map(([id, one]) => [id, one.command && one.command.state !== "sending" ? { ...one, command: null } : one]);
  return Object.fromEntries(kept);
}
