/**
 * The steps of a plan: what each changes, before → after, and how it goes while it is carried out.
 *
 * @import {Actions} from "../app.js"
 * @import {IconName} from "../icons.js"
 * @import {StepView} from "../plan_view_model.js"
 * @import {PlanState, PreviewLine} from "../types.js"
 */
import { button, direction, h, keyed, section } from "../dom.js";
import { duration, t } from "../i18n/format.js";
import { icon } from "../icons.js";
import { editableFields, steps } from "../plan_view_model.js";
import { hasStepsLeftWithout, skippable } from "../skip_rule.js";
import { countUp } from "../countdown.js";
import { editor } from "./editor.js";

/** How many lines of progress are shown before the operator opens all of them. */
const LINES = 3;

/** @type {Record<string, IconName>} */
const MARKS = {
  running: "loader-circle", completed: "check", failed: "x", unknown: "circle-question-mark", skipped: "minus",
  reversed: "undo-2",
};

/** @typedef {{key: string, view: StepView, plan: PlanState, skippable: boolean, goesOn: boolean}} StepRow */

/** @param {Actions} actions */
export function stepList(actions) {
  const node = h("ol", { class: "steps" });
  const held = new Map();
  /** @param {PlanState} state */
  function update(state) {
    const views = steps(state);
    const may = skippable(state);
    const all = views.map(({ action, status }) => ({ ...action, status }));
    node.classList.toggle("alone", views.length === 1);
    /** @type {StepRow[]} */
    const rows = views.map((view) => ({ key: String(view.action.step), view, plan: state, skippable: may.has(view.action.step), goesOn: hasStepsLeftWithout(view.action, all) }));
    keyed(node, rows, held, (row) => step(row, actions), () => false);
  }
  return { node, update };
}

/**
 * @param {StepRow} first
 * @param {Actions} actions
 */
function step(first, actions) {
  const mark = h("span", { class: "step-mark" });
  const title = h("span", { class: "step-title" });
  const facts = h("span", { class: "step-facts", hidden: true });
  const pencil = h("span", { class: "step-pencil", hidden: true });
  const condition = h("p", { class: "step-condition", hidden: true, dir: "auto" });
  const skip = h("div", { class: "step-skip", hidden: true });
  const lines = h("ul", { class: "preview", hidden: true });
  const progress = h("div", { class: "progress", hidden: true });
  const message = h("p", { class: "step-message", hidden: true });
  const form = h("div", { class: "step-edit", hidden: true });
  const node = h("li", { class: "step", "data-step": first.view.action.step },
    h("div", { class: "step-head" }, mark, title, facts, pencil), condition, lines, message, progress, skip, form);
  let editing = false;
  /** What the open editor held at first, and whether what was typed since came to nothing. */
  let held = "";
  let lost = false;
  let all = false;
  let last = first;

  /** @param {StepRow} row */
  function update(row) {
    last = row;
    const { view, plan } = row;
    const { action, status } = view;
    const asked = plan.plan?.status === "pending_confirmation" && plan.events.every((event) => event.kind !== "confirmed");
    node.dataset["status"] = status;
    node.toggleAttribute("data-asked", asked);
    if (plan.live.has(action.step)) node.dataset["live"] = "";
    section(mark, asked ? "" : `${status} ${action.step}`, () => stepMark(status, action.step));
    title.textContent = action.title;
    section(facts, `${asked} ${status} ${view.took} ${action.safety_tier} ${action.reversible}`, () => stepFacts(view, asked));
    section(pencil, `${asked && editableFields(action).length > 0 && !hasOpenCommand(plan)} ${editing}`, () => pencilOf(row, asked));
    section(lines, JSON.stringify(action.preview ?? []), () => (action.preview ?? []).map(previewLine));
    const on = status === "pending" || status === "running" ? conditionOf(action, row.goesOn) : "";
    section(condition, on, () => on);
    section(skip, `${row.skippable} ${plan.command?.state === "sending"}`, () => skipOf(row));
    const words = stepMessage(view);
    section(message, words, () => words);
    message.dir = direction(words);
    section(progress, `${status} ${all} ${view.lines.length}`, () => progressOf(view));
    if (!asked && editing) {
      lost = typed(form) !== held;
      editing = false;
    }
    section(form, editing ? `${plan.plan?.plan_id}` : lost ? "lost" : "", () => {
      if (editing && plan.plan) return editor(plan.plan.plan_id, action, actions, () => edit(false));
      return lost ? h("p", { class: "trouble", role: "status" }, icon("triangle-alert"), h("span", {}, t("edit.lost"))) : [];
    });
  }

  /** @param {boolean} open */
  function edit(open) {
    editing = open;
    lost = false;
    update(last);
    if (open) {
      held = typed(form);
      /** @type {HTMLElement|null} */ (form.querySelector("input, textarea, select"))?.focus({ preventScroll: true });
      form.dispatchEvent(new Event("unfold", { bubbles: true }));
    } else /** @type {HTMLElement|null} */ (pencil.querySelector("button"))?.focus();
  }

  /**
   * @param {StepRow} row
   * @param {boolean} asked
   */
  function pencilOf({ view, plan }, asked) {
    if (!asked || hasOpenCommand(plan) || editableFields(view.action).length === 0) return [];
    const made = button({
      label: t("plan.edit_of", { title: view.action.title }), icon: "pencil", bare: true, hook: "edit",
      press: () => edit(!editing),
    });
    made.setAttribute("aria-expanded", String(editing));
    return [made];
  }

  /** @param {StepRow} row */
  function skipOf({ view, plan, skippable: may }) {
    const { action } = view;
    if (!may || !plan.plan || plan.command?.state === "sending") return [];
    const id = plan.plan.plan_id;
    const made = button({
      label: t("plan.skip"), icon: "minus", kind: "plain", hook: "skip",
      press: () => actions.sendCommand(id, "skip", { step: action.step }),
    });
    made.setAttribute("aria-label", t("plan.skip_of", { title: action.title }));
    return [made];
  }

  /** @param {StepView} view */
  function progressOf(view) {
    const { lines, status } = view;
    const going = status === "running";
    if (lines.length === 0 || (!going && lines.length < 2 && !all)) return [];
    const shown = all ? lines : going ? lines.slice(-LINES) : [];
    const hidden = lines.length - shown.length;
    const list = shown.length > 0 && h("ul", { class: `lines${all ? " all" : ""}` }, shown.map((line) => h("li", { dir: direction(line) }, line)));
    return [
      list && all && lines.length > 6 ? h("section", { class: "lines-box", tabindex: 0, "aria-label": view.action.title }, list) : list,
      (hidden > 0 || all) && button({
        label: all ? t("plan.fewer") : t("plan.lines", { n: lines.length }), kind: "plain", hook: "lines",
        press: () => {
          all = !all;
          update(last);
        },
      }),
    ];
  }
  return { node, update };
}

