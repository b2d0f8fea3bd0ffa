"""`iq resolve`: a person's word on what code could not settle.

A decision is written into the ledger, since the workflow it is about has closed: its page, the operator's view and `iq
stuck` read it there. It is taken only where there is something to decide, so that what was told stays true.
"""

import getpass
from collections.abc import Sequence
from datetime import UTC, datetime

from cli.oncall.ended import as_left, cut_short
from cli.oncall.finding import iq
from cli.oncall.left import by_hand, seen_to, undecided
from clients.errors import RequestError
from clients.executions import Execution, Executions
from clients.ledger import open_ledger
from clients.plans import PlanClient
from contracts.decisions import Decision, PersonDecision
from contracts.escalation import BY_MOST
from contracts.names import seen
from contracts.plan import ExecutionPlan
from infra.ledger.database import LedgerAwayError
from infra.ledger.decisions import Decisions
from infra.settings import Settings
from infra.temporal import connect
from workflows.ids import plan_of_workflow, plan_workflow

_SAID = {
    Decision.APPLIED: "that step {step} stands",
    Decision.NOT_APPLIED: "that step {step} does not stand",
    Decision.DONE: "that what was left to do was seen to",
    Decision.ENDED: "that it is ended",
}


class RefusedError(Exception):
    """It is not taken; the text says why, and what to do instead."""


def workflow_named(name: str) -> str:
    """The workflow that is meant: a plan's where no kind is said."""
    return name if name.startswith(("plan-", "chat-", "escalation-")) else plan_workflow(name)


async def retry(settings: Settings, name: str) -> int:
    """Have what waits for its next attempt tried at once."""
    executions = Executions(await connect(settings, wait=2))
    try:
        one = await executions.look(workflow_named(name))
        retried = [call for call in one.calls if call.attempt > 1]
        if not retried:
            # It may have gone well since whoever types this was told of it.
            print(f"{one.workflow_id}: nothing waits to be tried again.")
        for call in retried:
            if not call.runs:
                await executions.try_now(one.workflow_id, call)
            print(f"{one.workflow_id}: {call.name} is tried now (attempt {call.attempt}).")
    except RequestError as refused:
        print(f"iq: {refused}")
        return 1
    return 0


async def decide(settings: Settings, name: str, decision: Decision, step: int | None, by: str | None) -> int:
    """Take a person's decision; the exit code is 1 where it is not taken."""
    who = " ".join((by or getpass.getuser()).split())
    client = await connect(settings, wait=2)
    executions, database = Executions(client), open_ledger(settings)[0]
    kept = Decisions(database)
    try:
        if not who or not seen(who) or len(who) > BY_MOST:
            raise RefusedError(f"--by must be a name of at most {BY_MOST} characters that can be seen")
        one = await executions.look(workflow_named(name))
        earlier = (await kept.of([one.workflow_id], 10)).get(one.workflow_id, [])
        if decision is Decision.ENDED:
            _refuse_end(one)
            # Before it is on record: a word that it was ended would hide one that goes on, and is cut off later.
            await executions.end(one.workflow_id, one.run_id, f"ended by {who}: its tasks fail")
        elif one.workflow_id.startswith("plan-"):
            _refuse_running(one)
            plan = (await PlanClient(client).plan(plan_of_workflow(one.workflow_id))).plan
            plan = await as_left(executions, one.workflow_id, plan) if cut_short(one) else plan
            _refuse(one, plan, earlier, decision, step)
        else:
            _refuse_running(one)
            _refuse_without_steps(one, earlier, decision)
        await _note(kept, one, PersonDecision(decision=decision, step=step, by=who, at=datetime.now(UTC)))
    except (RequestError, RefusedError, LedgerAwayError) as refused:
        print(f"iq: {refused}")
        return 1
    finally:
        database.close()
    print(f"{one.workflow_id}: it is on record {_SAID[decision].format(step=step)}, says {who}.")
    return 0


async def _note(kept: Decisions, one: Execution, word: PersonDecision) -> None:
    """Put a word on record. Raises `LedgerAwayError`, and `RefusedError` where the workflow was ended all the same."""
    try:
        await kept.note(one.workflow_id, word)
    except LedgerAwayError as away:
        if word.decision is not Decision.ENDED:
            raise
        told = iq("resolve", one.workflow_id, "--done")
        raise RefusedError(
            f"{one.workflow_id} is ended, and that is not on record ({away}): where `iq stuck` names it as cut off, "
            f"`{told}` settles that"
        ) from None


def _refuse_end(one: Execution) -> None:
    if not one.open:
        raise RefusedError(f"{one.workflow_id} has ended; `iq stuck` tells whether it leaves anything to a person")
    if one.task is None or one.task.attempt < 2:
        raise RefusedError(f"the tasks of {one.workflow_id} do not fail: `iq stuck` shows what else it may wait for")


def _refuse_running(one: Execution) -> None:
    if one.open:
        raise RefusedError(f"{one.workflow_id} still runs ({one.phase}): what it comes to is not known yet")


def _refuse_without_steps(one: Execution, earlier: Sequence[PersonDecision], decision: Decision) -> None:
    """Of a chat, or of what was handed to a person."""
    if decision is not Decision.DONE:
        raise RefusedError(f"{one.workflow_id} has no steps")
    if not cut_short(one):
        raise RefusedError(f"{one.workflow_id} leaves nothing to a person")
    _refuse_again(one, earlier)


def _refuse_again(one: Execution, earlier: Sequence[PersonDecision]) -> None:
    if word := seen_to(earlier):
        raise RefusedError(f"what {one.workflow_id} left is marked as done already, by {word.by}")


def _refuse(
    one: Execution, plan: ExecutionPlan, earlier: Sequence[PersonDecision], decision: Decision, step: int | None
) -> None:
    open_steps = undecided(plan, earlier)
    if decision is not Decision.DONE:
        decided = {word.step for word in earlier if word.step is not None}
        # A word may be corrected: the last one counts.
        if step not in open_steps and step not in decided:
            among = f"; the outcome is unknown of step {', '.join(map(str, open_steps))}" if open_steps else ""
            raise RefusedError(f"step {step} of {one.workflow_id} is not one of unknown outcome{among}")
        return
    if open_steps:
        step, command = open_steps[0], iq("resolve", one.workflow_id, "--step", str(open_steps[0]))
        raise RefusedError(f"the outcome of step {step} is unknown: first `{command} --applied` or `--not-applied`")
    if cut_short(one):
        _refuse_again(one, earlier)
    elif not by_hand(plan, earlier):
        raise RefusedError(f"{one.workflow_id} is {plan.status} and leaves nothing to a person")
