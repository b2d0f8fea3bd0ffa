// One's own plans in other chats: which are told, and that nothing of them is left for whoever comes next.
import assert from "node:assert/strict";
import test from "node:test";

globalThis.location = { href: "http://127.0.0.1/" };
globalThis.document = { hidden: false };
// What is looked at again and again must not keep a test that fails from ending.
const later = globalThis.setTimeout;
globalThis.setTimeout = (...given) => later(...given).unref();
const { OtherChats } = await import("../../../../api/web/other_chats.js");

const WHO = { user_id: "ann", venue: { venue_id: "v" } };
const plan = (id, status, more = {}) => ({ plan_id: id, session_id: "other", status, created_at: `2026-11-23T10:0${id}:00Z`, actions: [], ...more });
const KNOWN = [
  plan("1", "pending_confirmation"), plan("2", "executing"), plan("3", "completed"), plan("4", "failed"), plan("5", "confirmed", { session_id: "here" }),
  plan("6", "failed", { rollback: { state: "waiting_for_sign_in" } }), plan("7", "completed", { rollback: { state: "running" } }),
];

/** @param {(address: URL) => Promise<void>} [before] */
function served(before = async () => {}) {
  const asked = [];
  globalThis.fetch = async (path) => {
    const address = new URL(path, "http://127.0.0.1/");
    asked.push(address);
    await before(address);
    const statuses = address.searchParams.get("status")?.split(",") ?? [];
    return new Response(JSON.stringify({ plans: KNOWN.filter((one) => statuses.includes(one.status)) }));
  };
  return asked;
}

function others(told) {
  return new OtherChats({ getSession: () => WHO, getChat: () => "here", onChange: (found) => told.push(found), onSignedOut: () => told.push("out") });
}

test("what goes on or waits in another chat is told, the newest first, what is being put back too", async () => {
  const [asked, told] = [served(), []];
  const found = others(told);
  await found.refresh();
  assert.deepEqual(told[0].plans.map((one) => one.plan_id), ["7", "6", "2", "1"]);
  assert.ok(asked.every((address) => address.pathname === "/v1/plans" && address.searchParams.get("user_id") === "ann"));
  found.clear();
});

test("nothing is left of them for whoever comes next, though it is answered later", async () => {
  let answer = () => {};
  const [told, held] = [[], new Promise((resolve) => (answer = resolve))];
  served(() => held);
  const found = others(told);
  const late = found.refresh();
  found.clear();
  answer();
  await late;
  assert.deepEqual(told, [{ plans: [], known: false, trouble: null, undoing: [] }]);
  served();
  await found.refresh();
  found.clear();
  assert.deepEqual(told.at(-1).plans, []);
});

test("what can still be undone is told behind what goes on, and is undone from here, once", async () => {
  const until = new Date(Date.now() + 60_000).toISOString();
  const done = plan("8", "completed", { undo_until: until });
  const over = plan("9", "completed", { undo_until: new Date(Date.now() - 1000).toISOString() });
  const asked = [];
  globalThis.fetch = async (path, how) => {
    const address = new URL(path, "http://127.0.0.1/");
    asked.push([how.method, address.pathname, how.body]);
    if (address.pathname.endsWith("/undo")) return new Response(JSON.stringify({ ...done, rollback: { state: "running" } }));
    if (address.pathname !== "/v1/plans") return new Response(JSON.stringify({ ...done, status: "rolled_back", rollback: { state: "done" } }));
    const statuses = address.searchParams.get("status").split(",");
    return new Response(JSON.stringify({ plans: [done, over, KNOWN[0]].filter((one) => statuses.includes(one.status)) }));
  };
  const told = [];
  const found = others(told);
  await found.refresh();
  assert.deepEqual(told.at(-1).plans.map((one) => one.plan_id), ["1", "8"]);
  await Promise.all([found.undo("8"), found.undo("8")]);
  assert.deepEqual(told.map(({ undoing }) => undoing), [[], ["8"], ["8"]]);
  assert.deepEqual(asked.filter(([method]) => method === "POST").map(([, path]) => path), ["/v1/plans/8/undo"]);
  assert.equal(told.at(-1).plans.find((one) => one.plan_id === "8").rollback.state, "running");
  found.clear();
});
