"""The event stream of a session, over HTTP (issue "Live": session events have one cursor over chat and plans).
Guarantees:

- It has the operator's message, the progress of the turn (reading, looking up, drafting, checking), the answer, and
  every event of the plans; each once, in the order of time.
- A client may open it before the first message, and reconnect at any event: it gets what follows, and nothing twice.
- Only the chat's owner gets it. A cursor that no longer fits gets `reset`; one user has a limited number of streams.
"""

import asyncio
import contextlib
from pathlib import Path
from typing import Any

import pytest
from starlette.responses import Response

from cli.stack.dev import Stack
from clients.errors import ServiceUnavailableError
from clients.streams.session import Cursor
from infra.config.settings import Settings
from tests.support.asking import asking
from tests.support.errors import expect_error
from tests.support.operator import Operator
from tests.support.party import Party
from tests.support.roller import a_name
from tests.support.scripted_model import ScriptedModel
from tests.support.stacks import a_stack
from tests.support.waiting import soon
from tests.support.watching import SessionWatcher, closing, shown
from workflows.workflow_ids import chat_workflow

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

NOTE = ("edit_note", {"note": "Cake at noon"})


async def a_run(operator: Operator, party: Party) -> tuple[SessionWatcher, dict[str, Any], str]:
    """Return a watcher that was there from before the first message to the end of a plan."""
    guest, _ = await party(NOTE)
    watcher, message = SessionWatcher(operator), asking(guest, NOTE)
    watching = asyncio.create_task(watcher.until(closing))
    await watcher.opened.wait()
    plan = await operator.plan_for(message, request_id="one")
    await operator.confirm(plan)
    await watching
    return watcher, plan, message


async def test_a_turn_and_its_plan_are_reported_as_they_happen(operator: Operator, party: Party) -> None:
    watcher, plan, message = await a_run(operator, party)
    chat = [event for kind, event in watcher.events if kind == "chat"]
    assert [(e["kind"], e.get("phase")) for e in chat] == [
        ("message", None),
        ("progress", "reading"),
        ("progress", "looking_up"),
        ("progress", "drafting"),
        ("progress", "checking"),
        ("plan", None),
    ]
    assert [e["number"] for e in chat] == list(range(1, 7))
    assert chat[0]["text"] == message and chat[-1]["plan_id"] == plan["plan_id"]
    assert {e["request_id"] for e in chat} == {"one"}
    events = [event for kind, event in watcher.events if kind == "plan"]
    assert {e["plan_id"] for e in events} == {plan["plan_id"]}
    assert [e["number"] for e in events] == list(range(1, len(events) + 1))
    assert [e["kind"] for e in events if e["kind"] != "progress"] == [
        "initiated", "confirmed", "step_started", "step_result", "complete", "separate_message",
    ]  # fmt: skip
    whole = [kind for kind, _ in watcher.events]
    assert whole == ["chat"] * len(chat) + ["plan"] * len(events), "the plan is told behind the entry that names it"


async def test_anyone_comes_back_is_reported_the_rest(operator: Operator, party: Party) -> None:
    watcher, _, _ = await a_run(operator, party)
    cursors = []
    again = SessionWatcher(operator)
    heard = shown(operator, f"/v1/sessions/{operator.session}/events", "")
    async with contextlib.aclosing(heard):
        async for cursor, event, data in heard:
            cursors.append((cursor, event, data))
            if '"separate_message"' in data:
                break
    assert [event for _, event, _ in cursors] == [event for event, _ in watcher.events], "late, and in the same order"
    for place in range(0, len(cursors) - 1, 3):
        again = SessionWatcher(operator, cursors[place][0])
        rest = await again.until(closing)
        assert rest == watcher.events[place + 1 :], cursors[place][0]


async def test_behind_a_snapshot_nothing_of_the_chat_comes_again(operator: Operator, party: Party) -> None:
    watcher, *_ = await a_run(operator, party)
    session = (await operator.http.get(f"/v1/sessions/{operator.session}", params={"user_id": operator.user})).json()
    assert session["plans"][0]["status"] == "completed"
    rest = SessionWatcher(operator, session["cursor"])
    watching = asyncio.create_task(rest.until(lambda e: e["kind"] == "answer"))
    await rest.opened.wait()
    await operator.say("try again")
    await watching
    chat = [event for kind, event in rest.events if kind == "chat"]
    assert [e["kind"] for e in chat] == ["message", "answer"]
    retold = [event for kind, event in rest.events if kind == "plan"]
    assert retold == [event for kind, event in watcher.events if kind == "plan"]


async def test_behind_a_snapshot_a_plan_that_has_ended_tells_what_it_stated(operator: Operator, party: Party) -> None:
    guest, _ = await party(NOTE)
    plan = await operator.plan_for(asking(guest, NOTE))
    await operator.post(f"/v1/plans/{plan['plan_id']}/cancel", user_id=operator.user)
    shown = await SessionWatcher(operator).until(closing)
    session = (await operator.http.get(f"/v1/sessions/{operator.session}", params={"user_id": operator.user})).json()
    again = await SessionWatcher(operator, session["cursor"]).until(closing)
    assert again == [(kind, event) for kind, event in shown if kind == "plan"]


async def test_an_error_is_reported_and_a_retry_is_not_stated_again(
    operator: Operator, scripted: ScriptedModel
) -> None:
    key, watcher = a_name(), SessionWatcher(operator)
    away = Response("no", 500)
    scripted.script(key, away, away, "Hello there.")
    watching = asyncio.create_task(watcher.until(lambda e: e["kind"] == "answer"))
    body = {"user_message": key, "session_id": operator.session, "user_id": operator.user, "request_id": "one"}
    refused = expect_error(await operator.http.post("/v1/requests", json=body), 503, "service_unavailable")
    assert (await operator.http.post("/v1/requests", json=body)).status_code == 200
    shown = [event for _, event in await watching if event["kind"] != "progress"]
    assert [e["kind"] for e in shown] == ["message", "error", "answer"]
    assert shown[1]["text"].startswith(refused["message"].partition(".")[0])


