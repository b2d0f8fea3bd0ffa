/**
 * The page of the staff: signing in, usage, modes.
 *
 * @import {ModeRow, Modes, Report} from "./asking.js"
 */
import { button, byId, h } from "../dom.js";
import { ask, AskError } from "./asking.js";
import { modeParts } from "./modes.js";
import { usageParts } from "./usage.js";

const desk = byId("desk", HTMLElement);
const today = new Date().toISOString().slice(0, 10);
const chosen = { by: "mode", from: new Date(Date.now() - 29 * 86_400_000).toISOString().slice(0, 10), to: today };

/** @param {string} words */
function tell(words) {
  byId("told", HTMLElement).textContent = words;
}

/** @param {unknown} error */
function wordsOf(error) {
  return error instanceof Error ? error.message : String(error);
}

async function start() {
  try {
    const state = await ask("session");
    byId("who", HTMLElement).textContent = state.signed_in ? state.name : "";
    byId("leave", HTMLElement).replaceChildren(...(state.signed_in ? [button({ label: "Sign out", kind: "plain", press: leave })] : []));
    if (state.signed_in) await open();
    else showSignIn(state.needs_key, "");
  } catch (error) {
    desk.replaceChildren(h("p", { class: "trouble", role: "alert" }, wordsOf(error)));
  }
}

/**
 * @param {boolean} needsKey
 * @param {string} trouble
 */
function showSignIn(needsKey, trouble) {
  const name = h("input", { name: "name", autocomplete: "username", required: true, maxlength: 80 });
  const key = h("input", { name: "key", type: "password", autocomplete: "current-password", required: true, maxlength: 1000 });
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    try {
      await ask("session", { method: "POST", body: { name: name.value, key: needsKey ? key.value : "" } });
      await start();
      desk.focus();
    } catch (error) {
      showSignIn(needsKey, wordsOf(error));
    }
  };
  desk.replaceChildren(h("form", { class: "sign-in", onsubmit: submit },
    h("p", {}, "For whoever runs this service."),
    trouble && h("p", { class: "trouble", role: "alert" }, trouble),
    h("label", {}, "Your name, for the record of what was switched", name),
    needsKey && h("label", {}, "Service key", key),
    h("button", { type: "submit", class: "button confirm" }, "Sign in"),
  ));
  name.focus();
}

async function leave() {
  await ask("session", { method: "DELETE" }).catch(() => null);
  await start();
}

async function open() {
  const usage = h("section", { class: "part", "aria-label": "Usage" });
  const modes = h("section", { class: "part", "aria-label": "Modes" });
  desk.replaceChildren(usage, modes);
  await Promise.all([fill(usage, showUsage), fill(modes, showModes)]);
}

/**
 * @param {HTMLElement} into
 * @param {(into: HTMLElement) => Promise<void>} show
 */
async function fill(into, show) {
  try {
    await show(into);
  } catch (error) {
    if (error instanceof AskError && (error.status === 401 || error.status === 403)) return start();
    into.querySelector(".trouble")?.remove();
    into.append(h("p", { class: "trouble", role: "alert" }, wordsOf(error)));
  }
}

/** @param {HTMLElement} into */
async function showUsage(into) {
  /** @type {Report} */
  const report = await ask(`../v1/usage?${new URLSearchParams(chosen)}`);
  const again = (/** @type {Event} */ event) => {
    const field = /** @type {HTMLInputElement} */ (event.target);
    chosen[/** @type {keyof typeof chosen} */ (field.name)] = field.value;
    void fill(into, showUsage);
  };
  const held = document.activeElement instanceof HTMLInputElement || document.activeElement instanceof HTMLSelectElement ? document.activeElement.name : "";
  into.replaceChildren(
    h("h2", {}, "Usage"),
    h("p", { class: "dim" }, "Days are in UTC. A plan counts once its waiting is over."),
    h("div", { class: "choose" },
      h("label", {}, "By", h("select", { name: "by", onchange: again },
        ...["mode", "venue", "day"].map((by) => h("option", { value: by, selected: by === chosen.by }, by)))),
      h("label", {}, "From", h("input", { name: "from", type: "date", value: chosen.from, max: chosen.to, onchange: again })),
      h("label", {}, "To", h("input", { name: "to", type: "date", value: chosen.to, min: chosen.from, onchange: again })),
    ),
    ...usageParts(report),
  );
  if (held) /** @type {HTMLElement|null} */ (into.querySelector(`[name="${held}"]`))?.focus();
}

/** @param {HTMLElement} into */
async function showModes(into) {
  drawModes(into, await ask("../v1/modes"));
}

/**
 * @param {HTMLElement} into
 * @param {Modes} modes
 */
function drawModes(into, modes) {
  const turn = (/** @type {ModeRow} */ row, /** @type {string|null} */ mode) => void fill(into, async () => {
    const path = `../v1/modes/${row.kind}/${encodeURIComponent(row.name)}`;
    drawModes(into, await ask(path, { method: "PUT", body: { mode } }));
    tell(`The ${row.kind} ${row.name} is switched.`);
    /** @type {HTMLElement|null} */ (into.querySelector(`[data-do="${CSS.escape(`${row.kind}-${row.name}`)}"]`))?.focus();
  });
  into.replaceChildren(
    h("h2", {}, "Modes"),
    h("p", {}, "How much self-checking surrounds a model's reply. A switch counts from the next message on."),
    ...modeParts(modes, turn),
  );
}

void start();
