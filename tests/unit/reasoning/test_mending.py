"""Refused steps that may be sent again with a corrected value (`docs/saga.md`, "A write is sent once"): those for which
a second request can do no harm, whatever the first one did."""

from contracts.action import AtomicAction, MarkerTemplate, Operation, ReadTemplate, VerifyTemplate
from contracts.step_activities import ActReply, WriteOutcome
from reasoning.execution.guard import may_be_sent_again
from tests.support.tables import table
from tests.unit.reasoning.actions import an_action

KEY = MarkerTemplate(body={"ref": "{{ marker }}"}, present="now.ref == marker")
LIST = ReadTemplate(name="made", operation=Operation(key="list", method="GET", path="/bookings"), inputs={})
POST = Operation(key="x", method="POST", path="/bookings")
PUT = an_action()
CREATE = an_action(operation=POST, parameters=())
CREATE_BY_PUT = an_action(parameters=())
CREATE_WITH_A_NOTE = an_action(operation=POST, parameters=an_action().parameters[1:])
CREATE_FOR_A_GUEST = an_action(operation=POST, verify=VerifyTemplate(checks=("true",), reads=(LIST,)))
CHANGE = an_action(operation=POST)


def keyed(action: AtomicAction) -> AtomicAction:
    """Return the same action with a marker."""
    return action.model_copy(update={"marker": KEY})


@table(
    "action, unprocessed, again",
    [
        (CREATE, True, False),
        (keyed(CREATE), True, True),
        (CREATE.model_copy(update={"idempotency_header": "Idempotency-Key"}), True, True),
        (keyed(CREATE), False, False),
        (keyed(CREATE_BY_PUT), False, False),
        (keyed(CREATE_FOR_A_GUEST), False, False),
        (keyed(CREATE_FOR_A_GUEST), True, True),
        (CREATE_FOR_A_GUEST, True, False),
        (CREATE_WITH_A_NOTE, True, False),
        (PUT, False, True),
        (CHANGE, False, False),
        (keyed(CHANGE), False, False),
        (CHANGE.model_copy(update={"idempotent": True}), False, True),
        (CHANGE, True, True),
    ],
)
def test_a_second_request_must_do_no_harm(action: AtomicAction, unprocessed: bool, again: bool) -> None:
    refused = ActReply(write_outcome=WriteOutcome.NOT_APPLIED, unprocessed=unprocessed)
    assert may_be_sent_again(action, refused) is again
    assert may_be_sent_again(action, refused.model_copy(update={"sent": False})), "nothing was sent"
