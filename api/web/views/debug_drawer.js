/**
 * The debug drawer: the parameters and reasoning of a plan, the times of its events, and a link to the Temporal UI.
 *
 * @import {Actions} from "../app.js"
 * @import {PlanEvent, PlanState, State} from "../types.js"
 */
import { button, direction, h, section } from "../dom.js";
import { clock, duration, t } from "../i18n/format.js";
import { icon } from "../icons.js";
import { headline, parameterLabel } from "../plan_view_model.js";

/**
 * @param {HTMLDialogElement} dialog
 * @param {Actions} actions
 */
export function debugDrawer(dialog, actions) {
  const title = h("h2", { id: "details-title" });
  const top = h("div", { class: "sheet-head" }, title);
  const body = h("section", { class: "sheet-body", tabindex: 0, "aria-labelledby": "details-title" });
  dialog.replaceChildren(top, body);
  dialog.setAttribute("aria-labelledby", "details-title");
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  let wanted = /** @type {string|null} */ (null);

  /** @param {State} state */
  function update(state) {
    if (!dialog.open) return;
    const planId = wanted && state.plans[wanted] ? wanted : lastPlan(state);
    const known = planId ? state.plans[planId] : undefined;
    const made = JSON.stringify([planId, known?.plan, known?.events.length, known?.events.at(-1)?.number, state.chat, state.session?.user_id]);
    section(body, made, () => [
      ...(planId && known ? planDetails(planId, known, state) : [h("p", { class: "dim" }, t("details.none"))]),
      h("section", {},
        state.session && h("p", {}, t("details.user", { name: state.session.name || state.session.user_id })),
        h("p", { class: "dim" }, `${t("details.chat_id")} `, h("code", {}, state.chat)),
        h("div", { class: "taps" },
          button({ label: t("head.new"), icon: "message-square-plus", hook: "new-chat-here", press: actions.newChat }),
          button({ label: t("details.sign_out"), icon: "log-out", hook: "sign-out", press: () => actions.signOut() }))),
    ]);
  }

  return {
    update,
    /**
     * @param {string|null} planId
     * @param {State} state
     */
    open(planId, state) {
      wanted = planId;
      title.textContent = t("details.title");
      section(top, t("head.close"), () => [title, button({ label: t("head.close"), icon: "x", bare: true, hook: "close", press: () => dialog.close() })]);
      dialog.showModal();
      body.scrollTop = 0;
      update(state);
    },
  };
}

/** @param {State} state */
export function lastPlan(state) {
  return state.entries.findLast((entry) => entry.kind === "plan" && entry.plan_id)?.plan_id ?? Object.keys(state.plans).at(-1) ?? null;
}

/**
 * @param {string} planId
 * @param {PlanState} known
 * @param {State} state
 */
function planDetails(planId, { plan, events }, state) {
  const made = events.find((event) => event.kind === "initiated");
  const ui = state.session?.temporal_ui;
  const space = encodeURIComponent(state.session?.namespace ?? "default");
  return [
    h("section", {},
      h("p", { class: "details-what", dir: "auto" }, plan ? headline(plan) : ""),
      h("p", { class: "dim" }, `${t("details.plan_id")} `, h("code", {}, planId)),
      ui && h("a", { class: "button quiet", "data-do": "temporal", href: `${ui.replace(/\/$/, "")}/namespaces/${space}/workflows/plan-${planId}`, target: "_blank", rel: "noopener noreferrer" },
        icon("external-link"), h("span", { class: "button-words" }, t("details.temporal")))),
    made && h("section", {},
      h("h3", {}, t("details.reasoning")),
      h("p", { dir: direction(made.reasoning ?? made.text) }, made.reasoning ?? made.text),
      made.confidence && h("p", { class: "dim" }, `${t("details.confidence")}: `, h("strong", {}, t("details.of_ten", { n: made.confidence })))),
    plan && h("section", {},
      h("h3", {}, t("details.evidence")),
      plan.actions.map((action) => h("div", { class: "evidence" },
        h("p", {}, `${action.step}. ${action.title} `, h("code", {}, action.action_id)),
        h("dl", {}, Object.entries(action.parameters).flatMap(([name, value]) => [
          h("dt", {}, parameterLabel(name, action)), h("dd", { dir: "auto" }, typeof value === "string" ? value : JSON.stringify(value))]))))),
    h("section", {},
      h("h3", {}, t("details.timings")),
      events.length ? h("ol", { class: "timings" }, events.map((event, index) => timing(event, index, events))) : h("p", { class: "dim" }, t("details.unfetched"))),
  ];
}

/**
 * @param {PlanEvent} event
 * @param {number} index
 * @param {readonly PlanEvent[]} events
 */
function timing(event, index, events) {
  const since = index ? Date.parse(event.at) - Date.parse(/** @type {PlanEvent} */ (events[index - 1]).at) : 0;
  return h("li", {},
    h("span", { class: "timing-at" }, index ? `+${duration(since)}` : clock(event.at)),
    h("span", { class: "timing-words" }, h("code", {}, event.kind), event.step ? ` ${event.step}` : "", h("span", { class: "dim", dir: "auto" }, ` ${event.text}`)));
}
