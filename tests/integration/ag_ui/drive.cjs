// AG-UI's own client, HttpAgent, drives a thread: one run after the other, as told on stdin, one line of JSON for each on
// stdout. Its own checks are on: of the events' shapes, of their order, and of what may be sent while interrupts are open.
//
//   {"url", "headers", "threadId", "runs": [{"say"?, "answer"?, "resumeAs"?, "props", "runId"?, "abortAt"?, "meanwhile"?}]}
//
// answer: {"status", "payload"?} for every open interrupt. resumeAs: the resume of that earlier run, sent again as it was.
// abortAt: the connection is dropped at the first event of this type. meanwhile: {"at", "props"}: at that event a second
// agent of the same thread sends these; "$plan" in them is the plan's id.
const { randomUUID } = require("node:crypto");
const { createRequire } = require("node:module");
const { HttpAgent, buildResumeArray } = createRequire(process.env.AG_UI_MODULES + "/")("@ag-ui/client");

const input = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
const agent = () => new HttpAgent({ url: input.url, headers: input.headers, threadId: input.threadId });
const filled = (props, planId) => JSON.parse(JSON.stringify(props).replaceAll("$plan", planId));
const resumes = [];
console.warn = (...said) => warnings.push(said.map(String).join(" "));
console.error = () => {};
let warnings = [];

async function one(client, run, planId) {
  const seen = { events: [], outcome: null, interrupts: [], runError: null };
  let also = null;
  const heard = ({ event }) => {
    seen.events.push(event);
    if (event.snapshot?.plan?.plan_id) planId = event.snapshot.plan.plan_id;
    if (run.meanwhile && !also && event.type === run.meanwhile.at) {
      also = one(agent(), { props: filled(run.meanwhile.props, client.state?.plan?.plan_id ?? planId) });
    }
    if (run.abortAt === event.type) client.abortRun();
  };
  const subscriber = {
    onEvent: heard,
    onRunFinishedEvent: ({ outcome, interrupts, result }) => Object.assign(seen, { outcome, interrupts, result }),
    onRunErrorEvent: ({ event }) => { seen.runError = event; },
  };
  if (run.say) client.addMessage({ id: randomUUID(), role: "user", content: run.say });
  let resume;
  if (run.answer) {
    const answers = Object.fromEntries(client.pendingInterrupts.map(({ id }) => [id, run.answer]));
    resume = buildResumeArray(client.pendingInterrupts, answers);
  }
  if (run.resumeAs !== undefined) resume = resumes[run.resumeAs];
  resumes.push(resume);
  warnings = [];
  try {
    const parameters = { forwardedProps: filled(run.props, client.state?.plan?.plan_id ?? ""), runId: run.runId, resume };
    await client.runAgent(parameters, subscriber);
    seen.threw = null;
  } catch (error) {
    seen.threw = String(error?.message ?? error);
  }
  seen.pending = client.pendingInterrupts.map(({ id }) => id);
  seen.messages = client.messages;
  seen.state = client.state;
  seen.warnings = warnings;
  if (also) seen.meanwhile = await also;
  return seen;
}

(async () => {
  const client = agent();
  for (const run of input.runs) {
    const seen = await one(client, run, "");
    console.log(JSON.stringify(seen));
  }
})();
