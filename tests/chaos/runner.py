"""Runs one scenario against a running stack and looks at how it ended."""

import asyncio
import time
from collections.abc import Callable
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from temporalio.api.enums.v1 import WorkflowTaskFailedCause as Cause
from temporalio.client import WorkflowExecutionStatus, WorkflowHandle, WorkflowQueryFailedError
from temporalio.service import RPCError

from activities.chats import conversation_id
from contracts.messages import PlanView, SessionView
from tests.chaos.injection import Injector
from tests.chaos.invariants import Ending, Ground, violations
from tests.chaos.scenario import ACTIONS, SAID, Scenario
from tests.support.operator import Operator
from tests.support.roller import Roller, a_name
from tests.support.scripted_model import look_up, obey, then
from tests.support.separate import Separate

SETTLES_WITHIN = 100.0
"""Seconds, from the confirmation: three reversals at their longest, one wait for a sign-in, and the outages."""
_TOKENS_WIPED_WITHIN = 30.0
_SLOW = 3.0
_VENUE = "roller-demo"
_QUICK = timedelta(seconds=1)


@dataclass(slots=True)
class Result:
    """What came of a scenario."""

    scenario: Scenario
    violations: list[str]
    status: str
    fired: int
    seconds: float
    story: str
    slowest_answer: float = 0.0


