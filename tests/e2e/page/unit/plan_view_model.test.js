// What is made of a plan for its reader: what may be edited, what the button says, where the plan stands.
import assert from "node:assert/strict";
import test from "node:test";

import { confirmLabel, editableFields, headline, prompt, planStatus, steps } from "../../../../api/web/plan_view_model.js";
import { changed } from "../../../../api/web/views/day.js";

const action = (parameters, more = {}) => ({
  step: 1, action_id: "a", title: "Move booking", parameters, safety_tier: "normal", reversible: true, preview: [], status: "pending", ...more,
});
const plan = (more = {}) => ({ plan_id: "p", status: "pending_confirmation", intent: "", actions: [action({})], results: [], ...more });
const known = (of, events = []) => ({ plan: of, events, live: new Set(), command: null });

test("values are edited by their shape; opaque ids, lists and nothing are not", () => {
  const found = editableFields(action({
    booking_id: "5f0d7d1e-77aa-4c9e-9a43-2b9d2f3c8a11", reference: "8231", new_date: "2026-11-28", new_start_time: "15:00", count: 14,
    paid: false, note: "x".repeat(60), items: ["a"], gone: null, phone: "+61 400 123 456", email: "ann.lee2@example.com", key: "sk_live_8a7f6d5c4b3a",
  }));
  assert.deepEqual(found.map(({ parameter, shape }) => [parameter, shape]), [
    ["reference", "text"], ["new_date", "date"], ["new_start_time", "time"], ["count", "number"], ["paid", "yes_no"], ["note", "long"],
    ["phone", "text"], ["email", "text"],
  ]);
});

test("which booking it is about is not edited, however short its id", () => {
  assert.deepEqual(editableFields(action({ booking_id: "8231", guest_count: 3 })).map((one) => one.parameter), ["guest_count"]);
  assert.deepEqual(editableFields(action({ booking_id: 8231 })), []);
});

test("the button says what it does", () => {
  assert.equal(confirmLabel(plan({ actions: [action({}, { confirm_label: "Move to 3 pm" })] })), "Move to 3 pm");
  assert.equal(confirmLabel(plan()), "Move booking");
  assert.equal(confirmLabel(plan({ actions: [action({}), action({})] })), "Make 2 changes");
});

test("a headline names what is done and for whom, and one booking once", () => {
  assert.equal(headline(plan({ actions: [action({}, { whom: "Ann" })] })), "Move booking for Ann");
  const two = (other) => plan({ actions: [action({}, { whom: "Ann" }), action({}, { title: "Edit note", whom: other })] });
  assert.equal(headline(two("Ann")), "Move booking, Edit note for Ann");
  assert.equal(headline(two("Bo")), "Move booking for Ann; Edit note for Bo");
  assert.equal(headline(two(null)), "Move booking for Ann; Edit note");
  assert.equal(headline(plan({ actions: [action({})] })), "Move booking");
});

test("a card that is settled names its booking by nothing that was changed", () => {
  const move = (more) => plan({ actions: [action({}, { whom: "Ann, Sat 28 Nov, 12 guests", whom_after: "Ann (8231)" })], ...more });
  const before = "Move booking for Ann, Sat 28 Nov, 12 guests";
  assert.equal(headline(move()), before);
  assert.equal(headline(move({ status: "expired" })), before);
  for (const status of ["completed", "failed", "rolled_back", "cancelled"]) {
    assert.equal(headline(move({ status, confirmed_at: "2026-11-23T10:00:00Z" })), "Move booking for Ann (8231)", status);
  }
  const nameless = plan({ status: "completed", confirmed_at: "x", actions: [action({}, { whom: "Sat 28 Nov", whom_after: "" })] });
  assert.equal(headline(nameless), "Move booking");
});

