/**
 * What goes on before there is a plan: the looks that it needs, as they are made. Its plan's card takes the row's place;
 * where no plan comes of it, it stays as it ended.
 *
 * @import {RunRow} from "../timeline.js"
 * @import {Deeds} from "../app.js"
 * @import {Entry, PlannedAction} from "../types.js"
 */
import { h, section } from "../dom.js";
import { t } from "../i18n/words.js";
import { icon } from "../icons.js";
import { stepList } from "./steps.js";

/** @param {Deeds} deeds */
export function runCard(deeds) {
  const mark = h("span", { class: "card-mark" });
  const title = h("span", { class: "card-title", dir: "auto" });
  const status = h("span", { class: "card-status" });
  const steps = stepList(deeds);
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
      events: entries.map((entry) => ({ ...entry, plan_id: "" })), live: new Set(begun.map((entry) => entry.step ?? 0)), word: null,
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
