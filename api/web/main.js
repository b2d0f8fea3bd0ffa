/**
 * Where the page begins: the state, its views, and what is read out.
 *
 * @import {Deeds} from "./app.js"
 * @import {PlanEvent} from "./types.js"
 */
import { App } from "./app.js";
import { byId } from "./dom.js";
import { speak, t } from "./i18n/words.js";
import { headline } from "./reading.js";
import { dayOfBooking } from "./views/day.js";
import { page } from "./views/page.js";

speak(navigator.language);

const still = matchMedia("(prefers-reduced-motion: reduce)");
let drawing = false;

const app = new App({ changed, shown, still: () => still.matches });

/** @type {Deeds} */
const deeds = {
  say: (text, edit) => app.say(text, edit),
  again: (one) => app.again(one),
  leave: (one) => app.dispatch({ type: "dropped", request_id: one.request_id }),
  word: (planId, kind, what) => void app.word(planId, kind, what),
  details: (planId) => view.openDetails(planId),
  refresh: (planId) => app.refresh(planId),
  signIn: () => void app.signInAgain(),
  newChat: () => {
    byId("details", HTMLDialogElement).close();
    app.goTo();
    byId("message", HTMLElement).focus();
  },
  plans: () => {
    view.openPlans();
    void app.others.find();
  },
  goTo: (chat) => {
    byId("plans", HTMLDialogElement).close();
    app.goTo(chat);
    byId("message", HTMLElement).focus();
  },
  undoOther: (planId) => void app.others.undo(planId),
  signOut: () => {
    byId("details", HTMLDialogElement).close();
    byId("reasoning", HTMLDialogElement).close();
    view.day.clear();
    void app.signOut();
  },
};

const view = page(app, deeds);

/** Many changes at once are drawn once. A page behind another one has few frames or none. */
function changed() {
  if (drawing) return;
  drawing = true;
  const draw = () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    drawing = false;
    view.draw(app.state);
    tellPlan();
  };
  const frame = requestAnimationFrame(draw);
  const timer = setTimeout(draw, document.hidden ? 0 : 100);
}

let told = "";

/** Reads a plan out that has come to wait; its card is silent, as it changes too often to be read. */
function tellPlan() {
  const pending = Object.values(app.state.plans).findLast(({ plan }) => plan?.status === "pending_confirmation");
  const id = pending?.plan?.plan_id ?? "";
  if (id && id !== told && pending?.plan) say("status", t("tell.plan", { what: headline(pending.plan) }));
  told = id;
}

/**
 * What came late, after a line was cut, is not read out, but the day is looked at all the same.
 * @param {PlanEvent} event
 * @param {boolean} live
 */
function shown(event, live) {
  const plan = app.state.plans[event.plan_id]?.plan;
  const action = plan?.actions.find((one) => one.step === event.step);
  if (plan && action && (event.kind === "step_result" || event.kind === "reversal")) {
    void view.day.refresh(action.parameters, dayOfBooking(plan, action, event.kind === "reversal"));
  }
  if (!live) return;
  if (event.kind === "step_result") {
    const status = t(`step.${event.step_status ?? "completed"}`);
    say("status", t("tell.step", { n: event.step ?? 0, title: event.name ?? "", status }));
  }
  if (event.kind === "prompt_opened") say("alert", t("tell.prompt", { question: event.text }));
  if (event.kind === "sign_in_needed") say("alert", event.text);
}

/**
 * @param {"status"|"alert"} where
 * @param {string} text
 */
function say(where, text) {
  byId(`tell-${where}`, HTMLElement).textContent = text;
}

view.draw(app.state);
void app.open();
