/**
 * The page's controller: it holds the state, reads the chat's event stream, and sends messages and commands to the server. It
 * does not depend on the views.
 *
 * @import {Action} from "./store.js"
 * @import {Edit, Entry, ExecutionPlan, Outgoing, PlanEvent, SignedIn, SignedOut, Turn, Command} from "./types.js"
 */
import * as api from "./api.js";
import { selectChat, chatOf, draft, newId, signedOutFlag, unsentCommand, newChat, onChatChanged } from "./chat_storage.js";
import { HeldAnswers } from "./held_answers.js";
import { setLocale, t } from "./i18n/format.js";
import { PlanRefresher, needsRefresh } from "./plan_refresh.js";
import { saveUnsent, restoreUnsent } from "./unsent_command.js";
import { OtherChats } from "./other_chats.js";
import { safeUrl } from "./plan_view_model.js";
import { initialState, lastNumber, reduce, RUN } from "./store.js";
import { EventStream, retryDelay } from "./sse.js";
import { EventPacer } from "./event_pacing.js";

/**
 * What the views can call.
 * @typedef {{
 *   sendMessage: (text: string, edit?: Edit) => boolean,
 *   resend: (one: Outgoing) => void,
 *   discard: (one: Outgoing) => void,
 *   sendCommand: (planId: string, kind: Command["kind"], what?: {text?: string, prompt_id?: string, step?: number}) => void,
 *   openDebugDrawer: (planId: string|null) => void,
 *   refresh: (planId: string) => void,
 *   signIn: () => void,
 *   signOut: () => void,
 *   newChat: () => void,
 *   openOtherChats: () => void,
 *   openChat: (chat: string) => void,
 *   undoOtherPlan: (planId: string) => void,
 * }} Actions
 */

/** An event that is older than this when it comes was not watched, in milliseconds. */
const WATCHED_WITHIN = 6000;

