// What is offered to be left out is what the service would leave out: its own vectors, and where a plan stands.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { maySkip, skippable } from "../../../../api/web/skip_rule.js";

const vectors = JSON.parse(readFileSync(new URL("../../../unit/reasoning/skip_vectors.json", import.meta.url), "utf8"));

for (const { what, steps, may } of vectors) {
  test(what, () => {
    const all = steps.map((one, index) => ({ step: index + 1, status: "pending", ...one }));
    assert.deepEqual(all.filter((one) => maySkip(one, all)).map((one) => one.step), may);
  });
}

test("nothing is left out of a plan that has ended, is being stopped, or whose step has begun", () => {
  const actions = [{ step: 1, status: "pending", required: false }, { step: 2, status: "pending" }];
  const known = (more, events = []) => ({ plan: { plan_id: "p", status: "executing", actions, results: [], ...more }, events, live: new Set(), command: null });
  assert.deepEqual([...skippable(known({}))], [1]);
  assert.deepEqual([...skippable(known({ stopping: true }))], []);
  assert.deepEqual([...skippable(known({ status: "failed", rollback: { state: "running" } }))], []);
  const begun = { number: 1, kind: "step_started", step: 1, at: "2026-11-23T10:00:00Z", text: "x" };
  assert.deepEqual([...skippable(known({}, [begun]))], []);
});
