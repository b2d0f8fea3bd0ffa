"""MCP: the language of its texts, and operators who must sign in again. Guarantees:

- An Italian venue's forms, answers and errors are in Italian, also where a session of the older protocols continues in
  a task of its own.
- A rollback that waits for a new sign-in is reported as such, and continues with the next call that brings a new token.
"""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from cli.stack.dev import Stack
from tests.support.mcp_client import LEGACY, MODERN, Person, assistant, yes
from tests.support.operator import Operator
from tests.support.party import Party
from tests.support.roller import Roller, a_name
from tests.support.stacks import a_stack, own_token

pytestmark = pytest.mark.slow

NOTE, COUNT = ("edit_note", {"note": "Cake at noon"}), ("change_guest_count", {"guest_count": 14})


@pytest.fixture(scope="module")
async def italian(model_url: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stack]:
    """A stack of an Italian venue."""
    folder: Path = tmp_path_factory.mktemp("italian")
    async with a_stack(folder, venue={"locale: en-AU": "locale: it-IT"}, model_base_url=model_url) as running:
        yield running


@pytest.mark.parametrize("protocol", [MODERN, LEGACY])
async def test_an_italian_venue_asks_and_tells_in_italian(italian: Stack, protocol: str) -> None:
    here, venue_at = (f"http://127.0.0.1:{port}" for port in (italian.ports.facade, italian.ports.roller))
    person = Person(yes)
    async with Operator(here) as one, Roller(venue_at) as venue, assistant(one, protocol, person) as model:
        guest = a_name()
        await venue.book(guest)
        asked = await model.call("propose_change", message=f"porta {guest} a 14 ospiti")
        assert "Non è ancora cambiato niente" in asked["message"]
        kind, words = await model.refused("propose_change", message="sì", session_id=asked["session_id"])
        assert kind == "invalid_request" and words.startswith("Qui un sì in un messaggio non conferma niente")
        done = await model.call("confirm_plan", plan_id=asked["plan"]["plan_id"])
        assert person.forms[0].message.endswith("Procedere?") and "Passo 1" in person.forms[0].message
        assert done["plan"]["status"] == "completed" and "14 ospiti" in done["message"]
        _, words = await model.refused("propose_change")
        assert "message" in words and "required" not in words


async def test_an_undoing_that_waits_for_a_sign_in_is_reported_and_goes_on(
    operator: Operator, stack: Stack, roller: Roller, party: Party
) -> None:
    guest, booking = await party(NOTE, COUNT)
    async with assistant(operator, MODERN, Person(yes)) as model:
        text = f"note: Cake at noon, and 14 guests, for {guest}"
        plan = (await model.call("propose_change", message=text))["plan"]
        await roller.fault("update-a-booking", "expire_token", path=f"/bookings/{booking['uniqueId']}", skip=1)
        shown = await model.call("confirm_plan", plan_id=plan["plan_id"])
        assert (
            shown["message"].startswith("The undoing waits for a new sign-in") and shown["plan"]["status"] == "failed"
        )
        assert (await model.refused("get_plan", plan_id=plan["plan_id"]))[0] == "unauthorized"
    operator.http.headers["Authorization"] = f"Bearer {await own_token(stack)}"
    async with assistant(operator, MODERN) as model:
        done = await model.call("get_plan", plan_id=plan["plan_id"], wait_seconds=30)
    assert done["plan"]["status"] == "rolled_back" and done["plan"]["rollback_report"]["outcome"] == "complete"
