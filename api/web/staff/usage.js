/**
 * What was used, what it cost, and how plans went. `docs/ledger.md` defines every figure.
 *
 * @import {ActionRow, Report, UsageRow} from "./asking.js"
 */
import { h } from "../dom.js";
import { bars } from "./charts.js";
import { cost, count, number, percent, seconds } from "./figures.js";

/**
 * @param {Report} report
 * @returns {HTMLElement[]}
 */
export function usageParts(report) {
  const plans = report.all_plans, total = report.total;
  return [
    h("dl", { class: "tiles" },
      tile("Model calls", count(total.calls), `${count(total.turns)} messages`),
      tile("Cost", cost(total), total.unpriced_calls ? `${count(total.unpriced_calls)} calls of unknown price` : "all prices known"),
      tile("Critique rate", percent(total.critique_rate), `${count(total.critiques)} messages judged`),
      tile("Planning accuracy", percent(plans.planning_accuracy), "confirmed as drafted"),
      tile("Execution success", percent(plans.execution_success), "of confirmed plans that ended"),
      tile("Clarification rate", number(plans.clarification_rate), "questions a plan"),
      tile("Time to confirm", seconds(plans.median_seconds_to_confirm), "median, from the request"),
      tile("Rollback frequency", percent(plans.rollback_frequency), "of plans that ran"),
    ),
    h("div", { class: "charts" }, ...charts(report)),
    rows(report),
  ];
}

/** @param {Report} report */
function charts(report) {
  const used = report.usage;
  const of = (/** @type {(row: UsageRow) => number|null} */ value, /** @type {(row: UsageRow) => string} */ figure) =>
    used.map((row) => ({ name: row.name, values: [value(row)], figure: figure(row) }));
  const tokens = used.map((row) => ({
    name: row.name,
    values: [row.input_tokens - row.cached_tokens, row.cached_tokens, row.output_tokens],
    figure: count(row.input_tokens + row.output_tokens),
  }));
  return [
    bars("Tokens", tokens, { parts: ["input", "input that was cached", "output"] }),
    bars("Cost in US dollars", of((row) => row.cost_usd, cost)),
    bars("Critique rate", of((row) => row.critique_rate, (row) => percent(row.critique_rate)), { most: 1 }),
    bars("Multiplier", of((row) => row.multiplier, (row) => `× ${number(row.multiplier)}`)),
    bars("Failure rate by action", report.actions.map(failing), { most: 1 }),
  ];
}

/** @param {ActionRow} row */
function failing(row) {
  return { name: row.action, values: [row.failure_rate], figure: `${row.failed} of ${row.sent}` };
}

/** @param {Report} report */
function rows(report) {
  const head = ["Plans", "Accuracy", "Success", "Questions", "To confirm", "Rolled back"];
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Plans" },
    h("table", {},
      h("caption", {}, `Plans by ${report.by}`),
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, report.by), ...head.map((one) => h("th", { scope: "col", class: "count" }, one)))),
      h("tbody", {}, ...report.plans.map((row) => h("tr", {},
        h("th", { scope: "row" }, row.name),
        ...[count(row.plans), percent(row.planning_accuracy), percent(row.execution_success), number(row.clarification_rate),
          seconds(row.median_seconds_to_confirm), percent(row.rollback_frequency)].map((one) => h("td", { class: "count" }, one)),
      ))),
    ),
  );
}

/**
 * @param {string} name
 * @param {string} figure
 * @param {string} beside
 */
function tile(name, figure, beside) {
  return h("div", { class: "tile" }, h("dt", {}, name), h("dd", {}, figure, h("small", {}, beside)));
}
