/**
 * The view model of a plan: its headline, its status, and its steps as they are shown.
 *
 * @import {ExecutionPlan, PlanEvent, PlannedAction, PlanState, RollbackReport, StepStatus} from "./types.js"
 */
import { t } from "./i18n/format.js";
import { FINAL, settled } from "./store.js";

/**
 * What a plan is for; its lines say the rest. Several steps of one booking name it once; what was left out is not there,
 * and something new is called by what its first lines say. Once a plan that was confirmed is over, a booking is not called
 * by its day or its guests any more: it may have others now.
 * @param {ExecutionPlan} plan
 */
export function headline({ actions: all, status, confirmed_at }) {
  const after = FINAL.has(status) && confirmed_at;
  const changes = all.filter((action) => !action.read_only);
  const kept = changes.filter((action) => action.status !== "skipped");
  const actions = kept.length > 0 ? kept : changes;
  const whom = actions.map((action) => (after ? action.whom_after : null) ?? action.whom ?? (action.preview ?? []).slice(0, 2).map((line) => line.after).join(", "));
  const named = (/** @type {string} */ what, /** @type {string} */ one) => (one ? t("plan.for", { what, whom: one }) : what);
  if (whom.every((one) => one === whom[0])) return named(actions.map(({ title }) => title).join(", "), whom[0] ?? "");
  return actions.map(({ title }, index) => named(title, whom[index] ?? "")).join("; ");
}

/**
 * @typedef {"ask"|"run"|"good"|"bad"|"gone"|"hand"} Tone
 * @param {PlanState} known
 * @returns {{key: string, tone: Tone}}  The key of the text that says where the plan stands
 */
export function planStatus(known) {
  const plan = /** @type {ExecutionPlan} */ (known.plan);
  const report = plan.rollback_report;
  if (waitsForSignIn(known)) return { key: "status.waiting_for_sign_in", tone: "hand" };
  if (plan.status === "pending_confirmation" && started(known)) return { key: "status.executing", tone: "run" };
  if (rollingBack(known)) {
    return { key: plan.status === "completed" ? "status.undoing" : "status.rolling_back", tone: "run" };
  }
  if (report) return afterRollback(report);
  if (stopping(known)) return { key: "status.stopping", tone: "run" };
  if (plan.blocking_prompt || prompt(known)) return { key: "plan.your_turn", tone: "hand" };
  if (plan.status === "cancelled") {
    return { key: plan.superseded_by ? "status.superseded" : plan.confirmed_at ? "status.stopped" : "status.cancelled", tone: "gone" };
  }
  const tones = /** @type {const} */ ({
    pending_confirmation: "ask", confirmed: "run", executing: "run", completed: "good", failed: "bad", rolled_back: "bad",
    expired: "gone",
  });
  return { key: `status.${plan.status}`, tone: tones[plan.status] };
}

/**
 * Only what was reversed is called put back: there may have been nothing to reverse, and it may not have worked.
 * @param {RollbackReport} report
 * @returns {{key: string, tone: Tone}}
 */
function afterRollback({ outcome, trigger, steps: rows = [], manual_steps: left = [] }) {
  const undo = trigger === "undo";
  const some = rows.some((row) => row.outcome === "reversed");
  if (outcome === "partial" || left.length > 0) {
    return { key: `status.${some ? "" : "not_"}${undo ? "undone" : "rolled_back"}${some ? "_partly" : ""}`, tone: "hand" };
  }
  if (undo) return { key: some ? "status.undone" : "status.nothing_to_undo", tone: "gone" };
  if (some) return { key: "status.rolled_back", tone: "bad" };
  return trigger === "cancelled" ? { key: "status.stopped", tone: "gone" } : { key: "status.failed", tone: "bad" };
}

/**
 * Whether a running plan was asked to stop: the write that was sent is finished and verified first.
 * @param {PlanState} known
 */
export function stopping({ plan, events }) {
  if (!plan || plan.status === "pending_confirmation" || FINAL.has(plan.status)) return false;
  const latest = events.findLast((event) => event.kind === "stopping" || event.kind === "rolling_back" || event.kind === "complete");
  return plan.stopping || latest?.kind === "stopping";
}

