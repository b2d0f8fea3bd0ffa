"""A venue's `Retry-After` never breaks the call that it came with: whatever it holds, it is a wait of at most a day or
ignored."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from clients.retry_after import retry_after

_DAY = 86_400
_NUMBERS = st.one_of(st.integers(-60, 9999).map(str), st.integers(-(10**25), 10**25).map(str))
_ZONES = st.one_of(
    st.sampled_from(["GMT", "-0000", "EST", ""]), st.builds("{}{}".format, st.sampled_from("+-"), _NUMBERS)
)
_DATES = st.builds(
    "{}{} {} {} {}:{}:{} {}".format,
    st.sampled_from(["Mon, ", "Sun ", ""]),
    _NUMBERS,
    st.sampled_from(["Jan", "Feb", "Dec", "Foo"]),
    *[_NUMBERS] * 4,
    _ZONES,
)


@given(st.one_of(_DATES, _NUMBERS, st.text(max_size=60)))
@example("Mon, 01 Jan 99999999999 00:00:00 GMT")
@example("9" * 5000)
@example(f"Mon, 01 Jan 2027 00:00:00 +{'9' * 5000}")
def test_whatever_it_holds(header: str) -> None:
    wait = retry_after(header)

    assert wait is None or 0 <= wait <= _DAY


@pytest.mark.parametrize("header", ["nan", "inf", "-inf", "1e400", "-1"])
def test_what_is_no_number_of_seconds_says_nothing(header: str) -> None:
    assert retry_after(header) is None
