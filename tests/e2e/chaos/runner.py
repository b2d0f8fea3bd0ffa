"""Runs one scenario against a running stack and checks how it ended."""

import asyncio
import hashlib
import time
from collections import Counter
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import Any

from redis.exceptions import RedisError

from tests.e2e.chaos.ground import Ground, make_booking
from tests.e2e.chaos.injection import Injector
from tests.e2e.chaos.invariants import Ending, identity, violations
from tests.e2e.chaos.plan_watch import PlanWatch
from tests.e2e.chaos.reports import Shown
from tests.e2e.chaos.rival import Rival
from tests.e2e.chaos.scenario import Scenario, plan_message
from tests.e2e.chaos.script import Script
from tests.e2e.chaos.second_writer import Change
from tests.e2e.chaos.stack import ChaosStack
from tests.e2e.chaos.watchers import Hearing
from tests.e2e.chaos.words import Words
from tests.support.operator import Operator
from tests.support.roller import Roller, a_name
from tests.support.waiting import LIMIT
from workflows.workflow_ids import chat_workflow

SETTLES_WITHIN = 240.0
"""Seconds, from the confirmation: three reversals at their longest, one wait for a sign-in, and the outages."""
BEGINS_WITHIN = 4.0
"""Seconds after which a word that was refused would have taken effect, if it ever did."""
_TOKENS_WIPED_WITHIN = 30.0
_SLOW = 3.0
_VENUE = "roller-demo"


@dataclass(slots=True)
class Result:
    """The result of a scenario. `answers`: the last answer to each command of its operator."""

    scenario: Scenario
    violations: list[str]
    status: str
    fired: int
    seconds: float
    story: str
    slowest_answer: float = 0.0
    answers: list[str] = field(default_factory=list)


