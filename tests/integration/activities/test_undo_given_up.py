"""What the last attempt of a compensation leaves for the plan's report, by the activity itself against a small venue.
Guarantees:

- A transient failure is raised, so that it is retried; its details say why it failed, and whether anything was sent.
- A step that cannot be undone and may never have been applied is not reported as done.
- A token that the store has lost is distinguished from one that the venue rejects.
"""

from unittest.mock import Mock

import pytest
from temporalio.exceptions import ApplicationError

from contracts.action import ErrorRule
from contracts.enums import ErrorType, StepRollbackOutcome
from infra.errors import DependencyUnavailableError
from infra.stores.booking_locks import LockTimeoutError
from tests.integration.activities import test_undo
from tests.integration.activities.test_undo import Bench, answering

pytestmark = pytest.mark.asyncio

bench = test_undo.bench


async def test_what_may_pass_is_tried_again_once_nothing_can_land(bench: Bench) -> None:
    bench.venue.parties["p-1"]["guests"] = 14
    answering(bench, 503, None)
    with pytest.raises(ApplicationError) as error:
        await bench.reverse()
    assert (error.value.type, error.value.next_retry_delay) == ("server_error", None)
    [shown] = error.value.details
    assert (shown.sent, shown.failure.error_type) == (True, "server_error")


@pytest.mark.parametrize(
    ("error", "why"),
    [
        (LockTimeoutError(), "was under way"),
        (DependencyUnavailableError("store"), "store of sign-ins"),
        (None, "held up"),
    ],
)
async def test_what_had_to_wait_sent_nothing(bench: Bench, error: Exception | None, why: str) -> None:
    """Other plans hold the locks; the store of locks does not answer; the read is too old when the request is to be
    sent.
    """
    bench.venue.parties["p-1"]["guests"] = 14
    if error is not None:
        bench.undo._locks = Mock(held=Mock(side_effect=error))
    else:
        bench.profile = bench.profile.model_copy(update={"read_max_age_seconds": 1e-9})
    with pytest.raises(ApplicationError) as raised:
        await bench.reverse()
    [last] = raised.value.details
    assert (raised.value.type, last.sent, bench.sent) == ("busy", False, [])
    assert why in last.failure.message and "back to 10" in last.manual


async def test_what_the_venue_answered_is_in_the_overlay_s_words(bench: Bench) -> None:
    bench.venue.parties["p-1"]["guests"] = 14
    rule = ErrorRule(status=503, undo=True, error_type=ErrorType.SERVER_ERROR, message="The table is taken.")
    bench.action = bench.action.model_copy(update={"errors": (rule,)})
    answering(bench, 503, None)
    with pytest.raises(ApplicationError) as error:
        await bench.reverse()
    [last] = error.value.details
    assert (last.sent, last.failure.message) == (True, "The table is taken.")


async def test_a_refused_one_that_no_look_could_see_says_that_it_was_sent(bench: Bench) -> None:
    bench.venue.parties["p-1"]["guests"] = 14
    answering(bench, 400, None)
    refusing = bench.venue.hook

    async def then_unreadable(what: str, count: int) -> None:
        await refusing(what, count)
        if what == "GET party" and bench.sends:
            bench.venue.fail(what, 503)

    bench.venue.hook = then_unreadable
    reply = await bench.reverse()
    assert (reply.outcome, reply.sent, bench.sends) == (StepRollbackOutcome.FAILED, True, 1)
    assert reply.manual.startswith("Look first")


async def test_a_token_that_is_gone_is_no_no_of_the_venue(bench: Bench) -> None:
    bench.token = "a token that is gone"
    failure = (await bench.reverse()).failure
    assert failure is not None and (failure.error_type, failure.status) == ("unauthorized", None)


@pytest.mark.parametrize("applied", [True, False])
async def test_what_cannot_be_undone_is_stated_to_be_done_only_where_that_is_certain(
    bench: Bench, applied: bool
) -> None:
    bench.venue.parties["p-1"]["guests"], bench.action = 0, bench.pack.actions["shut_down"]
    reply = await bench.reverse(parameters={"booking_id": "p-1"}, applied=applied, left_digest=None)
    assert (reply.outcome, bench.sent) == (StepRollbackOutcome.IRREVERSIBLE, [])
    assert ("It is not certain whether" in reply.message) is not applied
    assert reply.manual
