/**
 * One's own plans in other chats that are under way, wait for the operator, or can still be undone: a new chat does not end
 * those of the one before. They are looked for when a chat is opened and when the operator asks, and those that may move are
 * looked at while there are any.
 *
 * @import {ExecutionPlan, Others as Known, SignedIn} from "./types.js"
 */
import * as api from "./api.js";
import { t } from "./i18n/words.js";
import { fresh } from "./ids.js";
import { settled } from "./store.js";

/** Milliseconds between two looks at those that are known; while one is undone from here, the operator watches. */
const LOOKS_EVERY = 10_000;
const LOOKS_AT_AN_UNDO = 1500;

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

export class Others {
  /** @type {ReadonlyMap<string, ExecutionPlan>} */
  #plans = new Map();
  #found;
  #asked = 0;
  #timer = 0;
  #known = false;
  /** Those that are undone from here, which stay to tell how it went, by the id of that request. @type {Map<string, string>} */
  #undone = new Map();
  /** @type {Set<string>} */
  #undoing = new Set();

  /**
   * @param {{who: () => SignedIn|null, chat: () => string, told: (others: Known) => void, signedOut: () => void}} found
   */
  constructor(found) {
    this.#found = found;
  }

  /**
   * Plans of a chat that is left for another one: what has just been made may not be listed yet.
   * @param {(ExecutionPlan|null)[]} plans
   */
  leave(plans) {
    this.#take([...this.#plans.values(), ...plans]);
  }

  /** Looks for all of them. */
  find() {
    for (const id of this.#undone.keys()) if (!this.#undoing.has(id)) this.#undone.delete(id);
    return this.#ask(true);
  }

  /**
   * Undoes a plan of another chat, which stays where it is.
   * @param {string} planId
   */
  async undo(planId) {
    const who = this.#found.who();
    if (!who || this.#undoing.has(planId)) return;
    const request_id = this.#undone.get(planId) ?? fresh();
    this.#undone.set(planId, request_id);
    this.#undoing.add(planId);
    this.#tell(null);
    const { plan, trouble } = await this.#undo(who, planId, request_id);
    this.#undoing.delete(planId);
    if (this.#found.who() !== who) return;
    if (plan) this.#take([...this.#plans.values(), plan]);
    this.#tell(trouble);
  }

  /**
   * @param {SignedIn} who
   * @param {string} planId
   * @param {string} request_id
   * @returns {Promise<{plan: ExecutionPlan|null, trouble: string|null}>}
   */
  async #undo(who, planId, request_id) {
    try {
      return { plan: await api.word(who, planId, "undo", { request_id }), trouble: null };
    } catch (error) {
      if (!(error instanceof api.CallError)) throw error;
      if (error.kind === "signed_out") this.#found.signedOut();
      return { plan: error.plan ?? null, trouble: error.unsettled ? t("word.undo_lost") : error.message };
    }
  }

  /** Nothing of theirs is kept, nor shown, for whoever comes next. */
  clear() {
    clearTimeout(this.#timer);
    this.#asked++;
    [this.#plans, this.#known] = [new Map(), false];
    this.#undone.clear();
    this.#found.told({ plans: [], known: false, trouble: null, undoing: [] });
  }

  /** @param {(ExecutionPlan|null)[]} plans */
  #take(plans) {
    const kept = (/** @type {ExecutionPlan} */ one) => !settled(one) || undoable(one) || this.#undone.has(one.plan_id);
    this.#plans = new Map(plans.flatMap((one) => (one !== null && kept(one) ? [[one.plan_id, one]] : [])));
  }

  /** @param {boolean} all  Also those that are not known yet */
  async #ask(all) {
    const [own, who] = [++this.#asked, this.#found.who()];
    clearTimeout(this.#timer);
    if (!who) return;
    let trouble = null;
    try {
      const listed = all ? (await Promise.all([api.plans(who, OPEN), api.plans(who, ENDED)])).flat() : [];
      const ids = new Set(listed.map((one) => one.plan_id));
      const rest = [...this.#plans.values()].filter((one) => !ids.has(one.plan_id));
      const looked = await Promise.all(rest.map((one) => (this.#over(one) ? one : this.#look(who, one.plan_id))));
      if (own !== this.#asked) return;
      this.#take([...listed, ...looked]);
      this.#known ||= all;
    } catch (error) {
      if (!(error instanceof api.CallError)) throw error;
      if (own !== this.#asked) return;
      if (error.kind === "signed_out") return this.#found.signedOut();
      trouble = error.message;
    }
    this.#tell(trouble);
  }

  /** @param {string|null} trouble */
  #tell(trouble) {
    clearTimeout(this.#timer);
    const chat = this.#found.chat();
    const plans = [...this.#plans.values()].filter((one) => one.session_id !== chat);
    // A plan that can be undone waits for no answer.
    plans.sort((a, b) => Number(settled(a)) - Number(settled(b)) || b.created_at.localeCompare(a.created_at));
    const begun = plans.filter((one) => this.#undone.has(one.plan_id) && !this.#over(one) && !undoable(one));
    this.#found.told({ plans, known: this.#known, trouble, undoing: [...this.#undoing, ...begun.map((one) => one.plan_id)] });
    if (plans.length || trouble) this.#timer = setTimeout(() => this.#again(), begun.length ? LOOKS_AT_AN_UNDO : LOOKS_EVERY);
  }

  /**
   * Whether nothing more comes of a plan by itself: an undo that was taken may not be seen in it at once.
   * @param {ExecutionPlan} plan
   */
  #over(plan) {
    return settled(plan) && (!this.#undone.has(plan.plan_id) || plan.status !== "completed" || !!plan.rollback);
  }

  #again() {
    if (document.hidden) this.#timer = setTimeout(() => this.#again(), LOOKS_EVERY);
    else void this.#ask(!this.#known);
  }

  /**
   * @param {SignedIn} who
   * @param {string} planId
   */
  async #look(who, planId) {
    try {
      return await api.plan(who, planId);
    } catch (error) {
      if (error instanceof api.CallError && (error.kind === "missing" || error.kind === "forbidden")) return null;
      throw error;
    }
  }
}
