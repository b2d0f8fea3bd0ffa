/**
 * Editing the values of a step in place. What the operator types here counts like any other message: the server
 * drafts a new plan from it, which replaces the old one.
 *
 * @import {Actions} from "../app.js"
 * @import {Field} from "../plan_view_model.js"
 * @import {EditedValue, PlannedAction} from "../types.js"
 */
import { button, h } from "../dom.js";
import { clockTime, dayName, t } from "../i18n/format.js";
import { editableFields, parameterLabel } from "../plan_view_model.js";

let made = 0;

/**
 * @param {string} planId
 * @param {PlannedAction} action
 * @param {Actions} actions
 * @param {() => void} close
 */
export function editor(planId, action, actions, close) {
  const rows = editableFields(action).map((field) => ({ field, input: inputOf(field) }));
  const note = h("p", { class: "field-note", role: "status" });
  return h("form", { class: "editor", "data-do": "editor", onsubmit: save, onkeydown: (/** @type {KeyboardEvent} */ event) => event.key === "Escape" && close() },
    rows.map(({ field, input }) => {
      input.id = `edit-${++made}`;
      return h("div", { class: "edit-field" }, h("label", { for: input.id }, parameterLabel(field.parameter, action)), input);
    }),
    note,
    h("div", { class: "taps" },
      h("button", { type: "submit", class: "button hand", "data-do": "save" }, h("span", { class: "button-words" }, t("edit.save"))),
      button({ label: t("edit.cancel"), hook: "leave", press: close })));

  /** @param {SubmitEvent} event */
  function save(event) {
    event.preventDefault();
    /** @type {EditedValue[]} */
    const values = [];
    const words = [];
    for (const { field, input } of rows) {
      const value = valueOf(field, input);
      if (value === null || value === field.value) continue;
      values.push({ step: field.step, parameter: field.parameter, value });
      words.push(t("edit.says", { name: parameterLabel(field.parameter, action), value: displayValue(field, value) }));
    }
    if (values.length === 0) {
      note.textContent = t("edit.same");
      return;
    }
    close();
    actions.sendMessage(words.join("; "), { plan_id: planId, values });
  }
}

/**
 * @param {Field} field
 * @returns {HTMLInputElement|HTMLTextAreaElement|HTMLSelectElement}
 */
function inputOf({ parameter, value, shape }) {
  const common = { name: parameter, autocomplete: "off" };
  if (shape === "yes_no") {
    const options = [true, false].map((one) => h("option", { value: one, selected: one === value }, t(one ? "edit.yes" : "edit.no")));
    return h("select", common, options);
  }
  if (shape === "long") return h("textarea", { ...common, rows: 3 }, String(value));
  const types = { date: "date", time: "time", number: "number", text: "text" };
  const made = h("input", { ...common, type: types[shape], required: shape !== "text" });
  if (shape === "number") {
    made.inputMode = Number.isInteger(value) ? "numeric" : "decimal";
    made.step = Number.isInteger(value) ? "1" : "any";
  }
  made.value = String(value);
  return made;
}

/**
 * @param {Field} field
 * @param {HTMLInputElement|HTMLTextAreaElement|HTMLSelectElement} input
 * @returns {string|number|boolean|null}
 */
function valueOf({ shape }, input) {
  const typed = input.value.trim();
  if (shape === "yes_no") return typed === "true";
  if (shape === "number") return typed === "" ? null : Number(typed);
  return typed;
}

/**
 * @param {Field} field
 * @param {string|number|boolean} value
 */
function displayValue({ shape }, value) {
  if (typeof value === "boolean") return t(value ? "edit.yes" : "edit.no");
  if (shape === "date") return dayName(String(value), "");
  return shape === "time" ? clockTime(String(value)) : String(value);
}
