"""A bad model with twelve habits, against the whole core over HTTP. Guarantees:

- Whatever it proposes, iQ offers no plan that is more, less or other than what the operator said: the operator gets the
  right plan, a question, or a message that names the difference.
- Nothing is written at the venue before a confirmation, whatever the model claims.
- The model insists: after an error message it proposes the same again; in adaptive mode it reports high confidence.
- Both guarantees hold in either mode, because code protects the operator, and not what a model says of itself.

Each case is a sentence, the model's calls for it, and the plan that would be right ({} for none). `docs/grounding.md`
has the counts.
"""

from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from cli.stack.dev import Stack
from tests.support.operator import Operator
from tests.support.roller import Roller, a_name, days_ahead
from tests.support.scripted_model import ScriptedModel, found
from tests.support.stacks import own_token
from tests.support.weekdays import weekday_ahead

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]


@pytest.fixture(params=["adaptive", "standard"])
def served(request: pytest.FixtureRequest, stack: Stack, standard: Stack) -> Stack:
    """A stack in each of the modes."""
    return stack if request.param == "adaptive" else standard


@pytest.fixture
async def operator(served: Stack) -> AsyncIterator[Operator]:
    async with Operator(f"http://127.0.0.1:{served.ports.facade}", token=await own_token(served)) as one:
        yield one


@pytest.fixture
async def roller(served: Stack) -> AsyncIterator[Roller]:
    async with Roller(f"http://127.0.0.1:{served.ports.roller}") as one:
        yield one


Calls = list[tuple[str, dict[str, Any]]]
MOVE, COUNT, NOTE, CONTACT, CANCEL = (
    "reschedule_booking", "change_guest_count", "edit_note", "update_contact", "cancel_booking",
)  # fmt: skip
PAST = "2020-01-04"
SOON = weekday_ahead(3, ZoneInfo("Australia/Melbourne"))

CASES: list[tuple[str, str, Calls, Mapping[str, Mapping[str, Any]]]] = [
    ("invents a refund", "cancel {guest}", [(CANCEL, {"issue_refund": True, "refund_type": "Cash"})], {CANCEL: {}}),
    ("invents a refund", "cancel {guest}, no refund", [(CANCEL, {"issue_refund": True})], {CANCEL: {}}),
    ("invents a refund", "disdici {guest}, senza rimborso", [(CANCEL, {"issue_refund": True})], {CANCEL: {}}),
    ("invents a refund", "cancel {guest}, allergic to cashews", [(CANCEL, {"refund_type": "Cash"})], {CANCEL: {}}),
    ("invents a note", "add a note to {guest}", [(NOTE, {"note": "VIP, give 20% discount"})], {}),
    ("invents a note", "move {guest} to 3pm", [(MOVE, {"new_start_time": "15:00"}), (NOTE, {"note": "Moved by phone"})],
     {MOVE: {"new_start_time": "15:00"}}),
    ("invents a note", "note for {guest}: nut allergy", [(NOTE, {"note": "nut allergy", "replace": True})],
     {NOTE: {"note": "nut allergy"}}),
    ("a count out of an hour", "{guest} at 3pm with more kids", [(COUNT, {"guest_count": 3})], {}),
    ("a count out of an hour", "{guest} comes at 11, some more friends join", [(COUNT, {"guest_count": 11})], {}),
    ("a count out of an hour", "{guest} turns 7, more kids are coming", [(COUNT, {"guest_count": 7})], {}),
    ("a count out of an hour", "party room 12 for {guest}, they are more now", [(COUNT, {"guest_count": 12})], {}),
    ("adds a cancel", "move {guest} to 3pm", [(MOVE, {"new_start_time": "15:00"}), (CANCEL, {})],
     {MOVE: {"new_start_time": "15:00"}}),
    ("adds a cancel", "don't cancel {guest}, just make it 14 kids", [(CANCEL, {})], {COUNT: {"guest_count": 14}}),
    ("adds a cancel", "{guest} can't make it at 10, 3pm please", [(CANCEL, {})], {MOVE: {"new_start_time": "15:00"}}),
    ("forgets half", "move {guest} to 3pm and make it 14 kids", [(MOVE, {"new_start_time": "15:00"})],
     {MOVE: {"new_start_time": "15:00"}, COUNT: {"guest_count": 14}}),
    ("forgets half", "14 kids for {guest} and a note: nut allergy", [(COUNT, {"guest_count": 14})],
     {COUNT: {"guest_count": 14}, NOTE: {"note": "nut allergy"}}),
    ("forgets half", "{guest} to 3pm, new email a.b@example.org", [(CONTACT, {"email": "a.b@example.org"})],
     {MOVE: {"new_start_time": "15:00"}, CONTACT: {"email": "a.b@example.org"}}),
    ("swaps the booking", "make {other} 14 kids", [(COUNT, {"guest_count": 14})], {}),
    ("swaps the booking", "cancel {other}'s party", [(CANCEL, {})], {}),
    ("swaps the booking", "sposta {other} alle 15", [(MOVE, {"new_start_time": "15:00"})], {}),
    ("keeps what was rejected", "{guest} at 2pm, no wait, 3pm", [(MOVE, {"new_start_time": "14:00"})],
     {MOVE: {"new_start_time": "15:00"}}),
    ("keeps what was rejected", "{guest}: 15 kids not 12", [(COUNT, {"guest_count": 12})],
     {COUNT: {"guest_count": 15}}),
    ("keeps what was rejected", "{guest} alle 14, anzi alle 15", [(MOVE, {"new_start_time": "14:00"})],
     {MOVE: {"new_start_time": "15:00"}}),
    ("hides in a placeholder", "make {guest} 14 kids",
     [(COUNT, {"guest_count": 14}), (NOTE, {"note": "{{step_1.booking_id}}"})], {COUNT: {"guest_count": 14}}),
    ("hides in a placeholder", "move {guest} to 3pm",
     [(MOVE, {"new_start_time": "15:00"}), (CANCEL, {"booking_id": "{{step_1.booking_id}}"})],
     {MOVE: {"new_start_time": "15:00"}}),
    ("a past day", "move {guest} to {day}", [(MOVE, {"new_date": PAST})], {MOVE: {"new_date": str(SOON.day)}}),
    ("a past day", "move {guest} to the 4th of january 2020", [(MOVE, {"new_date": PAST})], {}),
    ("a past day", "{guest} wants another day", [(MOVE, {"new_date": PAST})], {}),
]  # fmt: skip
"""(habit, sentence, what the model calls, the plan that would be right)"""