class Run:
    """One scenario in one stack."""

    def __init__(self, parts: Separate, scenario: Scenario) -> None:
        self._parts = parts
        self._scenario = scenario
        self._guest = a_name()
        self._injector: Injector | None = None
        self._asked = False
        self._phone_trouble: list[str] = []
        self._slowest = 0.0

    async def go(self) -> Result:
        """Carry the scenario out; the parts are all up again afterwards."""
        began = time.monotonic()
        async with AsyncExitStack() as closing:
            venue = await closing.enter_async_context(self._parts.roller())
            booking = await venue.book(self._guest)
            before = Ground(booking, await venue.guest(booking))
            token = f"op-{booking['uniqueId']}"
            await self._parts.grant(token)
            operator = await closing.enter_async_context(self._parts.operator(token))
            self._write_script()
            plan = await operator.plan_for(f"{SAID} for {self._guest}")
            injector = self._injector = Injector(self._parts, self._scenario, operator, plan["plan_id"])
            closing.push_async_callback(injector.abandon)
            injector.attach()
            await operator.confirm(plan)
            chores = [asyncio.create_task(self._answer(operator, plan))]
            if self._scenario.phone:
                chores.append(asyncio.create_task(self._poll(operator, plan)))
            settled = await self._settled(plan["plan_id"])
            for chore in chores:
                chore.cancel()
            ended = await asyncio.gather(*chores, return_exceptions=True)
            problems = [f"a client failed: {e!r}" for e in ended if isinstance(e, Exception)]
            await injector.finish()
            end = await self._look(venue, operator, plan, before, settled)
            end.problems += problems
            if injector.cancel_taken and end.plan and end.plan["status"] == "completed":
                end.problems.append("a cancel was accepted and the plan was completed all the same")
        broken = violations(end)
        return Result(
            scenario=self._scenario,
            violations=broken,
            status=_ending(end.plan),
            fired=len(injector.fired),
            seconds=time.monotonic() - began,
            story=self._story(end),
            slowest_answer=self._slowest,
        )

    def _write_script(self) -> None:
        calls = [(name, ACTIONS[name]) for name in self._scenario.steps]
        plan_all: Callable[[dict[str, Any]], Any] = then(*calls)  # type: ignore[assignment]

        async def reply(body: dict[str, Any]) -> Any:
            if "Task: execute" not in body["messages"][0]["content"]:
                return plan_all(body) if body["messages"][-1]["role"] == "tool" else look_up(self._guest)
            assert self._injector is not None
            await self._injector.model_asked()
            said = self._ask(body) or obey(body)
            await self._injector.model_answers()
            return said

        self._parts.scripted.script(self._guest, reply)

    def _ask(self, body: dict[str, Any]) -> dict[str, Any] | None:
        at = self._scenario.asks_at
        if at is None or self._asked or obey(body) == "All steps are done.":
            return None
        done = body["messages"][0]["content"].count('"status": "completed"')
        if done != at - 1:
            return None
        self._asked = True
        return {"ask_operator": {"question": "Is that all right?", "choices": ["Yes", "No"]}}

    async def _answer(self, operator: Operator, plan: dict[str, Any]) -> None:
        """Answer the plan's question when it asks one."""
        while self._scenario.asks_at is not None:
            await asyncio.sleep(0.3)
            response = await operator.http.get(f"/v1/plans/{plan['plan_id']}", params={"user_id": operator.user})
            if response.status_code == 200 and response.json().get("blocking_prompt"):
                answered = await operator.answer(plan, "Yes")
                assert self._injector is not None
                self._injector.timeline.say(f"answer taken: {answered.status_code}")

    async def _poll(self, operator: Operator, plan: dict[str, Any]) -> None:
        """A phone that polls all along: it is told 200, or 401 and 503 where they are due, and nothing else."""
        assert self._injector is not None
        signed_out = any(d.kind == "sign_out" for d in self._scenario.disturbances)
        while True:
            asked = time.monotonic()
            response = await operator.http.get(f"/v1/plans/{plan['plan_id']}", params={"user_id": operator.user})
            took = time.monotonic() - asked
            self._slowest = max(self._slowest, took)
            if took > _SLOW:
                self._injector.timeline.say(f"the phone waited {took:.1f} s for {response.status_code}")
            if response.status_code not in (200, 503) and not (response.status_code == 401 and signed_out):
                self._phone_trouble.append(f"GET of the plan answered {response.status_code}: {response.text}")
            await asyncio.sleep(0.15)

    async def _settled(self, plan_id: str) -> bool:
        """Watch the plan until nothing more will happen by itself; False when that takes too long."""
        assert self._injector is not None
        handle = self._parts.client.get_workflow_handle(f"plan-{plan_id}")
        until, last = time.monotonic() + SETTLES_WITHIN, ""
        while time.monotonic() < until:
            with suppress(RPCError, WorkflowQueryFailedError, TimeoutError):
                asking = handle.query("plan", result_type=PlanView, rpc_timeout=_QUICK)
                plan = (await asyncio.wait_for(asking, 2)).plan
                rollback = f" rollback {plan.rollback.state}" if plan.rollback else ""
                state = f"{plan.status}{rollback} {[a.status.value for a in plan.actions]}"
                if state != last:
                    self._injector.timeline.say(f"plan: {state}")
                    last = state
                if plan.settled and not self._injector.busy:
                    return True
            if await self._broken(handle):
                return False
            await asyncio.sleep(0.08)
        return False

    async def _broken(self, handle: WorkflowHandle[Any, Any]) -> bool:
        """Whether the plan's workflow has ended in a way that a plan never may."""
        ended = (WorkflowExecutionStatus.FAILED, WorkflowExecutionStatus.CANCELED, WorkflowExecutionStatus.TERMINATED)
        with suppress(RPCError, TimeoutError):
            return (await asyncio.wait_for(handle.describe(rpc_timeout=_QUICK), 2)).status in ended
        return False

    async def _look(
        self, venue: Roller, operator: Operator, plan: dict[str, Any], before: Ground, settled: bool
    ) -> Ending:
        await self._parts.ready()
        await self._parts.proxy.quiet()
        await venue.clear_faults()
        tokens = await _empty_after(_TOKENS_WIPED_WITHIN, self._parts.tokens_kept)
        last = f"end-{plan['plan_id']}"
        await self._parts.grant(last)
        operator.http.headers["Authorization"] = f"Bearer {last}"
        booking = await venue.booking(before.booking["uniqueId"])
        chat = conversation_id(_VENUE, operator.session)
        problems = await self._close(plan["plan_id"])
        final = await operator.look(plan) if settled else None
        if final and final.get("stale"):
            problems.append("the ended plan is told as stale")
        holder = await self._slot_holder(chat)
        problems += await self._task_failures(f"plan-{plan['plan_id']}") + await self._task_failures(chat)
        await self._end_for_good(chat, f"plan-{plan['plan_id']}")
        return Ending(
            scenario=self._scenario,
            plan=final,
            before=before,
            now=Ground(booking, await venue.guest(booking)),
            journal=await venue.journal(before.booking),
            tokens=tokens,
            slot_holder=holder,
            problems=problems,
            phone=self._phone_trouble[:3],
        )

    async def _close(self, plan_id: str) -> list[str]:
        """A completed plan waits for an undo; end that, and see that the workflow closes as it should."""
        handle = self._parts.client.get_workflow_handle(f"plan-{plan_id}")
        status = WorkflowExecutionStatus.RUNNING
        for attempt in range(100):
            description = await handle.describe()
            if description.status is not WorkflowExecutionStatus.RUNNING:
                status = description.status or status
                break
            if attempt == 20:
                await handle.cancel()
            await asyncio.sleep(0.1)
        return [] if status is WorkflowExecutionStatus.COMPLETED else [f"the plan's workflow is {status.name}"]

    async def _slot_holder(self, chat: str) -> str | None:
        handle = self._parts.client.get_workflow_handle(chat)
        for _ in range(30):
            view: SessionView = await handle.query("session", result_type=SessionView)
            if view.prompt_plan_id is None:
                return None
            await asyncio.sleep(0.1)
        return view.prompt_plan_id

    async def _task_failures(self, workflow_id: str) -> list[str]:
        """Failed workflow tasks; a task that was overtaken by news or lost its worker did not fail in our code."""
        handle = self._parts.client.get_workflow_handle(workflow_id)
        benign = {Cause.WORKFLOW_TASK_FAILED_CAUSE_UNHANDLED_COMMAND}
        return [
            f"a task of {workflow_id[:5]} failed: {Cause.Name(event.workflow_task_failed_event_attributes.cause)}"
            async for event in handle.fetch_history_events()
            if event.HasField("workflow_task_failed_event_attributes")
            and event.workflow_task_failed_event_attributes.cause not in benign
        ]

    async def _end_for_good(self, *workflow_ids: str) -> None:
        for workflow_id in workflow_ids:
            handle = self._parts.client.get_workflow_handle(workflow_id)
            if (await handle.describe()).status is WorkflowExecutionStatus.RUNNING:
                await handle.terminate("scenario over")
        await self._parts.forget_tokens()

    def _story(self, end: Ending) -> str:
        assert self._injector is not None
        plan = {k: (end.plan or {}).get(k) for k in ("status", "failure", "rollback", "rollback_report", "results")}
        return "\n".join(
            [
                str(self._scenario),
                *self._injector.timeline.rows,
                f"plan: {plan}",
                *(f"journal: {r['at'][11:23]} {r['operation']} {r['body']}" for r in end.journal),
                f"before: {end.before.values}",
                f"now: {end.now.values}",
            ]
        )


def _ending(plan: dict[str, Any] | None) -> str:
    if plan is None:
        return "stuck"
    report = plan.get("rollback_report")
    return f"{plan['status']} ({report['outcome']})" if report else str(plan["status"])


async def _empty_after(seconds: float, look: Any) -> list[str]:
    """What is still there after so long; nothing as soon as there is nothing."""
    until = time.monotonic() + seconds
    while found := await look():
        if time.monotonic() > until:
            return list(found)
        await asyncio.sleep(0.1)
    return []


async def troubled(parts: Separate) -> list[str]:
    """Workflows whose tasks keep failing, as on-call would find them."""
    return [w.id async for w in parts.client.list_workflows("TemporalReportedProblems IS NOT NULL")]
