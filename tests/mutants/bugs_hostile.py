"""Deliberate bugs in what is made of a venue's answers, and in what keeps a stale write back; see `bugs.py`."""

from tests.mutants.bugs import Bug

_VENUE = "tests/integration/stack/test_hostile_venue.py"
_CREATES = "tests/integration/stack/test_hostile_creates.py"
_STALE = "tests/e2e/processes/test_stale_writes.py"

HOSTILE: tuple[Bug, ...] = (
    Bug(
        name="a write that was refused is looked for once and no longer",
        about="said",
        file="activities/steps.py",
        right="            wait = step.profile.settle_seconds\n",
        wrong="            wait = 0\n",
        tests=(f"{_VENUE}::test_f1_an_effect_that_comes_after_the_answer_is_seen",),
    ),
    Bug(
        name="a refusal that the pack calls unprocessed is believed",
        about="said",
        file="activities/steps.py",
        right="if answer.sent and not answer.may_have_landed and (seen",
        wrong="if not answer.sent and (seen",
        tests=(f"{_VENUE}::test_f1_a_change_that_took_the_last_room_and_was_sent_on_once_more_counts_as_made",),
    ),
    Bug(
        name="what shows nothing of a write counts as made",
        about="said",
        file="registry/landing.py",
        right="    return Landing.NOT_APPLIED if elsewhere or unchanged(action, scope) else Landing.UNKNOWN\n",
        wrong="    return Landing.APPLIED\n",
        tests=(f"{_VENUE}::test_f1_a_change_that_was_not_applied_behind_a_status_never_counts_as_made",),
    ),
    Bug(
        name="a compensation that was refused is not looked at",
        about="said",
        file="activities/undo.py",
        right="            if refused.sent:\n                settles",
        wrong="            if not refused.sent:\n                settles",
        tests=(f"{_VENUE}::test_f1_a_compensation_that_was_applied_behind_a_refusal_is_reported_as_undone",),
    ),
    Bug(
        name="a call that is given up was never sent",
        about="said",
        file="clients/venue.py",
        right="            raise self._refused(ErrorType.TIMEOUT, action=action, sent=True) from error\n",
        wrong="            raise self._refused(ErrorType.TIMEOUT, action=action, sent=False) from error\n",
        tests=(f"{_VENUE}::test_a_flood_of_interim_answers_changes_nothing",),
    ),
    Bug(
        name="a call whose line was cut was never sent",
        about="said",
        file="clients/venue.py",
        right="            raise self._refused(ErrorType.NETWORK, action=action, sent=True) from error\n",
        wrong="            raise self._refused(ErrorType.NETWORK, action=action, sent=False) from error\n",
        tests=(f"{_VENUE}::test_a_cut_connection_behind_which_it_was_applied_changes_nothing",),
    ),
    Bug(
        name="what the plan's own later step left is somebody else's",
        about="said",
        file="workflows/saga.py",
        right="later=left[0] if left else None)",
        wrong="later=None)",
        tests=(f"{_VENUE}::test_f3_the_undoing_of_a_move_takes_back_the_count_that_could_not_be_undone",),
    ),
    Bug(
        name="a write leaves however old its read is",
        about="done",
        file="activities/leaving.py",
        right="        return held and young and not activity.is_cancelled()\n",
        wrong="        return not activity.is_cancelled()\n",
        tests=(f"{_STALE}::test_f6_a_worker_that_was_stopped_after_its_read_erases_nothing",),
    ),
    Bug(
        name="a store that was emptied gives out locks at once",
        about="done",
        file="infra/locks.py",
        right="        return bool(now - int(since) > _TAKEN_AGAIN_WITHIN)\n",
        wrong="        return True\n",
        tests=(f"{_STALE}::test_f4_redis_emptied_during_a_write_loses_nothing",),
    ),
)
