/**
 * A word that was not taken, because whoever gave it was signed out. It is told to them when they are back, also where
 * they were led away to sign in, and only for as long as it can be given again.
 *
 * @import {Action} from "./store.js"
 * @import {PlanState, State, Word} from "./types.js"
 */
import { now } from "./api.js";
import { t } from "./i18n/words.js";
import { missed } from "./ids.js";
import { needsSomebody, prompt, rollingBack, running, stopping } from "./reading.js";
import { skippable } from "./skipping.js";

/**
 * Keeps it until somebody is back. What was typed is not kept.
 * @param {string} planId
 * @param {Word} word
 */
export function keep(planId, { text: _, message: __, ...word }) {
  missed.set(JSON.stringify({ planId, word }));
}

/**
 * What is to be told of it now, once; nothing where the plan is not in this chat, or has moved on.
 * @param {State} state
 * @returns {Action[]}
 */
export function untaken(state) {
  const kept = missed.get();
  if (!kept) return [];
  missed.set("");
  const { planId, word } = /** @type {{planId: string, word: Word}} */ (JSON.parse(kept));
  const known = state.plans[planId];
  if (!known || !canBeGiven(known, word)) return [];
  return [{ type: "word", plan_id: planId, word: { ...word, message: t(`word.${word.kind}_missed`) } }];
}

/**
 * What is said of a word that came to nothing, if there is one.
 * @param {PlanState} known
 */
export function troubleOf(known) {
  const { word } = known;
  if (!word || word.state === "sending" || (word.missed && !canBeGiven(known, word))) return "";
  return word.message ?? t("word.not_through");
}

/**
 * @param {PlanState} known
 * @param {Word} word
 */
function canBeGiven(known, { kind, prompt_id, step }) {
  const { plan } = known;
  if (!plan) return false;
  const waits = plan.status === "pending_confirmation" && needsSomebody(known) && Date.parse(plan.expires_at) > now();
  if (kind === "confirm") return waits;
  if (kind === "cancel") return waits || (running(known) && !stopping(known));
  if (kind === "undo") return plan.status === "completed" && !rollingBack(known) && Date.parse(plan.undo_until ?? "") > now();
  if (kind === "answer") return prompt(known)?.prompt_id === prompt_id;
  return skippable(known).has(step ?? 0);
}