export class App {
  state = initialState();
  #pacer = new EventPacer();
  #heldAnswers = new HeldAnswers((requestId, turn) => this.#onAnswer(requestId, turn));
  #stream = /** @type {EventStream|null} */ (null);
  #timer = 0;
  #retry = 0;
  #opening = 0;
  #wasSignedIn = false;
  #parked = /** @type {Map<string, ExecutionPlan>} */ (new Map());
  #refresher = new PlanRefresher({
    getSession: () => this.state.session, onPlan: (plan) => this.#applyPlan(plan), onSignedOut: () => void this.#signedOut(),
    onMissing: (planId) => this.dispatch({ type: "lost", plan_id: planId }),
  });
  others = new OtherChats({
    getSession: () => this.state.session, getChat: () => this.state.chat, onSignedOut: () => void this.#signedOut(),
    onChange: (others) => this.dispatch({ type: "others", others }),
  });
  /** Whether the chat is to be fetched as soon as that can be. */
  #reloadPending = false;
  /** Steps that had ended when the chat was opened. @type {Set<string>} */
  #endedSteps = new Set();

  /**
   * @param {{onChange: () => void, onEventShown: (event: PlanEvent, live: boolean) => void, reducedMotion: () => boolean}} view
   *   `onEventShown` gets each event when it is shown, and whether the operator watched it happen
   */
  constructor(view) {
    this.view = view;
    document.addEventListener("visibilitychange", () => this.#showDue());
    addEventListener("online", () => {
      this.#refresher.retryNow();
      if (this.state.phase === "failed" && !this.state.session) void this.open();
      if (!this.#reloadPending) return;
      this.dispatch({ type: "link", link: "connecting" });
      void this.#load(0);
    });
    addEventListener("offline", () => this.#reloadPending && this.dispatch({ type: "link", link: "offline" }));
  }

  /** @param {Action} action */
  dispatch(action) {
    const next = reduce(this.state, action);
    if (next === this.state) return;
    this.state = next;
    this.view.onChange();
  }

  /** Opens the page: who is it, and where were they? */
  async open() {
    try {
      const found = await api.getSession();
      if (found.signed_in) return this.#enter(found);
      setLocale(found.locale ?? navigator.language);
      // The demonstration signs a first visitor in; an operator who has signed out sees the sign-in button.
      const first = !this.#wasSignedIn && this.state.phase === "loading" && !signedOutFlag.get();
      if (found.way === "demo" && first) return this.#afterSignIn(await api.signIn());
      this.dispatch({ type: "signed_out", out: found });
    } catch (error) {
      this.dispatch({ type: "failed", message: errorText(error) });
    }
  }

  async signIn() {
    try {
      this.#afterSignIn(await api.signIn());
    } catch (error) {
      this.dispatch({ type: "failed", message: errorText(error) });
    }
  }

  /** Signs in by the way that the server names; the page may not have asked for it yet. */
  async signInAgain() {
    if (!this.state.out) await this.#signedOut();
    const { out } = this.state;
    const url = out?.way === "host" ? safeUrl(out.sign_in_url) : null;
    if (out?.way === "demo") await this.signIn();
    else if (url) location.assign(url);
  }

  /** Clears the screen and this tab's storage, then signs out, even if the server does not confirm it. */
  async signOut() {
    this.#stream?.end();
    clearTimeout(this.#retry);
    this.others.clear();
    this.dispatch({ type: "chat", chat: "" });
    draft.set("");
    unsentCommand.set("");
    try {
      await api.signOut();
    } catch (error) {
      const half = error instanceof api.CallError && error.kind === "away";
      return this.dispatch({ type: "failed", message: half ? error.message : `${t("out.not_done")} ${errorText(error)}` });
    }
    signedOutFlag.set("1");
    location.reload();
  }

  /** @param {SignedIn|SignedOut} found */
  #afterSignIn(found) {
    if (found.signed_in) this.#enter(found);
    else this.dispatch({ type: "signed_out", out: found });
  }

  /** @param {SignedIn} who */
  #enter(who) {
    const before = this.state.session;
    if (signedOutFlag.get()) signedOutFlag.set("");
    setLocale(who.venue.locale, who.venue.time_zone, who.venue.words);
    this.dispatch({ type: "signed_in", session: who });
    if (!this.#wasSignedIn) onChatChanged(who, (chat) => this.#change(chat));
    this.#wasSignedIn = true;
    const same = before?.user_id === who.user_id && before.venue.venue_id === who.venue.venue_id;
    if (!same) this.others.clear();
    this.#change(same && this.state.chat ? this.state.chat : chatOf(who));
  }

  /** @param {string} [chat]  Without it to a new one */
  openChat(chat) {
    const who = this.state.session;
    if (who) this.#change(chat ? selectChat(who, chat) : newChat(who));
  }

  /** @param {string} chat */
  #change(chat) {
    if (chat !== this.state.chat) {
      this.#pacer.clear();
      this.#heldAnswers.clear();
      this.#refresher.clear();
      this.others.addPlans(Object.values(this.state.plans).map(({ plan }) => plan));
    }
    this.dispatch({ type: "chat", chat });
    void this.others.refresh();
    void this.#load(0);
  }

  /** @param {number} failures */
  async #load(failures) {
    const own = ++this.#opening;
    const { session: who, chat } = this.state;
    clearTimeout(this.#retry);
    this.#stream?.end();
    this.#reloadPending = false;
    if (!who) return;
    try {
      const found = await api.getSnapshot(who, chat);
      if (own !== this.#opening) return;
      this.#endedSteps = new Set((found?.plans ?? []).flatMap((plan) =>
        plan.actions.filter((one) => one.status !== "pending" && one.status !== "running").map((one) => `${plan.plan_id} ${one.step}`)));
      this.dispatch({ type: "snapshot", snapshot: found });
      for (const action of restoreUnsent(this.state)) this.dispatch(action);
      this.#listen(found?.cursor ?? null);
    } catch (error) {
      if (own !== this.#opening) return;
      if (error instanceof api.CallError && error.kind === "signed_out") return void this.#signedOut();
      if (error instanceof api.CallError && error.kind === "forbidden") return this.#change(newChat(who));
      const answered = error instanceof api.CallError && ["away", "busy", "refused"].includes(error.kind);
      this.dispatch({ type: "link", ...(answered ? { link: "away", message: error.message } : { link: navigator.onLine ? "waiting" : "offline" }) });
      this.#reloadPending = true;
      this.#retry = setTimeout(() => void this.#load(failures + 1), retryDelay(failures + 1, Math.random()));
    }
  }

  /** @param {string|null} cursor */
  #listen(cursor) {
    const { session: who, chat } = this.state;
    if (!who) return;
    this.#stream = new EventStream({
      address: (after) => `v1/sessions/${encodeURIComponent(chat)}/events?${api.query(who, { after })}`,
      state: (link, message) => {
        if (link === "live") this.#refresher.retryNow();
        else this.#heldAnswers.releaseAll();
        this.dispatch({ type: "link", link, message: message ?? null });
      },
      message: (message) => this.#onMessage(message.event, message.data),
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
  #onMessage(kind, data) {
    if (kind === "reset") {
      this.#pacer.clear();
      this.dispatch({ type: "reset" });
      void this.#load(0);
    } else if (kind === "chat") {
      this.#onEntry(api.parseJson(data));
    } else if (kind === "plan") {
      this.#onPlanEvent(api.parseJson(data));
    }
  }

  /**
   * Paces the steps of a run while its plan is drafted; the answer to the message waits behind them.
   * @param {Entry} entry
   */
  #onEntry(entry) {
    const run = `run ${entry.request_id}`;
    if (!RUN.has(entry.kind) && !this.#pacer.hasPending(run)) return this.#applyEntry(entry);
    this.#pacer.push({ ...entry, plan_id: run, entry }, performance.now(), api.now() - Date.parse(entry.at) < WATCHED_WITHIN);
    this.#showDue();
  }

  /** @param {Entry} entry */
  #applyEntry(entry) {
    this.dispatch({ type: "entry", entry });
    this.#heldAnswers.onEntry(entry);
    if (entry.kind === "plan" && entry.plan_id && !this.state.plans[entry.plan_id]?.plan) this.refresh(entry.plan_id);
  }

  /**
   * @param {string} requestId
   * @param {Turn} turn
   */
  #onAnswer(requestId, turn) {
    const run = `run ${requestId}`;
    if (!this.#pacer.hasPending(run)) return this.dispatch({ type: "answered", request_id: requestId, turn });
    const answer = { request_id: requestId, turn };
    this.#pacer.push({ plan_id: run, number: 0, at: "", kind: "answer", text: "", answer }, performance.now(), true);
    this.#showDue();
  }

  /** @param {PlanEvent} event */
  #onPlanEvent(event) {
    const last = Math.max(lastNumber(this.state, event.plan_id), this.#pacer.lastNumber(event.plan_id));
    if (event.number <= last) return;
    const fresh = api.now() - Date.parse(event.at) < WATCHED_WITHIN;
    const past = event.kind.startsWith("step_") && this.#endedSteps.has(`${event.plan_id} ${event.step}`);
    this.#pacer.push(event, performance.now(), fresh && !past);
    this.#showDue();
  }

  /** Shows what is due, and comes back for the rest. */
  #showDue() {
    clearTimeout(this.#timer);
    const at = performance.now();
    if (document.hidden || this.view.reducedMotion()) this.#pacer.flush(at);
    for (const { event, live } of this.#pacer.due(at)) {
      if (event.entry || event.answer) {
        if (event.entry) this.#applyEntry(event.entry);
        if (event.answer) this.dispatch({ type: "answered", ...event.answer });
        continue;
      }
      const refresh = needsRefresh(this.state.plans[event.plan_id], event);
      this.dispatch({ type: "event", event, live });
      if (live || !this.#endedSteps.has(`${event.plan_id} ${event.step}`)) this.view.onEventShown(event, live);
      if (refresh) this.#refresher.schedule(event.plan_id);
    }
    for (const [planId, plan] of this.#parked) {
      if (this.#pacer.hasPending(planId)) continue;
      this.#parked.delete(planId);
      this.dispatch({ type: "plan", plan });
    }
    const next = this.#pacer.next();
    if (next !== null) this.#timer = setTimeout(() => this.#showDue(), Math.max(0, next - performance.now()));
  }

  /** @param {string} planId */
  refresh(planId) {
    this.#refresher.schedule(planId);
  }

  /**
   * Applies a plan's current state, but not before its paced events have been shown.
   * @param {ExecutionPlan} plan
   */
  #applyPlan(plan) {
    if (this.#pacer.hasPending(plan.plan_id)) this.#parked.set(plan.plan_id, plan);
    else this.dispatch({ type: "plan", plan });
  }

  async #signedOut() {
    this.#stream?.end();
    try {
      const found = await api.getSession();
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
  sendMessage(text, edit) {
    if (this.state.phase !== "ready") return false;
    const one = /** @type {Outgoing} */ ({ request_id: newId(), text, at: api.now(), state: "sending", ...(edit ? { edit } : {}) });
    this.resend(one);
    return true;
  }

  /** @param {Outgoing} one */
  resend(one) {
    this.dispatch({ type: "sent", outgoing: { ...one, state: "sending" } });
    void this.#deliver(one);
  }

  /** @param {Outgoing} one */
  async #deliver(one) {
    const { session: who, chat } = this.state;
    if (!who) return;
    try {
      const turn = await api.sendMessage(who, chat, one);
      if (chat === this.state.chat) this.#heldAnswers.add(this.state, one.request_id, turn);
    } catch (error) {
      const out = error instanceof api.CallError && error.kind === "signed_out";
      this.dispatch({ type: "not_sent", request_id: one.request_id, message: out ? t("send.signed_out") : errorText(error) });
      if (out) await this.#signedOut();
    }
  }

  /**
   * @param {string} planId
   * @param {Command["kind"]} kind
   * @param {{text?: string, prompt_id?: string, step?: number}} [what]
   */
  async sendCommand(planId, kind, what = {}) {
    const who = this.state.session;
    const before = this.state.plans[planId]?.command ?? null;
    if (!who || (before?.state === "sending" && before.kind === kind)) return;
    // A repeated command keeps its request_id until its result is known.
    const same = before?.state === "failed" && before.kind === kind && before.text === what.text && before.step === what.step;
    /** @type {Command} */
    const command = { kind, request_id: same ? before.request_id : newId(), state: "sending", ...what };
    this.dispatch({ type: "command", plan_id: planId, command });
    try {
      const plan = await api.sendCommand(who, planId, kind, command);
      this.dispatch({ type: "command", plan_id: planId, command: null });
      this.#applyPlan(plan);
      if (plan.stale) this.#refresher.schedule(planId, 1);
    } catch (error) {
      if (!(error instanceof api.CallError)) throw error;
      if (error.plan) this.#applyPlan(error.plan);
      const lost = error.unsettled ? t(`command.${kind}_lost`) : error.message;
      const state = error.kind === "conflict" || error.kind === "refused" ? "refused" : "failed";
      const out = error.kind === "signed_out";
      // An earlier try of the same command may have arrived.
      const rejected = /** @type {Command} */ ({ ...command, state, message: lost, away: error.kind === "away" || error.kind === "offline", missed: out && (!same || before.missed === true) });
      this.dispatch({ type: "command", plan_id: planId, command: rejected });
      if (rejected.missed) saveUnsent(planId, rejected);
      if (out) await this.#signedOut();
      else this.#refresher.schedule(planId, 1);
    }
  }
}

/** @param {unknown} error */
function errorText(error) {
  if (error instanceof api.CallError) return error.message;
  throw error;
}
