/**
 * The way in. The page itself never sees what proves who somebody is: it asks for a cookie, or sends people to the host.
 *
 * @import {State} from "../types.js"
 */
import { button, h } from "../dom.js";
import { t } from "../i18n/words.js";
import { icon } from "../icons.js";
import { leadsTo } from "../reading.js";

/**
 * @param {State} state
 * @param {() => void} signIn
 * @returns {HTMLElement}
 */
export function signInButton(state, signIn) {
  const label = t(state.session ? "out.button" : "out.first");
  const way = state.out?.way ?? "demo";
  if (way === "demo") return button({ label, icon: "log-in", kind: "confirm", hook: "sign-in", press: signIn });
  const url = leadsTo(state.out?.sign_in_url);
  if (!url) return h("p", { class: "dim" }, t("out.no_link"));
  return h("a", { class: "button confirm", "data-do": "sign-in", href: url }, icon("log-in"), h("span", { class: "button-words" }, label));
}
