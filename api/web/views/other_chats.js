/**
 * The operator's plans in other chats: a button with their number in the page's header, and a list that leads to each chat.
 *
 * @import {Actions} from "../app.js"
 * @import {ExecutionPlan, State} from "../types.js"
 */
import { now } from "../api.js";
import { button, h, section } from "../dom.js";
import { clock, dayName, dayOf, t } from "../i18n/format.js";
import { icon } from "../icons.js";
import { undoable } from "../other_chats.js";
import { confirmLabel, headline, planStatus } from "../plan_view_model.js";
import { countTo } from "../countdown.js";
import { MARKS } from "./plan_card.js";

/**
 * @param {State} state
 * @param {Actions} actions
 */
export function otherChatsButton({ others }, actions) {
  const n = others.plans.length;
  const made = button({ label: n ? t("plans.count", { n }) : t("plans.title"), icon: "list-checks", bare: true, hook: "plans", press: actions.openOtherChats });
  if (n) made.append(h("span", { class: "badge", "aria-hidden": "true" }, n));
  return made;
}

/**
 * @param {HTMLDialogElement} dialog
 * @param {Actions} actions
 */
export function otherChatsList(dialog, actions) {
  const title = h("h2", { id: "plans-title" });
  const top = h("div", { class: "sheet-head" }, title);
  const note = h("p", { class: "others-note", role: "status" });
  const list = h("ul", { class: "others", "aria-labelledby": "plans-title" });
  const body = h("div", { class: "sheet-body" }, note, list);
  dialog.replaceChildren(top, body);
  dialog.setAttribute("aria-labelledby", "plans-title");
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());

  /** @param {State} state */
  function update({ others, session }) {
    if (!dialog.open) return;
    if (!session) return dialog.close();
    const { plans, known, trouble, undoing } = others;
    const words = trouble ? `${trouble} ${plans.length ? t("plans.stale") : ""}` : plans.length ? t("plans.lead") : t(known ? "plans.none" : "plans.loading");
    section(note, words, () => (trouble ? [icon("triangle-alert"), h("span", {}, words)] : words));
    note.classList.toggle("trouble", !!trouble);
    const left = plans.filter(undoable).map((plan) => plan.plan_id);
    section(list, JSON.stringify([plans, left, undoing]), () => plans.map((plan) => row(plan, undoing.includes(plan.plan_id))));
  }

  /**
   * @param {ExecutionPlan} plan
   * @param {boolean} busy
   */
  function row(plan, busy) {
    const { key, tone } = planStatus({ plan, events: [], live: new Set(), command: null });
    const [day, today] = [dayOf(plan.created_at), dayOf(now())];
    const made = day === today ? clock(plan.created_at) : `${dayName(day, today)}, ${clock(plan.created_at)}`;
    return h("li", {},
      h("button", { type: "button", class: "other", "data-do": `go:${plan.plan_id}`, "data-tone": tone, onclick: () => actions.openChat(plan.session_id) },
        h("span", { class: "other-mark" }, icon(MARKS[tone] ?? "circle")),
        h("span", { class: "other-words" },
          h("span", { class: "other-title", dir: "auto" }, headline(plan)),
          h("span", { class: "other-does", dir: "auto" }, plan.summary || confirmLabel(plan)),
          h("span", { class: "other-facts" }, h("span", { class: "other-status" }, t(busy ? "status.undoing" : key)), h("span", {}, made))),
        icon("arrow-right")),
      undoable(plan) && undo(plan, busy));
  }

  /**
   * @param {ExecutionPlan} plan
   * @param {boolean} busy
   */
  function undo({ plan_id, undo_until }, busy) {
    const left = h("span", { class: "countdown", role: "timer" });
    const node = h("div", { class: "other-undo" },
      button({
        label: t(busy ? "undo.busy" : "undo.button"), icon: "undo-2", hook: `undo:${plan_id}`, disabled: busy, press: () => actions.undoOtherPlan(plan_id),
      }), left);
    countTo(left, undo_until ?? "", (time) => t("undo.left", { left: time }), () => node.replaceChildren());
    return node;
  }

  return {
    update,
    /** @param {State} state */
    open(state) {
      title.textContent = t("plans.title");
      section(top, t("head.close"), () => [title, button({ label: t("head.close"), icon: "x", bare: true, hook: "close", press: () => dialog.close() })]);
      dialog.showModal();
      body.scrollTop = 0;
      update(state);
    },
  };
}
