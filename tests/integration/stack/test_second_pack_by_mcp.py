"""The second pack through MCP: nothing in the MCP server is specific to a venue. Guarantees:

- A lesson is found by its customer and by its day, and moved after a person's yes to a form that shows it.
"""

import pytest

from tests.support.bookeo import School, a_day, spoken
from tests.support.mcp_client import MODERN, Person, assistant, yes
from tests.support.operator import Operator
from tests.support.roller import a_name

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]


async def test_a_lesson_is_found_and_moved(clerk: Operator, school: School) -> None:
    name, person = a_name(), Person(yes)
    booked = await school.book(name)
    async with assistant(clerk, MODERN, person) as model:
        [one] = (await model.call("find_bookings", query=name))["bookings"]
        assert one["booking_id"] == booked["bookingNumber"]
        day = await model.call("find_bookings", query=one["date"])
        assert [row["booking_id"] for row in day["bookings"]] == [one["booking_id"]]
        assert (await model.refused("find_bookings", query="x"))[0] == "invalid_request"
        text = f"move {name}'s lesson to {spoken(a_day(16))} at 3pm"
        plan = (await model.call("propose_change", message=text))["plan"]
        done = await model.call("confirm_plan", plan_id=plan["plan_id"])
    assert done["plan"]["status"] == "completed" and " → " in person.forms[0].message
    moved = await school.booking(booked["bookingNumber"])
    assert moved["startTime"] != booked["startTime"]
