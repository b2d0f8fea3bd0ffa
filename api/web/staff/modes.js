/**
 * In which mode tariffs and venues are served, and the switch.
 *
 * @import {ModeRow, Modes} from "./api_usage.js"
 */
import { h } from "../dom.js";
import { t } from "../i18n/format.js";
import { moment, number } from "./format.js";

/**
 * @param {Modes} modes
 * @param {(row: ModeRow, mode: string|null) => void} setMode
 * @returns {HTMLElement[]}
 */
export function modeParts(modes, setMode) {
  const of = (/** @type {string} */ kind) => modes.rows.filter((row) => row.kind === kind);
  return [
    h("div", { class: "two" },
      h("p", {}, h("strong", {}, t("modes.standard_name")), t("modes.standard")),
      h("p", {}, h("strong", {}, t("modes.adaptive_name")), t("modes.adaptive")),
    ),
    table("tariff", of("tariff"), setMode),
    table("venue", of("venue"), setMode),
    changeLog(modes),
  ];
}

/**
 * @param {"tariff"|"venue"} kind
 * @param {ModeRow[]} rows
 * @param {(row: ModeRow, mode: string|null) => void} setMode
 */
function table(kind, rows, setMode) {
  const title = t(`modes.${kind}s`);
  const head = ["name", "mode", kind === "venue" ? "tariff" : "multiplier", "switched"].map((one) => t(`modes.${one}`));
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": title },
    h("table", {},
      h("caption", {}, title),
      h("thead", {}, h("tr", {}, ...head.map((one) => h("th", { scope: "col" }, one)))),
      h("tbody", {}, ...rows.map((row) => h("tr", {},
        h("td", {}, row.name),
        h("td", {}, choice(row, setMode)),
        h("td", {}, kind === "venue" ? row.tariff || t("modes.none") : `× ${number(row.multiplier)}`),
        h("td", {}, row.toggled ? `${row.by}, ${moment(row.at)}` : ""),
      ))),
    ),
  );
}

/**
 * @param {ModeRow} row
 * @param {(row: ModeRow, mode: string|null) => void} setMode
 */
function choice(row, setMode) {
  const tariff = row.tariff && row.tariff_known ? "modes.by_tariff" : "modes.by_none";
  const own = t(row.kind === "venue" ? tariff : "modes.by_file", { mode: row.default });
  /** @type {[string, string][]} */
  const ways = [["", own], ["standard", "standard"], ["adaptive", "adaptive"]];
  const picked = row.toggled ?? "";
  return h("select",
    {
      "aria-label": t(`modes.of_${row.kind}`, { name: row.name }), "data-do": `${row.kind}-${row.name}`,
      onchange: (/** @type {Event} */ event) => setMode(row, /** @type {HTMLSelectElement} */ (event.target).value || null),
    },
    ...ways.map(([value, words]) => h("option", { value, selected: value === picked }, words)),
  );
}

/** @param {Modes} modes */
function changeLog(modes) {
  if (modes.changes.length === 0) return h("p", { class: "dim" }, t("modes.trail_none"));
  const head = ["when", "who", "what", "was", "is"].map((one) => t(`modes.${one}`));
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": t("modes.trail") },
    h("table", {},
      h("caption", {}, t("modes.trail")),
      h("thead", {}, h("tr", {}, ...head.map((one) => h("th", { scope: "col" }, one)))),
      h("tbody", {}, ...modes.changes.map((one) => h("tr", {},
        h("td", {}, moment(one.at)), h("td", {}, one.by), h("td", {}, t(`modes.${one.kind}_named`, { name: one.name })),
        h("td", {}, one.before ?? t("modes.default")), h("td", {}, one.after ?? t("modes.default")),
      ))),
    ),
  );
}
