"""Results of MCP's tools. Guarantees:

- A plan with an open question waits for an answer for as long as an answer would be accepted. Once the question's time
  is up, the plan is reported as under way, even while it still shows the question.
- An unknown fact about a booking is null, because a missing one would read as "no".
- While a part is unavailable, a command that was not sent is reported as not sent; one that took effect is reported
  with the plan as it was then, and not as an error.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from api.mcp import tools
from api.mcp.results import result, waiting, words_of
from api.mcp.schemas import Bookings, PlanArguments
from clients.errors import ApiError, ServiceUnavailableError
from contracts.booking import BookingSummary
from contracts.enums import PlanStatus, SafetyTier
from contracts.plan import BlockingPrompt, ExecutionPlan, PlannedAction
from infra.stores.command_store import CommandResult
from language.messages.catalogue import translate


def asking(seconds_left: float) -> ExecutionPlan:
    """Return a running plan whose question has so much time left."""
    now = datetime.now(UTC)
    step = PlannedAction(
        step=1, action_id="move", title="Move", parameters={}, safety_tier=SafetyTier.NORMAL, reversible=True
    )
    prompt = BlockingPrompt(prompt_id="q-1", question="Which phone?", expires_at=now + timedelta(seconds=seconds_left))
    return ExecutionPlan(
        plan_id="p-1", session_id="s-1", user_id="u-1", venue_id="v-1", intent="Move it", actions=(step,),
        created_at=now, expires_at=now + timedelta(minutes=15), confirmed_at=now, status=PlanStatus.EXECUTING,
        blocking_prompt=prompt,
    )  # fmt: skip


@pytest.mark.parametrize(("seconds_left", "waits"), [(3600, True), (-1, False)])
def test_a_plan_waits_for_an_answer_until_the_time_of_its_question_is_up(seconds_left: float, waits: bool) -> None:
    plan = asking(seconds_left)
    assert (waiting(plan) == "answer") is waits
    assert ("Which phone?" in words_of(plan, "here")) is waits


@pytest.mark.parametrize("cancelled", [True, False, None])
def test_whether_a_booking_is_cancelled_is_never_left_out(cancelled: bool | None) -> None:
    found = Bookings(message="One.", bookings=[BookingSummary(booking_id="b-1", cancelled=cancelled)])
    shown = result(found, found.message)
    assert shown.structured_content is not None and shown.structured_content["bookings"][0]["cancelled"] is cancelled
    assert json.loads(shown.content[1].text) == shown.structured_content  # type: ignore[union-attr]


class Away:
    """A call of an operator who says yes, while a part is unavailable: `events` of the plan, or whatever follows it."""

    def __init__(self, plan: ExecutionPlan, *, events: bool) -> None:
        self.plan, self.events_away, self.sent = plan, events, 0
        self.looked_for = list[Any]()
        """The command that each look at the plan came before."""
        services = SimpleNamespace(
            plans=SimpleNamespace(events=self._events, plan=_nothing),
            commands=SimpleNamespace(execute=self._taken),
            plan_streams=SimpleNamespace(batches=_broken),
        )
        self.parts = SimpleNamespace(services=services, last_shown=SimpleNamespace(put=self._kept))
        self.caller = SimpleNamespace(
            user_id="u-1", token="t", pack=SimpleNamespace(profile=SimpleNamespace(venue_id="v-1"))
        )  # fmt: skip
        self.by = SimpleNamespace(get_own=self._own)
        self.elicitor = SimpleNamespace(possible=True, resumed=False, elicit=_yes)
        self.where: Callable[..., str] = lambda *_: "here"
        self.left = 60.0

    async def _events(self, *_: Any) -> Any:
        if self.events_away:
            raise ServiceUnavailableError("slow")
        return SimpleNamespace(events=())

    async def _own(self, _: str, __: str, sends: Any) -> Any:
        self.looked_for.append(sends)
        return SimpleNamespace(plan=self.plan)

    async def _kept(self, plan: ExecutionPlan) -> ExecutionPlan:
        return plan

    async def _taken(self, *_: Any) -> CommandResult:
        self.sent += 1
        return CommandResult(
            self.plan.model_copy(
                update={"status": PlanStatus.EXECUTING, "confirmed_at": self.plan.created_at, "undo_until": None}
            )
        )


async def _nothing(*_: Any) -> Any:
    raise ServiceUnavailableError("slow")


async def _broken(*_: Any) -> AsyncIterator[Any]:
    raise ServiceUnavailableError("slow")
    yield


async def _yes(question: Any) -> Any:
    return SimpleNamespace(action="accept", value=True)


COMMANDS = {"confirm": tools.confirm_plan, "cancel": tools.cancel_plan, "undo": tools.undo_plan}


def to(command: str) -> ExecutionPlan:
    """Return a plan that accepts the command."""
    now, plan = datetime.now(UTC), asking(3600)
    pending = {"status": PlanStatus.PENDING_CONFIRMATION, "confirmed_at": None, "blocking_prompt": None}
    done = {"status": PlanStatus.COMPLETED, "undo_until": now + timedelta(hours=1), "blocking_prompt": None}
    return plan.model_copy(update={"confirm": pending, "cancel": {}, "undo": done}[command])


@pytest.mark.parametrize("command", COMMANDS)
async def test_a_command_that_was_not_sent_is_stated_not_to_have_been(command: str) -> None:
    call: Any = Away(to(command), events=True)
    with pytest.raises(ApiError) as refused:
        await COMMANDS[command](call, PlanArguments(plan_id="00000000-0000-0000-0000-000000000001"))
    assert call.sent == 0
    assert refused.value.answer.message.endswith(translate("unavailable.not_sent_again"))


@pytest.mark.parametrize("command", COMMANDS)
async def test_a_command_that_took_effect_is_no_error_where_its_plan_cannot_be_followed(command: str) -> None:
    call: Any = Away(to(command), events=False)
    async with asyncio.timeout(60):
        shown = await COMMANDS[command](call, PlanArguments(plan_id="00000000-0000-0000-0000-000000000001"))
    assert (call.sent, shown.is_error) == (1, False)
    assert call.looked_for and None not in call.looked_for, "a look that fails says what did not happen"
    assert shown.structured_content["plan"]["stale"] is True
