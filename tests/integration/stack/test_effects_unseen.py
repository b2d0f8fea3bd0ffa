"""iQ does not report as seen what it has not seen: over HTTP against the small venue, which answers late, stale and
oddly. Guarantees:

- An accepted write that does not show is of unknown outcome, never "not made", and is not reported as undone.
- A created thing that was never seen cannot count as gone: staff must check.
- An accepted undo that cannot be read back is reported as accepted, and no more.
- Where the snapshot does not show the plan's own change, a change by another user beside it stops the undo.
- An answer of an unexpected shape is no change by another user.
"""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.integration.stack.test_effects import a_party, carried_out, operator, planned, refuse, small, venue
from tests.support.operator import Operator
from tests.support.scripted_model import ScriptedModel
from tests.support.small_venue import SmallVenue

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

__all__ = ["operator", "small", "venue"]

Calls = AsyncIterator[Any]


async def test_an_accepted_write_that_does_not_show_is_of_unknown_outcome(
    operator: Operator, venue: SmallVenue, scripted: ScriptedModel
) -> None:
    party = a_party(venue)
    plan = await planned(operator, scripted, party, "14 guests", {"resize": {"booking_id": party, "guests": 14}})
    stale = dict(venue.parties[party])

    async def hook(what: str, _: int) -> None:
        if what == "PUT party":
            venue.answers["GET party"] = [stale] * 30

    venue.hook = hook
    ended = await carried_out(operator, plan)
    assert ended["failure"]["error_type"] == "unknown_outcome", ended
    assert ended["rollback_report"]["outcome"] == "partial", ended
    assert party in ended["rollback_report"]["manual_steps"][0]
    assert "shows nothing" not in str(ended), "evidence is for engineers"


async def test_a_made_thing_that_was_never_seen_is_not_called_undone(
    operator: Operator, venue: SmallVenue, scripted: ScriptedModel
) -> None:
    party = a_party(venue)
    plan = await planned(operator, scripted, party, "8 pieces", {"order_dessert": {"booking_id": party, "pieces": 8}})
    venue.fail("GET order", *[404] * 40)
    ended = await carried_out(operator, plan)
    [order] = [o for o in venue.orders.values() if o["party"] == party]
    assert order["state"] == "open"
    assert ended["failure"]["error_type"] == "unknown_outcome", ended
    assert ended["rollback_report"]["outcome"] == "partial", ended
    assert "Cancel the dessert" in ended["rollback_report"]["manual_steps"][0]


async def test_an_undo_that_cannot_be_looked_at_is_reported_as_accepted(
    operator: Operator, venue: SmallVenue, scripted: ScriptedModel
) -> None:
    party = a_party(venue)
    calls = [{"resize": {"booking_id": party, "guests": 14}}, {"note_unseen": {"booking_id": party, "note": "x y"}}]
    plan = await planned(operator, scripted, party, "14 guests and note x y", *calls, then=refuse("note_unseen"))

    async def hook(what: str, _: int) -> None:
        if what == "PUT party" and venue.parties[party]["guests"] == 14:
            venue.fail("GET party", *[403] * 5)

    venue.hook = hook
    ended = await carried_out(operator, plan)
    assert venue.parties[party]["guests"] == 10
    [row] = ended["rollback_report"]["steps"]
    assert row["outcome"] == "reversed" and "accepted" in row["message"], ended
    assert "put back" not in ended["summary"]


async def test_a_blind_snapshot_does_not_undo_over_somebody_elses_words(
    operator: Operator, venue: SmallVenue, scripted: ScriptedModel
) -> None:
    party = a_party(venue, notes="old")
    plan = await planned(
        operator, scripted, party, "note bring socks", {"note_blind": {"booking_id": party, "note": "bring socks"}}
    )
    ended = await carried_out(operator, plan)
    assert ended["status"] == "completed", ended
    venue.parties[party]["notes"] += "|SEVERE NUT ALLERGY"
    answer = await operator.post(f"/v1/plans/{plan['plan_id']}/undo", user_id=operator.user)
    assert answer.status_code == 409, answer.text
    assert venue.parties[party]["notes"] == "bring socks|SEVERE NUT ALLERGY"


@pytest.mark.parametrize("odd", [[], "none", 7, {"id": "x"}, {"tags": None}, {"tags": {}}])
async def test_an_odd_answer_is_no_change_by_anybody(
    operator: Operator, venue: SmallVenue, scripted: ScriptedModel, odd: Any
) -> None:
    party = a_party(venue)
    plan = await planned(
        operator, scripted, party, "note bring socks", {"tag": {"booking_id": party, "note": "bring socks"}}
    )
    looks = 0

    async def hook(what: str, _: int) -> None:
        nonlocal looks
        looks += what == "GET party"
        if looks == 2:
            venue.answers["GET party"] = [odd] * 10

    venue.hook = hook
    ended = await carried_out(operator, plan)
    assert ended["status"] == "failed", ended
    assert "could not be read" in ended["failure"]["message"], ended["failure"]
    assert not [w for w, _ in venue.writes if w == f"PUT {party}"]
