"""Tables of cases: one test per table, in which each row that fails is named.

Like `pytest.mark.parametrize`, but a row costs a tenth of a separate test. Fixtures are made once for the whole table,
so a test that changes one of its fixtures keeps `parametrize`.
"""

import inspect
from collections.abc import Callable, Iterable
from contextvars import copy_context
from functools import wraps
from typing import Any

import pytest


def for_test_all(*rows: Any) -> list[Any]:
    """Return rows of `parametrize` that `make test` omits, because a lower layer already checks them."""
    return [pytest.param(*(row if isinstance(row, tuple) else (row,)), marks=pytest.mark.slow) for row in rows]


def table(names: str, rows: Iterable[Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Run a test once for each row of values for these comma-separated names. Every row runs, also after one that
    fails, each in the language that the test began in."""
    wanted, cases = [name.strip() for name in names.split(",")], list(rows)
    assert cases, f"a table of {names} without rows tests nothing"

    def decorated(test: Callable[..., None]) -> Callable[..., None]:
        @wraps(test)
        def run(subtests: pytest.Subtests, **fixtures: Any) -> None:
            for case in cases:
                values = dict(zip(wanted, [case] if len(wanted) == 1 else case, strict=True))
                # Lanes report to each other in plain text.
                with subtests.test(**{name: ascii(value) for name, value in values.items()}):
                    copy_context().run(test, **values, **fixtures)

        signature = inspect.signature(test)
        fixtures = [one for name, one in signature.parameters.items() if name not in wanted]
        own = inspect.Parameter("subtests", inspect.Parameter.KEYWORD_ONLY)
        run.__signature__ = signature.replace(parameters=[*fixtures, own])  # type: ignore[attr-defined]
        return run

    return decorated