/**
 * Whether the plan waits for the operator to confirm, answer, or sign in.
 * @param {PlanState} known
 */
export function needsOperator(known) {
  const plan = known.plan;
  if (!plan) return false;
  return (plan.status === "pending_confirmation" && !started(known)) || prompt(known) !== null || waitsForSignIn(known);
}

/**
 * Whether it is being carried out, by its events where they are ahead of it.
 * @param {PlanState} known
 */
export function running(known) {
  const plan = known.plan;
  if (!plan) return false;
  if (plan.status === "confirmed" || plan.status === "executing") return true;
  return plan.status === "pending_confirmation" && started(known);
}

/** @param {PlanState} known */
function started({ events }) {
  return events.some((event) => event.kind === "confirmed") && !events.some((event) => event.kind === "complete");
}

/** @param {PlanState} known */
export function rollingBack({ plan, events }) {
  if (!plan || plan.rollback_report) return false;
  if (plan.rollback) return plan.rollback.state !== "done";
  const last = events.findLast((event) => ["rolling_back", "complete", "separate_message"].includes(event.kind));
  return last?.kind === "rolling_back" && !settledSince(plan);
}

/** @param {ExecutionPlan} plan */
function settledSince(plan) {
  return settled(plan) && plan.status !== "completed" && plan.status !== "failed";
}

/** @param {PlanState} known */
export function waitsForSignIn({ plan, events }) {
  if (!plan || plan.rollback_report) return false;
  const last = events.findLast((event) => event.kind !== "reversal");
  return last?.kind === "sign_in_needed" || plan.rollback?.state === "waiting_for_sign_in";
}

/**
 * The open question, from the plan or its events, whichever is newer.
 * @param {PlanState} known
 * @returns {{prompt_id: string, question: string, choices: string[], expires_at: string|null}|null}
 */
export function prompt({ plan, events }) {
  const held = plan?.blocking_prompt ?? null;
  const over = new Set(events.filter((e) => e.kind === "prompt_answered" || e.kind === "prompt_closed").map((e) => e.prompt_id));
  const opened = events.findLast((event) => event.kind === "prompt_opened");
  if (opened?.prompt_id && !over.has(opened.prompt_id) && (!plan || !settled(plan))) {
    const same = held?.prompt_id === opened.prompt_id ? held : null;
    return {
      prompt_id: opened.prompt_id, question: opened.text, choices: [...(opened.choices ?? same?.choices ?? [])],
      expires_at: same?.expires_at ?? null,
    };
  }
  if (!held || over.has(held.prompt_id)) return null;
  return { prompt_id: held.prompt_id, question: held.question, choices: [...(held.choices ?? [])], expires_at: held.expires_at };
}

/**
 * @typedef {{action: PlannedAction, status: StepStatus, message: string, lines: string[], took: number|null,
 *   since: string|null}} StepView
 */

/**
 * The steps as they are shown: by the events that were shown so far where there are any, else by the plan.
 * @param {PlanState} known
 * @returns {StepView[]}
 */
export function steps({ plan, events }) {
  if (!plan) return [];
  const over = settled(plan);
  return plan.actions.map((action) => {
    const own = events.filter((event) => event.step === action.step);
    const result = plan.results?.find((one) => one.step === action.step);
    const began = own.find((event) => event.kind === "step_started");
    const ended = own.findLast((event) => event.kind === "step_result");
    return {
      action,
      status: over && !began ? action.status : shownStatus(action.status, own, over),
      message: ended?.text ?? result?.message ?? own.findLast((event) => event.kind === "step_skipped")?.text ?? action.left_out ?? "",
      lines: own.filter((event) => event.kind === "progress").map((event) => event.text),
      took: stepDuration(began, ended) ?? (result ? Date.parse(result.finished_at) - Date.parse(result.started_at) : null),
      since: began?.at ?? null,
    };
  });
}

