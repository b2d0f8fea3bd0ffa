/**
 * The rows of the conversation: one small function a kind. Each gives a node and a way to bring it up to date.
 *
 * @import {Row, SaidRow, ToldRow, LookingRow, DateRow} from "../timeline.js"
 * @import {Deeds} from "../app.js"
 */
import { button, direction, h, section } from "../dom.js";
import { icon } from "../icons.js";
import { dayName, dayOf, shifted, t } from "../i18n/words.js";
import { now } from "../api.js";
import { planCard } from "./plan_card.js";
import { runCard } from "./run_card.js";

/**
 * @param {Row} first
 * @param {Deeds} deeds
 * @returns {{node: HTMLElement, update: (row: any) => void}}
 */
export function rowOf(first, deeds) {
  const made = {
    said: () => said(deeds), told: () => told(deeds), plan: () => planCard(deeds), run: () => runCard(deeds), looking, date,
  }[first.kind]();
  const node = h("div", { class: `row row-${first.kind}`, "data-row": first.kind, "data-key": first.key }, made.node);
  return { node, update: made.update };
}

/**
 * Whether a row would look as it does.
 * @param {Row} a
 * @param {Row} b
 */
export function sameRow(a, b) {
  if (a.kind === "plan" && b.kind === "plan") return a.state === b.state;
  if (a.kind === "said" && b.kind === "said") return a.text === b.text && a.outgoing === b.outgoing;
  if (a.kind === "told" && b.kind === "told") return a.text === b.text && a.tone === b.tone && a.actions === b.actions && a.reference === b.reference;
  if (a.kind === "run" && b.kind === "run") return a.entries.length === b.entries.length;
  if (a.kind === "looking" && b.kind === "looking") return a.text === b.text;
  return a.kind === b.kind;
}

/** @param {Deeds} deeds */
function said(deeds) {
  const text = h("p", { class: "bubble-text", dir: "auto" });
  const meta = h("div", { class: "bubble-meta", hidden: true });
  const node = h("div", { class: "said" }, h("div", { class: "bubble" }, h("span", { class: "unseen" }, `${t("said.you")}: `), text), meta);
  /** @param {SaidRow} row */
  function update(row) {
    if (text.textContent !== row.text) text.textContent = row.text;
    const failed = row.outgoing?.state === "failed" ? row.outgoing : null;
    node.classList.toggle("not-sent", !!failed);
    section(meta, failed ? `${failed.request_id} ${failed.message}` : "", () =>
      failed
        ? [
            h("p", { class: "trouble" }, icon("triangle-alert"), h("span", {}, failed.message ?? t("send.unexpected"))),
            h("div", { class: "taps" },
              button({ label: t("said.again"), icon: "rotate-ccw", kind: "hand", hook: "again", press: () => deeds.again(failed) }),
              button({ label: t("said.drop"), hook: "leave", press: () => deeds.leave(failed) })),
          ]
        : []);
  }
  return { node, update };
}

/** @param {Deeds} deeds */
function told(deeds) {
  const mark = h("div", { class: "told-mark", hidden: true });
  const text = h("p", { class: "bubble-text" });
  const taps = h("div", { class: "taps", hidden: true });
  const who = h("span", { class: "unseen" });
  const node = h("div", { class: "told" }, h("div", { class: "bubble" }, who, mark, text), taps);
  /** @param {ToldRow} row */
  function update(row) {
    if (text.textContent !== row.text) [text.textContent, text.dir] = [row.text, direction(row.text)];
    node.dataset["tone"] = row.tone;
    who.textContent = `${t(row.tone === "person" ? "said.person" : "said.assistant")}: `;
    section(mark, `${row.tone} ${row.reference ?? ""}`, () => {
      if (row.tone === "handed") {
        const words = row.reference ? t("said.handed_as", { reference: row.reference }) : t("said.handed");
        return [icon("hand"), h("span", {}, words)];
      }
      if (row.tone === "person") return [icon("users"), h("span", {}, t("said.person"))];
      if (row.tone === "lapsed") return [icon("clock"), h("span", {}, t("said.lapsed"))];
      return row.tone === "error" ? [icon("triangle-alert")] : [];
    });
    section(taps, JSON.stringify(row.actions), () =>
      row.actions.map((action) =>
        button({ label: action.label, kind: "tap", hook: `say:${action.say}`, press: () => deeds.say(action.say) })));
  }
  return { node, update };
}

function looking() {
  const text = h("span", {});
  const node = h("div", { class: "looking" }, text);
  /** @param {LookingRow} row */
  const update = (row) => {
    if (text.textContent !== row.text) text.textContent = row.text;
  };
  return { node, update };
}

function date() {
  const node = h("div", { class: "date" }, h("span", {}));
  /** @param {DateRow} row */
  const update = (row) => {
    const today = dayOf(now());
    const name = dayName(row.day, today);
    const words = row.day === today ? t("said.today") : row.day === shifted(today, -1) ? t("said.yesterday") : name;
    /** @type {HTMLElement} */ (node.firstElementChild).textContent = words;
  };
  return { node, update };
}
