// The state: what comes twice counts once, what comes late does not undo what came first, and nothing typed is lost.
import assert from "node:assert/strict";
import test from "node:test";

import { initialState, reduce } from "../../../../api/web/store.js";
import { timeline } from "../../../../api/web/timeline.js";

const AT = "2026-11-23T10:00:00Z";
const NOW = Date.parse(AT) + 1000;
const entry = (number, kind, text, more = {}) => ({ type: "entry", entry: { number, kind, text, at: AT, actions: [], ...more } });
const event = (number, kind, more = {}) => ({ type: "event", live: true, event: { plan_id: "p", number, kind, text: kind, at: AT, ...more } });
const plan = (status, more = {}) => ({
  plan_id: "p", status, intent: "Move for Ann", created_at: AT, expires_at: AT, results: [],
  actions: [{ step: 1, action_id: "move", title: "Move", parameters: {}, safety_tier: "normal", reversible: true, preview: [], status: "pending" }], ...more,
});
const after = (...actions) => actions.reduce(reduce, { ...initialState(), loaded: true });
const texts = (state) => timeline(state, NOW).filter((row) => "text" in row && row.kind !== "looking").map((row) => row.text);
const keys = (state) => timeline(state, NOW).map((row) => row.key);

test("an entry that comes twice is one row; order follows the numbers", () => {
  assert.deepEqual(texts(after(entry(1, "message", "a"), entry(2, "answer", "b"), entry(2, "answer", "b"))), ["a", "b"]);
  const state = after(entry(1, "message", "a"), entry(3, "answer", "c"), entry(3, "answer", "c"), entry(2, "answer", "b"));
  assert.deepEqual(texts(state), ["a", "b", "c"]);
});

test("a sent message keeps its row when the chat tells it, and its answer comes once by whichever way is first", () => {
  const sent = { type: "sent", outgoing: { request_id: "r", text: "hello", at: NOW, state: "sending" } };
  const answered = { type: "answered", request_id: "r", turn: { type: "answer", message: "hi" } };
  const told = [entry(1, "message", "hello", { request_id: "r" }), entry(2, "answer", "hi", { request_id: "r" })];
  assert.deepEqual(keys(after(sent)), ["message-r", "looking"]);
  for (const order of [[sent, answered, ...told], [sent, ...told, answered], [sent, told[0], answered, told[1]]]) {
    const state = after(...order);
    assert.deepEqual(texts(state), ["hello", "hi"]);
    assert.deepEqual(keys(state), ["message-r", "reply-r"]);
    assert.equal(state.outbox.length, 0);
  }
  assert.deepEqual(keys(after(sent, answered)), ["message-r", "reply-r"]);
});

test("a message that did not get through stays, and goes away when its answer comes after all", () => {
  const state = after({ type: "sent", outgoing: { request_id: "r", text: "x", at: NOW, state: "sending" } }, { type: "not_sent", request_id: "r", message: "no" });
  assert.equal(timeline(state, NOW)[0].outgoing.state, "failed");
  const told = [entry(1, "message", "x", { request_id: "r" }), entry(2, "answer", "y", { request_id: "r" })].reduce(reduce, state);
  assert.deepEqual([told.outbox.length, texts(told)], [0, ["x", "y"]]);
});

test("a plan's event that comes again changes nothing", () => {
  const once = after(event(1, "initiated"), event(2, "step_started", { step: 1 }));
  assert.equal(reduce(once, event(2, "step_started", { step: 1 })), once);
  assert.equal(reduce(once, event(1, "initiated")), once);
});

test("an old answer about a plan does not undo a newer one", () => {
  const done = plan("completed", { confirmed_at: AT, completed_at: AT });
  const state = after({ type: "plan", plan: done }, { type: "plan", plan: plan("executing") });
  assert.equal(state.plans.p.plan.status, "completed");
  const running = after({ type: "plan", plan: plan("executing", { confirmed_at: AT }) }, { type: "plan", plan: plan("pending_confirmation") });
  assert.equal(running.plans.p.plan.status, "executing");
});

