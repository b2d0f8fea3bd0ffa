/**
 * When each event of a plan that is being watched is shown: the cinematic timing of the multi-step messaging
 * specification. A step is to be seen for a while, so what came faster is shown later; what takes longer is shown when
 * it comes. The state holds no clock: the caller passes the time, in milliseconds.
 *
 * Events that need the operator are never delayed. A failed step is shown as long as every other.
 *
 * @import {Entry, PlanEvent, Turn} from "./types.js"
 */

/** The least time that a step is shown as running. */
export const MINIMUM_STEP_DURATION = 1500;
/** Between one step's result and the next step. */
export const STEP_REVEAL_DELAY = 300;
/** Between two lines of progress. */
export const PROGRESS_UPDATE_INTERVAL = 100;

const IMMEDIATE = new Set(["prompt_opened", "sign_in_needed", "initiated", "prompt_answered", "prompt_closed", "stopping"]);

/**
 * Entries of a chat while a plan is drafted, and the answer after them, are queued in the same way.
 * @typedef {PlanEvent & {entry?: Entry, answer?: {request_id: string, turn: Turn}}} PacedEvent
 * @typedef {{event: PacedEvent, live: boolean}} DueEvent
 * @typedef {{event: PacedEvent, live: boolean, arrived: number, latest: number}} Waiting
 */

export class EventPacer {
  /** @type {Map<string, {queue: Waiting[], steps: Map<number, number>, result: number, progress: number}>} */
  #plans = new Map();

  /**
   * Adds an event. Events that the operator did not watch are shown at once, with all that are queued before them.
   * @param {PacedEvent} event
   * @param {number} now
   * @param {boolean} live
   */
  push(event, now, live) {
    const plan = this.#plan(event.plan_id);
    plan.queue.push({ event, live, arrived: now, latest: live ? Infinity : now });
    if (!live || IMMEDIATE.has(event.kind)) for (const waiting of plan.queue) waiting.latest = Math.min(waiting.latest, now);
  }

  /**
   * What is to be shown by now, in order.
   * @param {number} now
   * @returns {DueEvent[]}
   */
  due(now) {
    /** @type {DueEvent[]} */
    const shown = [];
    for (const plan of this.#plans.values()) {
      for (let first = plan.queue[0]; first && this.#showAt(plan, first) <= now; first = plan.queue[0]) {
        plan.queue.shift();
        const { event, live } = first;
        if (event.kind === "step_started" && event.step) plan.steps.set(event.step, now);
        if (event.kind === "step_result" || event.kind === "reversal") plan.result = now;
        if (event.kind === "progress") plan.progress = now;
        shown.push({ event, live });
      }
    }
    return shown;
  }

  /**
   * The time at which there is more to show; null when nothing waits.
   * @returns {number|null}
   */
  next() {
    let soonest = Infinity;
    for (const plan of this.#plans.values()) {
      const first = plan.queue[0];
      if (first) soonest = Math.min(soonest, this.#showAt(plan, first));
    }
    return soonest === Infinity ? null : soonest;
  }

  /**
   * Makes all queued events due: the page is hidden, or reduced motion is preferred.
   * @param {number} now
   */
  flush(now) {
    for (const plan of this.#plans.values()) for (const waiting of plan.queue) waiting.latest = now;
  }

  /**
   * Whether something of a plan is still to be shown.
   * @param {string} planId
   */
  hasPending(planId) {
    return (this.#plans.get(planId)?.queue.length ?? 0) > 0;
  }

  /**
   * The last number of a plan that has come in, shown or not.
   * @param {string} planId
   */
  lastNumber(planId) {
    return this.#plans.get(planId)?.queue.at(-1)?.event.number ?? 0;
  }

  /** Clears everything: the operator opens another chat. */
  clear() {
    this.#plans.clear();
  }

  /** @param {string} planId */
  #plan(planId) {
    let plan = this.#plans.get(planId);
    if (!plan) {
      plan = { queue: [], steps: new Map(), result: -Infinity, progress: -Infinity };
      this.#plans.set(planId, plan);
    }
    return plan;
  }

  /**
   * @param {{steps: Map<number, number>, result: number, progress: number}} plan
   * @param {Waiting} waiting
   */
  #showAt(plan, { event, arrived, latest }) {
    let earliest = arrived;
    if (event.kind === "step_started" || event.kind === "reversal") {
      earliest = Math.max(arrived, plan.result + STEP_REVEAL_DELAY);
    } else if (event.kind === "step_result") {
      const began = plan.steps.get(event.step ?? 0);
      if (began !== undefined) earliest = Math.max(arrived, began + MINIMUM_STEP_DURATION);
    } else if (event.kind === "progress") {
      earliest = Math.max(arrived, plan.progress + PROGRESS_UPDATE_INTERVAL);
    }
    return Math.min(earliest, latest);
  }
}
