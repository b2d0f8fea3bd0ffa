/**
 * A plan in the conversation: what it changes, how it goes, how it ended. It has three faces (asked, under way, settled)
 * and keeps the one that happened: a settled card folds to its outcome and opens again. What is to be done by hand never
 * folds away.
 *
 * @import {PlanRow} from "../timeline.js"
 * @import {Actions} from "../app.js"
 * @import {IconName} from "../icons.js"
 * @import {ExecutionPlan, PlanState} from "../types.js"
 */
import { now } from "../api.js";
import { button, direction, h, section } from "../dom.js";
import { t } from "../i18n/format.js";
import { icon } from "../icons.js";
import { commandError } from "../unsent_command.js";
import { headline, risk, rollingBack, running, planStatus, waitsForSignIn } from "../plan_view_model.js";
import { settled } from "../store.js";
import { countTo } from "../countdown.js";
import { promptForm } from "./prompt.js";
import { stepList } from "./steps.js";

/** How long a card stays open after its plan has ended while the operator watched, in milliseconds. */
const FOLDS_AFTER = 1500;

/** @type {Record<string, IconName>} */
export const MARKS = {
  ask: "circle", run: "loader-circle", good: "check", bad: "triangle-alert", gone: "minus", hand: "hand",
};

/** @param {Actions} actions */
export function planCard(actions) {
  const mark = h("span", { class: "card-mark" });
  const title = h("span", { class: "card-title", dir: "auto" });
  const status = h("span", { class: "card-status" });
  const summary = h("summary", { class: "card-head" }, mark, h("span", { class: "card-words" }, title, status), icon("chevron-down"));
  const steps = stepList(actions);
  const marks = h("div", { class: "card-risks", hidden: true });
  const foot = h("div", { class: "card-foot" });
  const body = h("div", { class: "card-body" }, steps.node, marks, foot);
  const fold = h("details", { class: "card-fold", open: true }, summary, body);
  const asks = promptForm(actions);
  const hand = h("div", { class: "card-part", hidden: true });
  const report = h("div", { class: "card-part card-report", hidden: true });
  const notice = h("div", { class: "card-part card-notice", hidden: true });
  const undo = h("div", { class: "card-part card-undo", hidden: true });
  const node = h("article", { class: "card", "aria-live": "off" }, fold, asks.node, hand, report, notice, undo);
  let first = true;
  let folded = false;
  let timer = 0;

  /** @param {boolean} at_once */
  function foldAway(at_once) {
    folded = true;
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (!body.contains(document.activeElement)) fold.open = false;
    }, at_once ? 0 : FOLDS_AFTER);
    if (at_once) fold.open = false;
  }

  /** @param {PlanRow} row */
  function update({ planId, state }) {
    const plan = state.plan;
    node.dataset["plan"] = planId;
    if (!plan) {
      title.textContent = t("plan.loading");
      section(mark, "loading", () => icon("loader-circle"));
      return;
    }
    const { key, tone } = planStatus(state);
    const over = settled(plan) && !rollingBack(state);
    node.dataset["status"] = plan.status;
    node.dataset["tone"] = tone;
    node.toggleAttribute("data-over", over);
    title.textContent = headline(plan);
    status.textContent = t(key);
    node.setAttribute("aria-label", `${t("plan.label")}: ${headline(plan)}`);
    section(mark, tone, () => icon(MARKS[tone] ?? "circle"));
    steps.update(state);
    showRisks(marks, plan, over);
    section(foot, planId, () =>
      button({ label: t("head.details"), icon: "panel-right", kind: "plain", hook: "details", press: () => actions.openDebugDrawer(planId) }));
    asks.update(planId, state);
    showSignIn(hand, state, actions);
    showReport(report, plan);
    showNotice(notice, state);
    showUndo(undo, state, actions, () => showNotice(notice, state));
    if (over && !folded) foldAway(first);
    if (!over && folded) {
      folded = false;
      fold.open = true;
    }
    first = false;
  }
  return { node, update };
}

/**
 * @param {HTMLElement} into
 * @param {ExecutionPlan} plan
 * @param {boolean} over
 */
function showRisks(into, plan, over) {
  const { high, final } = risk(plan);
  section(into, over || plan.actions.length < 2 ? "" : `${high} ${final}`, () => (over || plan.actions.length < 2 || !final ? [] : riskMarks(plan)));
}

