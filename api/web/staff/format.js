/**
 * Number and time formats. An unknown value is shown as unknown, not as zero.
 */

import { language, t } from "../i18n/format.js";

/**
 * @param {number} value
 * @param {number} digits
 */
function decimal(value, digits) {
  return value.toLocaleString(language(), { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** @param {number|null} share */
export function percent(share) {
  return share === null ? "–" : `${Math.round(share * 100)} %`;
}

/** @param {number} value */
export function count(value) {
  return value.toLocaleString(language());
}

/**
 * @param {number|null} value
 * @param {number} [digits]
 */
export function number(value, digits = 2) {
  return value === null ? "–" : decimal(value, digits);
}

/** @param {{cost_usd: number|null, unpriced_calls: number}} row */
export function cost(row) {
  if (row.cost_usd === null) return t("usage.unknown");
  const dollars = `$${decimal(row.cost_usd, row.cost_usd < 1 ? 4 : 2)}`;
  return row.unpriced_calls ? `${dollars} + ?` : dollars;
}

/** @param {number|null} seconds */
export function seconds(seconds) {
  if (seconds === null) return "–";
  return seconds < 120 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;
}

/** @param {string|null} at  An instant, ISO 8601 */
export function moment(at) {
  return at === null ? "" : `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`;
}
