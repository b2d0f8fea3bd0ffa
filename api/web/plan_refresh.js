/**
 * Refreshes plans from the server. Several triggers within a short time become one request, and a failed request is retried
 * until it succeeds: messages about an unavailable server are cleared by its first fresh answer.
 *
 * @import {ExecutionPlan, PlanEvent, PlanState, SignedIn} from "./types.js"
 */
import * as api from "./api.js";
import { settled } from "./store.js";
import { retryDelay } from "./sse.js";

/** Milliseconds in which further triggers join the first. */
const BATCH_DELAY = 40;
/** Refreshes of a stale plan, whose workflow may never finish. */
const MAX_STALE_REFRESHES = 6;

/** Events after which the plan has more data than the events. */
const REFRESH_EVENTS = new Set([
  "confirmed", "stopping", "step_result", "prompt_opened", "prompt_answered", "prompt_closed", "rolling_back",
  "sign_in_needed", "reversal", "complete", "separate_message",
]);

const UNDO_EVENTS = new Set(["rolling_back", "sign_in_needed", "reversal"]);

/**
 * Whether a plan has to be refreshed after an event; not after a replayed event of a plan that has ended.
 * @param {PlanState|undefined} known
 * @param {PlanEvent} event
 */
export function needsRefresh(known, event) {
  if (!REFRESH_EVENTS.has(event.kind)) return false;
  if (!known?.plan || known.plan.stale || !settled(known.plan)) return true;
  if (known.plan.status !== "completed") return false;
  const undone = known.events.some((one) => one.kind === "rolling_back");
  return UNDO_EVENTS.has(event.kind) || (undone && event.kind === "separate_message");
}

export class PlanRefresher {
  /** @type {Map<string, {timer: number, failures: number}>} */
  #scheduled = new Map();
  #callbacks;

  /**
   * @param {{getSession: () => SignedIn|null, onPlan: (plan: ExecutionPlan) => void, onMissing: (planId: string) => void,
   *   onSignedOut: () => void}} callbacks
   */
  constructor(callbacks) {
    this.#callbacks = callbacks;
  }

  /**
   * @param {string} planId
   * @param {number} [failures]  How often it failed in a row
   */
  schedule(planId, failures = 0) {
    clearTimeout(this.#scheduled.get(planId)?.timer);
    const request = { failures, timer: 0 };
    request.timer = setTimeout(() => void this.#refresh(planId, request), failures ? retryDelay(failures, Math.random()) : BATCH_DELAY);
    this.#scheduled.set(planId, request);
  }

  /** The server is available again: failed requests are retried at once. */
  retryNow() {
    for (const [planId, { failures }] of [...this.#scheduled]) if (failures) this.schedule(planId);
  }

  /** The operator opens another chat. */
  clear() {
    for (const { timer } of this.#scheduled.values()) clearTimeout(timer);
    this.#scheduled.clear();
  }

  /**
   * @param {string} planId
   * @param {{failures: number}} request
   */
  async #refresh(planId, request) {
    const who = this.#callbacks.getSession();
    if (!who) return;
    const retry = () => this.schedule(planId, request.failures + 1);
    try {
      const plan = await api.getPlan(who, planId);
      if (this.#scheduled.get(planId) !== request) return;
      this.#scheduled.delete(planId);
      this.#callbacks.onPlan(plan);
      if (plan.stale && (request.failures < MAX_STALE_REFRESHES || !(settled(plan) && plan.notice))) retry();
    } catch (error) {
      if (!(error instanceof api.CallError)) throw error;
      if (this.#scheduled.get(planId) !== request) return;
      this.#scheduled.delete(planId);
      if (error.plan) this.#callbacks.onPlan(error.plan);
      if (error.kind === "signed_out") this.#callbacks.onSignedOut();
      else if (error.kind === "missing" || error.kind === "forbidden") this.#callbacks.onMissing(planId);
      else retry();
    }
  }
}