/**
 * That a plan is dangerous, or cannot be undone: an icon and text, never a colour alone.
 * @param {ExecutionPlan} plan
 */
export function riskMarks(plan) {
  const { high, final } = risk(plan);
  return [
    high && h("span", { class: "risk" }, icon("octagon-alert"), t("plan.high_risk")),
    final && h("span", { class: "risk" }, icon("triangle-alert"), t(final)),
  ].filter((one) => one instanceof HTMLElement);
}

/**
 * @param {HTMLElement} into
 * @param {PlanState} state
 * @param {Actions} actions
 */
function showSignIn(into, state, actions) {
  const waits = waitsForSignIn(state);
  const words = state.events.findLast((event) => event.kind === "sign_in_needed")?.text ?? t("status.waiting_for_sign_in");
  section(into, waits ? words : "", () =>
    waits ? [h("p", { class: "needs-hand" }, icon("hand"), h("span", {}, words)),
      button({ label: t("out.button"), icon: "log-in", kind: "confirm", hook: "sign-in", press: actions.signIn })] : []);
}

/**
 * What became of each step that was undone, and what is left for a person.
 * @param {HTMLElement} into
 * @param {ExecutionPlan} plan
 */
function showReport(into, plan) {
  const report = plan.rollback_report;
  const decisions = plan.decisions ?? [];
  section(into, report || decisions.length > 0 ? JSON.stringify([report, decisions]) : "", () => {
    const rows = report?.steps ?? [];
    const manual = report?.manual_steps ?? [];
    return [
      rows.length > 0 && h("details", { class: "report", open: report?.outcome === "partial" },
        h("summary", {}, h("span", {}, t("reversal.title")), icon("chevron-down")),
        h("ul", { class: "report-rows" }, rows.map((row) =>
          h("li", { "data-outcome": row.outcome },
            h("span", { class: "report-outcome" }, icon(OUTCOMES[row.outcome] ?? "minus"), t(`reversal.${row.outcome}`)),
            h("span", { class: "report-words", dir: direction(row.message) }, row.message))))),
      manual.length > 0 && h("div", { class: "manual", role: "group", "aria-label": t("manual.title") },
        h("p", { class: "manual-title" }, icon("hand"), t("manual.title")),
        h("ol", {}, manual.map((step) => h("li", { dir: direction(step) }, step)))),
      ...decisions.map((decision) => h("p", { class: "decided", dir: direction(decision.by) }, t(`decided.${decision.decision}`, { step: decision.step ?? "", by: decision.by }))),
    ];
  });
}

/** @type {Record<string, IconName>} */
const OUTCOMES = { reversed: "undo-2", failed: "triangle-alert", irreversible: "triangle-alert", not_needed: "minus" };

/**
 * The plan's notice, and the error of an undo or an answer.
 * @param {HTMLElement} into
 * @param {PlanState} state
 */
function showNotice(into, state) {
  const { plan, command } = state;
  // Of one that was cut off more may have been done than was ever shown: its notice says so.
  const behind = plan?.stale && !(settled(plan) && plan.notice);
  const messages = [plan?.notice, command?.kind === "undo" || command?.kind === "answer" ? commandError(state) : null, behind ? t("plan.stale") : null];
  const texts = [...new Set(messages.filter((one) => !!one))];
  section(into, texts.join("\n"), () => texts.map((text) => h("p", { class: "trouble" }, icon("triangle-alert"), h("span", { dir: direction(text ?? "") }, text))));
}

/**
 * @param {HTMLElement} into
 * @param {PlanState} state
 * @param {Actions} actions
 * @param {() => void} over  Called when it is too late
 */
function showUndo(into, state, actions, over) {
  const plan = state.plan;
  const until = plan?.undo_until;
  const open = plan?.status === "completed" && until && Date.parse(until) > now() && !rollingBack(state) && !running(state);
  const busy = state.command?.kind === "undo" && state.command.state === "sending";
  section(into, open ? `${until} ${busy}` : "", () => {
    if (!open || !plan) return [];
    const left = h("span", { class: "countdown", role: "timer" });
    countTo(left, until, (time) => t("undo.left", { left: time }), () => {
      section(into, "", () => []);
      over();
    });
    return [
      button({
        label: t(busy ? "undo.busy" : "undo.button"), icon: "undo-2", hook: "undo", disabled: busy,
        press: () => actions.sendCommand(plan.plan_id, "undo"),
      }),
      left,
    ];
  });
}

