/**
 * The page's entry point: the state, its views, and the screen-reader announcements.
 *
 * @import {Actions} from "./app.js"
 * @import {PlanEvent} from "./types.js"
 */
import { App } from "./app.js";
import { byId } from "./dom.js";
import { setLocale, t } from "./i18n/format.js";
import { headline } from "./plan_view_model.js";
import { dayOfBooking } from "./views/day.js";
import { page } from "./views/page.js";

setLocale(navigator.language);

const still = matchMedia("(prefers-reduced-motion: reduce)");
let drawing = false;

const app = new App({ onChange, onEventShown, reducedMotion: () => still.matches });

/** @type {Actions} */
const actions = {
  sendMessage: (text, edit) => app.sendMessage(text, edit),
  resend: (one) => app.resend(one),
  discard: (one) => app.dispatch({ type: "dropped", request_id: one.request_id }),
  sendCommand: (planId, kind, what) => void app.sendCommand(planId, kind, what),
  openDebugDrawer: (planId) => view.openDetails(planId),
  refresh: (planId) => app.refresh(planId),
  signIn: () => void app.signInAgain(),
  newChat: () => {
    byId("details", HTMLDialogElement).close();
    app.openChat();
    byId("message", HTMLElement).focus();
  },
  openOtherChats: () => {
    view.openPlans();
    void app.others.refresh();
  },
  openChat: (chat) => {
    byId("plans", HTMLDialogElement).close();
    app.openChat(chat);
    byId("message", HTMLElement).focus();
  },
  undoOtherPlan: (planId) => void app.others.undo(planId),
  signOut: () => {
    byId("details", HTMLDialogElement).close();
    byId("reasoning", HTMLDialogElement).close();
    view.day.clear();
    void app.signOut();
  },
};

const view = page(app, actions);

/** Many changes at once are drawn once. A page behind another one has few frames or none. */
function onChange() {
  if (drawing) return;
  drawing = true;
  const draw = () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    drawing = false;
    view.draw(app.state);
    announcePlan();
  };
  const frame = requestAnimationFrame(draw);
  const timer = setTimeout(draw, document.hidden ? 0 : 100);
}

let announcedPlan = "";

/** Announces a plan that has become pending; its card is silent, as it changes too often. */
function announcePlan() {
  const pending = Object.values(app.state.plans).findLast(({ plan }) => plan?.status === "pending_confirmation");
  const id = pending?.plan?.plan_id ?? "";
  if (id && id !== announcedPlan && pending?.plan) announce("status", t("tell.plan", { what: headline(pending.plan) }));
  announcedPlan = id;
}

/**
 * Events that arrive late, after a reconnect, are not announced, but the day is refreshed all the same.
 * @param {PlanEvent} event
 * @param {boolean} live
 */
function onEventShown(event, live) {
  const plan = app.state.plans[event.plan_id]?.plan;
  const action = plan?.actions.find((one) => one.step === event.step);
  if (plan && action && (event.kind === "step_result" || event.kind === "reversal")) {
    void view.day.refresh(action.parameters, dayOfBooking(plan, action, event.kind === "reversal"));
  }
  if (!live) return;
  if (event.kind === "step_result") {
    const status = t(`step.${event.step_status ?? "completed"}`);
    announce("status", t("tell.step", { n: event.step ?? 0, title: event.name ?? "", status }));
  }
  if (event.kind === "prompt_opened") announce("alert", t("tell.prompt", { question: event.text }));
  if (event.kind === "sign_in_needed") announce("alert", event.text);
}

/**
 * @param {"status"|"alert"} where
 * @param {string} text
 */
function announce(where, text) {
  byId(`tell-${where}`, HTMLElement).textContent = text;
}

view.draw(app.state);
void app.open();
