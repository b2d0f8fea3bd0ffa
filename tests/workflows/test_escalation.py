"""One escalation and the chat it belongs to, on a server that skips time. Guarantees:

- An escalation without an answer lapses after seven days: the chat shows that, with what was asked, whatever the ledger
  does, and a later answer is refused with a message. An answer just before counts, and then the chat does not report
  that there was none.
- An unavailable ledger or webhook delays neither the answer nor its way into the chat; what they missed is sent later,
  in order.
- The webhook is called for a day, and no longer; once there is an answer, no more.
- A chat shows each staff reply once, after the messages before it, only to the operator it is for; and keeps it out of
  everything that counts as the operator's own messages.
"""

import asyncio
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from temporalio.api.enums.v1 import EventType
from temporalio.client import WorkflowHandle, WorkflowUpdateFailedError
from temporalio.exceptions import ApplicationError

from contracts.chat_messages import ChatMemory, TranscriptEntry, TranscriptView
from contracts.enums import EscalationReason, EscalationStatus
from contracts.escalation import EscalationStart, EscalationView, Resolve, StaffReplySignal, WebhookReply
from infra.temporal.search_attributes import STATUS
from tests.support.waiting import soon
from tests.workflows.rehearsal import LIMIT, QUEUE, USER, Stage, closed, result
from workflows.escalation.workflow import EscalationWorkflow

pytestmark = pytest.mark.asyncio

WEEK = 604_800
Handle = WorkflowHandle[Any, EscalationView]
AWAY = ApplicationError("away")


async def opened(stage: Stage) -> Handle:
    name = str(uuid4())
    start = EscalationStart(
        escalation_id=name, reference="1A2B3C4D", venue_id="v-1", session_id="session-1", user_id=USER,
        conversation_id="chat-1", reason=EscalationReason.CRITIQUE, asked="Any cake?", reply="A person takes over.",
        opened_at=await stage.now(),
    )  # fmt: skip
    return await stage.env.client.start_workflow(EscalationWorkflow.run, start, id=name, task_queue=QUEUE)


async def answered(handle: Handle, message: str = "Any.", request_id: str = "r-1") -> EscalationView:
    return await handle.execute_update(EscalationWorkflow.resolve, Resolve(request_id=request_id, message=message))


async def called_its_venue(handle: Handle) -> None:
    """Wait until the webhook call is over: this server fails when a call that has just finished is cancelled."""

    async def shown() -> bool:
        events = (await handle.fetch_history()).events
        calls = {
            event.event_id
            for event in events
            if event.activity_task_scheduled_event_attributes.activity_type.name == "call_webhook"
        }
        done = {event.activity_task_completed_event_attributes.scheduled_event_id for event in events}
        kinds = [event.event_type for event in events]
        tasks = kinds.count(EventType.EVENT_TYPE_WORKFLOW_TASK_SCHEDULED)
        worked = kinds.count(EventType.EVENT_TYPE_WORKFLOW_TASK_COMPLETED)
        worked += kinds.count(EventType.EVENT_TYPE_WORKFLOW_TASK_TIMED_OUT)
        return bool(calls & done) and tasks == worked

    await soon(shown)


async def until(stage: Stage, label: str, count: int = 1) -> None:
    async def made() -> bool:
        return stage.effects.calls.count(label) >= count

    await soon(made)


async def test_it_lapses_after_seven_days(stage: Stage) -> None:
    handle = await opened(stage)
    await stage.pass_time(WEEK - 60)
    assert (await handle.query(EscalationWorkflow.escalation)).status is EscalationStatus.OPEN
    view = await result(handle)
    assert (view.status, view.answer) == (EscalationStatus.LAPSED, None)
    assert view.ended_at is not None
    assert view.ended_at - view.start.opened_at >= timedelta(seconds=WEEK)
    assert stage.effects.made("record") == ["record open", "record lapsed"]
    [call] = stage.effects.requests["tell"]
    assert (call.says.lapsed, call.says.message, call.conversation_id) == (True, "Any cake?", "chat-1")
    assert view.delivered_at is not None
    assert (await handle.describe()).typed_search_attributes.get(STATUS) == "lapsed"


async def test_an_answer_in_the_last_minute_counts(stage: Stage) -> None:
    handle = await opened(stage)
    await stage.pass_time(WEEK - 60)
    await answered(handle)
    view = await result(handle)
    assert view.status is EscalationStatus.RESOLVED and view.delivered_at is not None
    assert stage.effects.made("record") == ["record open", "record resolved"]
    assert [call.says.lapsed for call in stage.effects.requests["tell"]] == [False]


async def test_a_ledger_that_is_away_delays_nothing(stage: Stage) -> None:
    stage.effects.script("record open", *[AWAY] * 4)
    handle = await opened(stage)
    await until(stage, "record open")
    await called_its_venue(handle)
    view = await answered(handle)
    assert view.status is EscalationStatus.RESOLVED
    await until(stage, "tell")
    assert stage.effects.made("record resolved") == stage.effects.made("record lapsed"), "not before it is opened there"
    await result(handle)
    assert stage.effects.made("record")[-2:] == ["record open", "record resolved"]


async def test_a_ledger_that_is_away_does_not_hold_up_that_it_lapsed(stage: Stage) -> None:
    stage.effects.script("record lapsed", *[AWAY] * 3)
    handle = await opened(stage)
    view = await result(handle)
    assert view.ended_at is not None and view.delivered_at is not None
    order = [call for call in stage.effects.calls if call in ("tell", "record lapsed")]
    assert order.index("tell") <= 1 and order.count("record lapsed") == 4


