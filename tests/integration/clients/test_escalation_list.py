"""A list of escalations names what is missing from it.

Guarantees:
- An escalation that does not answer, or cannot be decrypted with the keys at hand, is named with the reason, and the
  others are listed; one that is gone is no part of the list.
- If none answers, that is an error, and no empty list; that no worker polls is reported as such.
- A list ends, however many do not answer.
- `iq escalations` writes what is missing to the error output and exits with 1; a reference still finds it.
"""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any, cast
from uuid import uuid4

import pytest
from pydantic import ValidationError
from temporalio.client import Client, WorkflowExecution, WorkflowQueryFailedError
from temporalio.common import TypedSearchAttributes
from temporalio.service import RPCError, RPCStatusCode

from cli.commands import escalations as inbox
from clients.errors import ApiError, ServiceUnavailableError, api_error
from clients.temporal.calls import with_deadline
from clients.temporal.escalations import MOST, EscalationClient, EscalationPage
from contracts.enums import EscalationReason, EscalationStatus, ServiceErrorType
from contracts.escalation import EscalationStart, EscalationView, Resolve, StaffAnswer
from infra.config.settings import Settings
from infra.crypto.keyring import KeyringError
from language.messages.catalogue import translate
from workflows.workflow_ids import escalation_workflow

OPEN = (EscalationStatus.OPEN,)
Way = Callable[[str], EscalationView]


def view(name: str) -> EscalationView:
    start = EscalationStart(
        escalation_id=name, reference=name[:8].upper(), venue_id="hall", session_id="s", user_id="u",
        conversation_id="c", reason=EscalationReason.CRITIQUE, asked="?", reply="!", opened_at=datetime.now(UTC),
    )  # fmt: skip
    return EscalationView(start=start, status=EscalationStatus.OPEN)


def raises(error: Exception) -> Way:
    def way(_: str) -> EscalationView:
        raise error

    return way


def _malformed() -> ValidationError:
    with pytest.raises(ValidationError) as caught:
        EscalationView.model_validate({})
    return caught.value


class Asked(EscalationClient):
    """Escalations that answer in the given ways."""

    def __init__(self, **ways: Way) -> None:
        super().__init__(cast(Client, None))
        self.ways = {str(uuid4()): way for way in ways.values()}

    async def _rows(self, *_: Any) -> list[WorkflowExecution]:
        attributes = TypedSearchAttributes([])
        shared = {"start_time": datetime.now(UTC), "typed_search_attributes": attributes}
        rows = [SimpleNamespace(id=escalation_workflow(name), **shared) for name in self.ways]
        return cast(list[WorkflowExecution], rows)

    async def view(self, escalation_id: str) -> EscalationView:
        if self.ways[escalation_id] is view:
            return view(escalation_id)
        answered = self.ways[escalation_id](escalation_id)
        return await answered if asyncio.iscoroutine(answered) else answered


@pytest.mark.parametrize(("error", "why"), [
    (ServiceUnavailableError("slow"), "unanswered"), (WorkflowQueryFailedError("no"), "unanswered"),
    (KeyringError("not on the ring"), "unreadable"), (_malformed(), "unreadable"),
    (RuntimeError("bytes"), "unreadable"),
])  # fmt: skip
async def test_what_is_missing_is_named_and_the_others_are_there(error: Exception, why: str) -> None:
    asked = Asked(first=view, second=raises(error), third=raises(api_error(ServiceErrorType.NOT_FOUND, "gone")))
    found = await asked.list_page(OPEN)
    first, second, _ = asked.ways
    assert [one.start.escalation_id for one in found.views] == [first]
    assert [(one.escalation_id, one.why) for one in found.left_out] == [(second, why)]


@pytest.mark.parametrize("part", ["worker", "temporal"])
async def test_no_one_at_all_is_no_empty_list(part: str) -> None:
    with pytest.raises(ServiceUnavailableError) as refused:
        await Asked(
            first=raises(ServiceUnavailableError(part)), second=raises(ServiceUnavailableError(part))
        ).list_page(OPEN)
    assert str(refused.value).startswith(translate(f"unavailable.{part}"))


@pytest.mark.parametrize("part", ["temporal", "worker"])
async def test_one_that_no_one_polled_for_just_then_takes_no_list_away(part: str) -> None:
    asked = Asked(first=raises(ServiceUnavailableError(part)), second=view)
    found = await asked.list_page(OPEN)
    first, second = asked.ways
    assert [one.start.escalation_id for one in found.views] == [second]
    assert [(one.escalation_id, one.why) for one in found.left_out] == [(first, "unanswered")]


async def test_that_no_one_polls_is_reported_as_that() -> None:
    async def no_one(text: str) -> None:
        raise RPCError(text, RPCStatusCode.FAILED_PRECONDITION, b"")

    for text, part in (("no poller seen for task queue recently, worker may be down", "worker"),
                       ("Cannot query workflow due to Workflow Task in failed state.", "slow")):  # fmt: skip
        with pytest.raises(ServiceUnavailableError) as refused:
            await with_deadline(no_one(text), 60)
        assert refused.value.part == part


