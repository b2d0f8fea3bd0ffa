/**
 * Which step may be skipped: the server's own rule, so that the page offers no skip that the server would reject. The
 * twin of `may_skip` in `reasoning/arranging.py`: both are tested with `tests/unit/reasoning/skip_vectors.json`.
 *
 * @import {PlannedAction, PlanState} from "./types.js"
 */
import { steps, stopping } from "./plan_view_model.js";

const UNDER_WAY = new Set(["pending_confirmation", "confirmed", "executing"]);
const NEVER_MET = new Set(["skipped", "failed"]);

/** @typedef {Pick<PlannedAction, "step"|"status"|"required"|"depends_on"|"when">} StepState */

/**
 * The steps that may be left out, as they are shown.
 * @param {PlanState} known
 * @returns {ReadonlySet<number>}
 */
export function skippable(known) {
  if (!known.plan || !UNDER_WAY.has(known.plan.status) || stopping(known)) return new Set();
  const shown = steps(known).map(({ action, status }) => ({ ...action, status }));
  return new Set(shown.filter((one) => maySkip(one, shown)).map((one) => one.step));
}

/**
 * @param {StepState} action
 * @param {readonly StepState[]} all
 */
export function maySkip(action, all) {
  return action.required !== false || action.status !== "pending" ? false : hasStepsLeftWithout(action, all);
}

/**
 * Whether a plan has steps left without one step and all that depend on it.
 * @param {StepState} action
 * @param {readonly StepState[]} all
 */
export function hasStepsLeftWithout(action, all) {
  const without = new Map(all.map((one) => [one.step, one.step === action.step ? "skipped" : one.status]));
  for (let gone = true; gone; ) {
    gone = false;
    for (const one of all) {
      if (without.get(one.step) !== "pending" || !cannotRun(one, without)) continue;
      without.set(one.step, "skipped");
      gone = true;
    }
  }
  return [...without.values()].some((status) => status !== "skipped");
}

/**
 * @param {StepState} action
 * @param {ReadonlyMap<number, string>} by
 */
function cannotRun({ depends_on: needs = [], when }, by) {
  const stands = (/** @type {number} */ step) => by.get(step) ?? "pending";
  if (needs.some((step) => NEVER_MET.has(stands(step)))) return true;
  if (!when) return false;
  if (when.ended === "failed") return stands(when.step) === "completed" || stands(when.step) === "skipped";
  return NEVER_MET.has(stands(when.step));
}
