/**
 * What the page does: it holds the state, listens to the chat, and carries words to the service. What it looks like is
 * not known here.
 *
 * @import {Action} from "./store.js"
 * @import {Edit, Entry, ExecutionPlan, Outgoing, PlanEvent, SignedIn, SignedOut, Turn, Word} from "./types.js"
 */
import * as api from "./api.js";
import { backTo, chatOf, draft, fresh, left, missed, newChat, whenChanged } from "./ids.js";
import { HeldAnswers } from "./held_answers.js";
import { speak, t } from "./i18n/words.js";
import { Looks, moves } from "./looks.js";
import { keep, untaken } from "./missed.js";
import { Others } from "./others.js";
import { leadsTo } from "./reading.js";
import { beginning, lastNumber, reduce, RUN } from "./store.js";
import { Stream, waitBefore } from "./stream.js";
import { Pace } from "./timing.js";

/**
 * What the views can have done.
 * @typedef {{
 *   say: (text: string, edit?: Edit) => boolean,
 *   again: (one: Outgoing) => void,
 *   leave: (one: Outgoing) => void,
 *   word: (planId: string, kind: Word["kind"], what?: {text?: string, prompt_id?: string, step?: number}) => void,
 *   details: (planId: string|null) => void,
 *   refresh: (planId: string) => void,
 *   signIn: () => void,
 *   signOut: () => void,
 *   newChat: () => void,
 *   plans: () => void,
 *   goTo: (chat: string) => void,
 *   undoOther: (planId: string) => void,
 * }} Deeds
 */

/** An event that is older than this when it comes was not watched, in milliseconds. */
const WATCHED = 6000;