async def test_one_user_holds_so_many_streams(stack: Stack, operator: Operator, party: Party) -> None:
    await a_run(operator, party)
    async with contextlib.AsyncExitStack() as held:
        for _ in range(stack.settings.max_streams_per_user):
            heard = shown(operator, f"/v1/sessions/{operator.session}/events", "")
            await held.enter_async_context(contextlib.aclosing(heard))
            await anext(heard)
        address = f"/v1/sessions/{operator.session}/events"
        refused = await operator.http.get(address, params={"user_id": operator.user})
        assert expect_error(refused, 429, "rate_limited")["retry_after_seconds"] == 10

    async def let_in() -> bool:
        async with operator.http.stream("GET", address, params={"user_id": operator.user}) as answer:
            return answer.status_code == 200

    await soon(let_in)  # closed streams make room


async def test_only_its_owner_hears_it(operator: Operator, party: Party) -> None:
    await a_run(operator, party)
    address = f"/v1/sessions/{operator.session}/events"
    expect_error(await operator.http.get(address, params={"user_id": "stranger"}), 403, "forbidden")


async def test_a_cursor_that_no_longer_fits_is_reported_so(operator: Operator, party: Party) -> None:
    await a_run(operator, party)
    lost = SessionWatcher(operator, "999")
    assert (await lost.until(lambda _: True))[0] == ("reset", {}) and lost.last == "0"


async def test_a_cursor_from_a_facade_that_saw_more_is_believed(stack: Stack, operator: Operator, party: Party) -> None:
    """Here the watch has read nothing since: it reads again before it calls a cursor lost."""
    watcher, *_ = await a_run(operator, party)
    assert stack.services is not None
    chat = chat_workflow("roller-demo", operator.session)
    with stack.services.sessions._chats.get(chat) as behind:
        behind.entries, behind.last = [], 0
        rest = SessionWatcher(operator, watcher.last)
        watching = asyncio.create_task(rest.until(lambda e: e.get("kind") == "answer"))
        await rest.opened.wait()
        await operator.say("try again")
        await watching
    assert [event["kind"] for kind, event in rest.events if kind == "chat"] == ["message", "answer"]


async def test_a_look_that_fails_loses_no_cursor(
    stack: Stack, operator: Operator, party: Party, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While no worker answers, the API cannot know whether the chat has gone on: the cursor holds until one does."""
    watcher, *_ = await a_run(operator, party)
    assert stack.services is not None
    chats, chat = stack.services.sessions._chats, chat_workflow("roller-demo", operator.session)
    with chats.get(chat) as behind:
        looks, asked = behind._chats.transcript, 0

        async def stalled(*args: Any) -> Any:
            nonlocal asked
            asked += 1
            if asked < 3:
                raise ServiceUnavailableError("worker")
            return await looks(*args)

        monkeypatch.setattr(behind._chats, "transcript", stalled)
        behind.entries, behind.last = [], 0
        rest = SessionWatcher(operator, watcher.last)
        watching = asyncio.create_task(rest.until(lambda e: e.get("kind") == "answer"))

        async def asked_again() -> bool:
            return asked >= 3

        await soon(asked_again)
        await operator.say("try again")
        await watching
    assert [event["kind"] for kind, event in rest.events if kind == "chat"] == ["message", "answer"]


async def test_a_plan_is_heard_of_though_what_named_it_has_fallen_off(
    model_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As many entries later as a chat keeps (200; ten here), the plan of the first can still be undone, and its stream
    reports that.
    """
    policy = Settings.chat_policy
    monkeypatch.setattr(Settings, "chat_policy", lambda s: policy(s).model_copy(update={"shown_kept": 10}))
    async with a_stack(tmp_path, model_base_url=model_url) as stack, Operator(facade_of(stack)) as one:
        plan = await one.plan_for("move John Smith's party to Saturday at 3pm")
        await one.confirm(plan)
        heard = SessionWatcher(one)
        await heard.until(closing)
        for _ in range(6):
            await one.say("try again")
        session = (await one.http.get(f"/v1/sessions/{one.session}", params={"user_id": one.user})).json()
        assert plan["plan_id"] not in {m["plan_id"] for m in session["messages"]}
        assert [p["plan_id"] for p in session["plans"]] == [plan["plan_id"]]
        late = SessionWatcher(one, heard.last)
        telling = asyncio.create_task(late.until(lambda e: e.get("outcome") == "reversed"))
        await late.opened.wait()
        await one.http.post(f"/v1/plans/{plan['plan_id']}/undo", json={"user_id": one.user})
        numbers = [event["number"] for kind, event in await telling if kind == "plan"]
    first = len([kind for kind, _ in heard.events if kind == "plan"])
    assert numbers == list(range(first + 1, first + 1 + len(numbers)))


def facade_of(stack: Stack) -> str:
    return f"http://127.0.0.1:{stack.ports.facade}"


@pytest.mark.parametrize("text", ["", "x", "1.", "1.zzzzzzzz:1", "-1", "1.3f2a9c1d", "12345678901", "١"])
async def test_what_is_no_cursor_is_the_beginning(text: str) -> None:
    assert Cursor.read(text) == Cursor()


async def test_a_cursor_is_read_as_it_was_written() -> None:
    for text in ("0", "12", "12.3f2a9c1d:4", "12.3f2a9c1d:4.00000000:0"):
        assert str(Cursor.read(text)) == text
