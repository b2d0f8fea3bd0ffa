"""Deliberate bugs in what a refused write did, whose thing it made, and what must hold before it leaves; see
`bugs.py`."""

from tests.mutants.bugs import Bug

_CLIENT = "tests/activities/test_venue_client.py"
_LEAVING = "tests/activities/test_leaving.py"
_UNDO = "tests/activities/test_undo.py"
_NO = "tests/activities/test_a_no_with_success.py"
_WHOSE = "tests/registry/test_whose.py"
_LOCKS = "tests/infra/test_locks.py"
_ENTRANCE = "tests/activities/test_entrance.py"
_SHARED = "tests/workflows/test_shared_ground.py"
_REPEATS = "tests/activities/test_repeats.py"

OUTCOMES: tuple[Bug, ...] = (
    Bug(
        name="a final status proves that nothing was done",
        about="done",
        file="clients/venue.py",
        right="        return self.sent and not self.unprocessed\n",
        wrong="        return self.sent and (self.failure.status or 500) >= 500\n",
        tests=(_CLIENT,),
    ),
    Bug(
        name="a refusal that is declared unprocessed is not looked at",
        about="done",
        file="activities/steps.py",
        right="if answer.sent and not answer.may_have_landed and (seen := await self._shown(request)):",
        wrong="if answer.unprocessed and False and (seen := await self._shown(request)):",
        tests=(_NO,),
    ),
    Bug(
        name="a write is sent again after 401",
        about="done",
        file="clients/venue.py",
        right="            if write is not None:\n                raise\n",
        wrong="",
        tests=(_ENTRANCE,),
    ),
    Bug(
        name="a write is sent again though the booking has changed",
        about="done",
        file="activities/dispatch.py",
        right="                    if await self._as_before():\n",
        wrong="                    if await self._as_before() or True:\n",
        tests=(_REPEATS,),
    ),
    Bug(
        name="a refused compensation is not looked at",
        about="said",
        file="activities/undo.py",
        right="                if reply is not None:\n                    return reply\n",
        wrong="",
        tests=(_UNDO,),
    ),
    Bug(
        name="a refused compensation is looked at once",
        about="said",
        file="activities/undo.py",
        right="        until, looked = time.monotonic() + settles, False\n",
        wrong="        until, looked = time.monotonic(), False\n",
        tests=(_UNDO,),
    ),
    Bug(
        name="an id in an answer is what the step made",
        about="done",
        file="activities/undo.py",
        right="        return self._own_way(stands) if self._is_ours() else self._somebody_else()\n",
        wrong="        return self._own_way(stands)\n",
        tests=(_UNDO,),
    ),
    Bug(
        name="a thing that is just like ours is ours",
        about="done",
        file="registry/landing.py",
        right="action.verify.reads and not is_ours(action, scope):",
        wrong="action.verify.reads and False:",
        tests=(_WHOSE,),
    ),
    Bug(
        name="a compensation may take any id of an answer",
        about="done",
        file="registry/whole.py",
        right="    check_whose(action, findings)\n",
        wrong="",
        tests=(_WHOSE,),
    ),
    Bug(
        name="a later step's change is somebody else's",
        about="said",
        file="activities/undo.py",
        right="        if as_expected and self._may_be_the_plans_own():\n",
        wrong="        if as_expected and self._request.look_only and self._may_be_the_plans_own():\n",
        tests=(_UNDO,),
    ),
    Bug(
        name="what a later step left is taken for an undo",
        about="said",
        file="activities/undo.py",
        right="self._request.later is not None and self._stood and not shows(",
        wrong="self._request.later is not None and not shows(",
        tests=(_UNDO,),
    ),
    Bug(
        name="a step whose own change shows no more went back with an earlier one",
        about="said",
        file="activities/undo.py",
        right='return self.reply("with_earlier") if as_expected else',
        wrong='return self.reply("with_earlier") if not shows(self._action, self.scope) else',
        tests=(_UNDO,),
    ),
    Bug(
        name="a read that is refused is told as the compensation's refusal",
        about="said",
        file="activities/undo.py",
        right="                        return _gave_up(reversal, unread, reversal.unread)\n",
        wrong="                        return _gave_up(reversal, unread, reversal.not_undone)\n",
        tests=(_UNDO,),
    ),
    Bug(
        name="an equal thing that nobody answered for is ours",
        about="done",
        file="activities/undo.py",
        right="and (taken or not looks_for_new(self._action))\n",
        wrong="\n",
        tests=(_UNDO,),
    ),
    Bug(
        name="an earlier step knows nothing of the later one that could not be undone",
        about="said",
        file="workflows/saga.py",
        right="later=left[0] if left else None)",
        wrong="later=None)",
        tests=(_SHARED,),
    ),
    Bug(
        name="a step that went back with an earlier one is reported as failed",
        about="said",
        file="workflows/saga.py",
        right="        return reply if _is_back(reply) else None\n",
        wrong="        return None\n",
        tests=(_SHARED,),
    ),
    Bug(
        name="the late effect of a refused write is reported as unsent",
        about="said",
        file="workflows/sending.py",
        right="            late = drifted and run.refusal is not None\n",
        wrong="            late = False\n",
        tests=(_SHARED,),
    ),
    Bug(
        name="an undo puts a line behind one that staff added",
        about="done",
        file="overlays/roller/pieces.yaml",
        right="    and not (now.items | not_in(left.items, 'bookingItemId') | any_at('sessionStartTime'))\n",
        wrong="",
        tests=("tests/stack/test_own_part.py::test_a_session_that_staff_added_keeps_its_place",),
    ),
    Bug(
        name="a write leaves without its lock",
        about="done",
        file="activities/leaving.py",
        right="        return held and young and not activity.is_cancelled()\n",
        wrong="        return young and not activity.is_cancelled()\n",
        tests=(_LEAVING,),
    ),
    Bug(
        name="a write is made of an old read",
        about="done",
        file="activities/leaving.py",
        right="        return held and young and not activity.is_cancelled()\n",
        wrong="        return held and not activity.is_cancelled()\n",
        tests=(_LEAVING,),
    ),
    Bug(
        name="a write leaves though it was called off",
        about="done",
        file="activities/leaving.py",
        right="        return held and young and not activity.is_cancelled()\n",
        wrong="        return held and young\n",
        tests=(_LEAVING,),
    ),
    Bug(
        name="an emptied store gives locks to anybody",
        about="done",
        file="infra/locks.py",
        right="        return bool(now - int(since) > _TAKEN_AGAIN_WITHIN)\n",
        wrong="        return True\n",
        tests=(_LOCKS,),
    ),
    Bug(
        name="a lock that was taken again counts as held all the time",
        about="done",
        file="infra/locks.py",
        right=" and not self._lapsed\n",
        wrong="\n",
        tests=(_LOCKS,),
    ),
)
