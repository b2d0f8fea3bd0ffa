"""Deliberate bugs, each with the tests that should see it. To add one: a name, where, what is right there (exactly
once in the file), what is wrong, and the tests.

`about`: "said" where the bug makes the product say what is not so (`bugs_said.py`), "done" where it does what nobody
wanted (here).
"""

from dataclasses import dataclass
from typing import Literal

_EFFECTS = "tests/integration/stack/test_effects.py"
_ANSWERS = "tests/integration/stack/test_answers.py"
_PENDING = "tests/workflows/test_pending_plan.py"
_SLOT = "tests/workflows/test_question_slot.py"
_WORDS = "tests/e2e/processes/test_words_that_may_take_effect.py"


@dataclass(frozen=True, slots=True)
class Bug:
    """One bug."""

    name: str
    about: Literal["said", "done"]
    file: str
    right: str
    wrong: str
    tests: tuple[str, ...]


DONE: tuple[Bug, ...] = (
    Bug(
        name="a number of a listed booking is read as a count",
        about="done",
        file="reasoning/evidence/reading.py",
        right="        numbered = _masked(message, spans_naming_any(message.text, bookings), profile)\n",
        wrong="        numbered = message\n",
        tests=("tests/unit/reasoning/test_choosing_a_booking.py",),
    ),
    Bug(
        name="a choice is left to the model",
        about="done",
        file="workflows/restated.py",
        right="    if booking is None:\n",
        wrong="    if booking is None or True:\n",
        tests=("tests/integration/stack/test_choosing_from_a_list.py",),
    ),
    Bug(
        name="a list that was chosen from is chosen from again",
        about="done",
        file="workflows/restated.py",
        right='update={"known": known, "offered": ()}',
        wrong='update={"known": known}',
        tests=("tests/integration/stack/test_choosing_from_a_list.py",),
    ),
    Bug(
        name="a step starts while a skip of it is being committed",
        about="done",
        file="workflows/execution.py",
        right="        await self._commands.settled()\n",
        wrong="",
        tests=("tests/workflows/test_commands_and_state.py",),
    ),
    Bug(
        name="a command that comes too late is committed",
        about="said",
        file="workflows/commands.py",
        right="            allowed()\n",
        wrong="",
        tests=("tests/workflows/test_commands_and_state.py",),
    ),
    Bug(
        name="what was dropped is planned again",
        about="done",
        file="workflows/restated.py",
        right="_without_request(memory) if drops else memory",
        wrong="memory",
        tests=("tests/integration/stack/test_dropping.py",),
    ),
    Bug(
        name="a plan that was dropped goes on waiting",
        about="done",
        file="workflows/conversation.py",
        right="            if heard.drops and outcome.turn is not None:\n",
        wrong="            if False:\n",
        tests=("tests/integration/stack/test_dropping.py",),
    ),
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
        right="        for run in reversed(self._registered):\n            begins(run.number)\n",
        wrong="        for run in list(self._registered):\n            begins(run.number)\n",
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
        file="workflows/sending.py",
        right="        if failure is None and reply.drifted:\n",
        wrong="        if False:\n",
        tests=("tests/workflows/test_grounds.py",),
    ),
    Bug(
        name="no second look before a write",
        about="done",
        file="activities/dispatch.py",
        right="            if not unchanged(self._action, read):\n",
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
        name="a retried undo does not wait",
        about="done",
        file="activities/undo.py",
        right="            if tried and not request.look_only and _NOTHING_UNDER_WAY not in last_word:\n",
        wrong="            if False:\n",
        tests=("tests/integration/activities/test_undo.py",),
    ),
    Bug(
        name="what is of unknown outcome is undone unseen",
        about="done",
        file="registry/standing.py",
        right="    return Standing.AS_BEFORE if as_before and not stands else Standing.OTHERWISE\n\n\ndef undone",
        wrong="    return Standing.AS_BEFORE if as_before and not stands else Standing.AS_LEFT\n\n\ndef undone",
        tests=("tests/integration/activities/test_undo.py",),
    ),
    Bug(
        name="the guard lets any gap be filled after an answer",
        about="done",
        file="reasoning/guard.py",
        right="        elif judged:\n",
        wrong="        elif judged and not answered:\n",
        tests=(f"{_ANSWERS}::test_e1_no_is_no_refund", "tests/unit/reasoning/test_guard.py"),
    ),
    Bug(
        name="the guard lets another value through",
        about="done",
        file="reasoning/guard.py",
        right="            if not same_meaning(parameter.role, wanted[name], given):\n",
        wrong="            if parameter.role is ParameterRole.BOOKING and wanted[name] != given:\n",
        tests=("tests/unit/reasoning/test_guard.py",),
    ),
    Bug(
        name="yes counts without a subject",
        about="done",
        file="reasoning/answers.py",
        right="        return value if asked and _yes_or_no(text) is value else None\n",
        wrong="        return value if _yes_or_no(text) is value else None\n",
        tests=("tests/unit/reasoning/test_answers.py",),
    ),
    Bug(
        name="a lost write is repeated unseen",
        about="done",
        file="workflows/sending.py",
        right="            nothing_came_of_it = seen.landing is Landing.NOT_APPLIED and",
        wrong="            nothing_came_of_it = seen.landing is not Landing.APPLIED and",
        tests=("tests/workflows/test_write_once.py",),
    ),
    Bug(
        name="a word never closes by itself",
        about="done",
        file="infra/claims.py",
        right="        if holder != ticket or until <= time.monotonic():\n",
        wrong="        if holder != ticket:\n",
        tests=("tests/integration/infra/test_claims.py",),
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
        tests=("tests/integration/infra/test_e13_bounds.py",),
    ),
    Bug(
        name="another's line of the note goes, too",
        about="done",
        file="registry/own_part.py",
        right='            return "\\n".join(said[:place] + said[place + len(wanted) :])\n',
        wrong='            return "\\n".join(said[:place])\n',
        tests=("tests/integration/stack/test_own_part.py",),
    ),
    Bug(
        name="our own plans write over each other",
        about="done",
        file="infra/locks.py",
        right="                    await self._locks.setdefault(name, asyncio.Lock()).acquire()\n"
        "                    taken.append(name)\n",
        wrong="                    continue\n",
        tests=("tests/integration/infra/test_locks.py",),
    ),
    Bug(
        name="what was found late is taken for the plan's own",
        about="done",
        file="activities/steps.py",
        right="surely_left=False",
        wrong="surely_left=True",
        tests=("tests/integration/stack/test_own_part.py",),
    ),
    Bug(
        name="a no beside a plan's question stops the plan",
        about="done",
        file="workflows/chat_words.py",
        right="        if running.asks and not _stops(request, reply) and (",
        wrong="        if False and (",
        tests=("tests/workflows/test_tickets.py",),
    ),
    Bug(
        name="a broken-off reversal frees its lock at once",
        about="done",
        file="activities/undo.py",
        right="        hold.keep_for = step.profile.settle_seconds\n",
        wrong="",
        tests=("tests/integration/activities/test_undo.py",),
    ),
    Bug(
        name="a correction picks a booking",
        about="done",
        file="reasoning/resolution.py",
        right="    return claim.standing is Standing.FORMER or (not claim.to and not set(claim.values) & set(used))\n",
        wrong="    return True\n",
        tests=("tests/unit/reasoning/test_resolution.py",),
    ),
    Bug(
        name="a booking of the chat is taken for another",
        about="done",
        file="reasoning/resolution.py",
        right="    if own or (current and not strange):\n",
        wrong="    if own or current:\n",
        tests=("tests/unit/reasoning/test_resolution.py",),
    ),
    Bug(
        name="a past booking is picked like one ahead",
        about="done",
        file="reasoning/resolution.py",
        right="    return ahead if len(ahead) == 1 else pool\n",
        wrong="    return pool\n",
        tests=("tests/unit/reasoning/test_resolution.py",),
    ),
    Bug(
        name='"cancel that" goes to the model',
        about="done",
        file="workflows/chat_words.py",
        right="    if reply is ShortReply.CANCEL and done is not None and stands and not chat.memory.clarifications:\n",
        wrong="    if False:\n",
        tests=("tests/integration/stack/test_chat_words.py",),
    ),
    Bug(
        name="a yes to a question confirms the plan",
        about="done",
        file="workflows/chat_words.py",
        right="        if request.judged and memory.clarifications:\n",
        wrong="        if False:\n",
        tests=("tests/integration/stack/test_chat_words.py",),
    ),
    Bug(
        name="a high-risk step needs no verb",
        about="done",
        file="reasoning/coverage.py",
        right="        if step.action.safety is SafetyTier.HIGH_RISK and not _own_words_said(evidence, step):\n",
        wrong="        if False:\n",
        tests=("tests/unit/reasoning/test_coverage.py",),
    ),
    Bug(
        name="half of what was said is enough",
        about="done",
        file="reasoning/coverage.py",
        right="    if not roles or not claim.stands or tells_which(claim, bookings):\n",
        wrong="    if True:\n",
        tests=("tests/unit/reasoning/test_coverage.py",),
    ),
    Bug(
        name="what was turned down comes back",
        about="done",
        file="reasoning/coverage.py",
        right="        if same and not roles & said and len(steps) > 1:\n",
        wrong="        if False:\n",
        tests=("tests/unit/reasoning/test_coverage.py",),
    ),
    Bug(
        name="a time that has passed is planned",
        about="done",
        file="reasoning/knowable.py",
        right="    if target < now.replace(tzinfo=None):\n",
        wrong="    if False:\n",
        tests=("tests/unit/reasoning/test_knowable.py",),
    ),
    Bug(
        name="another booking's value is borne out",
        about="done",
        file="reasoning/evidence/reading.py",
        right="        claims = [c for c in claims if c not in apart]\n",
        wrong="        claims = list(claims)\n",
        tests=("tests/unit/reasoning/test_proposals.py",),
    ),
    Bug(
        name="every message is read in the venue's language",
        about="done",
        file="reasoning/evidence/message.py",
        right="    locale = tongue_of(text, home)\n",
        wrong="    locale = home\n",
        tests=("tests/integration/stack/test_twelve_habits.py",),
    ),
)