test("where a plan stands", () => {
  const report = (trigger, ...outcomes) => plan({
    status: "rolled_back", rollback: { state: "done" },
    rollback_report: {
      outcome: outcomes.every((one) => one === "reversed" || one === "not_needed") ? "complete" : "partial", trigger,
      steps: outcomes.map((outcome, index) => ({ step: index + 1, outcome })),
    },
  });
  assert.equal(planStatus(known(plan())).key, "status.pending_confirmation");
  assert.equal(planStatus(known(plan(), [{ number: 1, kind: "confirmed" }])).key, "status.executing");
  assert.equal(planStatus(known(plan({ status: "cancelled", superseded_by: "q" }))).key, "status.superseded");
  assert.equal(planStatus(known(plan({ status: "failed", rollback: { state: "waiting_for_sign_in" } }))).key, "status.waiting_for_sign_in");
  assert.equal(planStatus(known(plan({ status: "completed", rollback: { state: "running" } }))).key, "status.undoing");
  assert.deepEqual(planStatus(known(report("undo", "reversed", "failed"))), { key: "status.undone_partly", tone: "hand" });
  assert.deepEqual(planStatus(known(report("failure", "irreversible", "not_needed"))), { key: "status.not_rolled_back", tone: "hand" });
  assert.equal(planStatus(known(report("undo", "failed"))).key, "status.not_undone");
  assert.equal(planStatus(known(report("undo", "not_needed"))).key, "status.nothing_to_undo");
  assert.equal(planStatus(known(report("failure", "reversed", "irreversible"))).key, "status.rolled_back_partly");
  assert.equal(planStatus(known(report("failure", "reversed", "not_needed"))).key, "status.rolled_back");
  assert.equal(planStatus(known(report("failure", "not_needed"))).key, "status.failed");
  assert.equal(planStatus(known(report("cancelled", "not_needed"))).key, "status.stopped");
  const stops = plan({ status: "executing", stopping: true });
  assert.equal(planStatus(known(stops)).key, "status.stopping");
  assert.equal(planStatus(known(plan({ status: "executing" }), [{ number: 1, kind: "confirmed" }, { number: 2, kind: "stopping" }])).key, "status.stopping");
  assert.equal(planStatus(known(plan({ status: "cancelled", confirmed_at: "x" }), [{ number: 2, kind: "stopping" }])).key, "status.stopped");
});

test("a question is open until it is answered, whether the plan or its event tells it first", () => {
  const opened = { number: 1, kind: "prompt_opened", prompt_id: "q", text: "How?", choices: ["a"] };
  const held = { prompt_id: "q", question: "How?", choices: ["a"], expires_at: "2026-11-23T10:00:00Z" };
  assert.equal(prompt(known(plan({ status: "executing" }), [opened])).question, "How?");
  assert.equal(prompt(known(plan({ status: "executing", blocking_prompt: held }))).expires_at, held.expires_at);
  assert.equal(prompt(known(plan({ status: "executing", blocking_prompt: held }), [opened, { number: 2, kind: "prompt_answered", prompt_id: "q" }])), null);
});

test("a step is as its events say, and as the plan says where none are told any more", () => {
  const at = (ms) => new Date(ms).toISOString();
  const events = [{ number: 1, kind: "step_started", step: 1, at: at(0) }, { number: 2, kind: "step_result", step: 1, step_status: "completed", text: "ok", at: at(420) }];
  const running = plan({ status: "executing" });
  assert.equal(steps(known(running, events.slice(0, 1)))[0].status, "running");
  assert.deepEqual([steps(known(running, events))[0].status, steps(known(running, events))[0].took], ["completed", 420]);
  const over = plan({ status: "completed", actions: [action({}, { status: "completed" })], results: [{ step: 1, status: "completed", message: "ok", started_at: at(0), finished_at: at(900) }] });
  assert.deepEqual([steps(known(over))[0].status, steps(known(over))[0].took], ["completed", 900]);
});

test("a booking that moved is told apart from those that did not", () => {
  const [a, b] = [{ booking_id: "1", start_time: "10:00" }, { booking_id: "2", start_time: "11:00" }];
  assert.deepEqual([...changed([a, b], [a, { ...b, start_time: "12:00" }])], ["2"]);
  assert.deepEqual([...changed(undefined, [a, b])], []);
});
