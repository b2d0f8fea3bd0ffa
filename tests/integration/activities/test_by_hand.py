"""The manual steps for staff after a step that was not undone, by the activity against a small venue. Guarantees:

- Where another user has changed something and the plan's own part was not removed, staff are asked to remove only that
  part, and see the present values.
- Where the plan's own part was removed, the report names no other user for the rest, because another plan, or this one,
  may have changed it.
- Where another user's change removed the plan's own part, nothing is reported as undone. Where this or an earlier
  attempt may have sent the compensation, and the booking has changed since, the report says that it is not certain.
- For a step whose earlier step was undone since, the values are those from before the plan.
"""

import pytest
from temporalio.exceptions import ApplicationError

from contracts.action import PartialUndoTemplate
from contracts.enums import StepRollbackOutcome as Outcome
from contracts.step_activities import FoundBefore, StepScope
from registry.verification.undo_state import left_digest
from tests.integration.activities.test_undo import BEFORE, Bench, answering, bench, expected

__all__ = ["bench"]

pytestmark = pytest.mark.asyncio


def with_an_own_part(bench: Bench) -> None:
    """Let the bench's action name its own part: the guests, whatever the note says by now."""
    action = bench.action
    assert action.compensation is not None and action.snapshot is not None
    own = PartialUndoTemplate(when="now.guests == 14", request=action.compensation.request, gone=("now.guests == 10",))
    bench.action = action.model_copy(
        update={
            "compensation": action.compensation.model_copy(update={"partial_undo": own}),
            "snapshot": action.snapshot.model_copy(update={"covers": ("guests", "notes")}),
            "preview": (*action.preview, action.preview[0].model_copy(update=NOTE)),
        }
    )


NOTED = {**BEFORE, "notes": "first visit"}
NOTE = {"label": "Note", "before": "{{ before.notes }}", "after": "{{ before.notes }}"}


@pytest.mark.parametrize("status", [403, 409, 200])
@pytest.mark.parametrize("note", ["", ", wheelchair"], ids=["as the plan left it", "changed by somebody else"])
async def test_by_hand_only_the_plans_own_part_is_taken_back(bench: Bench, status: int, note: str) -> None:
    with_an_own_part(bench)
    bench.venue.parties["p-1"].update(guests=14, notes=f"first visit{note}")
    bench.venue.ignores_writes = status == 200
    if status != 200:
        answering(bench, status, None)
    reply = await bench.reverse(before=NOTED, left_digest=left_digest(bench.action, {**NOTED, "guests": 14}))
    assert reply.outcome is Outcome.FAILED
    whole = "Set party p-1 back to 10."
    if not note:
        assert reply.manual.endswith(whole) and "the rest" not in reply.manual
        return
    assert "take back only what the plan changed, and leave the rest as it is now" in reply.manual
    assert "Guests: before this change 10, with it 14, now 14." in reply.manual
    assert "Note: before this change first visit, with it first visit, now first visit, wheelchair." in reply.manual
    assert reply.manual.endswith(f"Only where nothing else has changed: {whole}")


async def test_of_what_else_has_changed_no_one_is_named_since_it_may_be_this_plan(bench: Bench) -> None:
    with_an_own_part(bench)
    bench.venue.parties["p-1"].update(guests=14, notes="first visit, wheelchair")
    reply = await bench.reverse(before=NOTED, left_digest=left_digest(bench.action, {**NOTED, "guests": 14}))
    assert reply.outcome is Outcome.REVERSED
    assert (bench.venue.parties["p-1"]["guests"], bench.venue.parties["p-1"]["notes"]) == (
        10,
        "first visit, wheelchair",
    )
    assert "Whatever else has changed meanwhile was left as it is." in reply.message
    assert "somebody else" not in reply.message


async def test_by_hand_only_the_own_part_where_no_look_worked_afterwards(bench: Bench) -> None:
    with_an_own_part(bench)
    bench.venue.parties["p-1"].update(guests=14, notes="first visit, wheelchair")

    async def hook(what: str, _: int) -> None:
        if what == "PUT party":
            bench.venue.fail("PUT party", 403)
            bench.venue.fail("GET party", *[403] * 99)

    bench.venue.hook = hook
    reply = await bench.reverse(before=NOTED, left_digest=left_digest(bench.action, {**NOTED, "guests": 14}))
    assert "Look first whether it is undone" in reply.manual and "now first visit, wheelchair" in reply.manual


