"""Watchers during the loss of a part, each part in its own process (issue "Live": none lost or repeated across
reconnects, worker and facade restarts).

While a plan of five steps runs, the test kills the API or the worker, or empties Redis. A watcher of the plan, a
watcher of the session from before its first message, and a second device that connects later all receive every event
once, in order, and the events match what happened.
"""

import asyncio
from collections.abc import AsyncIterator

import pytest

from tests.e2e.chaos.watchers import contradicted
from tests.support.operator import Operator
from tests.support.process_stack import ProcessStack, own_redis
from tests.support.roller import Roller, a_name
from tests.support.scripted_model import held, look_up, obey, then
from tests.support.watching import SessionWatcher, Watcher, closing

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

STEPS = (
    ("change_guest_count", {"guest_count": 12}),
    ("edit_note", {"note": "Cake at noon"}),
    ("update_contact", {"phone": "0412 345 678"}),
    ("reschedule_booking", {"new_start_time": "15:00"}),
)


@pytest.fixture(scope="module")
async def process_stack(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[ProcessStack]:
    """A stack with each part in its own process; after the loss of its tokens, a plan waits only a moment for a new
    sign-in."""
    async with (
        own_redis() as url,
        ProcessStack(tmp_path_factory.mktemp("watched"), url, IQ_SIGN_IN_TIMEOUT="5") as running,
    ):
        yield running


@pytest.mark.parametrize("lost", ["facade", "worker", "store"])
async def test_no_one_misses_a_word(process_stack: ProcessStack, operator: Operator, venue: Roller, lost: str) -> None:
    guest = a_name()
    await venue.book(guest)
    lost_it = asyncio.Event()
    process_stack.scripted.script(guest, look_up(guest), then(*STEPS), obey, held(lost_it, obey))
    session = SessionWatcher(operator)
    of_session = asyncio.create_task(session.until(closing))
    text = f"{guest}: 12 guests, a note: Cake at noon, phone 0412 345 678, and move it to 3pm"
    plan = await operator.plan_for(text)
    watcher = Watcher(operator, plan)
    await operator.confirm(plan)
    await watcher.until(lambda event: event["kind"] == "step_result")
    watcher.opened.clear()
    of_plan = asyncio.create_task(watcher.until(closing))
    await watcher.opened.wait()
    if lost == "facade":
        await process_stack.kill_facade()
        lost_it.set()
        await process_stack.start_facade()
    elif lost == "worker":
        await process_stack.kill_worker()
        lost_it.set()
        await process_stack.start_worker()
    else:
        await process_stack.forget_tokens()
        lost_it.set()
    events = await of_plan
    await of_session
    assert (watcher.cuts > 0) is (lost == "facade"), "only the facade holds the line"
    ended = await operator.settled(plan)
    assert lost == "store" or ended["status"] == "completed", ended
    later, of_late = Watcher(operator, plan), SessionWatcher(operator)
    await later.until(closing)
    await of_late.until(closing)
    assert contradicted(events, ended) == []
    assert later.events == events
    for heard in (session, of_late):
        shown = [{k: v for k, v in e.items() if k != "plan_id"} for kind, e in heard.events if kind == "plan"]
        assert shown == events
    chat = [e["number"] for kind, e in session.events if kind == "chat"]
    assert chat == list(range(1, len(chat) + 1))