/**
 * Whether a command on a plan is being sent, or has failed with a message.
 * @param {PlanState} plan
 */
function hasOpenCommand({ command }) {
  return !!command && (command.state === "sending" || command.message !== undefined);
}

/** Statuses that the icon shows; their text is for screen readers only. */
const PLAIN = new Set(["pending", "running", "completed"]);

/**
 * How long a step has been going on, once that is longer than every step is shown.
 * @param {string|null} since
 */
function elapsed(since) {
  const node = h("span", { class: "took", "aria-hidden": "true" });
  if (since) countUp(node, since);
  return node;
}

/**
 * What stands in the fields of an editor.
 * @param {HTMLElement} form
 */
function typed(form) {
  /** @type {NodeListOf<HTMLInputElement|HTMLTextAreaElement|HTMLSelectElement>} */
  const found = form.querySelectorAll("input, textarea, select");
  return JSON.stringify([...found].map((one) => one.value));
}

/**
 * @param {string} status
 * @param {number} number
 */
function stepMark(status, number) {
  const found = MARKS[status];
  return found ? icon(found) : h("span", { class: "step-number", "aria-hidden": "true" }, number);
}

/**
 * @param {StepView} view
 * @param {boolean} asked
 */
function stepFacts({ action, status, took, since }, asked) {
  const high = action.safety_tier === "high_risk";
  return [
    high && h("span", { class: "risk" }, icon("octagon-alert"), t("plan.high_risk")),
    !action.reversible && h("span", { class: "risk" }, icon("triangle-alert"), t("plan.final")),
    !asked && h("span", { class: PLAIN.has(status) ? "unseen" : "step-status" }, t(`step.${status}`)),
    status === "running" && elapsed(since),
    took !== null && status !== "running" && h("span", { class: "took", title: t("plan.took", { time: duration(took) }) }, duration(took)),
  ];
}

/**
 * The message of a step; empty where it only repeats that the step is done.
 * @param {StepView} view
 */
function stepMessage({ action, status, message }) {
  if (!message || status === "running" || status === "pending") return "";
  if ((status === "completed" || status === "reversed") && message.startsWith(`${action.title}:`)) return "";
  return message;
}

/**
 * The condition of a step as text; empty for an unconditional step.
 * @param {import("../types.js").PlannedAction} action
 * @param {boolean} goesOn  Whether anything of the plan is left without it
 */
function conditionOf(action, goesOn) {
  return action.when?.text ?? (action.required === false && goesOn ? t("plan.optional") : "");
}

/** @param {PreviewLine} line */
function previewLine(line) {
  const { field, before, after, lasting } = line;
  const known = before !== null && before !== undefined;
  return h("li", { class: "change" },
    h("span", { class: "field" }, field),
    h("span", { class: "values" },
      known && h("del", { class: before ? "before" : "before none", dir: "auto" }, h("span", { class: "unseen" }, `${t("plan.before")}: `), before || t("plan.empty")),
      h("span", { class: "turn" },
        known && icon("arrow-right"),
        h("ins", { class: `after${after ? "" : " none"}${known ? "" : " alone"}`, dir: "auto" }, h("span", { class: "unseen" }, ` ${t("plan.after")}: `), after || t("plan.none_after")))),
    lasting && h("span", { class: "lasting" }, icon("pin"), t("plan.lasting")));
}
