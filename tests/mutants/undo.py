"""Bugs in how a plan is undone: in which order, what it reads, what it sends, and what it reports."""

from tests.mutants.bug import Bug

_UNDO = "tests/integration/activities/test_undo.py"

UNDO: tuple[Bug, ...] = (
    Bug(
        name="undone-but-not-as-before",
        guarantee="An undo is complete only when what it covers is as before",
        at="registry:UndoCheck.is_undone",
        right="not self.shows_write and self._ground_as_before",
        wrong="not self.shows_write",
        tests=("tests/unit/registry/test_snapshots.py",),
    ),
    Bug(
        name="somebody-elses-change-overwritten",
        guarantee="What somebody else has changed since is never overwritten by an undo",
        at="registry:UndoCheck.state",
        right="before, now = left_digest(scope.action, scope.before), left_digest(scope.action, scope.now)",
        wrong="return UndoState.AS_PLANNED",
        tests=(f"{_UNDO}::test_otherwise_nothing_is_sent_and_both_values_are_named",),
    ),
    Bug(
        name="compensation-believed",
        guarantee="A compensation that was accepted is looked at before it counts",
        at="activities:StepUndo.check",
        right="self._is_undone(undo)",
        wrong="True",
        tests=(f"{_UNDO}::test_what_the_venue_accepted_and_ignored_is_not_undone",),
    ),
    Bug(
        name="retried-undo-in-a-hurry",
        guarantee="A retried undo waits until nothing that an earlier try sent can land any more",
        at="activities:UndoActivity.undo_step",
        right="tried and not request.look_only and not {NOTHING_SENT, NOTHING_UNDER_WAY} & set(last_word)",
        wrong="False",
        tests=(f"{_UNDO}::test_a_lost_try_is_given_its_time_before_the_next_one_looks",),
    ),
    Bug(
        name="undone-by-somebody-else",
        guarantee="A step whose own part somebody else took out is not said to be undone",
        at="activities:StepUndo._somebody_else",
        right="self._perhaps_undone()",
        wrong='self.reply("own_part")',
        tests=("tests/integration/activities/test_by_hand.py",),
    ),
    Bug(
        name="unnamed-table-taken-away",
        guarantee="Without a marker, only what the venue's answer names is taken away",
        at="registry:named_by_answer",
        right="all(str(value) in answered for value in sent if not isinstance(value, dict | list))",
        wrong="True",
        tests=("tests/unit/registry/test_whose.py",),
    ),
    Bug(
        name="undo-forgets-its-first-try",
        guarantee="A second try takes what the first saw from the record, and reverses nothing twice",
        at="activities:UndoActivity.undo_step",
        right="tried or request.sent",
        wrong="False",
        tests=(f"{_UNDO}::test_a_second_try_takes_what_the_first_saw_from_the_record",),
    ),
    Bug(
        name="equal-change-undone",
        guarantee="An equal change by another call is not undone as a step's own",
        at="registry:UndoCheck.is_certainly_ours",
        right="applied or has_marker(scope) is not False",
        wrong="True",
        tests=(f"{_UNDO}::test_an_equal_change_by_another_call_is_not_undone",),
    ),
)

SAGA: tuple[Bug, ...] = (
    Bug(
        name="rollback-forwards",
        guarantee="A rollback undoes the last step first",
        at="workflows:Saga.roll_back",
        right="reversed(self._registered)",
        wrong="list(self._registered)",
        tests=("tests/workflows/test_outcomes.py::test_a_reversal_that_fails_does_not_stop_the_others",),
    ),
    Bug(
        name="perhaps-applied-and-not-undone",
        guarantee="A step that may have been applied is undone like one that was",
        at="workflows:Saga.record_outcome",
        right="run.may_be_applied",
        wrong="run.is_applied",
        tests=("tests/workflows/test_outcomes.py::test_what_stays_unknown_is_handed_to_a_person",),
    ),
    Bug(
        name="rolled-back-in-part",
        guarantee="A plan is called rolled back only where nothing of it remains",
        at="workflows:_ended_as",
        right="any(row.outcome not in _BACK for row in rows)",
        wrong="not rows",
        tests=("tests/workflows/test_end_messages.py::test_complete_says_how_much_was_put_back",),
    ),
    Bug(
        name="compensation-given-up-early",
        guarantee="A compensation that was accepted is looked for until the venue has settled",
        at="activities:StepUndo.check",
        right="pauses or time.monotonic() < until",
        wrong="pauses",
        tests=("tests/integration/activities/test_undo.py",),
    ),
)


REPLAY: tuple[Bug, ...] = (
    Bug(
        name="another-way-on-replay",
        guarantee="A plan that runs goes on as its history says when the code is deployed again",
        at="workflows:PlanWorkflow._execute",
        right="await self._execution.run()",
        wrong="await asyncio.sleep(1)\nawait self._execution.run()",
        tests=("tests/histories/test_replay.py::test_it_replays",),
    ),
)
