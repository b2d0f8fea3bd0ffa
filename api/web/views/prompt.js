/**
 * A question of a running plan, answered where it is asked. What was answered stays with it.
 *
 * @import {Deeds} from "../app.js"
 * @import {PlanState} from "../types.js"
 */
import { button, direction, h, section } from "../dom.js";
import { t } from "../i18n/words.js";
import { icon } from "../icons.js";
import { prompt } from "../reading.js";
import { countTo } from "../ticker.js";

/** @param {Deeds} deeds */
export function promptForm(deeds) {
  const asked = h("ul", { class: "asked", hidden: true });
  const open = h("div", { class: "prompt", hidden: true });
  const node = h("div", { class: "prompts" }, asked, open);
  /** What is typed outlives a form that is made anew, as when it is heard until when the question waits. */
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
    const busy = state.word?.kind === "answer" && state.word.state === "sending";
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
    const input = h("input", { id, type: "text", name: "answer", autocomplete: "off", placeholder: t("prompt.answer"), maxlength: 4000, enterkeyhint: "send", "data-do": "answer-text", oninput: kept });
    if (typed.prompt_id === question.prompt_id) input.value = typed.text;
    const give = (/** @type {string} */ text) => deeds.word(planId, "answer", { text, prompt_id: question.prompt_id });
    function kept() {
      typed = { prompt_id: question.prompt_id, text: input.value };
    }
    const left = h("span", { class: "countdown", role: "timer" });
    if (question.expires_at) countTo(left, question.expires_at, (time) => t("prompt.closes", { left: time }));
    return [
      h("p", { class: "needs-hand" }, icon("hand"), h("span", { dir: direction(question.question) }, question.question)),
      question.choices.length > 0 && h("div", { class: "taps" }, question.choices.map((choice) =>
        button({ label: choice, kind: "tap", hook: `answer:${choice}`, disabled: busy, press: () => give(choice) }))),
      h("form", {
        class: "prompt-form", "data-do": "answer-form",
        onsubmit: (/** @type {SubmitEvent} */ event) => {
          event.preventDefault();
          if (input.value.trim() && !busy) give(input.value.trim());
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
