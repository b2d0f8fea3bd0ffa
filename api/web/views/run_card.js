/**
 * The steps of a run before there is a plan: the look-ups that drafting needs. The plan's card replaces the row; if there is
 * no plan, the row stays as it ended.
 *
 * @import {RunRow} from "../timeline.js"
 * @import {Actions} from "../app.js"
 * @import {Entry, PlannedAction} from "../types.js"
 */
import { h, section } from "../dom.js";
import { t } from "../i18n/format.js";
import { icon } from "../icons.js";
import { stepList } from "./steps.js";

/** @param {Actions} actions */
export function runCard(actions) {
  const mark = h("span", { class: "card-mark" });
  const title = h("span", { class: "card-title", dir: "auto" });
  const status = h("span", { class: "card-status" });
  const steps = stepList(actions);
  const node = h("article", { class: "card", "aria-live": "off", "data-run": "" },
    h("div", { class: "card-head" }, mark, h("span", { class: "card-words" }, title, status)),
    h("div", { class: "card-body" }, steps.node));

  /** @param {RunRow} row */
  function update({ text, entries }) {
    const over = entries.some((entry) => entry.kind === "complete");
    title.textContent = text;
    status.textContent = t(over ? "run.over" : "run.looking");
    node.dataset["tone"] = over ? "gone" : "run";
    node.toggleAttribute("data-over", over);
    node.setAttribute("aria-label", `${t("plan.label")}: ${text}`);
    section(mark, String(over), () => icon(over ? "minus" : "loader-circle"));
    const begun = entries.filter((entry) => entry.kind === "step_started");
    steps.update({
      plan: /** @type {import("../types.js").ExecutionPlan} */ ({ status: "executing", actions: begun.map(asAction) }),
      events: entries.map((entry) => ({ ...entry, plan_id: "" })), live: new Set(begun.map((entry) => entry.step ?? 0)), command: null,
    });
  }
  return { node, update };
}

/**
 * @param {Entry} entry
 * @returns {PlannedAction}
 */
function asAction(entry) {
  return {
    step: entry.step ?? 0, action_id: "", title: entry.name ?? entry.text, parameters: {}, safety_tier: "normal",
    reversible: true, read_only: true, status: "running",
  };
}
