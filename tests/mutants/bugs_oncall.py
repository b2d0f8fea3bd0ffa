"""Deliberate bugs in what on-call is told; see `bugs.py`."""

from tests.mutants.bugs import Bug

_REPLAY = "tests/histories/test_replay.py"
_FINDINGS = "tests/integration/oncall/test_findings.py"
_DECISIONS = "tests/integration/ledger/test_decisions.py"
_STUCK = "tests/integration/stack/test_stuck.py"

ONCALL: tuple[Bug, ...] = (
    Bug(
        name="a timer of another length replays",
        about="said",
        file="cli/oncall/replay.py",
        right="        elif abs(today - length) > _TOLERANCE:\n",
        wrong="        elif abs(today - length) < timedelta():\n",
        tests=(_REPLAY,),
    ),
    Bug(
        name="a timer that was not there replays",
        about="said",
        file="cli/oncall/replay.py",
        right="    for number in now.timers.keys() - then.timers.keys() - now.dropped:\n",
        wrong="    for number in now.timers.keys() & now.dropped:\n",
        tests=(_REPLAY,),
    ),
    Bug(
        name="what waits for a moment is stuck",
        about="said",
        file="cli/oncall/running.py",
        right="        return self._now - since >= self._patience\n",
        wrong="        return self._now >= since\n",
        tests=(_FINDINGS,),
    ),
    Bug(
        name="a first attempt is a retry",
        about="said",
        file="cli/oncall/running.py",
        right="        return call.attempt >= _FAILED_AGAIN and self._long(call.since)\n",
        wrong="        return self._long(call.since)\n",
        tests=(_FINDINGS,),
    ),
    Bug(
        name="a step that nobody knows of is told as one that stands, too",
        about="said",
        file="cli/oncall/left.py",
        right="row.outcome not in _SETTLED and row.step not in known)\n",
        wrong="row.outcome not in _SETTLED)\n",
        tests=(_FINDINGS,),
    ),
    Bug(
        name="a word on one step settles every step",
        about="said",
        file="cli/oncall/left.py",
        right="if step not in decided)\n",
        wrong="if not decided)\n",
        tests=(_FINDINGS,),
    ),
    Bug(
        name="everybody's decisions are everybody's",
        about="said",
        file="infra/ledger/decisions.py",
        right="found.setdefault(row.workflow_id, [])",
        wrong='found.setdefault("plan-1", [])',
        tests=(_DECISIONS,),
    ),
    Bug(
        name="a wait for a sign-in is never nearly over",
        about="said",
        file="cli/oncall/running.py",
        right="        return timer.ends - self._now <= min(self._patience, (timer.ends - timer.since) / 2)\n",
        wrong="        return timer.ends <= self._now\n",
        tests=(f"{_STUCK}::test_a_wait_for_a_sign_in_is_named_when_its_time_is_nearly_over",),
    ),
    Bug(
        name="what failed after it was put back leaves nothing",
        about="said",
        file="cli/oncall/ended.py",
        right='ExecutionStatus != "Running" AND IqStatus',
        wrong='ExecutionStatus = "Completed" AND IqStatus',
        tests=(f"{_STUCK}::test_what_a_mistake_of_ours_leaves_is_named",),
    ),
    Bug(
        name="what may never have been done is put back by hand",
        about="done",
        file="activities/undo.py",
        right="        if self._request.applied:\n            return self._if_done\n",
        wrong="        if self._if_done:\n            return self._if_done\n",
        tests=(
            "tests/integration/activities/test_undo.py::test_what_may_never_have_landed_is_looked_at_before_a_hand_puts_it_back",
        ),
    ),
    Bug(
        name="keys that are not here are a mistake of the code",
        about="said",
        file="cli/oncall/replay.py",
        right="    if noting is not None and noting.locked:\n",
        wrong="    if noting is None:\n",
        tests=(f"{_REPLAY}::test_another_key_ring_cannot_read_them",),
    ),
    Bug(
        name="each look at what is away is its beginning",
        about="said",
        file="api/unwell.py",
        right="min(before.get(part, now), seen.get(part) or now)",
        wrong="now",
        tests=(
            "tests/e2e/processes/test_facade_under_failure.py::test_with_temporal_dead_every_route_answers_in_time",
        ),
    ),
    Bug(
        name="a word that found no place is another one when it is said again",
        about="done",
        file="api/web/api.js",
        right='409: "conflict", 429: "busy", 503',
        wrong='409: "conflict", 503',
        tests=("tests/e2e/browser/test_page_no_place.py",),
    ),
)
