"""`iq resolve`: a person's word on what code could not settle.

A decision is written into the ledger, since the workflow it is about has closed: its page, the operator's view and `iq
stuck` read it there. It is taken only where there is something to decide, so that what was told stays true.
"""

import getpass
from collections.abc import Sequence
from datetime import UTC, datetime

from cli.oncall.finding import iq
from cli.oncall.left import by_hand, undecided
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
    Decision.APPLIED: "that step {step} was carried out",
    Decision.NOT_APPLIED: "that step {step} was not carried out",
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
        elif one.workflow_id.startswith("plan-"):
            view = await PlanClient(client).plan(plan_of_workflow(one.workflow_id))
            _refuse(one, view.plan, earlier, decision, step)
        elif one.open:
            raise RefusedError(f"{one.workflow_id} is still open")
        word = PersonDecision(decision=decision, step=step, by=who, at=datetime.now(UTC))
        # Before anything is ended: a word that cannot be kept has no effect.
        await kept.note(one.workflow_id, word)
        if decision is Decision.ENDED:
            await executions.end(one.workflow_id, one.run_id, f"ended by {who}: its tasks fail")
    except (RequestError, RefusedError, LedgerAwayError) as refused:
        print(f"iq: {refused}")
        return 1
    finally:
        database.close()
    print(f"{one.workflow_id}: it is on record {_SAID[decision].format(step=step)}, says {who}.")
    return 0


def _refuse_end(one: Execution) -> None:
    if not one.open:
        raise RefusedError(f"{one.workflow_id} has ended; `iq stuck` tells whether it leaves anything to a person")
    if one.task is None or one.task.attempt < 2:
        raise RefusedError(f"the tasks of {one.workflow_id} do not fail: it can go on, and its operator can cancel it")


def _refuse(
    one: Execution, plan: ExecutionPlan, earlier: Sequence[PersonDecision], decision: Decision, step: int | None
) -> None:
    if one.open:
        raise RefusedError(f"{one.workflow_id} still runs ({one.phase}): what it comes to is not known yet")
    open_steps, left = undecided(plan, earlier), by_hand(plan, earlier)
    if decision is not Decision.DONE:
        decided = {word.step for word in earlier if word.step is not None}
        # A word may be corrected: the last one counts.
        if step not in open_steps and step not in decided:
            among = f"; nobody knows of step {', '.join(map(str, open_steps))}" if open_steps else ""
            raise RefusedError(f"step {step} of {one.workflow_id} is not one of unknown outcome{among}")
        return
    if open_steps:
        told = iq("resolve", one.workflow_id, "--step", str(open_steps[0]))
        raise RefusedError(f"nobody knows of step {open_steps[0]}: say `{told} --applied` or `--not-applied` first")
    if not left and not plan.stale:
        raise RefusedError(f"{one.workflow_id} is {plan.status} and leaves nothing to a person")