@pytest.mark.parametrize("applied", [True, False])
@pytest.mark.parametrize("guests", [10, 17])
async def test_by_hand_it_is_as_before_the_plan_and_not_as_before_the_step(
    bench: Bench, applied: bool, guests: int
) -> None:
    """An earlier step had set 12 guests before this one set 14, and was undone since."""
    bench.venue.parties["p-1"]["guests"] = guests
    before = {**BEFORE, "guests": 12}
    scope = StepScope(
        profile=bench.profile, token_ref=bench.token, action=bench.action,
        parameters={"booking_id": "p-1", "guests": 12}, idempotency_key="plan-0",
    )  # fmt: skip
    looks = {"before": before, "look_only": True, "undone_with": True, "expected": expected(10)}
    earlier = FoundBefore(scope=scope, before=BEFORE)
    reply = await bench.reverse(applied=applied, accepted=not applied, left_digest=None, earlier=earlier, **looks)
    if applied and guests == 10:
        assert reply.outcome is Outcome.REVERSED
        return
    assert reply.outcome is Outcome.FAILED and "back to 10" in reply.manual
    assert f"Guests: before this change 10, with it 14, now {guests}." in reply.manual
    if not applied and guests == 10:
        sure = await bench.reverse(applied=False, left_digest=None, earlier=earlier, **looks)
        assert sure.outcome is Outcome.NOT_NEEDED, "neither accepted nor there"


UNSENT, SENT, LOST = ("nothing sent",), ("nothing under way",), ()


@pytest.mark.parametrize("last_word", [UNSENT, SENT, LOST], ids=["unsent", "sent", "lost"])
@pytest.mark.parametrize("applied", [True, False])
async def test_an_own_part_that_somebody_else_took_out_is_not_stated_to_be_undone(
    bench: Bench, last_word: tuple[str, ...], applied: bool
) -> None:
    with_an_own_part(bench)
    bench.venue.parties["p-1"].update(guests=10, notes="first visit, wheelchair")
    left = left_digest(bench.action, {**NOTED, "guests": 14})
    reply = await bench.reverse(attempt=2, last_word=last_word, before=NOTED, left_digest=left, applied=applied)
    assert (reply.outcome, bench.sent) == (Outcome.FAILED, [])
    certain = last_word == UNSENT or not applied
    assert reply.message.startswith("It is not certain whether") is not (certain and applied)
    assert "wheelchair" in reply.manual


@pytest.mark.parametrize("last_word", [UNSENT, SENT, LOST], ids=["unsent", "sent", "lost"])
async def test_what_was_changed_behind_an_earlier_try_may_have_been_undone_by_it(
    bench: Bench, last_word: tuple[str, ...]
) -> None:
    """The compensation was applied or not, and another user has set 17 guests since: no read shows which."""
    bench.venue.parties["p-1"]["guests"] = 17
    reply = await bench.reverse(attempt=2, last_word=last_word)
    assert (reply.outcome, bench.sent) == (Outcome.FAILED, [])
    uncertain = last_word != UNSENT
    assert reply.message.startswith("It is not certain whether") is uncertain
    assert reply.manual.startswith("Look first whether it is undone") is uncertain
    assert "now 17" in reply.manual


async def test_a_refused_compensation_behind_which_somebody_changed_it_may_have_taken_effect(bench: Bench) -> None:
    bench.venue.parties["p-1"]["guests"] = 14

    async def hook(what: str, _: int) -> None:
        if what == "PUT party":
            bench.venue.parties["p-1"]["guests"] = 17
            bench.venue.fail("PUT party", 403)

    bench.venue.hook = hook
    reply = await bench.reverse()
    assert reply.outcome is Outcome.FAILED and reply.message.startswith("It is not certain whether")
    assert reply.manual.startswith("Look first whether it is undone") and "now 17" in reply.manual


async def test_a_try_that_ended_unsent_leaves_that_for_the_next_one(bench: Bench) -> None:
    words: list[tuple[object, ...]] = []
    bench.heard = lambda *details: words.append(details)
    bench.venue.parties["p-1"]["guests"] = 14
    bench.venue.fail("GET party", *[503] * 9)
    with pytest.raises(ApplicationError):
        await bench.reverse()
    assert words[-1] == UNSENT
    bench.venue.fail("GET party")
    bench.venue.fail("PUT party", *[503] * 9)
    with pytest.raises(ApplicationError):
        await bench.reverse(attempt=2, last_word=UNSENT)
    assert words[-1] == SENT
    bench.venue.fail("GET party", *[503] * 9)
    with pytest.raises(ApplicationError):
        await bench.reverse(attempt=3, last_word=SENT)
    assert words[-1] == SENT


@pytest.mark.parametrize(("note", "outcome"), [("first visit", Outcome.REVERSED), ("first", Outcome.FAILED)])
async def test_an_own_part_that_is_out_is_not_all_where_the_venue_changed_more_with_it(
    bench: Bench, note: str, outcome: Outcome
) -> None:
    with_an_own_part(bench)
    bench.venue.parties["p-1"].update(guests=14, notes="first visit")

    async def hook(what: str, _: int) -> None:
        if what == "PUT party":
            bench.venue.parties["p-1"]["notes"] = note

    bench.venue.hook = hook
    reply = await bench.reverse(before=NOTED, left_digest=left_digest(bench.action, {**NOTED, "guests": 14}))
    assert (reply.outcome, bench.venue.parties["p-1"]["guests"]) == (outcome, 10)
    assert (reply.outcome is Outcome.REVERSED) is (reply.manual == "")
