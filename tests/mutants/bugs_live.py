"""Deliberate bugs in what watchers hear, and in what a page lists and shows; see `bugs.py`."""

from tests.mutants.bugs import Bug

_WATCHING = "tests/stack/test_watching.py"
_SESSION = "tests/stack/test_session_watching.py"
_STEPS = "tests/stack/test_steps.py"
_LOST = "tests/stack/test_lost_wakes.py"
_LIST = "tests/stack/test_plan_list.py"
_DAY = "tests/stack/test_day.py"

LIVE: tuple[Bug, ...] = (
    Bug(
        name="a bound within a bound loses its cancellation",
        about="done",
        file="clients/temporal.py",
        right="""        async with asyncio.timeout(seconds):
            return await call
""",
        wrong="        return await asyncio.wait_for(call, seconds)\n",
        tests=("tests/clients/test_bounded.py",),
    ),
    Bug(
        name="a watch that has nothing to tell takes up a place",
        about="done",
        file="api/events.py",
        right="""    after = int(last_event_id) if last_event_id and last_event_id.isdecimal() else 0
""",
        wrong="""    streams.make_room(user_id, by.token)
    after = int(last_event_id) if last_event_id and last_event_id.isdecimal() else 0
""",
        tests=(_WATCHING,),
    ),
    Bug(
        name="a condition that is not met is passed over",
        about="done",
        file="workflows/scheduling.py",
        right="            self._record.leave_out(nothing_to_do)\n",
        wrong="            pass\n",
        tests=(_STEPS,),
    ),
    Bug(
        name="what is away counts as refused",
        about="done",
        file="reasoning/arranging.py",
        right="    return failure.refusal in meant\n",
        wrong="    return True\n",
        tests=(_STEPS,),
    ),
    Bug(
        name="what the overlay knows counts as want of room",
        about="done",
        file="reasoning/arranging.py",
        right="    meant = (Refusal.NO_ROOM,) if alternative.refused is not None else tuple(Refusal)\n",
        wrong="    meant = tuple(Refusal)\n",
        tests=(_STEPS,),
    ),
    Bug(
        name="what the venue cannot read counts as its no",
        about="done",
        file="clients/venue.py",
        right="    return Refusal.KNOWN if kind is ErrorType.BAD_REQUEST and known else None\n",
        wrong="    return Refusal.KNOWN if kind is ErrorType.BAD_REQUEST else None\n",
        tests=(_STEPS,),
    ),
    Bug(
        name="any condition is on any no",
        about="done",
        file="activities/draft.py",
        right="for_room=wishes.for_room",
        wrong="for_room=False",
        tests=(_STEPS,),
    ),
    Bug(
        name="a model may make a step optional",
        about="done",
        file="activities/drafting.py",
        right="if request.edited or request.declared else wishes.problems(request.arranged)",
        wrong="if request.arranged else ()",
        tests=(_STEPS,),
    ),
    Bug(
        name="a step is skipped after it has started",
        about="done",
        file="reasoning/arranging.py",
        right="    if action.status is not StepStatus.PENDING:\n",
        wrong="    if action.status is StepStatus.FAILED:\n",
        tests=("tests/reasoning/test_arranging.py",),
    ),
    Bug(
        name="a required step may be skipped",
        about="done",
        file="reasoning/arranging.py",
        right="    if action.required:\n",
        wrong="    if not action.step:\n",
        tests=(_STEPS,),
    ),
    Bug(
        name="a plan goes on from a step that may stand",
        about="done",
        file="workflows/scheduling.py",
        right="run.declined and run.number not in self._saga.may_stand and not",
        wrong="not run.drafted.required and not",
        tests=(_STEPS,),
    ),
    Bug(
        name="a slow reader misses what comes meanwhile",
        about="said",
        file="clients/watching.py",
        right="                after += len(fresh)\n",
        wrong="                after = max(after, len(watch.events))\n",
        tests=("tests/clients/test_watching.py",),
    ),
    Bug(
        name="a look that fails loses a cursor",
        about="said",
        file="clients/session_watching.py",
        right="                await asyncio.sleep(_AGAIN)\n",
        wrong="                return\n",
        tests=(f"{_SESSION}::test_a_look_that_fails_loses_no_cursor",),
    ),
    Bug(
        name="an event is told twice",
        about="said",
        file="workflows/telling.py",
        right="        return self.events[max(0, number) :]\n",
        wrong="        return self.events[max(0, number - 1) :]\n",
        tests=(_WATCHING,),
    ),
    Bug(
        name="the closing words come before complete",
        about="said",
        file="workflows/telling.py",
        right="""    if not after.undone:
        yield EventKind.COMPLETE, {"text": _ended_as(after), "status": after.status}
    yield EventKind.SEPARATE_MESSAGE, {"text": closing_words(after)}
""",
        wrong="""    yield EventKind.SEPARATE_MESSAGE, {"text": closing_words(after)}
    if not after.undone:
        yield EventKind.COMPLETE, {"text": _ended_as(after), "status": after.status}
""",
        tests=(_WATCHING,),
    ),
    Bug(
        name="a step that an early end settles has no result",
        about="said",
        file="workflows/telling.py",
        right='        yield EventKind.STEP_RESULT, {"step": after.step, "text": text, "step_status": status}\n',
        wrong="        return\n",
        tests=(_LOST,),
    ),
    Bug(
        name="events are numbered from 0",
        about="said",
        file="workflows/telling.py",
        right="                number=len(self.events) + 1,\n",
        wrong="                number=len(self.events),\n",
        tests=(_WATCHING,),
    ),
    Bug(
        name="a lost wake-up of a plan is lost for ever",
        about="said",
        file="clients/watching.py",
        right="                    async with asyncio.timeout(self._patience):\n",
        wrong="                    async with asyncio.timeout(None):\n",
        tests=(_LOST,),
    ),
    Bug(
        name="a lost wake-up of a chat is lost for ever",
        about="said",
        file="clients/session_watching.py",
        right="_LOOK_EVERY if self.looked.is_set() else _AGAIN):\n",
        wrong="None if self.looked.is_set() else _AGAIN):\n",
        tests=(_LOST,),
    ),
    Bug(
        name="a chat's entry is told again behind its cursor",
        about="said",
        file="clients/session_watching.py",
        right="            if entry.number > self._cursor.entry:\n",
        wrong="            if entry.number >= self._cursor.entry:\n",
        tests=(_SESSION,),
    ),
    Bug(
        name="a session's cursor forgets where its plan was",
        about="said",
        file="clients/session_watching.py",
        right="        cursor.plans[short(told.plan_id)] = told.event.number\n",
        wrong="        cursor.plans[short(told.plan_id)] = 0\n",
        tests=(_SESSION,),
    ),
    Bug(
        name="anybody hears a session",
        about="said",
        file="api/events.py",
        right="    if await sessions.owner(asked.chat) not in (None, asked.user_id):\n",
        wrong="    if await sessions.owner(asked.chat) == asked.chat:\n",
        tests=(_SESSION,),
    ),
    Bug(
        name="a list believes visibility whose a plan is",
        about="said",
        file="clients/plan_list.py",
        right="        if plan.venue_id != wanted.venue_id or wanted.user_id not in (None, plan.user_id):\n",
        wrong="        if plan.venue_id != wanted.venue_id:\n",
        tests=(_LIST,),
    ),
    Bug(
        name="a page begins with the last plan of the one before",
        about="said",
        file="clients/plan_list.py",
        right="behind is None or place < behind",
        wrong="behind is None or place <= behind",
        tests=(_LIST,),
    ),
    Bug(
        name="a list leaves out a span of time",
        about="said",
        file="clients/plan_list.py",
        right="            until, span = until - span, span * _FURTHER\n",
        wrong="            until, span = until - 2 * span, span * _FURTHER\n",
        tests=(_LIST,),
    ),
    Bug(
        name="after a rotation a list knows nothing older",
        about="said",
        file="clients/plan_list.py",
        right="self._ring.pseudonyms(wanted.venue_id, wanted.user_id)",
        wrong="self._ring.pseudonyms(wanted.venue_id, wanted.user_id)[:1]",
        tests=(_LIST,),
    ),
    Bug(
        name="a user has one pseudonym at every venue",
        about="done",
        file="infra/keyring.py",
        right="        text = json.dumps(names).encode()\n",
        wrong="        text = json.dumps(names[-1:]).encode()\n",
        tests=("tests/infra/test_keyring.py", _LIST),
    ),
    Bug(
        name="plans start only where the cluster knows the label",
        about="done",
        file="activities/marks.py",
        right="        if not await self._attributes.has(USER):\n",
        wrong="        if False:\n",
        tests=(_LIST,),
    ),
    Bug(
        name="a day that was read is given to another token",
        about="done",
        file="clients/day.py",
        right="pack.version, day, token]",
        wrong="pack.version, day]",
        tests=(_DAY,),
    ),
    Bug(
        name="a cancelled booking of a day looks like any other",
        about="said",
        file="clients/day.py",
        right="                    off.add(one.booking_id)\n",
        wrong="                    pass\n",
        tests=(_DAY,),
    ),
    Bug(
        name="a label that cannot be told stops its plan",
        about="done",
        file="activities/draft_calls.py",
        right="        return confirm_label(action, None)\n",
        wrong="        raise\n",
        tests=("tests/stack/test_confirm_label.py",),
    ),
)
