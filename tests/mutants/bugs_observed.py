"""Bugs in what on-call is told: metrics and log lines."""

from tests.mutants.bugs import Bug

OBSERVED: tuple[Bug, ...] = (
    Bug(
        name="an undo counts as a second end",
        about="said",
        file="workflows/record.py",
        right="ends, self._ended = plan.settled and not self._ended, plan.settled or self._ended\n",
        wrong="ends = plan.settled\n",
        tests=("tests/integration/stack/test_metrics.py",),
    ),
    Bug(
        name="anybody may scrape",
        about="said",
        file="api/metrics.py",
        right='router = APIRouter(tags=["health"], dependencies=[Depends(scraper)])\n',
        wrong='router = APIRouter(tags=["health"])\n',
        tests=("tests/integration/stack/test_metrics.py",),
    ),
    Bug(
        name="a template's fault is logged with the values in it",
        about="said",
        file="activities/lookups.py",
        right='"%s was answered with something else: %s", action.name, fault.where)\n',
        wrong='"%s was answered with something else: %s", action.name, fault)\n',
        tests=("tests/integration/leaks/test_log_canaries.py",),
    ),
    Bug(
        name="an error is logged with its text",
        about="said",
        file="infra/log_lines.py",
        right='    return f": {error.strerror}" if isinstance(error, OSError) and error.strerror else ""\n',
        wrong='    return f": {error}"\n',
        tests=("tests/integration/infra/test_logs.py",),
    ),
    Bug(
        name="an error that is handed on is told by everybody",
        about="said",
        file="infra/log_lines.py",
        right="        if told_by is not None and told_by != id(record):\n            return False\n",
        wrong="",
        tests=("tests/integration/infra/test_logs.py",),
    ),
)
