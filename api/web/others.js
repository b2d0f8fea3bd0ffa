/**
 * One's own plans in other chats that are under way, or wait for somebody: a new chat does not end those of the one
 * before. They are looked for when a chat is opened and when somebody asks, and looked at while there are any.
 *
 * @import {ExecutionPlan, Others as Known, SignedIn} from "./types.js"
 */
import * as api from "./api.js";
import { settled } from "./store.js";

/** Milliseconds between two looks at those that are known. */
const LOOKS_EVERY = 10_000;

const OPEN = { status: "pending_confirmation,confirmed,executing", limit: "50" };
/** What has ended may still be put back, or wait for a sign-in until it can be. */
const ENDED = { status: "failed,completed", limit: "20" };

export class Others {
  /** @type {ReadonlyMap<string, ExecutionPlan>} */
  #plans = new Map();
  #found;
  #asked = 0;
  #timer = 0;
  #known = false;

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
    return this.#ask(true);
  }

  /** Nothing of theirs is kept, nor shown, for whoever comes next. */
  clear() {
    clearTimeout(this.#timer);
    this.#asked++;
    [this.#plans, this.#known] = [new Map(), false];
    this.#found.told({ plans: [], known: false, trouble: null });
  }

  /** @param {(ExecutionPlan|null)[]} plans */
  #take(plans) {
    this.#plans = new Map(plans.flatMap((one) => (one === null || settled(one) ? [] : [[one.plan_id, one]])));
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
      const rest = [...this.#plans.keys()].filter((id) => !ids.has(id));
      const looked = await Promise.all(rest.map((id) => this.#look(who, id)));
      if (own !== this.#asked) return;
      this.#take([...listed, ...looked]);
      this.#known ||= all;
    } catch (error) {
      if (!(error instanceof api.CallError)) throw error;
      if (own !== this.#asked) return;
      if (error.kind === "signed_out") return this.#found.signedOut();
      trouble = error.message;
    }
    const chat = this.#found.chat();
    const plans = [...this.#plans.values()].filter((one) => one.session_id !== chat);
    this.#found.told({ plans: plans.sort((a, b) => b.created_at.localeCompare(a.created_at)), known: this.#known, trouble });
    if (plans.length || trouble) this.#timer = setTimeout(() => this.#again(), LOOKS_EVERY);
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
