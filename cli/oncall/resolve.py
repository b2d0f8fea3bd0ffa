"""`iq resolve`: a person's decision on what code could not settle.

A decision is stored in the ledger, because its workflow has closed; the plan page, the operator's view and `iq stuck`
read it there. It is accepted only if there is something to decide, so that earlier statements stay true.
"""

import getpass
from collections.abc import Sequence
from datetime import UTC, datetime

from cli.oncall.closed_workflows import as_left, by_hand, cut_short, seen_to, undecided
from cli.oncall.issue import iq
from clients.errors import ApiError
from clients.ledger import open_ledger
from clients.temporal.executions import ExecutionInfo, WorkflowInspector
from clients.temporal.plans import PlanClient
from contracts.escalation import BY_MOST
from contracts.identifiers import is_printable
from contracts.plan import ExecutionPlan, ManualDecision, ManualDecisionKind
from infra.config.settings import Settings
from infra.errors import DependencyUnavailableError
from infra.ledger.manual_decisions import ManualDecisionTable
from infra.temporal.client import connect
from workflows.workflow_ids import plan_of_workflow, plan_workflow

_DECISIONS = {
    ManualDecisionKind.APPLIED: "that step {step} was applied",
    ManualDecisionKind.NOT_APPLIED: "that step {step} was not applied",
    ManualDecisionKind.DONE: "that what was left to do was seen to",
    ManualDecisionKind.ENDED: "that it is ended",
}


class ResolveRefusedError(Exception):
    """The decision is rejected; the text has the reason and the alternative."""


def workflow_named(name: str) -> str:
    """Return the named workflow: a plan's if the name has no kind."""
    return name if name.startswith(("plan-", "chat-", "escalation-")) else plan_workflow(name)


async def retry(settings: Settings, name: str) -> int:
    """Retry at once the calls that wait for their next attempt."""
    executions = WorkflowInspector(await connect(settings, wait=2))
    try:
        one = await executions.describe(workflow_named(name))
        retried = [call for call in one.calls if call.attempt > 1]
        if not retried:
            # It may have succeeded after `iq stuck` printed the command.
            print(f"{one.workflow_id}: nothing waits to be tried again.")
        for call in retried:
            if not call.runs:
                await executions.retry_now(one.workflow_id, call)
            print(f"{one.workflow_id}: {call.name} is tried now (attempt {call.attempt}).")
    except ApiError as refused:
        print(f"iq: {refused}")
        return 1
    return 0


async def decide(settings: Settings, name: str, decision: ManualDecisionKind, step: int | None, by: str | None) -> int:
    """Record a person's decision; the exit code is 1 if it is rejected."""
    who = " ".join((by or getpass.getuser()).split())
    client = await connect(settings, wait=2)
    executions, database = WorkflowInspector(client), open_ledger(settings)[0]
    decisions = ManualDecisionTable(database)
    try:
        if not who or not is_printable(who) or len(who) > BY_MOST:
            raise ResolveRefusedError(f"--by must be a name of at most {BY_MOST} characters that can be seen")
        one = await executions.describe(workflow_named(name))
        earlier = (await decisions.of([one.workflow_id], 10)).get(one.workflow_id, [])
        if decision is ManualDecisionKind.ENDED:
            _refuse_end(one)
            # Terminate before the decision is recorded: a recorded end would hide a workflow that continues and is cut
            # off later.
            await executions.terminate(one.workflow_id, one.run_id, f"ended by {who}: its tasks fail")
        elif one.workflow_id.startswith("plan-"):
            _refuse_running(one)
            plan = (await PlanClient(client).plan(plan_of_workflow(one.workflow_id))).plan
            plan = await as_left(executions, one.workflow_id, plan) if cut_short(one) else plan
            _refuse(one, plan, earlier, decision, step)
        else:
            _refuse_running(one)
            _refuse_without_steps(one, earlier, decision)
        await _note(decisions, one, ManualDecision(decision=decision, step=step, by=who, at=datetime.now(UTC)))
    except (ApiError, ResolveRefusedError, DependencyUnavailableError) as refused:
        print(f"iq: {refused}")
        return 1
    finally:
        database.close()
    print(f"{one.workflow_id}: it is on record {_DECISIONS[decision].format(step=step)}, says {who}.")
    return 0


async def _note(decisions: ManualDecisionTable, one: ExecutionInfo, decision: ManualDecision) -> None:
    """Record a decision. Raises `DependencyUnavailableError`, and `ResolveRefusedError` if the workflow was already
    terminated."""
    try:
        await decisions.note(one.workflow_id, decision)
    except DependencyUnavailableError as away:
        if decision.decision is not ManualDecisionKind.ENDED:
            raise
        text = iq("resolve", one.workflow_id, "--done")
        raise ResolveRefusedError(
            f"{one.workflow_id} is ended, and that is not on record ({away}): where `iq stuck` names it as cut off, "
            f"`{text}` settles that"
        ) from None


def _refuse_end(one: ExecutionInfo) -> None:
    if not one.open:
        raise ResolveRefusedError(f"{one.workflow_id} has ended; `iq stuck` shows whether it needs a person")
    if one.task is None or one.task.attempt < 2:
        raise ResolveRefusedError(
            f"the tasks of {one.workflow_id} do not fail: `iq stuck` shows what else it may wait for"
        )


def _refuse_running(one: ExecutionInfo) -> None:
    if one.open:
        raise ResolveRefusedError(f"{one.workflow_id} still runs ({one.phase}): its outcome is not known yet")


def _refuse_without_steps(one: ExecutionInfo, earlier: Sequence[ManualDecision], decision: ManualDecisionKind) -> None:
    """Check a decision about a chat or an escalation."""
    if decision is not ManualDecisionKind.DONE:
        raise ResolveRefusedError(f"{one.workflow_id} has no steps")
    if not cut_short(one):
        raise ResolveRefusedError(f"{one.workflow_id} leaves nothing to a person")
    _refuse_again(one, earlier)


def _refuse_again(one: ExecutionInfo, earlier: Sequence[ManualDecision]) -> None:
    if decision := seen_to(earlier):
        raise ResolveRefusedError(f"what {one.workflow_id} left is marked as done already, by {decision.by}")


def _refuse(
    one: ExecutionInfo,
    plan: ExecutionPlan,
    earlier: Sequence[ManualDecision],
    decision: ManualDecisionKind,
    step: int | None,
) -> None:
    open_steps = undecided(plan, earlier)
    if decision is not ManualDecisionKind.DONE:
        decided = {word.step for word in earlier if word.step is not None}
        # A decision may be corrected: the last one counts.
        if step not in open_steps and step not in decided:
            among = f"; the outcome is unknown of step {', '.join(map(str, open_steps))}" if open_steps else ""
            raise ResolveRefusedError(f"step {step} of {one.workflow_id} is not one of unknown outcome{among}")
        return
    if open_steps:
        step, command = open_steps[0], iq("resolve", one.workflow_id, "--step", str(open_steps[0]))
        raise ResolveRefusedError(
            f"the outcome of step {step} is unknown: first `{command} --applied` or `--not-applied`"
        )
    if cut_short(one):
        _refuse_again(one, earlier)
    elif not by_hand(plan, earlier):
        raise ResolveRefusedError(f"{one.workflow_id} is {plan.status} and leaves nothing to a person")
