/**
 * The API calls for usage reports and modes.
 *
 * @typedef {{name: string, calls: number, turns: number, input_tokens: number, cached_tokens: number,
 *   output_tokens: number, latency_ms: number|null, cost_usd: number|null, unpriced_calls: number,
 *   multiplier: number|null, critiques: number, critique_rate: number|null}} UsageRow
 * @typedef {{name: string, plans: number, planning_accuracy: number|null, execution_success: number|null,
 *   clarification_rate: number|null, median_seconds_to_confirm: number|null, rollback_frequency: number|null}} PlanRow
 * @typedef {{action: string, attempted: number, failed: number, failure_rate: number}} ActionRow
 * @typedef {{by: string, since: string, until: string, usage: UsageRow[], total: UsageRow, plans: PlanRow[],
 *   all_plans: PlanRow, actions: ActionRow[]}} Report
 * @typedef {"standard"|"adaptive"} Mode
 * @typedef {{kind: "venue"|"tariff", name: string, mode: Mode, default: Mode, toggled: Mode|null, tariff: string, tariff_known: boolean,
 *   multiplier: number|null, by: string, at: string|null}} ModeRow
 * @typedef {{at: string, by: string, kind: string, name: string, before: Mode|null, after: Mode|null}} ModeChange
 * @typedef {{rows: ModeRow[], changes: ModeChange[]}} Modes
 */
import { call } from "../api.js";

/** In milliseconds: a report over a long time takes its own. */
const TIMEOUT = 15_000;

/**
 * @param {Record<string, string>} chosen
 * @returns {Promise<Report>}
 */
export async function getUsage(chosen) {
  return (await call(`../v1/usage?${new URLSearchParams(chosen)}`, { timeout: TIMEOUT })).body;
}

/** @returns {Promise<Modes>} */
export async function getModes() {
  return (await call("../v1/modes", { timeout: TIMEOUT })).body;
}

/**
 * @param {ModeRow} row
 * @param {string|null} mode
 * @returns {Promise<Modes>}
 */
export async function setMode(row, mode) {
  const path = `../v1/modes/${row.kind}/${encodeURIComponent(row.name)}`;
  return (await call(path, { method: "PUT", body: { mode }, timeout: TIMEOUT })).body;
}
