/**
 * The message box. Enter sends, Shift and Enter begins a new line; it grows to five lines, and stores the draft.
 *
 * @import {Actions} from "../app.js"
 */
import { h } from "../dom.js";
import { draft } from "../chat_storage.js";
import { icon } from "../icons.js";
import { t } from "../i18n/format.js";

/**
 * @param {HTMLElement} into
 * @param {Actions} actions
 */
export function composer(into, actions) {
  const text = h("textarea", {
    id: "message", name: "message", rows: 1, maxlength: 4000, autocomplete: "off", enterkeyhint: "send", dir: "auto",
    "aria-describedby": "message-keys", oninput: grown, onkeydown: key,
  });
  text.value = draft.get();
  const label = h("label", { for: "message", class: "unseen" });
  const keys = h("span", { id: "message-keys", class: "unseen" });
  const send = h("button", { type: "submit", class: "button send", "data-do": "send" }, icon("arrow-up"));
  const form = h("form", { class: "compose", onsubmit: submit }, label, text, keys, send);
  into.replaceChildren(form);
  grown();

  function grown() {
    draft.set(text.value);
    send.classList.toggle("empty", text.value.trim() === "");
    text.style.height = "auto";
    text.style.height = `${Math.min(text.scrollHeight + 2, 5 * 24 + 22)}px`;
  }

  /** @param {KeyboardEvent} event */
  function key(event) {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    form.requestSubmit();
  }

  /** @param {SubmitEvent} event */
  function submit(event) {
    event.preventDefault();
    const message = text.value.trim();
    if (!message || !actions.sendMessage(message)) return;
    text.value = "";
    grown();
    text.focus();
  }

  return {
    updateTexts() {
      label.textContent = t("compose.label");
      keys.textContent = t("compose.keys");
      text.placeholder = t("compose.hint");
      send.setAttribute("aria-label", t("compose.send"));
      send.title = t("compose.send");
    },
    focus: () => text.focus(),
    node: text,
    /** @param {boolean} waits */
    disabled(waits) {
      text.readOnly = waits;
      form.classList.toggle("asleep", waits);
    },
  };
}
