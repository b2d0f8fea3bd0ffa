"""The deliberate bugs of `make mutants` still apply: each one's place is found exactly once, and the tests that should
notice it exist. `make mutants` checks whether they do notice it."""

from collections import Counter
from collections.abc import Iterator

from tests.mutants.__main__ import ROOT
from tests.mutants.bug import Bug, LostError, put_in
from tests.mutants.bugs import BUGS


def test_every_bug_has_its_place_its_tests_and_its_own_name() -> None:
    wrong = [problem for bug in BUGS for problem in problems_of(bug)]
    for field in ("name", "guarantee"):
        counted = Counter(getattr(bug, field) for bug in BUGS)
        wrong += [f"two bugs have the {field} {value!r}" for value, times in counted.items() if times > 1]
    assert not wrong, "\n" + "\n".join(wrong)


def problems_of(bug: Bug) -> Iterator[str]:
    """Yield what keeps a bug from being applied and noticed."""
    try:
        put_in(bug, ROOT)
    except LostError as lost:
        yield str(lost)
    for test in bug.tests:
        path, *names = test.split("::")
        text = (ROOT / path).read_text(encoding="utf-8") if (ROOT / path).is_file() else ""
        if not text or not all(f"def {name.partition('[')[0]}(" in text for name in names):
            yield f"{bug.name!r} has no test {test}: name the one that sees it now"
