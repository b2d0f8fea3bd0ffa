/**
 * How the open chat was reasoned, step by step, for engineers: each assessment, context fetch, critique and decision,
 * with its time. It is polled while it is open. Operators who are not engineers do not see the button, and the server
 * rejects their requests.
 *
 * @import {ReasoningEntry, State} from "../types.js"
 */
import * as api from "../api.js";
import { button, direction, h, section } from "../dom.js";
import { moment, t } from "../i18n/format.js";
import { icon } from "../icons.js";

/** Milliseconds between two polls while the dialog is open. */
const POLL_INTERVAL = 2000;

/**
 * @param {HTMLDialogElement} dialog
 * @param {() => void} onUnavailable  Called when the server rejects the engineer's session
 */
export function reasoning(dialog, onUnavailable) {
  const title = h("h2", { id: "reasoning-title" });
  const top = h("div", { class: "sheet-head" }, title);
  const note = h("p", { class: "others-note", role: "status" });
  const list = h("div", { class: "reasoned" });
  const body = h("section", { class: "sheet-body", tabindex: 0, "aria-labelledby": "reasoning-title" }, note, list);
  dialog.replaceChildren(top, body);
  dialog.setAttribute("aria-labelledby", "reasoning-title");
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  dialog.addEventListener("close", reset);

  let who = /** @type {State["session"]} */ (null);
  let chat = "";
  let known = /** @type {ReasoningEntry[]} */ ([]);
  /** The session that the server no longer accepts as an engineer's. @type {State["session"]} */
  let refused = null;
  let own = 0;
  let timer = 0;

  /** Clears the entries, so that the next chat or operator does not see them. */
  function reset() {
    own++;
    clearTimeout(timer);
    show([], "");
  }

  /**
   * @param {readonly ReasoningEntry[]} entries
   * @param {string} message
   * @param {boolean} [trouble]
   */
  function show(entries, message, trouble = false) {
    section(note, message, () => (trouble ? [icon("triangle-alert"), h("span", {}, message)] : message));
    note.classList.toggle("trouble", trouble);
    const open = new Set([...list.querySelectorAll("details[open]")].map((one) => /** @type {HTMLElement} */ (one).dataset["number"]));
    const following = body.scrollHeight - body.scrollTop - body.clientHeight < 48;
    section(list, JSON.stringify(entries), () => messages(entries, open));
    if (following) body.scrollTop = body.scrollHeight;
  }

  async function refresh() {
    const [mine, asked, of] = [++own, who, chat];
    clearTimeout(timer);
    if (!asked || !dialog.open) return;
    try {
      const found = await api.getReasoning(asked, of);
      if (mine !== own) return;
      known = found ?? [];
      show(known, known.length ? t("reasoned.means") : t("reasoned.none"));
    } catch (error) {
      if (!(error instanceof api.CallError)) throw error;
      if (mine !== own) return;
      if (error.kind === "signed_out" || error.kind === "forbidden") {
        refused = asked;
        known = [];
        show(known, t("reasoned.over"), true);
        return onUnavailable();
      }
      show(known, `${error.message} ${known.length ? t("reasoned.stale") : ""}`, true);
    }
    timer = setTimeout(poll, POLL_INTERVAL);
  }

  function poll() {
    if (document.hidden) timer = setTimeout(poll, POLL_INTERVAL);
    else void refresh();
  }

  /** @param {State} state */
  function load(state) {
    [who, chat, known] = [state.session, state.chat, []];
    show(known, t("reasoned.loading"));
    void refresh();
  }

  /** @param {State} state */
  const offered = (state) => state.phase === "ready" && state.session?.engineer === true && state.session !== refused;

  return {
    offered,
    /** @param {State} state */
    update(state) {
      if (!dialog.open) return;
      if (state.phase !== "ready" || !state.session?.engineer) return dialog.close();
      if (state.chat !== chat || state.session !== who) load(state);
    },
    /** @param {State} state */
    open(state) {
      if (!offered(state)) return;
      title.textContent = t("reasoned.title");
      section(top, t("head.close"), () => [title, button({ label: t("head.close"), icon: "x", bare: true, hook: "close", press: () => dialog.close() })]);
      dialog.showModal();
      load(state);
    },
  };
}

/**
 * The steps under the message of the operator's that they belong to.
 * @param {readonly ReasoningEntry[]} entries
 * @param {ReadonlySet<string|undefined>} open  Numbers of the entries whose details are open
 */
function messages(entries, open) {
  /** @type {ReasoningEntry[][]} */
  const groups = [];
  for (const entry of entries) {
    const last = groups.at(-1);
    if (last?.[0]?.request_id === entry.request_id) last.push(entry);
    else groups.push([entry]);
  }
  return groups.map((group) => h("section", {},
    h("h3", {}, t("reasoned.request", { id: group[0]?.request_id ?? "" })),
    h("ol", {}, group.map((entry) => step(entry, open.has(String(entry.number)))))));
}

/**
 * @param {ReasoningEntry} entry
 * @param {boolean} open
 */
function step(entry, open) {
  const details = Object.entries(entry.details);
  return h("li", { "data-kind": entry.kind, "data-number": entry.number },
    h("p", { class: "reasoned-head" },
      h("strong", {}, t(`reasoned.${entry.kind}`)),
      h("span", { class: "dim" }, t("reasoned.mode", { mode: entry.mode })),
      h("time", { class: "dim", datetime: entry.at }, moment(entry.at))),
    h("p", { dir: direction(entry.text) }, entry.text),
    details.length > 0 && h("details", { "data-number": entry.number, open },
      h("summary", {}, details.map(([name]) => name).join(", ")),
      h("dl", {}, details.flatMap(([name, value]) => [
        h("dt", {}, h("code", {}, name)),
        h("dd", { dir: "auto" }, typeof value === "string" ? value : h("code", {}, JSON.stringify(value, null, 1)))]))));
}
