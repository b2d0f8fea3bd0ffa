"""Deliberate bugs in what on-call is told; see `bugs.py`."""

from tests.mutants.bugs import Bug

_REPLAY = "tests/histories/test_replay.py"
_FINDINGS = "tests/oncall/test_findings.py"
_DECISIONS = "tests/ledger/test_decisions.py"

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
)
