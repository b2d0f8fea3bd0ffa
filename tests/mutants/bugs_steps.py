"""Deliberate bugs in steps that are carried out together, sent again, kept, looked at and spelt out, and in what is
told of a plan's end; see `bugs.py`."""

from tests.mutants.bugs import Bug

_TOGETHER = "tests/workflows/test_together.py"
_ENDS = "tests/workflows/test_told_ends.py"
_WATCHING = "tests/integration/stack/test_watching.py"
_UNDO = "tests/integration/stack/test_undo.py"
_REPEATS = "tests/integration/activities/test_repeats.py"
_LOOKS = "tests/integration/stack/test_looks.py"
_TEMPLATES = "tests/integration/stack/test_templates.py"
_ENGINEERS = "tests/integration/stack/test_in_the_temporal_ui.py"
_CODEC = "tests/integration/stack/test_codec.py"

STEPS: tuple[Bug, ...] = (
    Bug(
        name="a write that was refused looks as if it had worked",
        about="said",
        file="activities/shown.py",
        right="        if told is None:\n            return reply\n",
        wrong="        if told != 0:\n            return reply\n",
        tests=(_ENGINEERS,),
    ),
    Bug(
        name="what a venue says is markup in Temporal's UI",
        about="said",
        file="workflows/details.py",
        right="return _MARKUP.sub(",
        wrong="return text or _MARKUP.sub(",
        tests=(_ENGINEERS,),
    ),
    Bug(
        name="a plan past undoing is listed as one that can be undone",
        about="said",
        file="workflows/details.py",
        right=" and plan.undo_until > now:\n",
        wrong=":\n",
        tests=(_ENGINEERS,),
    ),
    Bug(
        name="payloads are read under any name for this machine",
        about="said",
        file="api/codec.py",
        right="        refuse_strangers(request, settings)\n        return\n",
        wrong="        return\n",
        tests=(_CODEC,),
    ),
    Bug(
        name="what ended last is not undone first",
        about="done",
        file="workflows/saga.py",
        right="""        self._registered.remove(run)
        if run.may_be_applied:
            self._registered.append(run)
""",
        wrong="""        if not run.may_be_applied:
            self._registered.remove(run)
""",
        tests=(_TOGETHER,),
    ),
    Bug(
        name="steps beside one that failed go on",
        about="done",
        file="workflows/stopping.py",
        right="        return self._cancellation.requested or self._winding_down\n",
        wrong="        return self._cancellation.requested\n",
        tests=(_TOGETHER,),
    ),
    Bug(
        name="a step beside one that failed is sent all the same",
        about="done",
        file="workflows/stopping.py",
        right="""        if self._winding_down:
            unexpected""",
        wrong="""        if self._winding_down and run is None:
            unexpected""",
        tests=(_TOGETHER,),
    ),
    Bug(
        name="steps on the same ground act together",
        about="done",
        file="reasoning/arranging.py",
        right="        if not waits and not known & stood_on:\n",
        wrong="        if not waits:\n",
        tests=(_TOGETHER,),
    ),
    Bug(
        name="a step acts beside the one that it waits for",
        about="done",
        file="reasoning/arranging.py",
        right="        if not waits and not known & stood_on:\n",
        wrong="        if not known & stood_on:\n",
        tests=(_TOGETHER,),
    ),
    Bug(
        name="what no undo brings back goes beside others",
        about="done",
        file="reasoning/arranging.py",
        right="        alone = not known or not action.reversible or action.safety_tier is not SafetyTier.NORMAL\n",
        wrong="        alone = not known\n",
        tests=(_TOGETHER,),
    ),
    Bug(
        name="steps act together without the venue's word",
        about="done",
        file="workflows/scheduling.py",
        right="        if not self._together:\n",
        wrong="        if not waiting:\n",
        tests=(_TOGETHER,),
    ),
    Bug(
        name="what still acts is not waited for",
        about="done",
        file="workflows/scheduling.py",
        right="        ended = await asyncio.gather(*branches, return_exceptions=True)\n",
        wrong="        ended = [await branches[0]]\n",
        tests=(_TOGETHER,),
    ),
    Bug(
        name="two questions are open at once",
        about="done",
        file="workflows/execution.py",
        right="            async with self._one_question:\n",
        wrong="            async with asyncio.Lock():\n",
        tests=(_TOGETHER,),
    ),
    Bug(
        name="a step called before its turn ends the plan",
        about="done",
        file="workflows/execution.py",
        right="            case guard.Widens() if self._too_soon(run, call):\n",
        wrong="            case guard.Widens() if call.name == ASK:\n",
        tests=(_ENDS,),
    ),
    Bug(
        name="any value is taken for a later step's",
        about="done",
        file="reasoning/guard.py",
        right="all(same_meaning(roles.get(name), value, given[name]) for name, value in confirmed.items())",
        wrong="roles is not None",
        tests=(_ENDS,),
    ),
    Bug(
        name="a stop is not told",
        about="said",
        file="workflows/telling.py",
        right="    if after.stopping and not before.stopping:\n",
        wrong="    if after.stopping and before.stopping:\n",
        tests=(_ENDS,),
    ),
    Bug(
        name="a doubt outlives its end",
        about="said",
        file="workflows/ending.py",
        right="""        if plan.model_copy(update={"rollback_report": report}).uncertain:
            return failure
""",
        wrong="""        if report:
            return failure
""",
        tests=(_ENDS,),
    ),
    Bug(
        name="what stands is called rolled back",
        about="said",
        file="workflows/telling.py",
        right="    if any(row.outcome not in _BACK for row in rows):\n",
        wrong="    if not rows:\n",
        tests=(_ENDS,),
    ),
    Bug(
        name="a number that no event has is waited for",
        about="said",
        file="clients/watching.py",
        right="                after = after if after <= len(watch.events) else 0\n",
        wrong="",
        tests=(_WATCHING,),
    ),
    Bug(
        name="an undo that could not be looked into has no reason",
        about="said",
        file="workflows/undoing.py",
        right="    if isinstance(cause, ApplicationError) and cause.type in set(ErrorType):\n",
        wrong="    if isinstance(cause, ApplicationError) and error is None:\n",
        tests=(_UNDO,),
    ),
    Bug(
        name="any write is sent again",
        about="done",
        file="activities/dispatch.py",
        right="list(self._action.retry.pauses) if self._action.idempotent and self._action.retry else []",
        wrong="list(self._action.retry.pauses) if self._action.retry else []",
        tests=(_REPEATS,),
    ),
    Bug(
        name="a write is sent again after 429",
        about="done",
        file="activities/dispatch.py",
        right="_FAILED_ON_THE_WAY if refused.sent else (ErrorType.NETWORK,)",
        wrong="tuple(ErrorType)",
        tests=(_REPEATS,),
    ),
    Bug(
        name="a no behind an unheard answer is believed",
        about="said",
        file="activities/dispatch.py",
        right="                return failed or refused\n",
        wrong="                return VenueError(refused.failure, sent=True, unprocessed=True)\n",
        tests=(_REPEATS,),
    ),
    Bug(
        name="an answer is kept for another operator",
        about="done",
        file="clients/kept_reads.py",
        right='hashlib.sha256(f"{token}\\n{read}".encode())',
        wrong="hashlib.sha256(read.encode())",
        tests=(_REPEATS,),
    ),
    Bug(
        name="a write leaves kept answers",
        about="done",
        file="clients/kept_reads.py",
        right="            del self._kept[key]\n",
        wrong="            continue\n",
        tests=(_REPEATS,),
    ),
    Bug(
        name="what was free while planning is not looked at again",
        about="done",
        file="activities/steps.py",
        right="        if action.room is None or action.room.step is None:\n",
        wrong="        if action.room is None or action.room.step is not None:\n",
        tests=(_LOOKS,),
    ),
    Bug(
        name="a template is called beside other changes",
        about="done",
        file="reasoning/templates.py",
        right="    if len(changes) > 1:\n",
        wrong="    if len(changes) > 99:\n",
        tests=(_TEMPLATES,),
    ),
    Bug(
        name="a lost write is looked for with the token that it was sent with",
        about="done",
        file="workflows/sending.py",
        right='request.scope.model_copy(update={"token_ref": token_ref})',
        wrong="request.scope",
        tests=("tests/integration/stack/test_sign_in.py::test_a_write_under_way_is_looked_for_with_the_new_token",),
    ),
    Bug(
        name="a lost write is looked for in vain with a token that is gone",
        about="said",
        file="activities/steps.py",
        right="return seen.landing is not Landing.UNKNOWN or seen.failure is not None",
        wrong="return seen.landing is not Landing.UNKNOWN",
        tests=("tests/integration/activities/test_repeats.py::test_without_a_token_nobody_looks_in_vain",),
    ),
)
