"""Deliberate bugs, each with the tests that should see it. To add one: a name, where, what is right there (exactly
once in the file), what is wrong, and the tests.

`about`: "said" where the bug makes the product say what is not so, "done" where it does what nobody wanted.
"""

from dataclasses import dataclass
from typing import Literal

_EFFECTS = "tests/stack/test_effects.py"
_ANSWERS = "tests/stack/test_answers.py"
_PENDING = "tests/workflows/test_pending_plan.py"
_SLOT = "tests/workflows/test_question_slot.py"
_WORDS = "tests/processes/test_words_that_may_take_effect.py"


@dataclass(frozen=True, slots=True)
class Bug:
    """One bug."""

    name: str
    about: Literal["said", "done"]
    file: str
    right: str
    wrong: str
    tests: tuple[str, ...]


BUGS: tuple[Bug, ...] = (
    Bug(
        name="an act is retried",
        about="done",
        file="workflows/calls.py",
        right="            retry_policy=_ONCE,\n",
        wrong="            retry_policy=_AGAIN,\n",
        tests=("tests/workflows/test_write_once.py",),
    ),
    Bug(
        name="compensations run forwards",
        about="done",
        file="workflows/saga.py",
        right="        for run in reversed(self._registered):\n            reply = await",
        wrong="        for run in list(self._registered):\n            reply = await",
        tests=("tests/workflows/test_outcomes.py",),
    ),
    Bug(
        name="a step's compensation is skipped",
        about="said",
        file="workflows/saga.py",
        right="        if not run.may_be_applied:\n            self._registered.remove(run)",
        wrong="        if run.surely_applied or not run.may_be_applied:\n            self._registered.remove(run)",
        tests=("tests/workflows/test_outcomes.py",),
    ),
    Bug(
        name="a token that comes too late is kept",
        about="done",
        file="workflows/plan.py",
        right="            await self._wipe(message.token_ref)\n        else:\n",
        wrong="            pass\n        else:\n",
        tests=("tests/workflows/test_cancellation.py",),
    ),
    Bug(
        name="no drift check before a step",
        about="done",
        file="workflows/execution.py",
        right="        if failure is None and reply.drifted:\n",
        wrong="        if False:\n",
        tests=("tests/workflows/test_grounds.py",),
    ),
    Bug(
        name="no second look before a write",
        about="done",
        file="activities/steps.py",
        right="            if not unchanged(action, scope.with_(now=now)):\n",
        wrong="            if False:\n",
        tests=(f"{_EFFECTS}::test_e5_a_change_between_snapshot_and_write_stops_the_write",),
    ),
    Bug(
        name="an undo does not look",
        about="done",
        file="registry/standing.py",
        right="    before = left_digest(action, scope.before)\n",
        wrong="    return Standing.AS_LEFT\n    before = left_digest(action, scope.before)\n",
        tests=(f"{_EFFECTS}::test_e3_what_staff_wrote_meanwhile_is_never_overwritten",),
    ),
    Bug(
        name="an undo believes the snapshot alone",
        about="said",
        file="registry/standing.py",
        right="    elif stands:\n        touched",
        wrong="    elif False:\n        touched",
        tests=(f"{_EFFECTS}::test_e2_a_write_that_the_snapshot_cannot_see_is_undone_all_the_same",),
    ),
    Bug(
        name="an undo is not looked at afterwards",
        about="said",
        file="activities/undo.py",
        right="            if (own_part_gone if undo.own_part else undone)(self._action, self.scope):\n",
        wrong="            if True:\n",
        tests=(f"{_EFFECTS}::test_e2_an_undo_that_the_venue_ignores_is_not_said_to_be_done",),
    ),
    Bug(
        name="a retried undo does not wait",
        about="done",
        file="activities/undo.py",
        right="            if tried and not request.look_only and _NOTHING_UNDER_WAY not in last_word:\n",
        wrong="            if False:\n",
        tests=("tests/activities/test_undo.py",),
    ),
    Bug(
        name="what is of unknown outcome is undone unseen",
        about="done",
        file="registry/standing.py",
        right="    return Standing.AS_BEFORE if as_before and not stands else Standing.OTHERWISE\n\n\ndef undone",
        wrong="    return Standing.AS_BEFORE if as_before and not stands else Standing.AS_LEFT\n\n\ndef undone",
        tests=("tests/activities/test_undo.py",),
    ),
    Bug(
        name="the marker is trusted alone",
        about="said",
        file="registry/landing.py",
        right="        if as_asked or (as_asked is None and ours is not False):\n",
        wrong="        if ours or as_asked or as_asked is None:\n",
        tests=(f"{_EFFECTS}::test_e6_landed_otherwise_is_a_failure_that_is_told_and_compensated",),
    ),
    Bug(
        name="partly applied is told as applied",
        about="said",
        file="workflows/execution.py",
        right="        if answer.landing is Landing.APPLIED:\n            said",
        wrong="        if answer.landing in (Landing.APPLIED, Landing.OTHERWISE):\n            said",
        tests=(f"{_EFFECTS}::test_e6_landed_otherwise_is_a_failure_that_is_told_and_compensated",),
    ),
    Bug(
        name="the guard lets any gap be filled after an answer",
        about="done",
        file="reasoning/guard.py",
        right="        elif judged:\n",
        wrong="        elif judged and not answered:\n",
        tests=(f"{_ANSWERS}::test_e1_no_is_no_refund", "tests/reasoning/test_guard.py"),
    ),
    Bug(
        name="the guard lets another value through",
        about="done",
        file="reasoning/guard.py",
        right="            if not same_meaning(parameter.role, wanted[name], given):\n",
        wrong="            if parameter.role is ParameterRole.BOOKING and wanted[name] != given:\n",
        tests=("tests/reasoning/test_guard.py",),
    ),
    Bug(
        name="a value is sent in the model's form",
        about="said",
        file="reasoning/guard.py",
        right="            values[name] = wanted[name]\n",
        wrong="            values[name] = given\n",
        tests=("tests/reasoning/test_guard.py",),
    ),
    Bug(
        name="what an answer filled in is not shown",
        about="said",
        file="workflows/execution.py",
        right="        self._record.show(run.number, scope.parameters, self._with_lasting(run, reply.preview))\n",
        wrong="",
        tests=(f"{_ANSWERS}::test_e1_yes_and_no_count_for_the_parameter_that_was_asked_about",),
    ),
    Bug(
        name="yes counts without a subject",
        about="done",
        file="reasoning/answers.py",
        right="        return value if asked and _yes_or_no(text) is value else None\n",
        wrong="        return value if _yes_or_no(text) is value else None\n",
        tests=("tests/reasoning/test_answers.py",),
    ),
    Bug(
        name="high risk behind a placeholder",
        about="said",
        file="activities/lookups.py",
        right="                if action.safety is SafetyTier.HIGH_RISK and placeholders.present(call.arguments):\n",
        wrong="                if False:\n",
        tests=(f"{_EFFECTS}::test_e7_a_high_risk_step_cannot_hide_behind_a_placeholder",),
    ),
    Bug(
        name="one failed look forgets what was written",
        about="said",
        file="activities/steps.py",
        right="            unknown = tuple(Moved(step=e.step, key=e.key, digest=None) for e in request.moved)\n",
        wrong="            unknown = tuple(Moved(step=e.step, key=e.key, digest=e.digest) for e in request.moved)\n",
        tests=(f"{_EFFECTS}::test_e11_what_nobody_could_look_at_is_told_and_settled_by_the_next_step",),
    ),
    Bug(
        name="what nobody looked at is told as seen",
        about="said",
        file="activities/steps.py",
        right="""            summary = say("plan.not_looked_at", title=action.title)\n""",
        wrong="            summary = reply.summary\n",
        tests=(f"{_EFFECTS}::test_e11_what_nobody_could_look_at_is_told_and_settled_by_the_next_step",),
    ),
    Bug(
        name="a write that never started is given up for lost",
        about="said",
        file="workflows/execution.py",
        right="            if failures.never_started(error):\n",
        wrong="            if False:\n",
        tests=("tests/workflows/test_write_once.py",),
    ),
    Bug(
        name="somebody else's values are not named",
        about="said",
        file="activities/undo.py",
        right="            for field, before, after, now in standing_lines(self._action, self.scope)\n",
        wrong="            for field, before, after, now in ()\n",
        tests=(f"{_EFFECTS}::test_e3_what_staff_wrote_meanwhile_is_never_overwritten",),
    ),
    Bug(
        name="a lost write is repeated unseen",
        about="done",
        file="workflows/execution.py",
        right="            nothing_came_of_it = seen.landing is Landing.NOT_APPLIED and",
        wrong="            nothing_came_of_it = seen.landing is not Landing.APPLIED and",
        tests=("tests/workflows/test_write_once.py",),
    ),
    Bug(
        name="a claim is ignored",
        about="said",
        file="workflows/plan.py",
        right="        if not granted:\n",
        wrong="        if False:\n",
        tests=("tests/workflows/test_words_in_a_plan.py",),
    ),
    Bug(
        name="an answer is taken unclaimed",
        about="said",
        file="workflows/questions.py",
        right="                if await self._calls.claim(ClaimCall(attempt=answer.attempt)):\n",
        wrong="                if True:\n",
        tests=("tests/workflows/test_words_in_a_plan.py",),
    ),
    Bug(
        name="a refusal does not withdraw",
        about="said",
        file="clients/words.py",
        right="            stands = await self.withdraw(ticket)\n",
        wrong="            stands = WITHDRAWN\n",
        tests=(f"{_WORDS}::test_e8_a_confirm_that_redis_hangs_on_for_3_s_is_not_cut_off_from_its_token",),
    ),
    Bug(
        name="what nobody can know is told as refused",
        about="said",
        file="clients/words.py",
        right="            if stands == WITHDRAWN:\n",
        wrong="            if stands != STARTED:\n",
        tests=(f"{_WORDS}::test_e8_a_confirm_during_which_redis_hangs_is_told_as_not_known",),
    ),
    Bug(
        name="a word never closes by itself",
        about="done",
        file="infra/claims.py",
        right="        if holder != ticket or until <= time.monotonic():\n",
        wrong="        if holder != ticket:\n",
        tests=("tests/infra/test_claims.py",),
    ),
    Bug(
        name="a token is wiped though its word may count",
        about="done",
        file="clients/words.py",
        right="            return self.begun(view, word) if stands == STARTED else self.unknown(view, word)\n",
        wrong="            await self.wipe(lent)\n"
        "            return self.begun(view, word) if stands == STARTED else self.unknown(view, word)\n",
        tests=(f"{_WORDS}::test_e8_a_confirm_that_redis_hangs_on_for_3_s_is_not_cut_off_from_its_token",),
    ),
    Bug(
        name="the chat forgets its plan after a 503",
        about="said",
        file="workflows/conversation.py",
        right="        if plan_id == memory.pending_plan_id and (known or not request.settled_words):\n",
        wrong="        if plan_id == memory.pending_plan_id:\n",
        tests=(_PENDING,),
    ),
    Bug(
        name="a failed drop is ignored",
        about="done",
        file="workflows/conversation.py",
        right="            raise RefusedError(reply.error)\n"
        "        if reply.plan is not None and reply.plan.notice is not None:\n"
        "            raise RefusedError(self._perhaps_gone())\n",
        wrong="            pass\n"
        "        if reply.plan is not None and reply.plan.notice is not None:\n"
        "            raise RefusedError(self._perhaps_gone())\n",
        tests=(_PENDING,),
    ),
    Bug(
        name="a dead plan keeps the question slot",
        about="done",
        file="workflows/slot.py",
        right="        if not await _lives(holder) and self.holder == holder:\n",
        wrong="        if False:\n",
        tests=(_SLOT,),
    ),
    Bug(
        name="a failing release rolls a plan back",
        about="done",
        file="workflows/questions.py",
        right='            workflow.logger.warning("the question slot could not be given back")\n',
        wrong="            raise\n",
        tests=(_SLOT,),
    ),
    Bug(
        name="a model's arguments may be nested for ever",
        about="done",
        file="contracts/bounds.py",
        right="    if deeper(value, most_deep):\n",
        wrong="    if False:\n",
        tests=("tests/infra/test_e13_bounds.py",),
    ),
    Bug(
        name="a model's claim of an effect goes out",
        about="said",
        file="language/effects/__init__.py",
        right='        return "" if _claims(sentence, locale) else sentence\n',
        wrong="        return sentence\n",
        tests=("tests/stack/test_e10_claims.py",),
    ),
    Bug(
        name="a look says that nothing was changed",
        about="said",
        file="language/messages/en.toml",
        right="not known right now; it is shown as it was last seen.",
        wrong="not known right now; it is shown as it was last seen. Nothing was changed.",
        tests=(f"{_WORDS}::test_e9_with_temporal_dead_every_503_is_true",),
    ),
    Bug(
        name="a discount is lost with the line",
        about="said",
        file="registry/filters.py",
        right="    one = (float(price) * float(count) - float(discount)) / float(count)\n",
        wrong="    one = float(price)\n",
        tests=("tests/registry/test_e4_money.py",),
    ),
    Bug(
        name="a store that is away is told as the venue",
        about="said",
        file="clients/venue.py",
        right='    message, suggestion = say("failure.store_away"), say("next.store_away")\n',
        wrong='    message, suggestion = say("failure.network"), say("next.network")\n',
        tests=("tests/activities/test_venue_client.py",),
    ),
    Bug(
        name="another's line of the note goes, too",
        about="done",
        file="registry/own_part.py",
        right='            return "\\n".join(said[:place] + said[place + len(wanted) :])\n',
        wrong='            return "\\n".join(said[:place])\n',
        tests=("tests/stack/test_own_part.py",),
    ),
    Bug(
        name="our own plans write over each other",
        about="done",
        file="infra/locks.py",
        right="                    await self._locks.setdefault(name, asyncio.Lock()).acquire()\n"
        "                    taken.append(name)\n",
        wrong="                    continue\n",
        tests=("tests/infra/test_locks.py",),
    ),
    Bug(
        name="what was found late is taken for the plan's own",
        about="done",
        file="activities/steps.py",
        right="surely_left=False",
        wrong="surely_left=True",
        tests=("tests/stack/test_own_part.py",),
    ),
    Bug(
        name="a no beside a plan's question stops the plan",
        about="done",
        file="workflows/conversation.py",
        right='        if bare and workflow.patched("no-beside-a-question"):\n',
        wrong="        if False:\n",
        tests=("tests/workflows/test_tickets.py",),
    ),
    Bug(
        name="a broken-off reversal frees its lock at once",
        about="done",
        file="activities/undo.py",
        right="        hold.keep_for = step.profile.settle_seconds\n",
        wrong="",
        tests=("tests/activities/test_undo.py",),
    ),
    Bug(
        name="a plan is replaced while it is being confirmed",
        about="said",
        file="workflows/plan.py",
        right="                await workflow.wait_condition(lambda: not self._claiming)\n",
        wrong="                pass\n",
        tests=("tests/workflows/test_words_in_a_plan.py",),
    ),
)
