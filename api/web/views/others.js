/**
 * The way to one's own plans in other chats: how many there are stands in the head, and each leads back to its chat.
 *
 * @import {Deeds} from "../app.js"
 * @import {ExecutionPlan, State} from "../types.js"
 */
import { now } from "../api.js";
import { button, h, section } from "../dom.js";
import { clock, dayName, dayOf, t } from "../i18n/words.js";
import { icon } from "../icons.js";
import { confirmLabel, headline, standing } from "../reading.js";
import { MARKS } from "./plan_card.js";

/**
 * @param {State} state
 * @param {Deeds} deeds
 */
export function othersButton({ others }, deeds) {
  const n = others.plans.length;
  const made = button({ label: n ? t("plans.count", { n }) : t("plans.title"), icon: "list-checks", bare: true, hook: "plans", press: deeds.plans });
  if (n) made.append(h("span", { class: "badge", "aria-hidden": "true" }, n));
  return made;
}

/**
 * @param {HTMLDialogElement} dialog
 * @param {Deeds} deeds
 */
export function othersList(dialog, deeds) {
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
    const { plans, known, trouble } = others;
    const words = trouble ? `${trouble} ${plans.length ? t("plans.stale") : ""}` : plans.length ? t("plans.lead") : t(known ? "plans.none" : "plans.loading");
    section(note, words, () => (trouble ? [icon("triangle-alert"), h("span", {}, words)] : words));
    note.classList.toggle("trouble", !!trouble);
    section(list, JSON.stringify(plans), () => plans.map(row));
  }

  /** @param {ExecutionPlan} plan */
  function row(plan) {
    const { key, tone } = standing({ plan, events: [], live: new Set(), word: null });
    const [day, today] = [dayOf(plan.created_at), dayOf(now())];
    const made = day === today ? clock(plan.created_at) : `${dayName(day, today)}, ${clock(plan.created_at)}`;
    return h("li", {},
      h("button", { type: "button", class: "other", "data-do": `go:${plan.plan_id}`, "data-tone": tone, onclick: () => deeds.goTo(plan.session_id) },
        h("span", { class: "other-mark" }, icon(MARKS[tone] ?? "circle")),
        h("span", { class: "other-words" },
          h("span", { class: "other-title", dir: "auto" }, headline(plan)),
          h("span", { class: "other-does", dir: "auto" }, confirmLabel(plan)),
          h("span", { class: "other-facts" }, h("span", { class: "other-status" }, t(key)), h("span", {}, made))),
        icon("arrow-right")));
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
