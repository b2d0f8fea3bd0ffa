/**
 * What was used, what it cost, and how plans went. `docs/ledger.md` defines every figure.
 *
 * @import {ActionRow, Report, UsageRow} from "./api_usage.js"
 */
import { h } from "../dom.js";
import { t } from "../i18n/format.js";
import { bars } from "./charts.js";
import { cost, count, number, percent, seconds } from "./format.js";

/**
 * @param {Report} report
 * @returns {HTMLElement[]}
 */
export function usageParts(report) {
  const plans = report.all_plans, total = report.total;
  return [
    h("dl", { class: "tiles" },
      tile(t("usage.calls"), count(total.calls), countText("usage.turns", total.turns)),
      tile(t("usage.cost"), cost(total), total.unpriced_calls ? countText("usage.unpriced", total.unpriced_calls) : t("usage.all_priced")),
      tile(t("usage.critique_rate"), percent(total.critique_rate), countText("usage.judged", total.critiques)),
      tile(t("usage.accuracy"), percent(plans.planning_accuracy), t("usage.accuracy_means")),
      tile(t("usage.success"), percent(plans.execution_success), t("usage.success_means")),
      tile(t("usage.questions"), number(plans.clarification_rate), t("usage.questions_means")),
      tile(t("usage.confirm"), seconds(plans.median_seconds_to_confirm), t("usage.confirm_means")),
      tile(t("usage.rollback"), percent(plans.rollback_frequency), t("usage.rollback_means")),
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
    bars(t("usage.tokens"), tokens, { parts: [t("usage.input"), t("usage.cached"), t("usage.output")] }),
    bars(t("usage.dollars"), of((row) => row.cost_usd, cost)),
    bars(t("usage.critique_rate"), of((row) => row.critique_rate, (row) => percent(row.critique_rate)), { most: 1 }),
    bars(t("usage.multiplier"), of((row) => row.multiplier, (row) => `× ${number(row.multiplier)}`)),
    bars(t("usage.failures"), report.actions.map(failing), { most: 1 }),
  ];
}

/** @param {ActionRow} row */
function failing(row) {
  return { name: row.action, values: [row.failure_rate], figure: t("usage.of", { n: count(row.failed), all: count(row.attempted) }) };
}

/** @param {Report} report */
function rows(report) {
  const head = ["plans", "col_accuracy", "col_success", "col_questions", "col_confirm", "col_rollback"].map((one) => t(`usage.${one}`));
  const by = t(`usage.by_${report.by}`);
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": t("usage.plans") },
    h("table", {},
      h("caption", {}, t("usage.plans_by", { by })),
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, by), ...head.map((one) => h("th", { scope: "col", class: "count" }, one)))),
      h("tbody", {}, ...report.plans.map((row) => h("tr", {},
        h("th", { scope: "row" }, row.name),
        ...[count(row.plans), percent(row.planning_accuracy), percent(row.execution_success), number(row.clarification_rate),
          seconds(row.median_seconds_to_confirm), percent(row.rollback_frequency)].map((one) => h("td", { class: "count" }, one)),
      ))),
    ),
  );
}

/**
 * How many of something, with the number as the language writes it.
 * @param {string} key
 * @param {number} n
 */
function countText(key, n) {
  return t(key, { n }).replace(String(n), count(n));
}

/**
 * @param {string} name
 * @param {string} figure
 * @param {string} beside
 */
function tile(name, figure, beside) {
  return h("div", { class: "tile" }, h("dt", {}, name), h("dd", {}, figure, h("small", {}, beside)));
}
