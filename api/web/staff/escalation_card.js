/**
 * One escalation: the operator's message and why it was escalated, the last lines of its chat, and a form for the staff's
 * answer or the answer that was given. An update keeps what is being typed.
 *
 * @import {Escalation, TranscriptLine} from "./api.js"
 */
import { now } from "../api.js";
import { direction, h, section } from "../dom.js";
import { icon } from "../icons.js";
import { clock, language, t } from "../i18n/format.js";
import { getMessages, resolveEscalation } from "./api.js";
import { isSessionOver, errorText } from "./sign_in.js";

/** As the service bounds it. */
const MAX_ANSWER = 1800;

/**
 * @typedef {{several: boolean, venueName: (id: string) => string, onAnswered: (one: Escalation) => void,
 *   onSignedOut: () => void}} CardContext
 * @param {Escalation} first
 * @param {CardContext} context
 */
export function escalationCard(first, context) {
  const id = first.escalation_id;
  const title = h("h3", { id: `title-${id}`, tabindex: -1 });
  const age = h("span", { class: "handed-facts" });
  const node = h("article", { class: "handed", "data-id": id, "data-reference": first.reference, "aria-labelledby": `title-${id}` },
    h("div", { class: "handed-head" }, title, age),
    context.several && h("p", { class: "handed-facts" }, context.venueName(first.venue_id)),
    h("p", { class: "handed-facts" }, first.why),
    h("p", { class: "unseen" }, t("inbox.asked")),
    h("blockquote", { dir: direction(first.asked) }, first.asked),
    chat(id, context), foot(first, context));
  title.textContent = t("inbox.reference", { reference: first.reference });
  const tick = () => void (age.textContent = since(first.opened_at));
  return { node, tick, update: tick };
}

/**
 * How long ago something was, as people of this language say it.
 * @param {string} at
 */
function since(at) {
  const minutes = Math.max(0, Math.round((now() - Date.parse(at)) / 60_000));
  const format = new Intl.RelativeTimeFormat(language(), { numeric: "auto" });
  if (minutes < 60) return format.format(-minutes, "minute");
  return minutes < 1440 ? format.format(-Math.floor(minutes / 60), "hour") : format.format(-Math.floor(minutes / 1440), "day");
}

/**
 * @param {string} id
 * @param {CardContext} context
 */
function chat(id, context) {
  const list = h("ul", { class: "lines" });
  const status = h("p", { class: "dim", hidden: true });
  const node = h("details", {}, h("summary", { "data-do": "lines" }, t("inbox.lines")), status, list);
  node.addEventListener("toggle", async () => {
    if (!node.open) return;
    try {
      list.replaceChildren(...(await getMessages(id)).map(line));
      status.hidden = true;
    } catch (error) {
      if (isSessionOver(error)) return context.onSignedOut();
      [status.hidden, status.textContent] = [false, errorText(error)];
    }
  });
  return node;
}

/** @param {TranscriptLine} one */
function line(one) {
  const who = { user: t("inbox.operator"), assistant: t("chat.assistant"), person: t("chat.person") }[one.role];
  return h("li", { dir: direction(one.text) }, h("span", { class: "who" }, `${who}, ${clock(one.at)}: `), one.text);
}

/**
 * @param {Escalation} one
 * @param {CardContext} context
 */
function foot(one, context) {
  if (one.status === "open") return form(one, context);
  if (!one.answer) return h("p", {}, t("inbox.lapsed"));
  const by = one.answer.by || t("inbox.nameless");
  return h("div", {}, h("p", { class: "handed-facts" }, t(one.answer.in_chat ? "inbox.by" : "inbox.on_its_way", { by })),
    h("p", { dir: direction(one.answer.message) }, one.answer.message));
}

/**
 * @param {Escalation} one
 * @param {CardContext} context
 */
function form(one, context) {
  const id = one.escalation_id;
  const box = h("textarea", { id: `answer-${id}`, maxlength: MAX_ANSWER, required: true, rows: 3, "aria-describedby": `means-${id}` });
  const trouble = h("div", { role: "alert", hidden: true });
  const send = h("button", { type: "submit", class: "button confirm", "data-do": "answer" }, t("inbox.send"));
  // The same text keeps its request_id, so that a repeated send is one answer.
  let sent = { text: "", request_id: "" };
  const node = h("form", { class: "answer", novalidate: true },
    h("label", { for: box.id }, t("inbox.answer")), box, h("p", { class: "dim", id: `means-${id}` }, t("inbox.means")),
    trouble, send);
  node.addEventListener("submit", async (event) => {
    event.preventDefault();
    const text = box.value.trim();
    if (!text) return void box.focus();
    if (send.getAttribute("aria-disabled") === "true") return;
    if (sent.text !== text) sent = { text, request_id: crypto.randomUUID() };
    send.setAttribute("aria-disabled", "true");
    send.textContent = t("inbox.sending");
    try {
      context.onAnswered(await resolveEscalation(id, { message: text, request_id: sent.request_id }));
    } catch (error) {
      if (isSessionOver(error)) return context.onSignedOut();
      const why = errorText(error);
      section(trouble, `${Date.now()} ${why}`, () => h("p", { class: "trouble" }, icon("triangle-alert"), h("span", {}, why)));
    } finally {
      send.setAttribute("aria-disabled", "false");
      send.textContent = t("inbox.send");
    }
  });
  return node;
}
