// An answer waits for the chat's stream, which tells the steps before it, and is never swallowed.
import assert from "node:assert/strict";
import test from "node:test";

import { HeldAnswers } from "../../../../api/web/held_answers.js";
import { initialState } from "../../../../api/web/store.js";

const TURN = { type: "answer", message: "hi" };
const entry = (kind, request_id = "r") => ({ number: 1, kind, text: "", at: "", request_id });
const live = (...entries) => ({ ...initialState(), link: "live", entries });

function held() {
  const shown = [];
  return { shown, answers: new HeldAnswers((id) => shown.push(id)) };
}

test("it is shown once the chat tells the answer, not at the steps before it", () => {
  const { shown, answers } = held();
  answers.add(live(), "r", TURN);
  for (const kind of ["message", "initiated", "step_started", "step_result", "complete"]) answers.onEntry(entry(kind));
  answers.onEntry(entry("clarification", "another"));
  assert.deepEqual(shown, []);
  answers.onEntry(entry("clarification"));
  answers.onEntry(entry("clarification"));
  assert.deepEqual(shown, ["r"]);
});

test("where the stream is away, or told it before, it is shown at once; where it goes, or tells nothing, after all", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { shown, answers } = held();
  answers.add({ ...live(), link: "waiting" }, "away", TURN);
  answers.add(live(entry("answer", "told")), "told", TURN);
  assert.deepEqual(shown, ["away", "told"]);
  answers.add(live(), "goes", TURN);
  answers.releaseAll();
  assert.deepEqual(shown, ["away", "told", "goes"]);
  answers.add(live(), "silent", TURN);
  t.mock.timers.tick(5000);
  assert.deepEqual(shown.at(-1), "silent");
  answers.add(live(), "left", TURN);
  answers.clear();
  t.mock.timers.tick(5000);
  assert.deepEqual(shown.at(-1), "silent");
});
