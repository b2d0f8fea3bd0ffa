// An answer waits for the chat's stream, which tells the steps before it, and is never swallowed.
import assert from "node:assert/strict";
import test from "node:test";

import { HeldAnswers } from "../../../../api/web/held_answers.js";
import { beginning } from "../../../../api/web/store.js";

const TURN = { type: "answer", message: "hi" };
const entry = (kind, request_id = "r") => ({ number: 1, kind, text: "", at: "", request_id });
const live = (...entries) => ({ ...beginning(), link: "live", entries });

function held() {
  const shown = [];
  return { shown, answers: new HeldAnswers((id) => shown.push(id)) };
}

test("it is shown once the chat tells the answer, not at the steps before it", () => {
  const { shown, answers } = held();
  answers.take(live(), "r", TURN);
  for (const kind of ["said", "initiated", "step_started", "step_result", "complete"]) answers.arrived(entry(kind));
  answers.arrived(entry("clarification", "another"));
  assert.deepEqual(shown, []);
  answers.arrived(entry("clarification"));
  answers.arrived(entry("clarification"));
  assert.deepEqual(shown, ["r"]);
});

test("where the stream is away, or told it before, it is shown at once; where it goes, or tells nothing, after all", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { shown, answers } = held();
  answers.take({ ...live(), link: "waiting" }, "away", TURN);
  answers.take(live(entry("answer", "told")), "told", TURN);
  assert.deepEqual(shown, ["away", "told"]);
  answers.take(live(), "goes", TURN);
  answers.letAll();
  assert.deepEqual(shown, ["away", "told", "goes"]);
  answers.take(live(), "silent", TURN);
  t.mock.timers.tick(5000);
  assert.deepEqual(shown.at(-1), "silent");
  answers.take(live(), "left", TURN);
  answers.clear();
  t.mock.timers.tick(5000);
  assert.deepEqual(shown.at(-1), "silent");
});
