"""What is said beside a yes must be what the plan does, on the bookings it is for; a value for another booking is no
answer to its question."""

from contracts.aside import Aside
from contracts.effects import DraftedStep
from contracts.enums import SafetyTier
from reasoning.asides import fits, of_another
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
        (Aside(strange=("gorgeous",)), [MOVE], True),
        (Aside(strange=("nguyen",)), [MOVE], True),
        (Aside(strange=("nguyen",)), [MOVE, OTHER], False),
        (Aside(strange=("petrov",)), [MOVE], False),
        (Aside(names=("nguyen",)), [MOVE, CANCEL], True),
        (Aside(names=("gorgeous",)), [MOVE], False),
        (Aside(names=("birthday",)), [MOVE, OTHER], False),
        (Aside(does=("date", "time")), [MOVE], True),
        (Aside(does=("date", "time")), [MOVE, CANCEL], False),
        (Aside(does=("cancel",)), [CANCEL], True),
        (Aside(does=("cancel",)), [MOVE], False),
        (Aside(does=("cancel",)), [], True),
        (Aside(names=("nguyen",)), [], False),
    ],
)
def test_words_beside_a_reply_are_held_against_the_plan(aside: Aside, steps: list[DraftedStep], expected: bool) -> None:
    assert fits(aside, steps, (NGUYEN, PETROV)) is expected


NEW = DraftedStep(action=an_action("make"), parameters={"guests": 4})


@table(
    "whom, steps, expected",
    [
        (Aside(), [MOVE], False),
        (Aside(names=("nguyen",)), [MOVE], False),
        (Aside(names=("tobias", "nguyen")), [MOVE], False),
        (Aside(names=("petrov",)), [MOVE], True),
        (Aside(names=("kowalski",)), [MOVE], True),
        (Aside(names=("petrov",)), [MOVE, OTHER], False),
        (Aside(strange=("petrov",)), [MOVE], True),
        (Aside(strange=("teppanyaki",)), [MOVE], False),
        (Aside(names=("kowalski",)), [NEW], False),
        (Aside(names=("kowalski",)), [], False),
    ],
)
def test_a_value_for_another_booking_is_told_from_an_answer(
    whom: Aside, steps: list[DraftedStep], expected: bool
) -> None:
    assert of_another(whom, steps, (NGUYEN, PETROV)) is expected
