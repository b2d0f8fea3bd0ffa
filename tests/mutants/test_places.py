"""The deliberate bugs of `make mutants` can still be put in: each one's place is found exactly once, and the tests that
should see it are there. Whether they do is for `make mutants` to say."""

import pytest

from tests.mutants.__main__ import BUGS, ROOT
from tests.mutants.bugs import Bug


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.name)
def test_a_bug_has_its_place_and_its_tests(bug: Bug) -> None:
    assert (ROOT / bug.file).read_text(encoding="utf-8").count(bug.right) == 1
    for test in bug.tests:
        path, *names = test.split("::")
        assert (ROOT / path).exists(), path
        assert all(f"{name.partition('[')[0]}(" in (ROOT / path).read_text(encoding="utf-8") for name in names), test


def test_no_two_bugs_go_by_one_name() -> None:
    assert len({bug.name for bug in BUGS}) == len(BUGS)
