"""An answer to a running plan's question fills in what it says and nothing else. Over HTTP against the running stack,
with a hostile model. Guarantees:

- After "no", iQ sends no value that the model made up: no refund, no name, no e-mail address.
- A yes or no fills only the parameter that the question named and showed. An answer that would change a confirmed line
  (a refund where the plan said that none is recorded) stops the plan instead.
- The filled-in value is shown in the plan, in the step's result and in the summary.
- After a useless answer the plan asks again, a bounded number of times; then it ends with the venue's own message.
"""

from typing import Any

import pytest

from tests.support.operator import Operator
from tests.support.roller import Roller, a_name
from tests.support.scripted_model import ScriptedModel, look_up, then
from tests.support.tables import for_test_all

pytestmark = pytest.mark.asyncio

Call = dict[str, Any]


async def asked(
    operator: Operator, scripted: ScriptedModel, guest: str, text: str, step: tuple[str, Call], *replies: Any
) -> Call:
    """Return a confirmed plan of one step whose model asks a question and then gives these replies."""
    scripted.script(guest, look_up(guest), then(step), *replies)
    plan = await operator.plan_for(f"{text} {guest}")
    await operator.confirm(plan)
    return await operator.asked(plan)


async def test_no_is_no_refund(operator: Operator, roller: Roller, scripted: ScriptedModel) -> None:
    guest = a_name()
    booking = await roller.book(guest)
    ask = {"ask_operator": {"question": "Shall I tell the guest by phone?"}}
    refund = {"cancel_booking": {"issue_refund": True, "refund_type": "Cash"}}
    plan = await asked(operator, scripted, guest, "cancel", ("cancel_booking", {}), ask, refund)
    assert (await operator.answer(plan, "no, leave them alone")).status_code == 200
    ended = await operator.settled(plan)
    assert ended["status"] == "failed", ended
    assert await roller.journal(booking) == []


async def test_no_one_gets_a_name_that_no_one_stated(
    operator: Operator, roller: Roller, scripted: ScriptedModel
) -> None:
    guest = a_name()
    booking = await roller.book(guest)
    ask = {"ask_operator": {"question": "Anything else?"}}
    more = {"update_contact": {"phone": "0412 345 678", "last_name": "Mallory", "email": "mallory@example.com"}}
    plan = await asked(operator, scripted, guest, "new phone 0412 345 678 for",
                       ("update_contact", {"phone": "0412 345 678"}), ask, more)  # fmt: skip
    assert (await operator.answer(plan, "no")).status_code == 200
    assert (await operator.settled(plan))["status"] == "failed"
    assert await roller.journal(booking) == []


@pytest.mark.parametrize(
    ("answer", "value", "goes"),
    [
        ("no", True, False),
        ("no", False, True),
        ("yes", False, False),
        *for_test_all(
            ("yes", True, False),
            ("yes please", True, False),
            ("no, senza rimborso", True, False),
            ("maybe", True, False),
        ),
    ],
)
async def test_yes_and_no_count_for_the_parameter_that_was_asked_about(
    operator: Operator, roller: Roller, scripted: ScriptedModel, answer: str, value: bool, goes: bool
) -> None:
    guest = a_name()
    booking = await roller.book(guest)
    ask = {"ask_operator": {"question": "Was it refunded?", "parameter": "issue_refund"}}
    again = {"cancel_booking": {"issue_refund": value, **({"refund_type": "Other"} if value else {})}}
    plan = await asked(
        operator,
        scripted,
        guest,
        "cancel, refunds: other, for",
        ("cancel_booking", {"refund_type": "Other"}),
        ask,
        again,
    )
    assert plan["blocking_prompt"]["question"] == "Was it refunded? (This fills in “issue refund”.)"
    assert (await operator.answer(plan, answer)).status_code == 200
    ended = await operator.settled(plan)
    assert (ended["status"] == "completed") is goes, ended
    assert bool(await roller.journal(booking)) is goes
    if goes:
        assert ended["actions"][0]["parameters"]["issue_refund"] is value
        assert "issue refund" in ended["results"][0]["message"] and "issue refund" in ended["summary"]


@pytest.mark.parametrize(
    ("answer", "goes"),
    [
        ("in cash", True),
        ("not cash", False),
        *for_test_all(("cash or card", False), ("cashew nuts", False), ("a credit card or cash", False)),
    ],
)
async def test_a_choice_is_named_once_and_not_negated(
    operator: Operator, roller: Roller, scripted: ScriptedModel, answer: str, goes: bool
) -> None:
    guest = a_name()
    booking = await roller.book(guest)
    ask = {"ask_operator": {"question": "How was it refunded?", "choices": ["Cash", "CreditCard"]}}
    plan = await asked(
        operator, scripted, guest, "cancel and record the refund of", ("cancel_booking", {"issue_refund": True}),
        ask, {"cancel_booking": {"issue_refund": True, "refund_type": "Cash"}},
    )  # fmt: skip
    assert (await operator.answer(plan, answer)).status_code == 200
    assert ((await operator.settled(plan))["status"] == "completed") is goes
    assert bool(await roller.journal(booking)) is goes


async def test_useless_answers_are_asked_for_again_and_end_in_the_venues_words(
    operator: Operator, roller: Roller
) -> None:
    guest = a_name()
    booking = await roller.book(guest)
    plan = await operator.plan_for(f"cancel booking {booking['bookingReference']}, we refunded it")
    await operator.confirm(plan)
    for useless in ("dunno", "bananas", "whatever"):
        waiting = await operator.asked(plan)
        assert (
            await operator.answer(waiting, useless, prompt_id=waiting["blocking_prompt"]["prompt_id"])
        ).status_code == 200
    ended = await operator.settled(plan)
    assert ended["status"] == "failed", ended
    assert "more than the plan you confirmed" not in ended["failure"]["message"]
    assert "ROLLER wants to know how the refund was made" in ended["failure"]["message"]
    assert await roller.journal(booking) == []


async def test_who_asks_for_a_person_answers_no_question(
    operator: Operator, roller: Roller, scripted: ScriptedModel
) -> None:
    guest = a_name()
    await roller.book(guest)
    ask = {"ask_operator": {"question": "Shall I tell the guest by phone?"}}
    plan = await asked(operator, scripted, guest, "cancel", ("cancel_booking", {}), ask)
    turn = await operator.say("speak to a person")
    assert (turn["type"], turn["reason"]) == ("escalation", "asked"), turn
    assert (await operator.look(plan))["blocking_prompt"]["prompt_id"] == plan["blocking_prompt"]["prompt_id"]
    assert (await operator.post(f"/v1/plans/{plan['plan_id']}/cancel", user_id=operator.user)).status_code == 202