test("closing words stand below their card, once, also when they are told again after a reload", () => {
  const messages = [{ ...entry(1, "message", "go").entry }, { ...entry(2, "plan", "Move", { plan_id: "p" }).entry }];
  const done = plan("completed", { confirmed_at: AT, completed_at: AT, summary: "Moved" });
  const reloaded = after({ type: "snapshot", snapshot: { messages, plans: [done], cursor: "1" } });
  assert.deepEqual(keys(reloaded), ["message-1", "plan-p"]);
  const again = [event(1, "initiated"), event(2, "separate_message", { text: "Moved." })];
  const told = [...again, ...again].reduce(reduce, reloaded);
  assert.deepEqual(texts(told), ["go", "Moved."]);
  assert.deepEqual(keys(told), ["message-1", "plan-p", "words-p-1"]);
});

test("a snapshot after a reconnect doubles nothing", () => {
  const state = after(entry(1, "message", "a", { request_id: "r" }), entry(2, "answer", "b", { request_id: "r" }));
  const messages = [1, 2, 3].map((number) => ({ number, kind: "answer", text: "abc"[number - 1], at: AT }));
  assert.deepEqual(texts(reduce(state, { type: "snapshot", snapshot: { messages } })), ["a", "b", "c"]);
});

test("a plan that nobody confirmed in time can be tried again until something else is said", () => {
  const entries = [entry(1, "message", "move it", { request_id: "r" }), entry(2, "plan", "Move", { request_id: "r", plan_id: "p" })];
  const over = (status) => [...entries, { type: "plan", plan: plan(status) }, event(1, "complete", { status }), event(2, "separate_message")];
  const taps = (state) => timeline(state, NOW).flatMap((row) => row.actions ?? []).map((one) => one.say);
  assert.deepEqual(taps(after(...over("expired"))), ["Try again"]);
  assert.deepEqual(taps(after(...over("cancelled"))), []);
  assert.deepEqual(taps(after(...over("expired"), entry(3, "message", "who comes?", { at: "2026-11-23T10:00:05Z" }))), []);
});

test("what can be tapped is on the newest message only", () => {
  const actions = [{ label: "one", say: "1" }];
  const state = after(entry(1, "clarification", "q", { actions }), entry(2, "message", "x"), entry(3, "clarification", "q2", { actions }));
  assert.deepEqual(timeline(state, NOW).map((row) => row.actions?.length ?? null), [0, null, 1]);
});

test("steps are live only where they were watched", () => {
  const state = after(event(1, "step_started", { step: 1 }), { ...event(2, "step_started", { step: 2 }), live: false });
  assert.deepEqual([...state.plans.p.live], [1]);
});

test("a refused word is told until the plan moves on", () => {
  const command = { kind: "confirm", request_id: "r", state: "refused", message: "no" };
  const state = after({ type: "plan", plan: plan("pending_confirmation") }, { type: "command", plan_id: "p", command });
  assert.equal(state.plans.p.command.message, "no");
  assert.equal(reduce(state, { type: "plan", plan: plan("expired") }).plans.p.command, null);
});

test("what is said of a service that is away goes with its first fresh answer; the try is still the same one", () => {
  const command = { kind: "confirm", request_id: "r", state: "failed", message: "no worker answers", away: true };
  const state = after({ type: "plan", plan: plan("pending_confirmation") }, { type: "command", plan_id: "p", command });
  const stale = reduce(state, { type: "plan", plan: plan("pending_confirmation", { stale: true }) });
  assert.equal(stale.plans.p.command.message, "no worker answers");
  const fresh = reduce(stale, { type: "plan", plan: plan("pending_confirmation") });
  assert.equal(fresh.plans.p.plan.stale, undefined);
  assert.deepEqual(fresh.plans.p.command, { kind: "confirm", request_id: "r", state: "failed", away: false });
});

test("a word that did not get through is told until its effect shows", () => {
  const running = plan("executing");
  const left = { ...running, actions: [{ ...running.actions[0], status: "skipped" }] };
  const shows = { cancel: { ...running, stopping: true }, undo: { ...plan("completed"), rollback: { state: "running" } }, skip: left };
  for (const [kind, found] of Object.entries(shows)) {
    const command = { kind, request_id: "r", state: "failed", message: "lost", step: 1 };
    const state = after({ type: "plan", plan: plan(found.status) }, { type: "command", plan_id: "p", command });
    assert.equal(reduce(state, { type: "plan", plan: plan(found.status, { summary: "x" }) }).plans.p.command?.message, "lost");
    assert.equal(reduce(state, { type: "plan", plan: found }).plans.p.command, null, kind);
  }
});

