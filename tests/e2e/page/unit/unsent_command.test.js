// A word that was not taken is told for as long as it can be given again, in the chat of its plan, and once.
import assert from "node:assert/strict";
import test from "node:test";

const storage = new Map();
globalThis.window = { sessionStorage: { getItem: (key) => storage.get(key) ?? null, setItem: (key, value) => storage.set(key, value) } };
const { saveUnsent, commandError, restoreUnsent } = await import("../../../../api/web/unsent_command.js");

const soon = new Date(Date.now() + 60_000).toISOString();
const past = new Date(Date.now() - 1000).toISOString();
const action = { step: 1, action_id: "a", title: "Move", parameters: {}, safety_tier: "normal", reversible: true, status: "pending", required: false };
const known = (status, more = {}, events = []) => ({
  plan: { plan_id: "p", status, expires_at: soon, actions: [action, { ...action, step: 2 }], results: [], ...more }, events, live: new Set(), command: null,
});
const commandOf = (kind, more = {}) => ({ kind, request_id: "r", state: "failed", missed: true, message: "x", ...more });
const asks = { blocking_prompt: { prompt_id: "q", question: "How?", choices: [], expires_at: soon } };

const CASES = [
  ["confirm", known("pending_confirmation"), true],
  ["confirm", known("pending_confirmation", { expires_at: past }), false],
  ["confirm", known("pending_confirmation", {}, [{ number: 1, kind: "confirmed" }]), false],
  ["confirm", known("executing"), false],
  ["confirm", known("expired"), false],
  ["cancel", known("pending_confirmation"), true],
  ["cancel", known("executing"), true],
  ["cancel", known("executing", { stopping: true }), false],
  ["cancel", known("completed"), false],
  ["undo", known("completed", { undo_until: soon }), true],
  ["undo", known("completed", { undo_until: past }), false],
  ["undo", known("completed", { undo_until: soon, rollback: { state: "running" } }), false],
  ["answer", known("executing", asks), true],
  ["answer", known("executing"), false],
  ["skip", known("executing"), true],
  ["skip", known("completed"), false],
];

test("it is told where it can be given again, and nowhere else", () => {
  for (const [kind, state, told] of CASES) {
    const given = commandOf(kind, { prompt_id: "q", step: 1, text: "in cash" });
    saveUnsent("p", given);
    assert.doesNotMatch([...storage.values()].join(), /in cash/, "what was typed is not kept");
    const found = restoreUnsent({ plans: { p: state } });
    assert.equal(found.length, told ? 1 : 0, `${kind} ${JSON.stringify(state.plan)}`);
    if (told) assert.match(found[0].command.message, /You were signed out, so .* not taken/);
    assert.equal(commandError({ ...state, command: given }), told ? "x" : "");
    assert.deepEqual(restoreUnsent({ plans: { p: state } }), [], "once");
  }
});

test("another chat does not tell it, and a word that may have been taken is told by what is known of it", () => {
  saveUnsent("p", commandOf("confirm"));
  assert.deepEqual(restoreUnsent({ plans: {} }), []);
  assert.equal(commandError({ ...known("executing"), command: commandOf("confirm", { missed: false }) }), "x");
  assert.match(commandError({ ...known("executing"), command: { ...commandOf("confirm"), missed: false, message: undefined } }), /did not get through/);
});
