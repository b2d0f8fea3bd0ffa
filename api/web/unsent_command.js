/**
 * A command that the server rejected because the operator was signed out. The page shows it once the operator is signed in
 * again, also after a redirect to the host's sign-in page, and only while the command is still possible.
 *
 * @import {Action} from "./store.js"
 * @import {PlanState, State, Command} from "./types.js"
 */
import { now } from "./api.js";
import { t } from "./i18n/format.js";
import { unsentCommand } from "./chat_storage.js";
import { needsOperator, prompt, rollingBack, running, stopping } from "./plan_view_model.js";
import { skippable } from "./skip_rule.js";

/**
 * Stores a command until the operator is signed in again. Typed text is not stored.
 * @param {string} planId
 * @param {Command} command
 */
export function saveUnsent(planId, { text: _, message: __, ...command }) {
  unsentCommand.set(JSON.stringify({ planId, word: command }));
}

/**
 * The actions that show the stored command, once; none if its plan is not in this chat or has moved on.
 * @param {State} state
 * @returns {Action[]}
 */
export function restoreUnsent(state) {
  const kept = unsentCommand.get();
  if (!kept) return [];
  unsentCommand.set("");
  const { planId, word: command } = /** @type {{planId: string, word: Command}} */ (JSON.parse(kept));
  const known = state.plans[planId];
  if (!known || !stillPossible(known, command)) return [];
  return [{ type: "command", plan_id: planId, command: { ...command, message: t(`command.${command.kind}_missed`) } }];
}

/**
 * The message of a command that failed, or an empty string.
 * @param {PlanState} known
 */
export function commandError(known) {
  const { command } = known;
  if (!command || command.state === "sending" || (command.missed && !stillPossible(known, command))) return "";
  return command.message ?? t("command.not_through");
}

/**
 * @param {PlanState} known
 * @param {Command} command
 */
function stillPossible(known, { kind, prompt_id, step }) {
  const { plan } = known;
  if (!plan) return false;
  const waits = plan.status === "pending_confirmation" && needsOperator(known) && Date.parse(plan.expires_at) > now();
  if (kind === "confirm") return waits;
  if (kind === "cancel") return waits || (running(known) && !stopping(known));
  if (kind === "undo") return plan.status === "completed" && !rollingBack(known) && Date.parse(plan.undo_until ?? "") > now();
  if (kind === "answer") return prompt(known)?.prompt_id === prompt_id;
  return skippable(known).has(step ?? 0);
}
