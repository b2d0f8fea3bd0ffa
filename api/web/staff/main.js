/**
 * Usage and modes, for the staff, in the language of the default venue like the other staff pages.
 *
 * @import {ModeRow, Modes} from "./api_usage.js"
 */
import { byId, h } from "../dom.js";
import { language, setLocale, t } from "../i18n/format.js";
import { getModes, setMode, getUsage } from "./api_usage.js";
import { getSession, signOut } from "./api.js";
import { signInForm, header, isSessionOver, errorText } from "./sign_in.js";
import { modeParts } from "./modes.js";
import { usageParts } from "./usage.js";

const desk = byId("desk", HTMLElement);
const today = new Date().toISOString().slice(0, 10);
const chosen = { by: "mode", from: new Date(Date.now() - 29 * 86_400_000).toISOString().slice(0, 10), to: today };

/** @param {string} words */
function announce(words) {
  byId("reply", HTMLElement).textContent = words;
}

async function start() {
  try {
    const state = await getSession();
    setLocale(state.locale, state.time_zone);
    document.documentElement.lang = language();
    document.title = t("staff.usage");
    byId("head", HTMLElement).replaceChildren(...header("usage", state, leave));
    if (state.signed_in) return void (await open());
    desk.replaceChildren(signInForm(state.needs_key, async () => {
      await start();
      // Part of the page was there before the rest: where the keyboard already is, it stays.
      if (!desk.contains(document.activeElement)) desk.focus();
    }));
    byId("name", HTMLInputElement).focus();
  } catch (error) {
    desk.replaceChildren(trouble(error));
  }
}

/** @param {unknown} error */
function trouble(error) {
  return h("p", { class: "trouble", role: "alert" }, errorText(error));
}

async function leave() {
  try {
    await signOut();
  } catch (error) {
    // It may have ended all the same; where it has not, what is seen stays, with why.
    if ((await getSession().catch(() => null))?.signed_in !== false) return void desk.prepend(trouble(error));
  }
  await start();
}

async function open() {
  const used = h("section", { class: "part", "aria-label": t("usage.title") });
  const served = h("section", { class: "part", "aria-label": t("modes.title") });
  desk.replaceChildren(used, served);
  await Promise.all([fill(used, showUsage), fill(served, showModes)]);
}

/**
 * @param {HTMLElement} into
 * @param {(into: HTMLElement) => Promise<void>} show
 */
async function fill(into, show) {
  try {
    await show(into);
  } catch (error) {
    if (isSessionOver(error)) return start();
    into.querySelector(".trouble")?.remove();
    into.append(trouble(error));
  }
}

/** @param {HTMLElement} into */
async function showUsage(into) {
  const report = await getUsage(chosen);
  const again = (/** @type {Event} */ event) => {
    const field = /** @type {HTMLInputElement} */ (event.target);
    chosen[/** @type {keyof typeof chosen} */ (field.name)] = field.value;
    void fill(into, showUsage);
  };
  const held = document.activeElement instanceof HTMLInputElement || document.activeElement instanceof HTMLSelectElement ? document.activeElement.name : "";
  into.replaceChildren(
    h("h2", {}, t("usage.title")),
    h("p", { class: "dim" }, t("usage.means")),
    h("div", { class: "choose" },
      h("label", {}, t("usage.by"), h("select", { name: "by", onchange: again },
        ...["mode", "venue", "day"].map((by) => h("option", { value: by, selected: by === chosen.by }, t(`usage.by_${by}`))))),
      h("label", {}, t("usage.from"), h("input", { name: "from", type: "date", value: chosen.from, max: chosen.to, onchange: again })),
      h("label", {}, t("usage.to"), h("input", { name: "to", type: "date", value: chosen.to, min: chosen.from, onchange: again })),
    ),
    ...usageParts(report),
  );
  if (held) /** @type {HTMLElement|null} */ (into.querySelector(`[name="${held}"]`))?.focus();
}

/** @param {HTMLElement} into */
async function showModes(into) {
  drawModes(into, await getModes());
}

/**
 * @param {HTMLElement} into
 * @param {Modes} found
 */
function drawModes(into, found) {
  const turn = (/** @type {ModeRow} */ row, /** @type {string|null} */ mode) => void fill(into, async () => {
    drawModes(into, await setMode(row, mode));
    announce(t(`modes.done_${row.kind}`, { name: row.name }));
    /** @type {HTMLElement|null} */ (into.querySelector(`[data-do="${CSS.escape(`${row.kind}-${row.name}`)}"]`))?.focus();
  });
  into.replaceChildren(
    h("h2", {}, t("modes.title")),
    h("p", {}, t("modes.means")),
    ...modeParts(found, turn),
  );
}

setLocale(navigator.language);
void start();