@pytest.mark.timeout(300)
async def test_a_webhook_that_is_away_delays_nothing_and_is_given_up(stage: Stage) -> None:
    stage.effects.script("webhook", *[AWAY] * 2000)
    handle = await opened(stage)
    # Each attempt stops the clock for a moment.
    for _ in range(5):
        await stage.pass_time(86_400 / 4)
    tried = stage.effects.calls.count("webhook")
    assert tried > 80
    await stage.pass_time(86_400)
    assert stage.effects.calls.count("webhook") == tried, "a day is enough"
    await answered(handle)
    assert (await result(handle)).status is EscalationStatus.RESOLVED


async def test_once_there_is_an_answer_the_webhook_is_called_no_more(stage: Stage) -> None:
    stage.effects.script("webhook", *[AWAY] * 2000)
    handle = await opened(stage)
    await until(stage, "webhook", 2)
    await answered(handle)
    tried = stage.effects.calls.count("webhook")
    assert (await result(handle)).status is EscalationStatus.RESOLVED
    # One call may have been under way.
    assert stage.effects.calls.count("webhook") <= tried + 1


async def test_a_webhooks_answer_comes_into_the_chat_once(stage: Stage) -> None:
    stage.effects.script("webhook", WebhookReply(called=True, message="Any cake.", by="Anna"))
    stage.effects.script("tell", AWAY, AWAY)
    handle = await opened(stage)
    view = await result(handle)
    assert view.answer is not None and (view.answer.message, view.answer.by) == ("Any cake.", "Anna")
    [says] = {call.says.message for call in stage.effects.requests["tell"]}
    assert says == "Any cake." and len(stage.effects.requests["tell"]) == 3


async def test_the_second_answer_is_refused_and_the_first_one_again_is_not(stage: Stage) -> None:
    held = stage.effects.hold("tell")
    handle = await opened(stage)
    await called_its_venue(handle)
    await answered(handle, "first", "r-1")
    assert (await answered(handle, " first", "r-1")).answer is not None
    for request_id, message, kind in (
        ("r-1", "anything", "invalid_request"), ("r-2", "second", "conflict"), ("r-3", " ", "invalid_request")
    ):  # fmt: skip
        with pytest.raises(WorkflowUpdateFailedError) as refused:
            await answered(handle, message, request_id)
        assert isinstance(refused.value.cause, ApplicationError)
        assert refused.value.cause.type == kind
    held.let_go()
    view = await result(handle)
    assert view.answer is not None and view.answer.message == "first"


def says(message: str, escalation_id: str = "e-1", user: str = USER) -> StaffReplySignal:
    return StaffReplySignal(escalation_id=escalation_id, reference="1A2B3C4D", user_id=user, message=message, by="Anna")


async def test_a_chat_is_reported_once_that_no_one_answered(stage: Stage) -> None:
    chat = await stage.chat(memory=ChatMemory(owner=USER))
    lapse = StaffReplySignal(
        escalation_id="e-1", reference="1A2B3C4D", user_id=USER, message="Any\ncake? " * 99, by="", lapsed=True
    )  # fmt: skip
    for _ in range(3):
        await chat.signal("staff_reply", lapse)
    await chat.signal("staff_reply", lapse.model_copy(update={"escalation_id": "e-2", "user_id": "another"}))
    [entry] = (await chat.query("transcript", 0, result_type=TranscriptView)).entries
    assert (entry.kind, entry.reference, entry.request_id) == ("lapsed", "1A2B3C4D", None)
    assert entry.text.startswith(
        "No answer came in time to what was handed to a person (reference 1A2B3C4D): “Any cake? Any cake?"
    )
    assert "…”. It is closed" in entry.text and len(entry.text) < 600
    memory = await closed(chat)
    assert memory.messages == () and memory.given_word is None and memory.delivered_replies == ("e-1",)


async def test_a_chat_shows_each_answer_once_and_keeps_it_from_what_was_stated(stage: Stage) -> None:
    chat = await stage.chat(memory=ChatMemory(owner=USER))
    for _ in range(3):
        await chat.signal("staff_reply", says("yes, cancel it"))
    await chat.signal("staff_reply", says("another", "e-2"))
    view = await chat.query("transcript", 0, result_type=TranscriptView)
    assert [(e.kind, e.text) for e in view.entries] == [
        ("person", f"Anna, a person, answers (reference 1A2B3C4D): {text}") for text in ("yes, cancel it", "another")
    ]
    memory = await closed(chat)
    assert memory.messages == () and memory.given_word is None and memory.turns == ()
    assert memory.delivered_replies == ("e-1", "e-2")


async def test_a_chat_that_is_woken_shows_it_behind_what_was_stated_before(stage: Stage) -> None:
    before = TranscriptEntry(number=7, at=await stage.now(), kind="message", text="Any cake?", request_id="r")
    stage.effects.memory = ChatMemory(owner=USER, transcript=(before,))
    recall = stage.effects.hold("recall")
    chat = await stage.chat()
    await chat.signal("staff_reply", says("Any."))
    async with asyncio.timeout(LIMIT):
        await recall.reached.wait()
    recall.let_go()
    memory = await closed(chat)
    assert [(e.number, e.kind) for e in memory.transcript] == [(7, "message"), (8, "person")]


async def test_no_one_else_is_reported(stage: Stage) -> None:
    chat = await stage.chat(memory=ChatMemory(owner="somebody else"))
    await chat.signal("staff_reply", says("Any."))
    memory = await closed(chat)
    assert memory.transcript == () and memory.owner == "somebody else"
    # A chat that lost its memory belongs to the operator who was answered, not to the next user.
    fresh = await stage.chat(memory=ChatMemory())
    await fresh.signal("staff_reply", says("Any."))
    assert (await closed(fresh)).owner == USER
