/**
 * The operator's plans in other chats that run, are pending, or can still be undone: a new chat does not end those of the one
 * before. The page lists them when a chat is opened and when the operator opens the list, and polls those that may change.
 *
 * @import {ExecutionPlan, OtherPlans as Known, SignedIn} from "./types.js"
 */
import * as api from "./api.js";
import { t } from "./i18n/format.js";
import { newId } from "./chat_storage.js";
import { settled } from "./store.js";

/** Milliseconds between two polls; shorter while the operator watches an undo. */
const POLL_INTERVAL = 10_000;
const UNDO_POLL_INTERVAL = 1500;

const OPEN = { status: "pending_confirmation,confirmed,executing", limit: "50" };
/** What has ended may still be put back, or wait for a sign-in until it can be. */
const ENDED = { status: "failed,completed", limit: "20" };

/**
 * Whether what a plan did can be undone.
 * @param {ExecutionPlan} plan
 */
export function undoable({ status, rollback, undo_until }) {
  return status === "completed" && !rollback && Date.parse(undo_until ?? "") > api.now();
}

export class OtherChats {
  /** @type {ReadonlyMap<string, ExecutionPlan>} */
  #plans = new Map();
  #callbacks;
  #requestNumber = 0;
  #timer = 0;
  #known = false;
  /** The request ids of undos from this list, by plan; these plans stay in the list to show the result. @type {Map<string, string>} */
  #undone = new Map();
  /** @type {Set<string>} */
  #undoing = new Set();

  /**
   * @param {{getSession: () => SignedIn|null, getChat: () => string, onChange: (others: Known) => void, onSignedOut: () => void}} callbacks
   */
  constructor(callbacks) {
    this.#callbacks = callbacks;
  }

  /**
   * Adds the plans of the chat that the operator leaves: the server's list may not have the newest yet.
   * @param {(ExecutionPlan|null)[]} plans
   */
  addPlans(plans) {
    this.#setPlans([...this.#plans.values(), ...plans]);
  }

  /** Fetches the whole list. */
  refresh() {
    for (const id of this.#undone.keys()) if (!this.#undoing.has(id)) this.#undone.delete(id);
    return this.#fetchAll(true);
  }

  /**
   * Undoes a plan of another chat, which stays where it is.
   * @param {string} planId
   */
  async undo(planId) {
    const who = this.#callbacks.getSession();
    if (!who || this.#undoing.has(planId)) return;
    const request_id = this.#undone.get(planId) ?? newId();
    this.#undone.set(planId, request_id);
    this.#undoing.add(planId);
    this.#publish(null);
    const { plan, trouble } = await this.#undo(who, planId, request_id);
    this.#undoing.delete(planId);
    if (this.#callbacks.getSession() !== who) return;
    if (plan) this.#setPlans([...this.#plans.values(), plan]);
    this.#publish(trouble);
  }

  /**
   * @param {SignedIn} who
   * @param {string} planId
   * @param {string} request_id
   * @returns {Promise<{plan: ExecutionPlan|null, trouble: string|null}>}
   */
  async #undo(who, planId, request_id) {
    try {
      return { plan: await api.sendCommand(who, planId, "undo", { request_id }), trouble: null };
    } catch (error) {
      if (!(error instanceof api.CallError)) throw error;
      if (error.kind === "signed_out") this.#callbacks.onSignedOut();
      return { plan: error.plan ?? null, trouble: error.unsettled ? t("command.undo_lost") : error.message };
    }
  }

  /** Clears everything, so that the next operator does not see it. */
  clear() {
    clearTimeout(this.#timer);
    this.#requestNumber++;
    [this.#plans, this.#known] = [new Map(), false];
    this.#undone.clear();
    this.#callbacks.onChange({ plans: [], known: false, trouble: null, undoing: [] });
  }

  /** @param {(ExecutionPlan|null)[]} plans */
  #setPlans(plans) {
    const relevant = (/** @type {ExecutionPlan} */ one) => !settled(one) || undoable(one) || this.#undone.has(one.plan_id);
    this.#plans = new Map(plans.flatMap((one) => (one !== null && relevant(one) ? [[one.plan_id, one]] : [])));
  }

  /** @param {boolean} all  Also those that are not known yet */
  async #fetchAll(all) {
    const [own, who] = [++this.#requestNumber, this.#callbacks.getSession()];
    clearTimeout(this.#timer);
    if (!who) return;
    let trouble = null;
    try {
      const listed = all ? (await Promise.all([api.listPlans(who, OPEN), api.listPlans(who, ENDED)])).flat() : [];
      const ids = new Set(listed.map((one) => one.plan_id));
      const rest = [...this.#plans.values()].filter((one) => !ids.has(one.plan_id));
      const refreshed = await Promise.all(rest.map((one) => (this.#isFinished(one) ? one : this.#fetchPlan(who, one.plan_id))));
      if (own !== this.#requestNumber) return;
      this.#setPlans([...listed, ...refreshed]);
      this.#known ||= all;
    } catch (error) {
      if (!(error instanceof api.CallError)) throw error;
      if (own !== this.#requestNumber) return;
      if (error.kind === "signed_out") return this.#callbacks.onSignedOut();
      trouble = error.message;
    }
    this.#publish(trouble);
  }

  /** @param {string|null} trouble */
  #publish(trouble) {
    clearTimeout(this.#timer);
    const chat = this.#callbacks.getChat();
    const plans = [...this.#plans.values()].filter((one) => one.session_id !== chat);
    // A plan that can be undone waits for no answer.
    plans.sort((a, b) => Number(settled(a)) - Number(settled(b)) || b.created_at.localeCompare(a.created_at));
    const undoStarted = plans.filter((one) => this.#undone.has(one.plan_id) && !this.#isFinished(one) && !undoable(one));
    this.#callbacks.onChange({ plans, known: this.#known, trouble, undoing: [...this.#undoing, ...undoStarted.map((one) => one.plan_id)] });
    if (plans.length || trouble) this.#timer = setTimeout(() => this.#poll(), undoStarted.length ? UNDO_POLL_INTERVAL : POLL_INTERVAL);
  }

  /**
   * Whether nothing more comes of a plan by itself: an undo that was taken may not be seen in it at once.
   * @param {ExecutionPlan} plan
   */
  #isFinished(plan) {
    return settled(plan) && (!this.#undone.has(plan.plan_id) || plan.status !== "completed" || !!plan.rollback);
  }

  #poll() {
    if (document.hidden) this.#timer = setTimeout(() => this.#poll(), POLL_INTERVAL);
    else void this.#fetchAll(!this.#known);
  }

  /**
   * @param {SignedIn} who
   * @param {string} planId
   */
  async #fetchPlan(who, planId) {
    try {
      return await api.getPlan(who, planId);
    } catch (error) {
      if (error instanceof api.CallError && (error.kind === "missing" || error.kind === "forbidden")) return null;
      throw error;
    }
  }
}
