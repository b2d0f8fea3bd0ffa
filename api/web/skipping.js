/**
 * Which step may be left out: the rule by which the service refuses, so that nothing is offered that it would not do. The
 * twin of `may_skip` in `reasoning/arranging.py`: both are tested with `tests/unit/reasoning/skip_vectors.json`.
 *
 * @import {PlannedAction, PlanState} from "./types.js"
 */
import { steps, stopping } from "./reading.js";

const UNDER_WAY = new Set(["pending_confirmation", "confirmed", "executing"]);
const NEVER_MET = new Set(["skipped", "failed"]);

/** @typedef {Pick<PlannedAction, "step"|"status"|"required"|"depends_on"|"when">} Placed */

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
 * @param {Placed} action
 * @param {readonly Placed[]} all
 */
export function maySkip(action, all) {
  return action.required !== false || action.status !== "pending" ? false : goesOnWithout(action, all);
}

/**
 * Whether anything of a plan is left without a step and all that come to nothing with it.
 * @param {Placed} action
 * @param {readonly Placed[]} all
 */
export function goesOnWithout(action, all) {
  const without = new Map(all.map((one) => [one.step, one.step === action.step ? "skipped" : one.status]));
  for (let gone = true; gone; ) {
    gone = false;
    for (const one of all) {
      if (without.get(one.step) !== "pending" || !comesToNothing(one, without)) continue;
      without.set(one.step, "skipped");
      gone = true;
    }
  }
  return [...without.values()].some((status) => status !== "skipped");
}

/**
 * @param {Placed} action
 * @param {ReadonlyMap<number, string>} by
 */
function comesToNothing({ depends_on: needs = [], when }, by) {
  const stands = (/** @type {number} */ step) => by.get(step) ?? "pending";
  if (needs.some((step) => NEVER_MET.has(stands(step)))) return true;
  if (!when) return false;
  if (when.ended === "failed") return stands(when.step) === "completed" || stands(when.step) === "skipped";
  return NEVER_MET.has(stands(when.step));
}