async def test_a_list_ends_though_many_are_stuck() -> None:
    stuck = cast(Way, lambda _: asyncio.Event().wait())
    found = await Asked(**{f"stuck{n}": stuck for n in range(20)}, fine=view).list_page(OPEN, timeout=0.2)
    # The one after eight that are stuck is not reached.
    assert {one.why for one in found.left_out} == {"unanswered"} and len(found.left_out) >= 20


async def test_an_empty_list_is_one() -> None:
    assert await Asked().list_page(OPEN) == EscalationPage()


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Callable[[Asked], None]:
    async def connected(*_: Any, **__: Any) -> None:
        return None

    def before(asked: Asked) -> None:
        monkeypatch.setattr(inbox, "connect", connected)
        monkeypatch.setattr(inbox, "EscalationClient", lambda _: asked)

    return before


@pytest.mark.parametrize("as_json", [False, True])
async def test_the_terminal_tells_it(
    terminal: Callable[[Asked], None], capsys: pytest.CaptureFixture[str], as_json: bool
) -> None:
    asked = Asked(first=view, second=raises(KeyringError("gone")), third=raises(ServiceUnavailableError("slow")))
    terminal(asked)
    assert await inbox.listed(Settings(_env_file=None), OPEN, as_json=as_json) == 1
    shown = capsys.readouterr()
    first, second, third = asked.ways
    assert first in shown.out and second not in shown.out + first and third not in shown.out
    assert f"{second} cannot be opened with the keys of this environment" in shown.err
    assert f"{third} did not answer" in shown.err
    terminal(Asked(first=view))
    assert await inbox.listed(Settings(_env_file=None), OPEN, as_json=as_json) == 0
    terminal(Asked(first=raises(KeyringError("gone"))))
    assert await inbox.listed(Settings(_env_file=None), OPEN, as_json=False) == 1
    assert "Nothing is" not in capsys.readouterr().out


async def test_a_reference_finds_what_cannot_be_looked_at() -> None:
    asked = Asked(first=raises(KeyringError("gone")))
    [only] = asked.ways
    assert await inbox._named(asked, only[:8]) == only


async def test_a_reference_finds_one_that_the_list_is_too_short_for(
    terminal: Callable[[Asked], None], capsys: pytest.CaptureFixture[str]
) -> None:
    asked = Asked(**{f"one{number}": view for number in range(MOST + 3)})
    for one in asked.ways:
        assert await inbox._named(asked, one[:8].lower()) == one
    terminal(asked)
    assert await inbox.listed(Settings(_env_file=None), OPEN, as_json=False) == 1
    assert "3 older ones are not shown" in capsys.readouterr().err


async def test_the_same_answer_typed_again_is_the_same_one(
    terminal: Callable[[Asked], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, ids = Asked(first=view), list[str]()

    async def resolve(escalation_id: str, answer: Resolve) -> EscalationView:
        ids.append(answer.request_id)
        return view(escalation_id)

    monkeypatch.setattr(asked, "resolve", resolve)
    terminal(asked)
    [only] = asked.ways
    answers = (only[:8], "Any.", "Ben"), (only, "Any.", "Ben"), (only, "None.", "Ben"), (only, "Any.", "Al")
    for wanted, message, by in answers:
        assert await inbox.resolve(Settings(_env_file=None), wanted, message, by) == 0
    assert ids[0] == ids[1] and len(set(ids)) == 3


async def test_what_is_no_answer_of_ours_is_reported(terminal: Callable[[Asked], None]) -> None:
    terminal(Asked(first=raises(ServiceUnavailableError("worker"))))
    assert await inbox.listed(Settings(_env_file=None), OPEN, as_json=False) == 1
    with pytest.raises(ApiError):
        await Asked(first=raises(ServiceUnavailableError("worker"))).list_page(OPEN)


class Closed(EscalationClient):
    """An escalation whose workflow has closed, with the answer in its view."""

    def __init__(self) -> None:
        self._view = view("e-1")

    async def view(self, escalation_id: str) -> EscalationView:
        found = self._view
        answer = StaffAnswer(request_id="r-1", message="Any cake.", by="Anna", at=found.start.opened_at)
        return found.model_copy(update={"status": EscalationStatus.RESOLVED, "answer": answer})


@pytest.mark.parametrize(("request_id", "message", "kind"), [
    ("r-1", "Any cake. ", None), ("r-1", "No cake.", ServiceErrorType.INVALID_REQUEST),
    ("r-2", "Any cake.", ServiceErrorType.CONFLICT),
])  # fmt: skip
async def test_an_answer_to_one_that_is_over_is_its_own_sent_again_or_refused(
    request_id: str, message: str, kind: ServiceErrorType | None
) -> None:
    answer, closed = Resolve(request_id=request_id, message=message), Closed()
    if kind is None:
        assert closed._as_it_ended(await closed.view("e-1"), answer) == await closed.view("e-1")
        return
    with pytest.raises(ApiError) as refused:
        closed._as_it_ended(await closed.view("e-1"), answer)
    assert refused.value.kind is kind
