"""Watchers through the loss of a part, each part a process of its own (issue "Live": none lost or repeated across
reconnects, worker and facade restarts).

While a plan of five steps runs, the facade or the worker is killed, or Redis is emptied. Who watches the plan, who
watches the session from before its first word, and a second device that comes later all hear every event once, in
order, and what they heard is how it went.
"""

import asyncio
from collections.abc import AsyncIterator

import pytest

from tests.e2e.chaos.watchers import contradicted
from tests.support.operator import Operator
from tests.support.roller import Roller, a_name
from tests.support.scripted_model import held, look_up, obey, then
from tests.support.separate import Separate, own_redis
from tests.support.watching import SessionWatcher, Watcher, closing

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

STEPS = (
    ("change_guest_count", {"guest_count": 12}),
    ("edit_note", {"note": "Cake at noon"}),
    ("update_contact", {"phone": "0412 345 678"}),
    ("reschedule_booking", {"new_start_time": "15:00"}),
)


@pytest.fixture(scope="module")
async def parts(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Separate]:
    """Each part a process of its own; where the tokens are lost, a plan waits a moment only for a new sign-in."""
    async with (
        own_redis() as url,
        Separate(tmp_path_factory.mktemp("watched"), url, IQ_SIGN_IN_TIMEOUT="5") as running,
    ):
        yield running


@pytest.fixture
async def operator(parts: Separate) -> AsyncIterator[Operator]:
    async with parts.operator() as one:
        yield one


@pytest.fixture
async def venue(parts: Separate) -> AsyncIterator[Roller]:
    async with parts.roller() as one:
        yield one


@pytest.mark.parametrize("lost", ["facade", "worker", "store"])
async def test_no_one_misses_a_word(parts: Separate, operator: Operator, venue: Roller, lost: str) -> None:
    guest = a_name()
    await venue.book(guest)
    lost_it = asyncio.Event()
    parts.scripted.script(guest, look_up(guest), then(*STEPS), obey, held(lost_it, obey))
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
        await parts.kill_facade()
        lost_it.set()
        await parts.start_facade()
    elif lost == "worker":
        await parts.kill_worker()
        lost_it.set()
        await parts.start_worker()
    else:
        await parts.forget_tokens()
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
