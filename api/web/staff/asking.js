/**
 * What the pages of the staff ask the service. The cookie travels by itself; no script sees it, or keeps the key.
 *
 * @typedef {{name: string, calls: number, turns: number, input_tokens: number, cached_tokens: number,
 *   output_tokens: number, latency_ms: number|null, cost_usd: number|null, unpriced_calls: number,
 *   multiplier: number|null, critiques: number, critique_rate: number|null}} UsageRow
 * @typedef {{name: string, plans: number, planning_accuracy: number|null, execution_success: number|null,
 *   clarification_rate: number|null, median_seconds_to_confirm: number|null, rollback_frequency: number|null}} PlanRow
 * @typedef {{action: string, sent: number, failed: number, failure_rate: number}} ActionRow
 * @typedef {{by: string, since: string, until: string, usage: UsageRow[], total: UsageRow, plans: PlanRow[],
 *   all_plans: PlanRow, actions: ActionRow[]}} Report
 * @typedef {"standard"|"adaptive"} Mode
 * @typedef {{kind: "venue"|"tariff", name: string, mode: Mode, default: Mode, toggled: Mode|null, tariff: string,
 *   multiplier: number|null, by: string, at: string|null}} ModeRow
 * @typedef {{at: string, by: string, kind: string, name: string, before: Mode|null, after: Mode|null}} ModeChange
 * @typedef {{rows: ModeRow[], changes: ModeChange[]}} Modes
 */

const WITHIN = 15_000;

export class AskError extends Error {
  /**
   * @param {string} message
   * @param {number} status
   */
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

/**
 * @param {string} path
 * @param {{method?: string, body?: unknown}} [how]
 * @returns {Promise<any>}
 */
export async function ask(path, how = {}) {
  /** @type {RequestInit} */
  const given = { method: how.method ?? "GET", signal: AbortSignal.timeout(WITHIN), credentials: "same-origin" };
  if (how.body !== undefined) {
    given.body = JSON.stringify(how.body);
    given.headers = { "content-type": "application/json" };
  }
  let response;
  try {
    response = await fetch(path, given);
  } catch {
    throw new AskError("The service does not answer. Try again in a moment.", 0);
  }
  if (response.status === 204) return null;
  const body = await response.json().catch(() => ({}));
  if (!response.ok) throw new AskError(body.error?.message ?? `The service answered ${response.status}.`, response.status);
  return body;
}
