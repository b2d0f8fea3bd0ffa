"""Deliberate bugs in the restaurant service; see `bugs.py`."""

from tests.mutants.bugs import Bug

_AT_ONCE = "tests/integration/restaurant/test_two_at_once.py"
_SILENCES = "tests/integration/restaurant/test_silences.py"
_OUTAGES = "tests/integration/restaurant/test_outages.py"
_DOORS = "tests/integration/restaurant/test_doors.py"
_PROVIDERS = "tests/integration/restaurant/test_providers.py"
_SPOKEN = "tests/integration/restaurant/test_spoken.py"
_IN_TIME = "tests/integration/restaurant/test_in_time.py"

RESTAURANT: tuple[Bug, ...] = (
    Bug(
        name="a stay that begins before a slot does not count",
        about="said",
        file="restaurant/capacity.py",
        right="abs(minutes(booking.time) - slot) < self.stay\n",
        wrong="0 <= minutes(booking.time) - slot < self.stay\n",
        tests=(_AT_ONCE, _SILENCES),
    ),
    Bug(
        name="in PostgreSQL two guests count the same table",
        about="done",
        file="restaurant/providers/database/provider.py",
        right='        if connection.dialect.name == "postgresql":\n',
        wrong='        if connection.dialect.name == "nothing":\n',
        tests=(_AT_ONCE,),
    ),
    Bug(
        name="a change is written over somebody else's",
        about="done",
        file="restaurant/providers/database/provider.py",
        right="            if not _same(self._one(connection, before.booking_id), before):\n",
        wrong="            before = self._one(connection, before.booking_id)\n            if False:\n",
        tests=(_PROVIDERS, _AT_ONCE),
    ),
    Bug(
        name="a booking whose answer was lost is told as not made",
        about="done",
        file="restaurant/tools/create.py",
        right="        if landed is None:\n",
        wrong="        if True:\n",
        tests=(_OUTAGES,),
    ),
    Bug(
        name="a caller changes another phone's booking",
        about="done",
        file="restaurant/tools/own.py",
        right="    if not found.live or not caller.may(found.phone):\n",
        wrong="    if not found.live:\n",
        tests=(_SILENCES, _DOORS),
    ),
    Bug(
        name="whoever withholds a number is the operator's backend",
        about="done",
        file="restaurant/vapi.py",
        right='        return Caller("")\n',
        wrong="        return Caller()\n",
        tests=(_SILENCES,),
    ),
    Bug(
        name="a time that is past is offered",
        about="said",
        file="restaurant/capacity.py",
        right="        if slot >= earliest\n",
        wrong="        if slot >= 0\n",
        tests=(_SILENCES,),
    ),
    Bug(
        name="a weekday said on that weekday is today",
        about="said",
        file="restaurant/spoken.py",
        right="one.date is not None and one.date > now.date()})\n",
        wrong="one.date is not None and one.date >= now.date()})\n",
        tests=(_SPOKEN, _SILENCES),
    ),
    Bug(
        name="a table is given at the very end",
        about="said",
        file="restaurant/hours.py",
        right="at > service.closing(step) - self.kb.cutoff_minutes\n",
        wrong="at > service.closing(step)\n",
        tests=(_SILENCES,),
    ),
    Bug(
        name="the staff's page is open to all",
        about="done",
        file="restaurant/staff.py",
        right='    async def page(self, request: Request, restaurant_id: str, day: str = "") -> HTMLResponse:\n'
        "        await self.service.doors.let_in(request)\n",
        wrong='    async def page(self, request: Request, restaurant_id: str, day: str = "") -> HTMLResponse:\n',
        tests=(_DOORS,),
    ),
    Bug(
        name="a word of two meanings answers whatever it is in",
        about="said",
        file="restaurant/faq.py",
        right="        if told or not any(_says_something(word, entry) for word in rest):\n",
        wrong="        if told or words:\n",
        tests=("tests/integration/restaurant/test_faq.py",),
    ),
    Bug(
        name="the staff wait as long as a provider likes",
        about="said",
        file="restaurant/staff.py",
        right="            async with in_time(LONGEST):\n",
        wrong="            async with in_time(60):\n",
        tests=(_IN_TIME,),
    ),
    Bug(
        name="a telephone call without a number is the operator's backend",
        about="done",
        file="restaurant/vapi.py",
        right='        return Caller("") if isinstance(within, dict) and within.get("type") in _BY_PHONE else None\n',
        wrong="        return None\n",
        tests=(_DOORS,),
    ),
    Bug(
        name="a write takes the time that reading it back would need",
        about="done",
        file="restaurant/providers/patience.py",
        right="        left = min(seconds, _left_of_call() - _READ_BACK)\n",
        wrong="        left = min(seconds, _left_of_call())\n",
        tests=(_IN_TIME,),
    ),
    Bug(
        name="a booking is written after its guest was told that it cannot be",
        about="done",
        file="infra/ledger/database.py",
        right="                        if writes and monotonic() > ends:\n",
        wrong="                        if False:\n",
        tests=(_IN_TIME,),
    ),
)
