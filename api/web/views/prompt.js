/**
 * A question of a running plan and the form that answers it. Answered questions stay on the card.
 *
 * @import {Actions} from "../app.js"
 * @import {PlanState} from "../types.js"
 */
import { button, direction, h, section } from "../dom.js";
import { t } from "../i18n/format.js";
import { icon } from "../icons.js";
import { prompt } from "../plan_view_model.js";
import { countTo } from "../countdown.js";

/** @param {Actions} actions */
export function promptForm(actions) {
  const asked = h("ul", { class: "asked", hidden: true });
  const open = h("div", { class: "prompt", hidden: true });
  const node = h("div", { class: "prompts" }, asked, open);
  /** The typed text survives a rebuild of the form, such as when the question's deadline arrives. */
  let typed = { prompt_id: "", text: "" };

  /**
   * @param {string} planId
   * @param {PlanState} state
   */
  function update(planId, state) {
    const question = prompt(state);
    const settled = answered(state);
    section(asked, JSON.stringify(settled), () =>
      settled.map(({ question, answer }) =>
        h("li", {}, h("span", { class: "asked-question", dir: direction(question) }, question), h("span", { class: "asked-answer", dir: "auto" }, icon("check"), h("span", {}, answer)))));
    const busy = state.command?.kind === "answer" && state.command.state === "sending";
    section(open, question ? `${question.prompt_id} ${question.expires_at} ${question.choices} ${busy}` : "", () =>
      question ? form(planId, question, busy) : []);
    node.hidden = asked.hidden && open.hidden;
  }

  /**
   * @param {string} planId
   * @param {NonNullable<ReturnType<typeof prompt>>} question
   * @param {boolean} busy
   */
  function form(planId, question, busy) {
    const id = `answer-${question.prompt_id}`;
    const input = h("input", { id, type: "text", name: "answer", autocomplete: "off", placeholder: t("prompt.answer"), maxlength: 4000, enterkeyhint: "send", "data-do": "answer-text", oninput: saveTyped });
    if (typed.prompt_id === question.prompt_id) input.value = typed.text;
    const submit = (/** @type {string} */ text) => actions.sendCommand(planId, "answer", { text, prompt_id: question.prompt_id });
    function saveTyped() {
      typed = { prompt_id: question.prompt_id, text: input.value };
    }
    const left = h("span", { class: "countdown", role: "timer" });
    if (question.expires_at) countTo(left, question.expires_at, (time) => t("prompt.closes", { left: time }));
    return [
      h("p", { class: "needs-hand" }, icon("hand"), h("span", { dir: direction(question.question) }, question.question)),
      question.choices.length > 0 && h("div", { class: "taps" }, question.choices.map((choice) =>
        button({ label: choice, kind: "tap", hook: `answer:${choice}`, disabled: busy, press: () => submit(choice) }))),
      h("form", {
        class: "prompt-form", "data-do": "answer-form",
        onsubmit: (/** @type {SubmitEvent} */ event) => {
          event.preventDefault();
          if (input.value.trim() && !busy) submit(input.value.trim());
        },
      },
      h("label", { for: id, class: "unseen" }, t("prompt.answer")), input,
      h("button", { type: "submit", class: "button hand", "data-do": "answer", "aria-disabled": busy ? "true" : null },
        h("span", { class: "button-words" }, t(busy ? "prompt.sending" : "prompt.send")))),
      question.expires_at && left,
    ];
  }
  return { node, update };
}

/** @param {PlanState} state */
function answered({ events }) {
  return events.flatMap((event) => {
    if (event.kind !== "prompt_answered") return [];
    const opened = events.find((one) => one.kind === "prompt_opened" && one.prompt_id === event.prompt_id);
    return opened ? [{ question: opened.text, answer: event.text }] : [];
  });
}
