/**
 * What the staff pages share: a header with links and sign-out, the sign-in form, and error texts.
 *
 * @import {StaffState} from "./api.js"
 */
import { CallError } from "../api.js";
import { button, h, section } from "../dom.js";
import { icon } from "../icons.js";
import { t } from "../i18n/format.js";
import { signIn } from "./api.js";

/** As the service bounds them. */
const MAX_NAME = 60;
const MAX_KEY = 1000;

/** @typedef {"usage"|"inbox"} StaffPage */

/**
 * @param {StaffPage} here
 * @param {StaffState} state
 * @param {() => void} leave
 */
export function header(here, state, leave) {
  const way = (/** @type {StaffPage} */ place, /** @type {string} */ address, /** @type {string} */ words) =>
    h("a", { class: "button quiet", href: address, "aria-current": place === here ? "page" : null }, words);
  return [
    h("h1", {}, t(here === "usage" ? "staff.usage" : "staff.inbox")),
    h("nav", { "aria-label": t("staff.pages") }, way("usage", "./", t("staff.to_usage")), way("inbox", "inbox.html", t("staff.to_inbox"))),
    ...(state.signed_in ? [
      h("p", { class: "dim" }, state.name),
      button({ label: t("details.sign_out"), icon: "log-out", bare: true, hook: "sign-out", press: leave }),
    ] : []),
  ];
}

/**
 * Signing in, with the key where one is needed.
 * @param {boolean} needsKey
 * @param {() => void|Promise<void>} entered
 */
export function signInForm(needsKey, entered) {
  const name = h("input", { id: "name", autocomplete: "username", required: true, maxlength: MAX_NAME });
  const key = h("input", { id: "key", type: "password", autocomplete: "current-password", required: true, maxlength: MAX_KEY });
  const trouble = h("div", { role: "alert", hidden: true });
  const form = h("form", { class: "enter" }, h("h2", {}, t("out.first_title")),
    h("label", { for: "name" }, t("staff.name")), name, h("p", { class: "dim" }, t("staff.name_means")),
    ...(needsKey ? [h("label", { for: "key" }, t("staff.key")), key] : []), trouble,
    h("button", { type: "submit", class: "button confirm", "data-do": "sign-in" }, t("out.first")));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      await signIn(name.value, needsKey ? key.value : "");
      await entered();
    } catch (error) {
      const why = errorText(error);
      section(trouble, `${Date.now()} ${why}`, () => h("p", { class: "trouble" }, icon("triangle-alert"), h("span", {}, why)));
      key.value = "";
    }
  });
  return form;
}

/**
 * Whether the staff session has ended: with an operator's session in the same browser, the server answers "forbidden".
 * @param {unknown} error
 */
export function isSessionOver(error) {
  return error instanceof CallError && (error.kind === "signed_out" || error.kind === "forbidden");
}

/** @param {unknown} error */
export function errorText(error) {
  return error instanceof CallError ? error.message : t("send.unexpected");
}
