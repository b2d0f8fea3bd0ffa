/**
 * In which mode tariffs and venues are served, and the switch.
 *
 * @import {ModeRow, Modes} from "./asking.js"
 */
import { h } from "../dom.js";
import { moment, number } from "./figures.js";

/**
 * @param {Modes} modes
 * @param {(row: ModeRow, mode: string|null) => void} turn
 * @returns {HTMLElement[]}
 */
export function modeParts(modes, turn) {
  const of = (/** @type {string} */ kind) => modes.rows.filter((row) => row.kind === kind);
  return [
    h("div", { class: "two" },
      h("p", {}, h("strong", {}, "Standard"), ": one call with all that is known of the venue. Fast; it relies on what the model reasons by itself."),
      h("p", {}, h("strong", {}, "Adaptive"), ": a short call in which the model says how sure it is. It gets more to read only where it asks for it, and a second call judges what is risky or unsure. Mostly cheaper, and safer."),
    ),
    table("Tariffs", of("tariff"), turn),
    table("Venues", of("venue"), turn),
    trail(modes),
  ];
}

/**
 * @param {string} title
 * @param {ModeRow[]} rows
 * @param {(row: ModeRow, mode: string|null) => void} turn
 */
function table(title, rows, turn) {
  const head = ["Name", "Mode", title === "Venues" ? "Tariff" : "Multiplier", "Switched"];
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": title },
    h("table", {},
      h("caption", {}, title),
      h("thead", {}, h("tr", {}, ...head.map((one) => h("th", { scope: "col" }, one)))),
      h("tbody", {}, ...rows.map((row) => h("tr", {},
        h("td", {}, row.name),
        h("td", {}, choice(row, turn)),
        h("td", {}, title === "Venues" ? row.tariff || "none" : `× ${number(row.multiplier)}`),
        h("td", {}, row.toggled ? `${row.by}, ${moment(row.at)}` : ""),
      ))),
    ),
  );
}

/**
 * @param {ModeRow} row
 * @param {(row: ModeRow, mode: string|null) => void} turn
 */
function choice(row, turn) {
  const why = row.kind === "venue" ? "as its tariff says" : "as its file says";
  /** @type {[string, string][]} */
  const ways = [["", `${row.default}, ${why}`], ["standard", "standard"], ["adaptive", "adaptive"]];
  const picked = row.toggled ?? "";
  return h("select",
    {
      "aria-label": `Mode of the ${row.kind} ${row.name}`, "data-do": `${row.kind}-${row.name}`,
      onchange: (/** @type {Event} */ event) => turn(row, /** @type {HTMLSelectElement} */ (event.target).value || null),
    },
    ...ways.map(([value, words]) => h("option", { value, selected: value === picked }, words)),
  );
}

/** @param {Modes} modes */
function trail(modes) {
  if (modes.changes.length === 0) return h("p", { class: "dim" }, "Nothing was switched yet.");
  const head = ["When", "Who", "What", "From", "To"];
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "What was switched" },
    h("table", {},
      h("caption", {}, "What was switched"),
      h("thead", {}, h("tr", {}, ...head.map((one) => h("th", { scope: "col" }, one)))),
      h("tbody", {}, ...modes.changes.map((one) => h("tr", {},
        h("td", {}, moment(one.at)), h("td", {}, one.by), h("td", {}, `${one.kind} ${one.name}`),
        h("td", {}, one.before ?? "default"), h("td", {}, one.after ?? "default"),
      ))),
    ),
  );
}
