"""An answer of the reservations service that never arrives: the connection is cut after the tool was carried out, or
before (issue 16, point 6). Guarantees:

- A write that landed is reported as done and is in the book once; one that did not is reported as not done and is not
  in the book. Nothing is sent twice.
- An undo whose answer is lost is reported by its real outcome, too.
"""

from datetime import date
from typing import Any

import pytest

from tests.integration.stack.test_restaurant import italian, spoken
from tests.support.operator import Operator
from tests.support.restaurant import DiningStack, Trattoria, heard, undone
from tests.support.roller import a_name

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

WRITES = {
    "create_booking": "prenota un tavolo per 4 {day} alle 21 a nome {new}, 333 765 4321",
    "modify_booking": "sposta il tavolo di {name} alle 21",
    "cancel_booking": "annulla la prenotazione di {name}",
}


def when(rows: list[dict[str, Any]]) -> list[tuple[str, str, int]]:
    """Return (guest, time, people) of the live bookings."""
    return sorted((row["name"], row["time"], row["people"]) for row in rows if row["live"])


@pytest.mark.parametrize("landed", [True, False], ids=["landed", "not landed"])
@pytest.mark.parametrize("tool", WRITES)
async def test_an_answer_that_is_cut_off(
    waiter: Operator, trattoria: Trattoria, dining: DiningStack, tool: str, landed: bool
) -> None:
    day, name, new = await trattoria.quiet_evening(), a_name(), a_name()
    await trattoria.book(name, day=day)
    plan = await waiter.plan_for(WRITES[tool].format(name=name, new=new, day=spoken(day)))
    trattoria.loses(tool, landed=landed)
    with heard(dining) as paths:
        done = await waiter.settled(await waiter.confirm(plan))
    before = [(name, "20:00", 4)]
    after = {
        "create_booking": sorted([*before, (new, "21:00", 4)]),
        "modify_booking": [(name, "21:00", 4)],
        "cancel_booking": [],
    }
    assert done["status"] == ("completed" if landed else "failed"), done
    assert when(await trattoria.of(day)) == (after[tool] if landed else before)
    assert sum(path == f"POST /api/{tool}" for path in paths) == landed, "what was cut off before never arrived"
    assert italian(done)


async def test_an_undo_whose_answer_is_cut_off(waiter: Operator, trattoria: Trattoria, day: date) -> None:
    name = a_name()
    await trattoria.book(name, day=day)
    done = await waiter.do(f"sposta il tavolo di {name} alle 21")
    trattoria.loses("modify_booking", landed=True)
    shown = await undone(waiter, done)
    assert shown["rollback_report"]["outcome"] == "complete", shown
    assert when(await trattoria.of(day)) == [(name, "20:00", 4)]


@pytest.fixture
async def day(trattoria: Trattoria) -> date:
    """An evening without bookings."""
    return await trattoria.quiet_evening()
