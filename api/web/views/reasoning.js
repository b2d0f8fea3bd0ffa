/**
 * How the open chat was reasoned, step by step, for engineers: each assessment, context fetch, critique and decision,
 * with its time. It is looked at anew while it is open. Whoever is signed in as an operator alone is not offered it, and
 * the service refuses it to them.
 *
 * @import {Reasoned, State} from "../types.js"
 */
import * as api from "../api.js";
import { button, direction, h, section } from "../dom.js";
import { moment, t } from "../i18n/words.js";
import { icon } from "../icons.js";

/** Milliseconds between two looks while it is open. */
const LOOKS_EVERY = 2000;

/**
 * @param {HTMLDialogElement} dialog
 * @param {() => void} changed  Hears that it is offered no more
 */
export function reasoning(dialog, changed) {
  const title = h("h2", { id: "reasoning-title" });
  const top = h("div", { class: "sheet-head" }, title);
  const note = h("p", { class: "others-note", role: "status" });
  const list = h("div", { class: "reasoned" });
  const body = h("section", { class: "sheet-body", tabindex: 0, "aria-labelledby": "reasoning-title" }, note, list);
  dialog.replaceChildren(top, body);
  dialog.setAttribute("aria-labelledby", "reasoning-title");
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  dialog.addEventListener("close", forget);

  let who = /** @type {State["session"]} */ (null);
  let chat = "";
  let known = /** @type {Reasoned[]} */ ([]);
  /** Where the service has said that nobody is signed in as an engineer any more. @type {State["session"]} */
  let refused = null;
  let own = 0;
  let timer = 0;

  /** What is known of one chat is nothing of the next one, nor for whoever comes next. */
  function forget() {
    own++;
    clearTimeout(timer);
    show([], "");
  }

  /**
   * @param {readonly Reasoned[]} entries
   * @param {string} told
   * @param {boolean} [trouble]
   */
  function show(entries, told, trouble = false) {
    section(note, told, () => (trouble ? [icon("triangle-alert"), h("span", {}, told)] : told));
    note.classList.toggle("trouble", trouble);
    const open = new Set([...list.querySelectorAll("details[open]")].map((one) => /** @type {HTMLElement} */ (one).dataset["number"]));
    const following = body.scrollHeight - body.scrollTop - body.clientHeight < 48;
    section(list, JSON.stringify(entries), () => messages(entries, open));
    if (following) body.scrollTop = body.scrollHeight;
  }

  async function look() {
    const [mine, asked, of] = [++own, who, chat];
    clearTimeout(timer);
    if (!asked || !dialog.open) return;
    try {
      const found = await api.reasoned(asked, of);
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
        return changed();
      }
      show(known, `${error.message} ${known.length ? t("reasoned.stale") : ""}`, true);
    }
    timer = setTimeout(again, LOOKS_EVERY);
  }

  function again() {
    if (document.hidden) timer = setTimeout(again, LOOKS_EVERY);
    else void look();
  }

  /** @param {State} state */
  function begin(state) {
    [who, chat, known] = [state.session, state.chat, []];
    show(known, t("reasoned.loading"));
    void look();
  }

  /** @param {State} state */
  const offered = (state) => state.phase === "ready" && state.session?.engineer === true && state.session !== refused;

  return {
    offered,
    /** @param {State} state */
    update(state) {
      if (!dialog.open) return;
      if (state.phase !== "ready" || !state.session?.engineer) return dialog.close();
      if (state.chat !== chat || state.session !== who) begin(state);
    },
    /** @param {State} state */
    open(state) {
      if (!offered(state)) return;
      title.textContent = t("reasoned.title");
      section(top, t("head.close"), () => [title, button({ label: t("head.close"), icon: "x", bare: true, hook: "close", press: () => dialog.close() })]);
      dialog.showModal();
      begin(state);
    },
  };
}

/**
 * The steps under the message of the operator's that they belong to.
 * @param {readonly Reasoned[]} entries
 * @param {ReadonlySet<string|undefined>} open  Numbers of those whose details somebody has opened
 */
function messages(entries, open) {
  /** @type {Reasoned[][]} */
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
 * @param {Reasoned} entry
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
