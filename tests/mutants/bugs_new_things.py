"""Deliberate bugs in what is made anew: what was said of it, when it is looked at, how it is told; see `bugs.py`."""

from tests.mutants.bugs import Bug

_REQUESTS = "tests/stack/test_calendar_requests.py"
_CALENDAR = "tests/stack/test_calendar.py"
_MADE = "tests/stack/test_calendar_made.py"
_MAKING = "tests/model/test_making.py"
_LABELS = "tests/language/test_labels.py"

NEW_THINGS: tuple[Bug, ...] = (
    Bug(
        name="a chat does not know what it made",
        about="done",
        file="workflows/conversation.py",
        right="            await know_what_was_made(self._chat, request)\n",
        wrong="",
        tests=(_MADE,),
    ),
    Bug(
        name="what was made is it, whatever was spoken of since",
        about="done",
        file="workflows/made.py",
        right="(*others, booking) if done.fresh else (booking, *others)",
        wrong="(*others, booking)",
        tests=(_MADE,),
    ),
    Bug(
        name="what was made is nameless where it cannot be looked at",
        about="done",
        file="workflows/made.py",
        right="booking_id=made.booking_id, label=shown,",
        wrong="booking_id=made.booking_id,",
        tests=(_MADE,),
    ),
    Bug(
        name="what was made is not known where the answer was lost",
        about="done",
        file="overlays/calendar/actions/schedule_meeting.yaml",
        right='booking_id: "{{ (response or now.made).id }}"',
        wrong='booking_id: "{{ response.id }}"',
        tests=(_MADE,),
    ),
    Bug(
        name="what recurs is planned once",
        about="done",
        file="reasoning/anew.py",
        right="    if again := recurs(message.text):\n        return message.text[slice(*again)]\n",
        wrong="",
        tests=(_REQUESTS,),
    ),
    Bug(
        name="a stretch of days is its last day",
        about="done",
        file="reasoning/anew.py",
        right="    if stretch:\n        return stretch[0].text\n",
        wrong="",
        tests=(_REQUESTS,),
    ),
    Bug(
        name="how long it was said to take is forgotten",
        about="done",
        file="reasoning/anew.py",
        right="        if said:\n            return message.text[slice(*said[0])]\n",
        wrong="",
        tests=(_REQUESTS,),
    ),
    Bug(
        name="a time zone that was said is forgotten",
        about="done",
        file="reasoning/anew.py",
        right="        if found is not None:\n            return message.text[slice(*found.span())]\n",
        wrong="",
        tests=(_REQUESTS,),
    ),
    Bug(
        name="letters for a time zone are passed over",
        about="done",
        file="reasoning/anew.py",
        right='        if zone := next((t for t in tokens if t.symbol == "ZONE"), None):\n',
        wrong="        if zone := None:\n",
        tests=(_REQUESTS,),
    ),
    Bug(
        name="a duration that nobody said is kept",
        about="done",
        file="reasoning/bearing/durations.py",
        right="    return doubt(parameter) if parameter.required else Held(None)\n",
        wrong="    return Held(value)\n",
        tests=(_REQUESTS,),
    ),
    Bug(
        name="a weekday of next week is this week's",
        about="done",
        file="reasoning/evidence/reading.py",
        right="tuple(in_their_week(claims, setting))",
        wrong="tuple(claims)",
        tests=(_MAKING,),
    ),
    Bug(
        name="an hour beside a week is not read",
        about="done",
        file="reasoning/evidence/days_and_times.py",
        right="(week := beside_week(message, phrase.span))",
        wrong="(week := None)",
        tests=(_MAKING,),
    ),
    Bug(
        name="opening hours are held against another clock",
        about="done",
        file="reasoning/knowable.py",
        right="    target = _by_venue(_moment(on, clock), action, arguments, venue) if clock else None\n",
        wrong="    target = _moment(on, clock) if clock else None\n",
        tests=(_REQUESTS,),
    ),
    Bug(
        name="the requester's clock is the team's",
        about="done",
        file="registry/instants.py",
        right="    return _utc(_moment(day, start, _named(zone) if zone else zone_of(context)))\n",
        wrong="    return _utc(_moment(day, start, zone_of(context)))\n",
        tests=(_REQUESTS,),
    ),
    Bug(
        name="who was quicker ends a plan with an alternative",
        about="done",
        file="workflows/sending.py",
        right="            if reply.no_room:\n",
        wrong="            if False:\n",
        tests=(_REQUESTS,),
    ),
    Bug(
        name="a time that was taken is asked of the calendar again",
        about="done",
        file="activities/steps.py",
        right="            raise _NoRoomError(found, sent=False, final=True)\n",
        wrong="            pass\n",
        tests=(_CALENDAR,),
    ),
    Bug(
        name="American hours are British",
        about="said",
        file="language/labels.py",
        right="    return {**labels, **own}\n",
        wrong="    return labels\n",
        tests=(_LABELS,),
    ),
)
