// The cinematic timing: what is shown when, by a clock that the test holds. No question is kept back, and a failed
// step is seen as long as every other.
import assert from "node:assert/strict";
import test from "node:test";

import { MINIMUM_STEP_DURATION, PROGRESS_UPDATE_INTERVAL, EventPacer, STEP_REVEAL_DELAY } from "../../../../api/web/event_pacing.js";

/** Plays events, each `[at, kind, step?, status?]`, and tells when each was shown. */
function played(events, { live = true } = {}) {
  const pace = new EventPacer();
  const shown = [];
  const told = (now) => shown.push(...pace.due(now).map(({ event }) => [event.kind, event.step ?? 0, now]));
  let number = 0;
  const all = events.map(([at, kind, step, status]) => [at, { plan_id: "p", number: ++number, kind, step, step_status: status }]);
  const end = 30_000;
  for (let now = 0; now <= end; now += 10) {
    for (const [at, event] of all) if (at === now) pace.push(event, now, live);
    told(now);
  }
  return shown;
}

test("the constants are the specification's", () => {
  assert.deepEqual([MINIMUM_STEP_DURATION, STEP_REVEAL_DELAY, PROGRESS_UPDATE_INTERVAL], [1500, 300, 100]);
});

test("a fast step is shown for its least time, the next comes after the reveal's delay", () => {
  const shown = played([[0, "step_started", 1], [20, "step_result", 1, "completed"], [30, "step_started", 2], [60, "step_result", 2, "completed"], [70, "complete"]]);
  assert.deepEqual(shown, [["step_started", 1, 0], ["step_result", 1, 1500], ["step_started", 2, 1800], ["step_result", 2, 3300], ["complete", 0, 3300]]);
});

test("longer work is shown for as long as it takes", () => {
  assert.deepEqual(played([[0, "step_started", 1], [4000, "step_result", 1, "completed"]]), [["step_started", 1, 0], ["step_result", 1, 4000]]);
});

test("lines of progress come no faster than ten a second, in order", () => {
  const shown = played([[0, "progress", 1], [10, "progress", 1], [20, "progress", 1]]);
  assert.deepEqual(shown.map(([, , at]) => at), [0, 100, 200]);
});

test("what nobody watched is shown at once", () => {
  const shown = played([[0, "step_started", 1], [0, "step_result", 1, "completed"], [0, "complete"]], { live: false });
  assert.deepEqual(shown.map(([, , at]) => at), [0, 0, 0]);
});

test("a question is shown at once, with all that came before it", () => {
  const shown = played([[0, "step_started", 1], [10, "step_result", 1, "completed"], [20, "step_started", 2], [30, "prompt_opened", 2]]);
  assert.equal(shown.find(([kind]) => kind === "prompt_opened")[2], 30);
});

test("each step is shown for its least time, the one that fails, too, however fast they come", () => {
  const shown = played([[0, "step_started", 1], [10, "step_result", 1, "completed"], [20, "step_started", 2], [30, "step_result", 2, "completed"],
    [40, "step_started", 3], [50, "step_result", 3, "failed"], [60, "rolling_back"]]);
  const at = (kind, step) => shown.find(([is, of]) => is === kind && of === step)[2];
  for (const step of [1, 2, 3]) assert.ok(at("step_result", step) - at("step_started", step) >= MINIMUM_STEP_DURATION, `step ${step}`);
  assert.equal(at("rolling_back", 0), at("step_result", 3));
});

test("a hurry lets everything go, and what is held is known", () => {
  const pace = new EventPacer();
  pace.push({ plan_id: "p", number: 1, kind: "step_started", step: 1 }, 0, true);
  pace.push({ plan_id: "p", number: 2, kind: "step_result", step: 1, step_status: "completed" }, 1, true);
  assert.equal(pace.due(0).length, 1);
  assert.ok(pace.hasPending("p") && pace.lastNumber("p") === 2 && pace.next() === 1500);
  pace.flush(6);
  assert.equal(pace.due(6).length, 1);
  assert.ok(!pace.hasPending("p") && pace.next() === null);
});
