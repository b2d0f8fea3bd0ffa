/**
 * The rows of the conversation: one function per kind of row. Each returns a node and its update function.
 *
 * @import {Row, OperatorRow, AssistantRow, ProgressRow, DateRow} from "../timeline.js"
 * @import {Actions} from "../app.js"
 */
import { button, direction, h, section } from "../dom.js";
import { icon } from "../icons.js";
import { dayName, dayOf, addDays, t } from "../i18n/format.js";
import { now } from "../api.js";
import { planCard } from "./plan_card.js";
import { runCard } from "./run_card.js";

/**
 * @param {Row} first
 * @param {Actions} actions
 * @returns {{node: HTMLElement, update: (row: any) => void}}
 */
export function createRow(first, actions) {
  const made = {
    message: () => operatorMessage(actions), reply: () => assistantMessage(actions), plan: () => planCard(actions), run: () => runCard(actions), looking, date,
  }[first.kind]();
  const node = h("div", { class: `row row-${first.kind}`, "data-row": first.kind, "data-key": first.key }, made.node);
  return { node, update: made.update };
}

/**
 * Whether two rows are drawn in the same way.
 * @param {Row} a
 * @param {Row} b
 */
export function sameRow(a, b) {
  if (a.kind === "plan" && b.kind === "plan") return a.state === b.state;
  if (a.kind === "message" && b.kind === "message") return a.text === b.text && a.outgoing === b.outgoing;
  if (a.kind === "reply" && b.kind === "reply") return a.text === b.text && a.tone === b.tone && a.actions === b.actions && a.reference === b.reference;
  if (a.kind === "run" && b.kind === "run") return a.entries.length === b.entries.length;
  if (a.kind === "looking" && b.kind === "looking") return a.text === b.text;
  return a.kind === b.kind;
}

/** @param {Actions} actions */
function operatorMessage(actions) {
  const text = h("p", { class: "bubble-text", dir: "auto" });
  const meta = h("div", { class: "bubble-meta", hidden: true });
  const node = h("div", { class: "message" }, h("div", { class: "bubble" }, h("span", { class: "unseen" }, `${t("chat.you")}: `), text), meta);
  /** @param {OperatorRow} row */
  function update(row) {
    if (text.textContent !== row.text) text.textContent = row.text;
    const failed = row.outgoing?.state === "failed" ? row.outgoing : null;
    node.classList.toggle("not-sent", !!failed);
    section(meta, failed ? `${failed.request_id} ${failed.message}` : "", () =>
      failed
        ? [
            h("p", { class: "trouble" }, icon("triangle-alert"), h("span", {}, failed.message ?? t("send.unexpected"))),
            h("div", { class: "taps" },
              button({ label: t("chat.again"), icon: "rotate-ccw", kind: "hand", hook: "again", press: () => actions.resend(failed) }),
              button({ label: t("chat.drop"), hook: "leave", press: () => actions.discard(failed) })),
          ]
        : []);
  }
  return { node, update };
}

/** @param {Actions} actions */
function assistantMessage(actions) {
  const mark = h("div", { class: "reply-mark", hidden: true });
  const text = h("p", { class: "bubble-text" });
  const taps = h("div", { class: "taps", hidden: true });
  const who = h("span", { class: "unseen" });
  const node = h("div", { class: "reply" }, h("div", { class: "bubble" }, who, mark, text), taps);
  /** @param {AssistantRow} row */
  function update(row) {
    if (text.textContent !== row.text) [text.textContent, text.dir] = [row.text, direction(row.text)];
    node.dataset["tone"] = row.tone;
    who.textContent = `${t(row.tone === "person" ? "chat.person" : "chat.assistant")}: `;
    section(mark, `${row.tone} ${row.reference ?? ""}`, () => {
      if (row.tone === "handed") {
        const words = row.reference ? t("chat.handed_as", { reference: row.reference }) : t("chat.handed");
        return [icon("hand"), h("span", {}, words)];
      }
      if (row.tone === "person") return [icon("users"), h("span", {}, t("chat.person"))];
      if (row.tone === "lapsed") return [icon("clock"), h("span", {}, t("chat.lapsed"))];
      return row.tone === "error" ? [icon("triangle-alert")] : [];
    });
    section(taps, JSON.stringify(row.actions), () =>
      row.actions.map((action) =>
        button({ label: action.label, kind: "tap", hook: `say:${action.say}`, press: () => actions.sendMessage(action.say) })));
  }
  return { node, update };
}

function looking() {
  const text = h("span", {});
  const node = h("div", { class: "looking" }, text);
  /** @param {ProgressRow} row */
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
    const words = row.day === today ? t("chat.today") : row.day === addDays(today, -1) ? t("chat.yesterday") : name;
    /** @type {HTMLElement} */ (node.firstElementChild).textContent = words;
  };
  return { node, update };
}
