"""Text beside a yes must match what the plan does, on the plan's bookings; a value for another booking does not answer
the plan's question."""

from contracts.enums import SafetyTier
from contracts.message_reading import ReplyQualifiers
from contracts.step_activities import DraftedStep
from reasoning.drafting.short_replies import of_another, reply_fits_plan
from tests.support.tables import table
from tests.unit.reasoning.actions import a_booking, an_action

NGUYEN = a_booking("b-1", "Tobias Nguyen", label="Nguyen birthday, Sat 28 Nov 2pm, 12 guests")
PETROV = a_booking("b-2", "Hamish Petrov", label="Petrov soccer party, Tue 24 Nov 3:30pm, 16 guests")
MOVE = DraftedStep(action=an_action(), parameters={"booking_id": "b-1", "new_date": "2026-11-29"}, booking=NGUYEN)
OTHER = DraftedStep(action=an_action(), parameters={"booking_id": "b-2", "new_date": "2026-11-29"}, booking=PETROV)
CANCEL = DraftedStep(
    action=an_action("cancel", safety=SafetyTier.HIGH_RISK), parameters={"booking_id": "b-1"}, booking=NGUYEN
)


@table(
    "aside, steps, expected",
    [
        (ReplyQualifiers(strange=("gorgeous",)), [MOVE], True),
        (ReplyQualifiers(strange=("nguyen",)), [MOVE], True),
        (ReplyQualifiers(strange=("nguyen",)), [MOVE, OTHER], False),
        (ReplyQualifiers(strange=("petrov",)), [MOVE], False),
        (ReplyQualifiers(names=("nguyen",)), [MOVE, CANCEL], True),
        (ReplyQualifiers(names=("gorgeous",)), [MOVE], False),
        (ReplyQualifiers(names=("birthday",)), [MOVE, OTHER], False),
        (ReplyQualifiers(does=("date", "time")), [MOVE], True),
        (ReplyQualifiers(does=("date", "time")), [MOVE, CANCEL], False),
        (ReplyQualifiers(does=("cancel",)), [CANCEL], True),
        (ReplyQualifiers(does=("cancel",)), [MOVE], False),
        (ReplyQualifiers(does=("cancel",)), [], True),
        (ReplyQualifiers(names=("nguyen",)), [], False),
    ],
)
def test_words_beside_a_reply_are_held_against_the_plan(
    aside: ReplyQualifiers, steps: list[DraftedStep], expected: bool
) -> None:
    assert reply_fits_plan(aside, steps, (NGUYEN, PETROV)) is expected


NEW = DraftedStep(action=an_action("make"), parameters={"guests": 4})


@table(
    "whom, steps, expected",
    [
        (ReplyQualifiers(), [MOVE], False),
        (ReplyQualifiers(names=("nguyen",)), [MOVE], False),
        (ReplyQualifiers(names=("tobias", "nguyen")), [MOVE], False),
        (ReplyQualifiers(names=("petrov",)), [MOVE], True),
        (ReplyQualifiers(names=("kowalski",)), [MOVE], True),
        (ReplyQualifiers(names=("petrov",)), [MOVE, OTHER], False),
        (ReplyQualifiers(strange=("petrov",)), [MOVE], True),
        (ReplyQualifiers(strange=("teppanyaki",)), [MOVE], False),
        (ReplyQualifiers(names=("kowalski",)), [NEW], False),
        (ReplyQualifiers(names=("kowalski",)), [], False),
    ],
)
def test_a_value_for_another_booking_is_reported_from_an_answer(
    whom: ReplyQualifiers, steps: list[DraftedStep], expected: bool
) -> None:
    assert of_another(whom, steps, (NGUYEN, PETROV)) is expected
