"""Deliberate bugs in what the restaurant pack rests on: an API that answers 2xx to what it refuses, bookings that are
gone once they are cancelled, tables that are asked for, and asking for a person; see `bugs.py`."""

from tests.mutants.bugs import Bug

_NO = "tests/integration/activities/test_a_no_with_success.py"
_TABLES = "tests/unit/offline_planner/test_tables.py"
_TOLD = "tests/integration/stack/test_restaurant_told.py"
_GUESTS = "tests/unit/reasoning/test_guests_asked.py"
_EITHER = "tests/unit/offline_planner/test_either_way.py"
_CODES = "tests/integration/stack/test_restaurant_codes.py"

RESTAURANT_PACK: tuple[Bug, ...] = (
    Bug(
        name="a refusal with a 2xx status is taken for a success",
        about="said",
        file="clients/venue.py",
        right="        if response.is_success and not says_no(body, request.access):\n",
        wrong="        if response.is_success:\n",
        tests=(_NO,),
    ),
    Bug(
        name="nought is taken for a false that refuses",
        about="said",
        file="registry/refusals.py",
        right="type(found) is type(value) and found == value\n",
        wrong="found == value\n",
        tests=(_NO,),
    ),
    Bug(
        name="a refusal with a 2xx status may not have landed",
        about="done",
        file="clients/venue.py",
        right="        return self.sent and not self.unprocessed\n",
        wrong="        return False\n",
        tests=(_NO,),
    ),
    Bug(
        name="a booking that is gone is none before it is cancelled, too",
        about="done",
        file="clients/reads.py",
        right="            if gone_is_none and refused.failure.error_type is ErrorType.NOT_FOUND:\n",
        wrong="            if refused.failure.error_type is ErrorType.NOT_FOUND:\n",
        tests=(_NO,),
    ),
    Bug(
        name="a read that failed counts as a booking that is gone",
        about="done",
        file="clients/reads.py",
        right="            if gone_is_none and refused.failure.error_type is ErrorType.NOT_FOUND:\n",
        wrong="            if gone_is_none:\n",
        tests=(_NO,),
    ),
    Bug(
        name="what a no with a 2xx status said is not told",
        about="said",
        file="activities/steps.py",
        right="        failure = await self._explained(step, action, scope, refused.failure)\n",
        wrong="        failure = refused.failure\n",
        tests=(_NO,),
    ),
    Bug(
        name="a bare number of people is taken for an hour of the table",
        about="said",
        file="reasoning/grounding.py",
        right="            evidence = evidence.with_heads(heads[0])\n",
        wrong="            pass\n",
        tests=(_TABLES,),
    ),
    Bug(
        name="a message that changes nothing of the plan plans it again",
        about="said",
        file="sandbox/model/tables.py",
        right=" if wish.heads != was or dict(changed.arguments) != dict(waiting.arguments) else None\n",
        wrong="\n",
        tests=(_TABLES,),
    ),
    Bug(
        name="a person is offered while the restaurant is closed",
        about="said",
        file="overlays/restaurant/pieces.yaml",
        right="if response.open_now else []",
        wrong="if response.ok else []",
        tests=(_CODES,),
    ),
    Bug(
        name="who asks for a person is answered by the model",
        about="said",
        file="workflows/turns.py",
        right="        if self._request.wants_person:\n",
        wrong="        if False:\n",
        tests=(f"{_TOLD}::test_who_asks_for_a_person_gets_one",),
    ),
    Bug(
        name="asking for a person answers a plan's question",
        about="done",
        file="workflows/chat_words.py",
        right=" or request.wants_person:\n",
        wrong=":\n",
        tests=("tests/integration/stack/test_answers.py",),
    ),
    Bug(
        name="a cancellation is undone with another number of people",
        about="done",
        file="overlays/restaurant/actions/cancel_booking.yaml",
        right='      people: "{{ before.booking.people }}"\n',
        wrong="      people: 2\n",
        tests=("tests/integration/stack/test_restaurant.py",),
    ),
    Bug(
        name="who is booked again meanwhile is booked twice",
        about="done",
        file="overlays/restaurant/actions/cancel_booking.yaml",
        right=(
            "    when: now.table.bookings | where('live', true) | where('phone', before.booking.phone)"
            " | where('time', before.booking.time) | length == 0\n"
        ),
        wrong="    when: true\n",
        tests=("tests/integration/stack/test_restaurant.py",),
    ),
    Bug(
        name="the question that guests ask is the same though it is of another allergen",
        about="said",
        file="reasoning/venue_entries.py",
        right="    if same := [entry for entry in same if things <= entry.spoken_of]:\n",
        wrong="    if same:\n",
        tests=(_GUESTS,),
    ),
    Bug(
        name="what a dish is to be without is no topic unless a list has its name",
        about="said",
        file="language/venue_topics.py",
        right="    found |= {topic for match in _FREE_OF.finditer(said)",
        wrong="    found |= {topic for match in _FREE_OF.finditer('')",
        tests=(_GUESTS,),
    ),
    Bug(
        name="who asks to bring a dog is asked where to move it",
        about="said",
        file="sandbox/model/plan.py",
        right="    if brings(chat.last):\n",
        wrong="    if False:\n",
        tests=(_EITHER,),
    ),
    Bug(
        name="a bare number behind porta is an hour",
        about="done",
        file="sandbox/model/values.py",
        right="    by_words = None if either else _by_its_words(",
        wrong="    by_words = _by_its_words(",
        tests=(_EITHER,),
    ),
    Bug(
        name="people is no answer to people or an hour",
        about="done",
        file="sandbox/model/follow_ups.py",
        right="    return base, base_said, _which_of_both(said) or _expected(base) or expected\n",
        wrong="    return base, base_said, _expected(base) or expected\n",
        tests=(_EITHER,),
    ),
    Bug(
        name="a booking is offered the hour that it has",
        about="said",
        file="restaurant/capacity.py",
        right="        and slot not in (wanted, has)\n",
        wrong="        and slot != wanted\n",
        tests=("tests/integration/restaurant/test_staff.py",),
    ),
)
