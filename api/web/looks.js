/**
 * Looking at plans again. Several reasons at once are one look, and what could not be asked is asked until it can be:
 * what is only said for as long as the service is away goes with its first fresh answer.
 *
 * @import {ExecutionPlan, PlanEvent, PlanState, SignedIn} from "./types.js"
 */
import * as api from "./api.js";
import { settled } from "./store.js";
import { waitBefore } from "./stream.js";

/** Milliseconds in which further reasons join the first. */
const GATHERED = 40;
/** Looks at a plan whose workflow was cut off: nothing says that it will ever be more than it was. */
const CUT_OFF_LOOKS = 6;

/** Events after which the plan itself says more than they do. */
const MOVES = new Set([
  "confirmed", "stopping", "step_result", "prompt_opened", "prompt_answered", "prompt_closed", "rolling_back",
  "sign_in_needed", "reversal", "complete", "separate_message",
]);

const OF_AN_UNDO = new Set(["rolling_back", "sign_in_needed", "reversal"]);

/**
 * Whether a plan may be found to have moved on after an event: not where it is told again of one that has ended.
 * @param {PlanState|undefined} known
 * @param {PlanEvent} event
 */
export function moves(known, event) {
  if (!MOVES.has(event.kind)) return false;
  if (!known?.plan || known.plan.stale || !settled(known.plan)) return true;
  if (known.plan.status !== "completed") return false;
  const undone = known.events.some((one) => one.kind === "rolling_back");
  return OF_AN_UNDO.has(event.kind) || (undone && event.kind === "separate_message");
}

export class Looks {
  /** @type {Map<string, {timer: number, failures: number}>} */
  #asking = new Map();
  #found;

  /**
   * @param {{who: () => SignedIn|null, known: (plan: ExecutionPlan) => void, lost: (planId: string) => void,
   *   signedOut: () => void}} found
   */
  constructor(found) {
    this.#found = found;
  }

  /**
   * @param {string} planId
   * @param {number} [failures]  How often it failed in a row
   */
  at(planId, failures = 0) {
    clearTimeout(this.#asking.get(planId)?.timer);
    const look = { failures, timer: 0 };
    look.timer = setTimeout(() => void this.#look(planId, look), failures ? waitBefore(failures, Math.random()) : GATHERED);
    this.#asking.set(planId, look);
  }

  /** The service is back: what is waited for is asked at once. */
  hurry() {
    for (const [planId, { failures }] of [...this.#asking]) if (failures) this.at(planId);
  }

  /** Another chat is looked at. */
  clear() {
    for (const { timer } of this.#asking.values()) clearTimeout(timer);
    this.#asking.clear();
  }

  /**
   * @param {string} planId
   * @param {{failures: number}} look
   */
  async #look(planId, look) {
    const who = this.#found.who();
    if (!who) return;
    const again = () => this.at(planId, look.failures + 1);
    try {
      const plan = await api.plan(who, planId);
      if (this.#asking.get(planId) !== look) return;
      this.#asking.delete(planId);
      this.#found.known(plan);
      if (plan.stale && (look.failures < CUT_OFF_LOOKS || !(settled(plan) && plan.notice))) again();
    } catch (error) {
      if (!(error instanceof api.CallError)) throw error;
      if (this.#asking.get(planId) !== look) return;
      this.#asking.delete(planId);
      if (error.plan) this.#found.known(error.plan);
      if (error.kind === "signed_out") this.#found.signedOut();
      else if (error.kind === "missing" || error.kind === "forbidden") this.#found.lost(planId);
      else again();
    }
  }
}
