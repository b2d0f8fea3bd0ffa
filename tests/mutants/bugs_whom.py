"""Deliberate bugs in whom and what words mean: another's name, something new or what is there; see `bugs.py`."""

from tests.mutants.bugs import Bug

_BY_NAME = "tests/integration/stack/test_another_by_name.py"
_NEW_OR_MOVED = "tests/integration/stack/test_calendar_new_or_moved.py"
_INTERRUPTS = "tests/integration/ag_ui/test_interrupt_rules.py"

WHOM: tuple[Bug, ...] = (
    Bug(
        name="behind an undo, the undo is gone on with",
        about="done",
        file="sandbox/model/open_request.py",
        right="[text for text in self.said[:-1] if not _undoes(text)]",
        wrong="list(self.said[:-1])",
        tests=("tests/unit/offline_planner/test_follow_ups.py",),
    ),
    Bug(
        name="another's name is a pick of the one that shares a word",
        about="done",
        file="reasoning/resolution.py",
        right="    if others := _names_of_others(match, evidence, used):\n",
        wrong="    if others := set() & _names_of_others(match, evidence, used):\n",
        tests=(_BY_NAME,),
    ),
    Bug(
        name="a number said before counts for who is named since",
        about="done",
        file="reasoning/resolution.py",
        right="        if named or _said(names, message, evidence):\n",
        wrong="        if named or (not names and _said(names, message, evidence)):\n",
        tests=("tests/unit/reasoning/test_resolution.py",),
    ),
    Bug(
        name="something is moved that nobody asked to be moved",
        about="done",
        file="reasoning/coverage.py",
        right="        or _undecided(evidence, steps, pending, makers)\n",
        wrong="",
        tests=(_NEW_OR_MOVED,),
    ),
    Bug(
        name="the second of two new things is not looked at",
        about="said",
        file="activities/drafting.py",
        right="step.booking is not None and step.booking == last.booking",
        wrong="step.booking == last.booking",
        tests=(_NEW_OR_MOVED,),
    ),
    Bug(
        name="one of two who are met is left out",
        about="done",
        file="reasoning/anew.py",
        right='    return _unnamed(message, making) if len(making) == len(steps) else ""\n',
        wrong='    return ""\n',
        tests=(_NEW_OR_MOVED,),
    ),
    Bug(
        name="what was done instead is asked for again",
        about="said",
        file="workflows/execution.py",
        right="[replaced.get(failure.step, failure.message) for failure in declined]",
        wrong="[failure.message for failure in declined]",
        tests=(_NEW_OR_MOVED,),
    ),
    Bug(
        name="a no stops a plan that was confirmed before it",
        about="done",
        file="workflows/plan.py",
        right="request.waits_for is not None and request.waits_for != self._record.waits_for()",
        wrong="False",
        tests=(_INTERRUPTS,),
    ),
    Bug(
        name="what was left out is still what a plan is for",
        about="said",
        file="workflows/record.py",
        right="        self._replace(intent=intent_of(self._steps, behind, left_out))\n",
        wrong="",
        tests=("tests/integration/stack/test_steps.py",),
    ),
    Bug(
        name="candidates are told as they were when the chat saw them first",
        about="said",
        file="activities/drafting.py",
        right="                return await self._asked_anew(draft, unsettled)\n",
        wrong="                return unsettled\n",
        tests=("tests/integration/stack/test_chat.py",),
    ),
    Bug(
        name="what a chat made beyond a venue's window is not looked for",
        about="said",
        file="activities/lookups.py",
        right="        if not asked:\n            return []\n        reader",
        wrong="        if not asked or request.known:\n            return []\n        reader",
        tests=("tests/integration/stack/test_calendar_made.py",),
    ),
    Bug(
        name="what a chat made is told as it was when it made it",
        about="said",
        file="activities/lookups.py",
        right="found, [b for b in now.values() if b is not None])",
        wrong="found, asked)",
        tests=("tests/integration/stack/test_calendar_made.py",),
    ),
    Bug(
        name="a name is taken for a slip of another that is there",
        about="done",
        file="reasoning/resolution.py",
        right="mark == said if (said := bare(word.text)) in called else _is_of",
        wrong="_is_of",
        tests=("tests/unit/reasoning/test_resolution.py::test_a_name_is_no_slip_of_another_that_is_there",),
    ),
)