export class App {
  state = beginning();
  #pace = new Pace();
  #held = new HeldAnswers((requestId, turn) => this.#answered(requestId, turn));
  #stream = /** @type {Stream|null} */ (null);
  #timer = 0;
  #retry = 0;
  #opening = 0;
  #was = false;
  #parked = /** @type {Map<string, ExecutionPlan>} */ (new Map());
  #looks = new Looks({
    who: () => this.state.session, known: (plan) => this.#known(plan), signedOut: () => void this.#signedOut(),
    lost: (planId) => this.dispatch({ type: "lost", plan_id: planId }),
  });
  others = new Others({
    who: () => this.state.session, chat: () => this.state.chat, signedOut: () => void this.#signedOut(),
    told: (others) => this.dispatch({ type: "others", others }),
  });
  /** Whether the chat is to be fetched as soon as that can be. */
  #waits = false;
  /** Steps that had ended when the chat was opened. @type {Set<string>} */
  #past = new Set();

  /**
   * @param {{changed: () => void, shown: (event: PlanEvent, live: boolean) => void, still: () => boolean}} view
   *   `shown` hears each event as it is shown, and whether somebody watched it happen, `still` says whether motion is not wanted
   */
  constructor(view) {
    this.view = view;
    document.addEventListener("visibilitychange", () => this.#pump());
    addEventListener("online", () => {
      this.#looks.hurry();
      if (this.state.phase === "failed" && !this.state.session) void this.open();
      if (!this.#waits) return;
      this.dispatch({ type: "link", link: "connecting" });
      void this.#load(0);
    });
    addEventListener("offline", () => this.#waits && this.dispatch({ type: "link", link: "offline" }));
  }

  /** @param {Action} action */
  dispatch(action) {
    const next = reduce(this.state, action);
    if (next === this.state) return;
    this.state = next;
    this.view.changed();
  }

  /** Opens the page: who is it, and where were they? */
  async open() {
    try {
      const found = await api.session();
      if (found.signed_in) return this.#enter(found);
      speak(found.locale ?? navigator.language);
      // A first visitor of the demonstration is let in; whoever has signed out is asked.
      const first = !this.#was && this.state.phase === "loading" && !left.get();
      if (found.way === "demo" && first) return this.#admitted(await api.signIn());
      this.dispatch({ type: "signed_out", out: found });
    } catch (error) {
      this.dispatch({ type: "failed", message: worded(error) });
    }
  }

  async signIn() {
    try {
      this.#admitted(await api.signIn());
    } catch (error) {
      this.dispatch({ type: "failed", message: worded(error) });
    }
  }

  /** Signs in by the way that the service names; whoever is told to sign in, may not know it yet. */
  async signInAgain() {
    if (!this.state.out) await this.#signedOut();
    const { out } = this.state;
    const url = out?.way === "host" ? leadsTo(out.sign_in_url) : null;
    if (out?.way === "demo") await this.signIn();
    else if (url) location.assign(url);
  }

  /** Whoever signs out leaves nothing on the screen, nor in this tab; also where it is not known whether they are out. */
  async signOut() {
    this.#stream?.end();
    clearTimeout(this.#retry);
    this.others.clear();
    this.dispatch({ type: "chat", chat: "" });
    draft.set("");
    missed.set("");
    try {
      await api.signOut();
    } catch (error) {
      const half = error instanceof api.CallError && error.kind === "away";
      return this.dispatch({ type: "failed", message: half ? error.message : `${t("out.not_done")} ${worded(error)}` });
    }
    left.set("1");
    location.reload();
  }

  /** @param {SignedIn|SignedOut} found */
  #admitted(found) {
    if (found.signed_in) this.#enter(found);
    else this.dispatch({ type: "signed_out", out: found });
  }

  /** @param {SignedIn} who */
  #enter(who) {
    const before = this.state.session;
    if (left.get()) left.set("");
    speak(who.venue.locale, who.venue.time_zone, who.venue.words);
    this.dispatch({ type: "signed_in", session: who });
    if (!this.#was) whenChanged(who, (chat) => this.#change(chat));
    this.#was = true;
    const same = before?.user_id === who.user_id && before.venue.venue_id === who.venue.venue_id;
    if (!same) this.others.clear();
    this.#change(same && this.state.chat ? this.state.chat : chatOf(who));
  }

  /** @param {string} [chat]  Without it to a new one */
  goTo(chat) {
    const who = this.state.session;
    if (who) this.#change(chat ? backTo(who, chat) : newChat(who));
  }

  /** @param {string} chat */
  #change(chat) {
    if (chat !== this.state.chat) {
      this.#pace.clear();
      this.#held.clear();
      this.#looks.clear();
      this.others.leave(Object.values(this.state.plans).map(({ plan }) => plan));
    }
    this.dispatch({ type: "chat", chat });
    void this.others.find();
    void this.#load(0);
  }

  /** @param {number} failures */
  async #load(failures) {
    const own = ++this.#opening;
    const { session: who, chat } = this.state;
    clearTimeout(this.#retry);
    this.#stream?.end();
    this.#waits = false;
    if (!who) return;
    try {
      const found = await api.snapshot(who, chat);
      if (own !== this.#opening) return;
      this.#past = new Set((found?.plans ?? []).flatMap((plan) =>
        plan.actions.filter((one) => one.status !== "pending" && one.status !== "running").map((one) => `${plan.plan_id} ${one.step}`)));
      this.dispatch({ type: "snapshot", snapshot: found });
      for (const told of untaken(this.state)) this.dispatch(told);
      this.#listen(found?.cursor ?? null);
    } catch (error) {
      if (own !== this.#opening) return;
      if (error instanceof api.CallError && error.kind === "signed_out") return void this.#signedOut();
      if (error instanceof api.CallError && error.kind === "forbidden") return this.#change(newChat(who));
      const answered = error instanceof api.CallError && ["away", "busy", "refused"].includes(error.kind);
      this.dispatch({ type: "link", ...(answered ? { link: "away", message: error.message } : { link: navigator.onLine ? "waiting" : "offline" }) });
      this.#waits = true;
      this.#retry = setTimeout(() => void this.#load(failures + 1), waitBefore(failures + 1, Math.random()));
    }
  }

  /** @param {string|null} cursor */
  #listen(cursor) {
    const { session: who, chat } = this.state;
    if (!who) return;
    this.#stream = new Stream({
      address: (after) => `v1/sessions/${encodeURIComponent(chat)}/events?${api.query(who, { after })}`,
      state: (link, message) => {
        if (link === "live") this.#looks.hurry();
        else this.#held.letAll();
        this.dispatch({ type: "link", link, message: message ?? null });
      },
      message: (message) => this.#hear(message.event, message.data),
      refused: (status) => {
        if (status === 401) void this.#signedOut();
        else if (status === 403) this.#change(newChat(who));
        return status !== 401 && status !== 403;
      },
    }, cursor);
  }

  /**
   * @param {string} kind
   * @param {string} data
   */
  #hear(kind, data) {
    if (kind === "reset") {
      this.#pace.clear();
      this.dispatch({ type: "reset" });
      void this.#load(0);
    } else if (kind === "chat") {
      this.#told(api.read(data));
    } else if (kind === "plan") {
      this.#take(api.read(data));
    }
  }

  /**
   * What a run shows while its plan is drafted is seen for a while, and what comes of the message is not shown before.
   * @param {Entry} entry
   */
  #told(entry) {
    const run = `run ${entry.request_id}`;
    if (!RUN.has(entry.kind) && !this.#pace.holds(run)) return this.#arrived(entry);
    this.#pace.push({ ...entry, plan_id: run, entry }, performance.now(), api.now() - Date.parse(entry.at) < WATCHED);
    this.#pump();
  }

  /** @param {Entry} entry */
  #arrived(entry) {
    this.dispatch({ type: "entry", entry });
    this.#held.arrived(entry);
    if (entry.kind === "plan" && entry.plan_id && !this.state.plans[entry.plan_id]?.plan) this.refresh(entry.plan_id);
  }

  /**
   * @param {string} requestId
   * @param {Turn} turn
   */
  #answered(requestId, turn) {
    const run = `run ${requestId}`;
    if (!this.#pace.holds(run)) return this.dispatch({ type: "answered", request_id: requestId, turn });
    const answer = { request_id: requestId, turn };
    this.#pace.push({ plan_id: run, number: 0, at: "", kind: "answer", text: "", answer }, performance.now(), true);
    this.#pump();
  }

  /** @param {PlanEvent} event */
  #take(event) {
    const last = Math.max(lastNumber(this.state, event.plan_id), this.#pace.last(event.plan_id));
    if (event.number <= last) return;
    const fresh = api.now() - Date.parse(event.at) < WATCHED;
    const past = event.kind.startsWith("step_") && this.#past.has(`${event.plan_id} ${event.step}`);
    this.#pace.push(event, performance.now(), fresh && !past);
    this.#pump();
  }

  /** Shows what is due, and comes back for the rest. */
  #pump() {
    clearTimeout(this.#timer);
    const at = performance.now();
    if (document.hidden || this.view.still()) this.#pace.hurry(at);
    for (const { event, live } of this.#pace.due(at)) {
      if (event.entry || event.answer) {
        if (event.entry) this.#arrived(event.entry);
        if (event.answer) this.dispatch({ type: "answered", ...event.answer });
        continue;
      }
      const news = moves(this.state.plans[event.plan_id], event);
      this.dispatch({ type: "event", event, live });
      if (live || !this.#past.has(`${event.plan_id} ${event.step}`)) this.view.shown(event, live);
      if (news) this.#looks.at(event.plan_id);
    }
    for (const [planId, plan] of this.#parked) {
      if (this.#pace.holds(planId)) continue;
      this.#parked.delete(planId);
      this.dispatch({ type: "plan", plan });
    }
    const next = this.#pace.next();
    if (next !== null) this.#timer = setTimeout(() => this.#pump(), Math.max(0, next - performance.now()));
  }

  /** @param {string} planId */
  refresh(planId) {
    this.#looks.at(planId);
  }

  /**
   * A plan as it is now, which must not tell what is not to be seen yet.
   * @param {ExecutionPlan} plan
   */
  #known(plan) {
    if (this.#pace.holds(plan.plan_id)) this.#parked.set(plan.plan_id, plan);
    else this.dispatch({ type: "plan", plan });
  }

  async #signedOut() {
    this.#stream?.end();
    try {
      const found = await api.session();
      if (found.signed_in) return this.#enter(found);
      this.dispatch({ type: "signed_out", out: found });
    } catch {
      this.dispatch({ type: "signed_out", out: null });
    }
  }

  /**
   * @param {string} text
   * @param {Edit} [edit]
   */
  say(text, edit) {
    if (this.state.phase !== "ready") return false;
    const one = /** @type {Outgoing} */ ({ request_id: fresh(), text, at: api.now(), state: "sending", ...(edit ? { edit } : {}) });
    this.again(one);
    return true;
  }

  /** @param {Outgoing} one */
  again(one) {
    this.dispatch({ type: "sent", outgoing: { ...one, state: "sending" } });
    void this.#deliver(one);
  }

  /** @param {Outgoing} one */
  async #deliver(one) {
    const { session: who, chat } = this.state;
    if (!who) return;
    try {
      const turn = await api.say(who, chat, one);
      if (chat === this.state.chat) this.#held.take(this.state, one.request_id, turn);
    } catch (error) {
      const out = error instanceof api.CallError && error.kind === "signed_out";
      this.dispatch({ type: "not_sent", request_id: one.request_id, message: out ? t("send.signed_out") : worded(error) });
      if (out) await this.#signedOut();
    }
  }

  /**
   * @param {string} planId
   * @param {Word["kind"]} kind
   * @param {{text?: string, prompt_id?: string, step?: number}} [what]
   */
  async word(planId, kind, what = {}) {
    const who = this.state.session;
    const before = this.state.plans[planId]?.word ?? null;
    if (!who || (before?.state === "sending" && before.kind === kind)) return;
    // The same word said again is the same word, until it is known what became of it.
    const same = before?.state === "failed" && before.kind === kind && before.text === what.text && before.step === what.step;
    /** @type {Word} */
    const word = { kind, request_id: same ? before.request_id : fresh(), state: "sending", ...what };
    this.dispatch({ type: "word", plan_id: planId, word });
    try {
      const plan = await api.word(who, planId, kind, word);
      this.dispatch({ type: "word", plan_id: planId, word: null });
      this.#known(plan);
      if (plan.stale) this.#looks.at(planId, 1);
    } catch (error) {
      if (!(error instanceof api.CallError)) throw error;
      if (error.plan) this.#known(error.plan);
      const lost = error.unsettled ? t(`word.${kind}_lost`) : error.message;
      const state = error.kind === "conflict" || error.kind === "refused" ? "refused" : "failed";
      const out = error.kind === "signed_out";
      // An earlier try of the same word may have arrived.
      const told = /** @type {Word} */ ({ ...word, state, message: lost, away: error.kind === "away" || error.kind === "offline", missed: out && (!same || before.missed === true) });
      this.dispatch({ type: "word", plan_id: planId, word: told });
      if (told.missed) keep(planId, told);
      if (out) await this.#signedOut();
      else this.#looks.at(planId, 1);
    }
  }
}

/** @param {unknown} error */
function worded(error) {
  if (error instanceof api.CallError) return error.message;
  throw error;
}
