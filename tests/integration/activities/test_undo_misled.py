"""Looks of a reversal that are misled, against a small venue: a read that lags behind, an answer about another thing, a
change by somebody else at the moment of the undo.

- That what was done is as before is believed where two looks show it, a moment apart.
- An answer about another thing, or one with nothing of what is known of this one, is an answer that could not be read.
- A value that somebody sets meanwhile is not taken for an undo, whatever the venue answered to the compensation.
"""

from typing import Any

import pytest
from temporalio.exceptions import ApplicationError

from contracts.enums import StepRollbackOutcome as Outcome
from tests.integration.activities.test_undo import BEFORE, LATER, Bench, answering, bench, expected

pytestmark = pytest.mark.asyncio
__all__ = ["bench"]


async def test_one_read_that_lags_behind_proves_nothing(bench: Bench) -> None:
    bench.venue.parties["p-1"]["guests"] = 14
    bench.venue.answers["GET party"] = [BEFORE]
    assert ((await bench.reverse()).outcome, bench.sent) == (Outcome.REVERSED, [{"guests": 10}])


@pytest.mark.parametrize("other", [{**BEFORE, "id": "p-9"}, {"error": {"message": "try later"}}])
async def test_an_answer_about_another_thing_is_none(bench: Bench, other: Any) -> None:
    bench.venue.parties["p-1"]["guests"] = 14
    bench.venue.answers["GET party"] = [other] * 3
    with pytest.raises(ApplicationError) as unread:
        await bench.reverse()
    assert (unread.value.type, bench.sent) == ("server_error", [])


@pytest.mark.parametrize("ignores", [False, True], ids=["refused", "accepted"])
async def test_what_somebody_sets_meanwhile_is_not_taken_for_an_undo_beside_a_later_step(
    bench: Bench, ignores: bool
) -> None:
    bench.venue.parties["p-1"]["guests"] = 14
    answering(bench, 409, 12)
    if ignores:
        bench.venue.ignores_writes = True
        bench.venue.answers["PUT party"] = [dict(BEFORE)]

        async def set_meanwhile(what: str, _: int) -> None:
            bench.sends += what == "PUT party"
            if what == "PUT party":
                bench.venue.parties["p-1"]["guests"] = 12

        bench.venue.hook = set_meanwhile
    reply = await bench.reverse(later=LATER, expected=expected(14))
    assert (reply.outcome, bench.sends) == (Outcome.FAILED, 1)
    assert bench.venue.parties["p-1"]["guests"] == 12
