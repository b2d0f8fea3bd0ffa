/**
 * The sign-in button. The page never sees credentials: it requests a cookie, or links to the host's sign-in page.
 *
 * @import {State} from "../types.js"
 */
import { button, h } from "../dom.js";
import { t } from "../i18n/format.js";
import { icon } from "../icons.js";
import { safeUrl } from "../plan_view_model.js";

/**
 * @param {State} state
 * @param {() => void} signIn
 * @returns {HTMLElement}
 */
export function signInButton(state, signIn) {
  const label = t(state.session ? "out.button" : "out.first");
  const way = state.out?.way ?? "demo";
  if (way === "demo") return button({ label, icon: "log-in", kind: "confirm", hook: "sign-in", press: signIn });
  const url = safeUrl(state.out?.sign_in_url);
  if (!url) return h("p", { class: "dim" }, t("out.no_link"));
  return h("a", { class: "button confirm", "data-do": "sign-in", href: url }, icon("log-in"), h("span", { class: "button-words" }, label));
}
