"""Deliberate bugs in how restaurants' bookings are kept by other people's systems, and in their stand-ins."""

from tests.mutants.bugs import Bug

_PLACE = "restaurant/providers"
_TESTS = "tests/integration/restaurant_providers"
_RESOS, _OCTOTABLE = f"{_TESTS}/test_resos_only.py", f"{_TESTS}/test_octotable_only.py"
_SHEETS, _TROUBLE = f"{_TESTS}/test_sheets_only.py", f"{_TESTS}/test_trouble.py"

PROVIDERS: tuple[Bug, ...] = (
    Bug(
        name="resOS: a new booking is a request",
        about="said",
        file=f"{_PLACE}/resos.py",
        right='_SETTLED = "approved"',
        wrong='_SETTLED = "request"',
        tests=(f"{_RESOS}::test_what_is_sent",),
    ),
    Bug(
        name="resOS: the phone is left to the server",
        about="said",
        file=f"{_PLACE}/resos.py",
        right="booking.phone == phone and booking.day >= since",
        wrong="booking.day >= since",
        tests=(f"{_RESOS}::test_the_number_is_compared_here",),
    ),
    Bug(
        name="resOS: Retry-After is seconds",
        about="done",
        file=f"{_PLACE}/resos.py",
        right="wait_unit=0.001",
        wrong="wait_unit=1.0",
        tests=(f"{_RESOS}::test_retry_after_is_in_milliseconds",),
    ),
    Bug(
        name="resOS: two calls of one phone do not wait for each other",
        about="done",
        file="restaurant/tools/desk.py",
        right="        if not self.provider.server_decides:\n            yield\n            return\n",
        wrong="        if self.provider:\n            yield\n            return\n",
        tests=(f"{_TESTS}/test_tools.py::test_nobody_books_twice",),
    ),
    Bug(
        name="a write whose answer is lost was not sent",
        about="said",
        file=f"{_PLACE}/wire.py",
        right='            raise OutcomeUnknownError(f"{what}: {type(error).__name__}") from None',
        wrong='            raise UnavailableError(f"{what}: {type(error).__name__}") from None',
        tests=(f"{_TROUBLE}::test_a_create_of_which_nobody_knows",),
    ),
    Bug(
        name="OctoTable: the later reservation stays",
        about="done",
        file=f"{_PLACE}/octotable.py",
        right="            await self._take_out_if_late(written, admit, deadline)\n",
        wrong="",
        tests=(f"{_OCTOTABLE}::test_the_later_of_two_takes_itself_out",),
    ),
    Bug(
        name="OctoTable: writes to a day do not take turns",
        about="done",
        file=f"{_PLACE}/octotable.py",
        right="        async with self._alone(wanted.day, deadline):",
        wrong="        if deadline:",
        tests=(f"{_OCTOTABLE}::test_within_a_process_nothing_is_made_that_must_be_taken_out",),
    ),
    Bug(
        name="OctoTable: a token that is refused is kept",
        about="done",
        file=f"{_PLACE}/octotable_access.py",
        right="            self._until = 0.0\n        raise",
        wrong="            pass\n        raise",
        tests=(f"{_OCTOTABLE}::test_a_token_that_is_refused_is_renewed_once",),
    ),
    Bug(
        name="sheets: a row that was hit by mistake is not put back",
        about="done",
        file=f"{_PLACE}/sheets/settling.py",
        right="    settled.lost = repair.lost\n",
        wrong="",
        tests=(f"{_SHEETS}::test_a_row_that_moves_costs_nobody_else_theirs",),
    ),
    Bug(
        name="sheets: a new row is not judged by the rows above it",
        about="done",
        file=f"{_PLACE}/sheets/settling.py",
        right="                create.admit([one for one in standing if one.day == create.wanted.day])",
        wrong="                pass",
        tests=(f"{_SHEETS}::test_two_processes_race_for_the_last_tables",),
    ),
    Bug(
        name="sheets: a row too many that stays is told as refused",
        about="said",
        file=f"{_PLACE}/sheets/writer.py",
        right="                settled.check(await self._sheet.fresh(deadline))\n",
        wrong="                pass\n",
        tests=(f"{_SHEETS}::test_a_row_too_many_that_stays_is_not_told_as_refused",),
    ),
    Bug(
        name="sheets: writes are not gathered",
        about="done",
        file=f"{_PLACE}/sheets/pace.py",
        right="        return next((seconds for limit, seconds in _STEPS if used < limit), _LONGEST)",
        wrong="        return 0.0",
        tests=(f"{_SHEETS}::test_hundreds_of_calls_within_the_quota",),
    ),
    Bug(
        name="sheets: texts are entered as by a person",
        about="done",
        file=f"{_PLACE}/sheets/access.py",
        right='RAW = "RAW"',
        wrong='RAW = "USER_ENTERED"',
        tests=(f"{_SHEETS}::test_texts_are_written_as_they_are",),
    ),
    Bug(
        name="the sandbox of resOS gives a table twice",
        about="done",
        file="sandbox/resos/seating.py",
        right="return start < finish and begin < end",
        wrong="return start == begin",
        tests=("tests/integration/sandbox_restaurants/test_resos.py",),
    ),
)