test("what went wrong is told once, can be tried again, and is gone when it got through", () => {
  const sent = { type: "sent", outgoing: { request_id: "r", text: "x", at: NOW, state: "sending" } };
  const wrong = [entry(1, "message", "x", { request_id: "r" }), entry(2, "error", "away", { request_id: "r" })];
  for (const order of [[sent, ...wrong, { type: "not_sent", request_id: "r", message: "away" }], [sent, { type: "not_sent", request_id: "r", message: "away" }, ...wrong]]) {
    const state = after(...order);
    assert.deepEqual(texts(state), ["x"]);
    assert.equal(timeline(state, NOW)[0].outgoing.message, "away");
    assert.deepEqual(texts(reduce(state, entry(3, "answer", "done", { request_id: "r" }))), ["x", "done"]);
  }
  const reloaded = after(...wrong);
  assert.deepEqual(timeline(reloaded, NOW).at(-1).actions.map((one) => one.say), ["x"]);
});

test("what is said beside a plan is shown with its card, by whichever way it comes, once", () => {
  const sent = { type: "sent", outgoing: { request_id: "r", text: "move it", at: NOW, state: "sending" } };
  const answered = (more) => ({ type: "answered", request_id: "r", turn: { type: "plan", plan: plan("pending_confirmation"), ...more } });
  const told = (text) => [entry(1, "message", "move it", { request_id: "r" }), entry(2, "plan", text, { request_id: "r", plan_id: "p" })];
  const beside = "It is at 5pm already.";
  const snapshot = { type: "snapshot", snapshot: { messages: told(beside).map((one) => one.entry), plans: [plan("pending_confirmation")], cursor: "1" } };
  for (const order of [[sent, answered({ message: beside })], [sent, answered({ message: beside }), ...told(beside)], [sent, ...told(beside), answered({ message: beside })], [snapshot]]) {
    assert.deepEqual(keys(after(...order)).slice(1), ["plan-p", "reply-r"]);
    assert.deepEqual(texts(after(...order)), ["move it", beside]);
  }
  // An entry without words of its own has the plan's intent, which the card shows.
  assert.deepEqual(texts(after(sent, ...told("Move for Ann"), answered({}))), ["move it"]);
});

test("a word on a plan that is shown already doubles no card, and what is said of it is shown where it was said", () => {
  const first = [entry(1, "message", "move it", { request_id: "a" }), entry(2, "plan", "Move for Ann", { request_id: "a", plan_id: "p" }), { type: "plan", plan: plan("pending_confirmation") }];
  const yes = { type: "sent", outgoing: { request_id: "b", text: "yes", at: NOW, state: "sending" } };
  const turn = { type: "plan", plan: plan("pending_confirmation"), message: "It still waits." };
  const live = after(...first, yes, { type: "answered", request_id: "b", turn });
  assert.deepEqual(keys(live), ["message-a", "plan-p", "message-b", "reply-b"]);
  const told = [entry(3, "message", "yes", { request_id: "b" }), entry(4, "plan", "It still waits.", { request_id: "b", plan_id: "p" })];
  assert.deepEqual(keys(told.reduce(reduce, live)), ["message-a", "plan-p", "message-b", "reply-b"]);
});

test("what was chosen of what was offered reads as it was offered, live and after a reload", () => {
  const actions = [{ label: "Callaghan, Sat 28 Nov, 11 guests", say: "8159" }];
  const asked = [entry(1, "message", "make it 15", { request_id: "a" }), entry(2, "clarification", "Which one?", { request_id: "a", actions })];
  const tapped = { type: "sent", outgoing: { request_id: "b", text: "8159", at: NOW, state: "sending" } };
  const live = after(...asked, tapped);
  assert.equal(texts(live).at(-1), "Callaghan, Sat 28 Nov, 11 guests");
  assert.equal(live.outbox[0].text, "8159");
  const told = [entry(3, "message", "8159", { request_id: "b" }), entry(4, "answer", "Done.", { request_id: "b" })];
  assert.deepEqual(texts([...asked, ...told].map((one) => one).reduce(reduce, after())).slice(2), ["Callaghan, Sat 28 Nov, 11 guests", "Done."]);
  // Later the same number is what it is.
  assert.equal(texts([...asked, ...told, entry(5, "message", "8159", { request_id: "c" })].reduce(reduce, after())).at(-1), "8159");
});
