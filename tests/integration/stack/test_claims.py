"""iQ does not pass on a model's claims about effects (over HTTP against the running stack). Guarantees:

- Where a model claims that it has done something, the sentence is removed, and code says that nothing is changing.
- The same holds in a refusal and in a question; the rest of the text is kept.
- A question with a look-up is answered from what was found, in the pack's words and not in the model's.
"""

from datetime import date

import pytest

from tests.support.operator import Operator
from tests.support.roller import Roller, a_name
from tests.support.scripted_model import ScriptedModel, look_up

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

IDLE = "Nothing is changed by this message."


@pytest.mark.parametrize("text", [
    "I have cancelled booking {0} and refunded them.", "Done!", "Booking {0} is cancelled. Refund issued.",
    "Ho annullato la prenotazione {0}.", "Consider it done.",
])  # fmt: skip
async def test_a_claim_is_not_passed_on(operator: Operator, roller: Roller, scripted: ScriptedModel, text: str) -> None:
    booking = await roller.book()
    number = booking["bookingReference"]
    scripted.script(f"cancel booking {number}", text.format(number))
    turn = await operator.say(f"cancel booking {number}")
    assert turn["type"] == "answer"
    assert turn["message"].startswith(IDLE)
    assert "cancelled" not in turn["message"] and "one!" not in turn["message"]
    assert (await roller.booking(booking["uniqueId"]))["status"] != "Cancelled"


async def test_a_claim_amid_a_refusal_goes_and_the_refusal_stays(operator: Operator, scripted: ScriptedModel) -> None:
    key = a_name()
    scripted.script(key, {"cannot_help": {"message": "I have refunded them. I cannot send vouchers."}})
    turn = await operator.say(f"refund {key} and send a voucher")
    assert turn["message"] == f"I cannot send vouchers. {IDLE}"


async def test_a_claim_before_a_question_goes_and_the_question_stays(
    operator: Operator, scripted: ScriptedModel
) -> None:
    key = a_name()
    scripted.script(key, {"ask_operator": {"question": "I've moved it to 3pm. Which booking is next?"}})
    turn = await operator.say(f"move {key} to 3pm")
    assert (turn["type"], turn["question"]) == ("clarification", f"{IDLE} Which booking is next?")


async def test_a_question_that_claims_nothing_stands(operator: Operator, scripted: ScriptedModel) -> None:
    key = a_name()
    scripted.script(key, "Should it be moved to Saturday?")
    assert (await operator.say(f"move {key}"))["question"] == "Should it be moved to Saturday?"


async def test_what_was_looked_up_is_reported_as_it_was_found(
    operator: Operator, roller: Roller, scripted: ScriptedModel
) -> None:
    guest = a_name()
    booking = await roller.book(guest)
    day = date.fromisoformat(booking["items"][0]["bookingDate"])
    text = f"{guest} comes with 99 guests at 9pm."
    scripted.script(guest, look_up(guest), text)
    shown = (await operator.say(f"how many guests has {guest}?"))["message"]
    assert shown.startswith(f"{guest}, {day:%a} {day.day} {day:%b} 10am, 10 guests. Reference ")
    scripted.script(guest, look_up(guest), text)
    assert (await operator.say(f"make {guest} 12 guests"))["message"] == f"{shown}\n{IDLE}"


async def test_an_answer_without_a_look_up_says_that_nothing_changes(
    operator: Operator, scripted: ScriptedModel
) -> None:
    key = a_name()
    scripted.script(key, "Understood.")
    assert (await operator.say(f"{key} at four, please"))["message"] == f"Understood. {IDLE}"
