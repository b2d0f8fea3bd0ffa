"""Two guests of one name at a school whose list has more pages than iQ reads: the guest that was read is not taken for
the only one. Over HTTP against a stack of Bookeo's pack, one booking a page. Guarantees:

- A cancellation leads to a question, not a plan, which says that there may be others; the day that the operator then
  gives selects the booking.
- For a guest on no page that was read, iQ says that they may be on another.
"""

import shutil
from collections.abc import AsyncIterator
from datetime import date, timedelta
from pathlib import Path

import pytest

from clients.venue.reads import PAGES
from infra.config.settings import ROOT
from tests.support.bookeo import TOKEN, School, spoken
from tests.support.operator import Operator
from tests.support.roller import a_name
from tests.support.stacks import a_stack

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

REST = "The list could not be read to its end, so there may be others"


@pytest.fixture(scope="module")
async def desk(model_url: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[tuple[Operator, School]]:
    """An operator of the school, and the school's own API."""
    pack = shutil.copytree(ROOT / "overlays" / "bookeo", tmp_path_factory.mktemp("long") / "bookeo")
    find = Path(pack) / "actions" / "find_bookings.yaml"
    find.write_text(find.read_text().replace("query.itemsPerPage: 300", "query.itemsPerPage: 1"))
    async with (
        a_stack(tmp_path_factory.mktemp("stack"), packs=(pack,), model_base_url=model_url) as running,
        Operator(f"http://127.0.0.1:{running.ports.facade}", token=TOKEN) as operator,
        School(f"http://127.0.0.1:{running.ports.bookeo}") as school,
    ):
        yield operator, school


async def test_one_of_two_is_not_the_only_one(desk: tuple[Operator, School]) -> None:
    operator, school = desk
    await school.empty()
    name, unread, first = a_name(), a_name(), date.today() + timedelta(days=3)
    await school.book(name, day=first)
    for ahead in range(1, PAGES):
        await school.book(day=first + timedelta(days=ahead))
    last = first + timedelta(days=PAGES)
    meant = await school.book(name, day=last)
    await school.book(unread, day=last)

    asked = await operator.say(f"cancel {name}'s lesson")
    assert asked["type"] == "clarification" and REST in asked["question"], asked
    assert [b["date"] for b in asked["candidates"]] == [first.isoformat()]
    plan = await operator.plan_for(f"cancel {name}'s lesson on {spoken(last)}")
    assert plan["actions"][0]["parameters"]["booking_id"] == meant["bookingNumber"]

    shown = await operator.say(f"find {unread}'s lesson")
    assert REST in (shown.get("message") or shown["question"]), shown