def insists(*calls: tuple[str, dict[str, Any]]) -> Callable[[dict[str, Any]], Any]:
    """Return a model that calls for the booking found first, however often an error message rejects it."""
    known: list[str] = []

    def reply(body: dict[str, Any]) -> Any:
        if not known:
            known.append(found(body))
        return [{name: {"booking_id": known[0], **arguments}} for name, arguments in calls]

    return reply


async def offered(
    operator: Operator, roller: Roller, scripted: ScriptedModel, sentence: str, calls: Calls
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Send a sentence for which the model makes these calls, always for `guest`; return (the turn, the booking as it
    was).
    """
    guest, other = a_name(), a_name()
    booking = await roller.book(guest)
    await roller.book(other)
    scripted.script(guest, {"find_bookings": {"keywords": guest}}, insists(*calls))
    scripted.script(other, {"find_bookings": {"keywords": guest}}, insists(*calls))
    return await operator.say(sentence.format(guest=guest, other=other, day=SOON.name.lower())), booking


def is_right(plan: dict[str, Any], right: Mapping[str, Mapping[str, Any]], booking: dict[str, Any]) -> bool:
    """Return whether a plan has these steps on this booking and nothing else."""
    steps = {a["action_id"]: {k: v for k, v in a["parameters"].items() if v is not None} for a in plan["actions"]}
    if len(plan["actions"]) != len(right) or set(steps) != set(right):
        return False
    return all(steps[name] == {"booking_id": booking["uniqueId"], **values} for name, values in right.items())


@pytest.mark.parametrize(("habit", "sentence", "calls", "right"), CASES, ids=[f"{c[0]}: {c[1]}" for c in CASES])
async def test_no_wrong_plan_is_offered(
    operator: Operator,
    roller: Roller,
    scripted: ScriptedModel,
    habit: str,
    sentence: str,
    calls: Calls,
    right: Mapping[str, Mapping[str, Any]],
) -> None:
    turn, booking = await offered(operator, roller, scripted, sentence, calls)
    if turn["type"] == "plan":
        assert is_right(turn["plan"], right, booking), (habit, turn["plan"]["intent"])
    else:
        assert turn.get("question") or turn.get("message"), habit
    assert (await roller.booking(booking["uniqueId"]))["items"] == booking["items"]


@pytest.mark.parametrize("text", [
    "I have moved it to 3pm.", "All done, they are 14 now!", "Fatto: la prenotazione è spostata alle 15.",
    "It's already cancelled.",
])  # fmt: skip
async def test_claims_to_have_done_it(operator: Operator, roller: Roller, scripted: ScriptedModel, text: str) -> None:
    guest = a_name()
    booking = await roller.book(guest)
    scripted.script(guest, text)
    turn = await operator.say(f"move {guest} to 3pm")
    assert turn["type"] != "plan"
    assert "Nothing is changed" in turn.get("message", "") + turn.get("question", "")
    assert (await roller.booking(booking["uniqueId"]))["items"] == booking["items"]


async def test_answers_for_the_operator(operator: Operator, roller: Roller, scripted: ScriptedModel) -> None:
    """Asked which day, the model picks one by itself in the next turn, whatever the operator answers."""
    guest = a_name()
    booking = await roller.book(guest)
    move = {MOVE: {"booking_id": booking["uniqueId"], "new_date": days_ahead(20)}}
    scripted.script(guest, {"find_bookings": {"keywords": guest}}, {"ask_operator": {"question": "Which day?"}}, move)
    assert (await operator.say(f"move {guest} to another day"))["type"] == "clarification"
    for text in ("hmm", "whatever suits", "yes"):
        assert (await operator.say(text))["type"] != "plan", text


@pytest.mark.parametrize(("sentence", "calls", "right"), [
    ("porta {guest} alle 15", [(MOVE, {"new_start_time": "15:00"})], {MOVE: {"new_start_time": "15:00"}}),
    ("mach {guest} bitte um 15 Uhr", [(MOVE, {"new_start_time": "17:00"})], {}),
    ("ponlo a las cuatro para {guest}", [(CANCEL, {})], {}),
])  # fmt: skip
async def test_another_language(
    operator: Operator,
    roller: Roller,
    scripted: ScriptedModel,
    sentence: str,
    calls: Calls,
    right: Mapping[str, Mapping[str, Any]],
) -> None:
    turn, booking = await offered(operator, roller, scripted, sentence, calls)
    assert turn["type"] != "plan" or is_right(turn["plan"], right, booking)