/**
 * @param {StepStatus} planned
 * @param {PlanEvent[]} own
 * @param {boolean} over
 * @returns {StepStatus}
 */
function shownStatus(planned, own, over) {
  let status = /** @type {StepStatus} */ (own.length ? "pending" : planned);
  for (const event of own) {
    if (event.kind === "step_started") status = "running";
    if (event.kind === "step_result") status = event.step_status ?? "completed";
    if (event.kind === "step_skipped") status = "skipped";
    if (event.kind === "reversal" && event.outcome === "reversed") status = "reversed";
  }
  return over && (status === "running" || status === "pending") ? planned : status;
}

/**
 * @param {PlanEvent|undefined} began
 * @param {PlanEvent|undefined} ended
 */
function stepDuration(began, ended) {
  return began && ended ? Date.parse(ended.at) - Date.parse(began.at) : null;
}

/**
 * What the button that confirms a plan says.
 * @param {ExecutionPlan} plan
 */
export function confirmLabel(plan) {
  // What is done in the place of another is not counted with it, nor is what was left out.
  const counted = plan.actions.filter((action) => !action.read_only && action.status !== "skipped" && action.when?.ended !== "failed");
  const [only, ...others] = counted;
  if (only && !others.length) return only.confirm_label || only.title;
  return t("plan.do_steps", { n: counted.length });
}

/**
 * Whether a plan has something in it that is dangerous, or that no undo brings back.
 * @param {ExecutionPlan} plan
 */
export function risk(plan) {
  const final = plan.actions.filter((action) => !action.reversible).length;
  return {
    high: plan.actions.some((action) => action.safety_tier === "high_risk"),
    final: final === 0 ? null : final === plan.actions.length ? "plan.final" : "plan.final_part",
  };
}

/**
 * A parameter's name as people read it.
 * @param {string} name
 * @param {PlannedAction} action
 */
export function parameterLabel(name, action) {
  const words = action.labels?.[name] ?? name.replace(/([a-z])([A-Z])/g, "$1 $2").replaceAll("_", " ").trim().toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** @typedef {{step: number, parameter: string, value: string|number|boolean, shape: "date"|"time"|"number"|"yes_no"|"text"|"long"}} Field */

/**
 * The values of a step that the operator may edit; reads are done already, and skipped steps are not sent.
 * @param {PlannedAction} action
 * @returns {Field[]}
 */
export function editableFields(action) {
  if (action.read_only || action.status === "skipped") return [];
  return Object.entries(action.parameters).flatMap(([parameter, value]) => {
    if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean") return [];
    if (typeof value !== "boolean" && isOpaqueId(parameter, String(value))) return [];
    return [{ step: action.step, parameter, value, shape: shapeOf(value) }];
  });
}

/**
 * An id that means nothing to a person, or which booking it is about: that is another request.
 * @param {string} parameter
 * @param {string} value
 */
function isOpaqueId(parameter, value) {
  if (/(^|_)id$/i.test(parameter)) return true;
  if (/\s|@/.test(value) || /^\+?[\d ()-]{6,}$/.test(value) || /^\d{4}-\d\d-\d\d$/.test(value)) return false;
  return value.length > 12 && /\d/.test(value) && /[a-z_-]/i.test(value);
}

/**
 * @param {string|number|boolean} value
 * @returns {Field["shape"]}
 */
function shapeOf(value) {
  if (typeof value === "boolean") return "yes_no";
  if (typeof value === "number") return "number";
  if (/^\d{4}-\d\d-\d\d$/.test(value)) return "date";
  if (/^([01]\d|2[0-3]):[0-5]\d$/.test(value)) return "time";
  return value.length > 40 || value.includes("\n") ? "long" : "text";
}

/**
 * An address that leads to a page and runs nothing.
 * @param {string|null|undefined} url
 */
export function safeUrl(url) {
  try {
    const found = new URL(url ?? "", location.href);
    return url && (found.protocol === "https:" || found.protocol === "http:") ? found.href : null;
  } catch {
    return null;
  }
}
