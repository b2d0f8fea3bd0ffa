/**
 * The bar above the message box: it confirms or drops the plan that is pending and stops the one that runs, always in the
 * same place.
 *
 * @import {Actions} from "../app.js"
 * @import {ExecutionPlan, PlanState, State} from "../types.js"
 */
import { button, h, keyed, section } from "../dom.js";
import { t } from "../i18n/format.js";
import { icon } from "../icons.js";
import { commandError } from "../unsent_command.js";
import { confirmLabel, headline, prompt, rollingBack, running, steps, stopping } from "../plan_view_model.js";
import { settled } from "../store.js";
import { countTo } from "../countdown.js";
import { riskMarks } from "./plan_card.js";

/** @typedef {{key: string, planId: string, state: PlanState}} Block */

/**
 * @param {HTMLElement} into
 * @param {Actions} actions
 */
export function actionBar(into, actions) {
  const held = new Map();
  /** @param {State} state */
  return (state) => {
    /** @type {Block[]} */
    const rows = [];
    for (const [planId, known] of Object.entries(state.plans)) {
      const { plan } = known;
      if (plan && (plan.status === "pending_confirmation" || running(known)) && !settled(plan) && !rollingBack(known)) {
        rows.push({ key: planId, planId, state: known });
      }
    }
    // One plan is pending at a time: a replaced plan may not be marked as superseded yet and must not be confirmed by mistake.
    const newest = rows.findLast(({ state: one }) => !running(one));
    for (const old of rows.filter((row) => row !== newest && !running(row.state))) rows.splice(rows.indexOf(old), 1);
    keyed(into, rows, held, () => block(actions), (a, b) => a.state === b.state);
    into.hidden = rows.length === 0;
  };
}

/** @param {Actions} actions */
function block(actions) {
  const facts = h("div", { class: "dock-facts" });
  const trouble = h("p", { class: "trouble", role: "alert", hidden: true });
  const buttons = h("div", { class: "dock-actions" });
  const node = h("div", { class: "dock-block", role: "group" }, trouble, facts, buttons);
  let last = /** @type {Block|null} */ (null);
  /** The deadline that has passed on this page. The server reports it a moment later and rejects a confirmation in between. */
  let late = "";

  /** @param {Block} row */
  function update(row) {
    const { planId, state } = (last = row);
    const plan = /** @type {ExecutionPlan} */ (state.plan);
    const under = running(state);
    const command = state.command;
    const busy = command?.state === "sending" ? command.kind : "";
    node.dataset["plan"] = planId;
    node.dataset["face"] = under ? "running" : "asked";
    node.setAttribute("aria-label", headline(plan));
    const failed = command?.kind !== "answer" ? commandError(state) : "";
    section(trouble, failed, () => (failed ? [icon("triangle-alert"), h("span", {}, failed)] : []));
    section(facts, under ? progressKey(state) : `asked ${plan.expires_at}`, () => (under ? progress(state) : asked(plan)));
    const ends = stopping(state);
    section(buttons, `${planId} ${under} ${busy} ${confirmLabel(plan)} ${ends} ${late}`, () => (ends ? [] : under ? stop(planId, busy) : choose(plan, busy)));
  }

  /** @param {ExecutionPlan} plan */
  function asked(plan) {
    const left = h("span", { class: "countdown", role: "timer" });
    countTo(left, plan.expires_at, (time) => t("plan.expires", { left: time }), () => {
      left.textContent = t("plan.time_up");
      late = plan.expires_at;
      if (last) update(last);
      actions.refresh(plan.plan_id);
    });
    return [left, ...riskMarks(plan).slice(-1)];
  }

  /**
   * @param {ExecutionPlan} plan
   * @param {string} busy
   */
  function choose(plan, busy) {
    const shut = !!busy || late === plan.expires_at;
    const grave = plan.actions.some((action) => action.safety_tier === "high_risk" || !action.reversible);
    return [
      button({
        label: t(busy === "cancel" ? "plan.dropping" : "plan.drop"), hook: "drop", disabled: shut,
        press: () => actions.sendCommand(plan.plan_id, "cancel"),
      }),
      button({
        label: busy === "confirm" ? t("plan.confirming") : confirmLabel(plan), icon: grave ? "octagon-alert" : "check",
        kind: grave ? "confirm grave" : "confirm", hook: "confirm", disabled: shut,
        press: () => actions.sendCommand(plan.plan_id, "confirm"),
      }),
    ];
  }

  /**
   * @param {string} planId
   * @param {string} busy
   */
  function stop(planId, busy) {
    return [
      button({
        label: t(busy === "cancel" ? "plan.stopping" : "plan.stop"), icon: "square", kind: "stop", hook: "stop",
        disabled: busy === "cancel", press: () => actions.sendCommand(planId, "cancel"),
      }),
    ];
  }
  return { node, update };
}

/** @param {PlanState} state */
function currentStep(state) {
  const all = steps(state);
  const at = all.findIndex((view) => view.status === "running");
  return { all, at: at < 0 ? all.filter((view) => view.status === "completed").length - 1 : at };
}

/** @param {PlanState} state */
function progressKey(state) {
  return `${stopping(state)} ${prompt(state)?.prompt_id ?? ""} ${currentStep(state).at} ${state.events.length > 1}`;
}

/** @param {PlanState} state */
function progress(state) {
  const { all, at } = currentStep(state);
  if (stopping(state)) {
    return [h("span", { class: "dock-progress" }, icon("loader-circle"), h("span", {}, t("plan.stopping"), h("span", { class: "dim" }, ` ${t("plan.stopping_first")}`)))];
  }
  if (prompt(state)) return [h("span", { class: "needs-hand" }, icon("hand"), h("span", {}, t("plan.your_turn")))];
  const title = all[at]?.action.title ?? "";
  const many = all.length > 1;
  const words = at < 0 ? t("plan.starting") : many ? t("plan.running", { n: at + 1, all: all.length }) : title;
  return [h("span", { class: "dock-progress" }, icon("loader-circle"), h("span", {}, words, many && h("span", { class: "dim" }, ` ${title}`)))];
}