class Run:
    """One scenario in one stack."""

    def __init__(self, process_stack: ChaosStack, scenario: Scenario) -> None:
        self._parts = process_stack
        self._scenario = scenario
        self._guest = a_name()
        self._shown = Shown()
        self._problems: list[str] = []
        self._slowest = 0.0
        self._rival: Rival | None = None
        self._venue: Roller
        self._operator: Operator
        self._injector: Injector
        self._words: Words
        self._watch: PlanWatch
        self._hearing: Hearing

    async def go(self) -> Result:
        """Run the scenario; all parts are up again afterwards."""
        began = time.monotonic()
        async with AsyncExitStack() as closing:
            self._venue = await closing.enter_async_context(self._parts.roller())
            bookings = await make_booking(self._venue, self._scenario, self._guest)
            before = await self._ground(bookings[0], ())
            plan_id = await self._draft(closing, bookings)
            closing.push_async_callback(self._injector.abandon)
            self._injector.attach()
            chores = [asyncio.create_task(self._answer()), asyncio.create_task(self._hearing.listen())]
            chores.append(asyncio.create_task(self._hearing.listen_to_the_session()))
            if self._scenario.phone:
                chores.append(asyncio.create_task(self._poll()))
            settled = await self._carried_out()
            for chore in chores:
                chore.cancel()
            ended = await asyncio.gather(*chores, return_exceptions=True)
            self._problems += [f"a client failed: {e!r}" for e in ended if isinstance(e, Exception)]
            await self._injector.finish()
            end = await self._look(bookings, before, plan_id, settled)
        return Result(
            scenario=self._scenario,
            violations=violations(end),
            status=_ending(end.plan),
            fired=len(self._injector.fired),
            seconds=time.monotonic() - began,
            story=self._story(end),
            slowest_answer=self._slowest,
            answers=self._shown.answers,
        )

    async def _draft(self, closing: AsyncExitStack, bookings: list[dict[str, Any]]) -> str:
        """Start everything around a plan that waits for its confirmation. Return its id."""
        booking_id, token = bookings[0]["uniqueId"], f"op-{bookings[0]['uniqueId']}"
        await self._parts.grant(token)
        self._operator = await closing.enter_async_context(self._parts.operator(token))
        script = Script(self._scenario, self._guest, bookings, lambda: self._injector)
        self._parts.scripted.script(self._guest, script.reply)
        which = [booking["bookingReference"] for booking in bookings]
        plan = await self._operator.plan_for(plan_message(self._scenario.steps, self._guest, *which))
        plan_id: str = plan["plan_id"]
        self._hearing = Hearing(self._operator, plan, together=self._scenario.together)
        self._injector = Injector(self._parts, self._scenario, self._operator, plan_id, booking_id, token)
        self._words = Words(self._operator, plan_id, self._shown, self._scenario.retries, self._injector.command_sent)
        self._injector.words = self._words
        chat = chat_workflow(_VENUE, self._operator.session)
        self._watch = PlanWatch(self._parts.client, plan_id, chat, lambda what: self._injector.timeline.say(what))
        if self._scenario.has("rival"):
            await self._bring_rival(closing, booking_id)
        return plan_id

    async def _bring_rival(self, closing: AsyncExitStack, booking_id: str) -> None:
        token = f"rival-{booking_id}"
        await self._parts.grant(token)
        operator = await closing.enter_async_context(self._parts.operator(token))
        kind = next(d.how for d in self._scenario.disturbances if d.kind == "rival")
        self._rival = Rival(self._parts, operator, self._guest, booking_id, kind)
        await self._rival.draft()
        self._injector.rival = self._rival.confirm

    async def _carried_out(self) -> bool:
        """Run from the confirmation to the end, an undo included. Return False when the plan never settles."""
        await self._words.say(self._scenario.assent)
        if not await self._watch.begins(BEGINS_WITHIN) and not self._shown.taken(self._scenario.assent):
            # Refused for good, or lost: the operator gives up. An accepted confirm begins once a worker is there.
            await self._injector.mended()
            return True
        if not await self._watch.settles(SETTLES_WITHIN, lambda: self._injector.busy):
            return False
        status = await self._watch.status()
        if self._scenario.undoes and status == "completed":
            undo = await self._words.say("undo")
            if undo.status != 409:
                patience = SETTLES_WITHIN if undo.status in (200, 202) else BEGINS_WITHIN
                await self._watch.settles(patience, lambda: self._injector.busy, undone=True)
            await self._injector.mended()
        return True

    async def _answer(self) -> None:
        """Answer the plan's question when it asks one."""
        while self._scenario.asks_at is not None:
            await asyncio.sleep(0.3)
            if (await self._words.look()).plan.get("blocking_prompt"):
                shown = await self._words.say("answer", "Yes")
                self._injector.timeline.say(f"answer: {shown}")
                return

    async def _poll(self) -> None:
        """Poll all along as a phone does: it gets 200, or 401 and 503 where they are due, and nothing else."""
        due = {200, 503} | ({401} if self._scenario.has("sign_out", "redis") else set())
        while True:
            asked = time.monotonic()
            shown = await self._words.look()
            took = time.monotonic() - asked
            self._slowest = max(self._slowest, took)
            if took > _SLOW:
                self._injector.timeline.say(f"the phone waited {took:.1f} s for {shown.status}")
            if shown.status not in due and len(self._problems) < 3:
                self._problems.append(f"a look at the plan was answered {shown}")
            await asyncio.sleep(0.15)

    async def _ground(self, booking: dict[str, Any], staff: tuple[Change, ...]) -> Ground:
        now = await self._venue.booking(booking["uniqueId"])
        return Ground(now, await self._venue.guest(now), staff, self._scenario.family)

    async def _look(self, bookings: list[dict[str, Any]], before: Ground, plan_id: str, settled: bool) -> Ending:
        await (self._parts.all_up() if self._scenario.alone else self._parts.ready())
        await self._parts.proxy.quiet(self._injector.tokens)
        for path in self._injector.armed:
            await self._venue.clear_faults(path)
        tokens = await self._tokens_left() if settled else []
        own = set(self._injector.tokens)
        last = f"end-{plan_id}"
        await self._parts.grant(last)
        self._operator.http.headers["Authorization"] = f"Bearer {last}"
        final = (await self._ended_plan(plan_id)) if settled else None
        if final and final.get("stale"):
            self._problems.append("the ended plan is told as stale")
        if final and final["status"] != "pending_confirmation":
            self._problems += await self._hearing.mishaps(final)
        self._problems += await self._watch.close()
        staff = await self._staff()
        before.staff = staff
        now = await self._ground(bookings[0], staff)
        journal = await self._venue.journal()
        hashes = {hashlib.sha256(token.encode()).hexdigest()[:8] for token in own}
        ours = {bookings[0]["customerId"], *(b["uniqueId"] for b in bookings)}
        foreign = [row for row in journal if row["token"] in hashes and row["target"] not in {str(one) for one in ours}]
        journal = [row for row in journal if row["target"] in {str(one) for one in ours}]
        end = Ending(
            scenario=self._scenario,
            fired=self._injector.fired,
            plan=final,
            before=before,
            now=now,
            references=[b["bookingReference"] for b in bookings],
            journal=journal,
            writes=[row for row in journal if row["token"] in hashes],
            tokens=tokens,
            slot_holder=await self._watch.slot_holder(),
            shown=self._shown,
            foreign=foreign,
            sent=self._sent(own),
            doubled=self._doubled(own),
            staff=staff,
            problems=[*self._problems, *await self._watch.problems_in_history()],
        )
        await self._watch.end_for_good()
        return end

    async def _ended_plan(self, plan_id: str) -> dict[str, Any]:
        """Return the ended plan. While the API marks it as stale, ask again as a phone does, because a worker on a busy
        machine may be late."""
        until = time.monotonic() + LIMIT
        while True:
            final = await self._operator.look({"plan_id": plan_id})
            if not final.get("stale") or time.monotonic() > until:
                return final
            await asyncio.sleep(0.2)

    def _sent(self, tokens: set[str]) -> frozenset[int]:
        """Return the steps whose write reached the proxy, identified by their markers."""
        bodies = [call.body for call in self._parts.proxy.calls if call.token in tokens and call.method == "PUT"]
        marks = [str((body.get("metadata") or {}).get("iq_ref", "")) for body in bodies if isinstance(body, dict)]
        return frozenset(int(mark.rpartition("-")[2]) for mark in marks if mark)

    def _doubled(self, tokens: set[str]) -> Counter[str]:
        """Return the writes that the proxy forwarded more than once, and the venue accepted."""
        found = Counter[str]()
        for one in self._parts.proxy.played:
            if one.call.token in tokens and one.effects > 1:
                found[identity(one.call.path.rpartition("/")[2], one.call.body)] += one.effects - 1
        return found

    async def _staff(self) -> tuple[Change, ...]:
        """Return the changes that others made at the venue meanwhile, and must find there."""
        changes = [change for change in self._injector.staff if change.taken]
        if self._rival is not None:
            change, problems = await self._rival.change()
            self._problems += problems
            changes += [change] if change else []
        return tuple(changes)

    async def _tokens_left(self) -> list[str]:
        """Return the operator's tokens that the vault still holds of an ended plan, as soon as there is none."""
        if await self._watch.status() in ("pending_confirmation", None):
            return []
        until = time.monotonic() + _TOKENS_WIPED_WITHIN
        while True:
            try:
                held = await self._parts.tokens_held(self._injector.tokens)
            except RedisError:
                held = ["the vault does not answer"]
            if not held or time.monotonic() > until:
                return held
            await asyncio.sleep(0.1)

    def _story(self, end: Ending) -> str:
        shown = {k: (end.plan or {}).get(k) for k in ("status", "failure", "rollback", "rollback_report", "results")}
        lines = dict.fromkeys(str(t) for t in self._shown.all)
        return "\n".join(
            [
                str(self._scenario),
                *self._injector.timeline.rows,
                f"plan: {shown}",
                *(f"told: {line}" for line in lines),
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


async def troubled(process_stack: ChaosStack) -> list[str]:
    """Return the workflows whose tasks keep failing, as on-call would find them."""
    return [w.id async for w in process_stack.client.list_workflows("TemporalReportedProblems IS NOT NULL")]
