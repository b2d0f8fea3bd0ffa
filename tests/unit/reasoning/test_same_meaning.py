"""Two ways of writing one value, and never two values: the rule by which a model may correct a form but not a meaning.

Guarantees, by role, each with a property that runs over generated values:
- times: "15:00", "3pm" and "15.00" are one; two different minutes of a day never are, however they are written;
- days: ISO and day-first forms are one; two different days never are;
- counts: 14 and "14" are one; two different numbers never are;
- phones: punctuation, trunk zero and country code do not matter; another digit, another country or a zero that is part
  of the number does;
- bookings are exact, letter case included; text may differ in case and spacing only;
- true and false, null, lists and objects equal only themselves.
"""

from datetime import date
from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from contracts.base import Json
from contracts.enums import ParameterRole as Role
from reasoning.execution.guard import same_meaning
from tests.support.tables import table

relaxed = settings(deadline=None, max_examples=150)


@table(
    "role, confirmed, given_",
    [
        (Role.TIME, "15:00", "3pm"), (Role.TIME, "15:00", "3 PM"), (Role.TIME, "15:00", "3:00 p.m."),
        (Role.TIME, "15:00", "15.00"), (Role.TIME, "15:00", "15h00"), (Role.TIME, "15:00", "15:00:00"),
        (Role.TIME, "00:30", "12:30am"), (Role.TIME, "12:00", "12pm"), (Role.TIME, "09:00", "9"),
        (Role.DATE, "2026-11-28", "20261128"), (Role.DATE, "2026-11-28", "28/11/2026"),
        (Role.DATE, "2026-11-28", "2026-11-28T00:00:00Z"),
        (Role.COUNT, 14, "14"), (Role.COUNT, "14", 14), (Role.COUNT, 14, " 14 "), (Role.COUNT, 14, 14.0),
        (Role.PHONE, "0491 570 156", "+61 491 570 156"), (Role.PHONE, "+61491570156", "(0491) 570-156"),
        (Role.PHONE, "+44 20 7946 0018", "+44 (0)20 7946 0018"), (Role.PHONE, "0039 06 1234567", "+39 06 1234567"),
        (Role.PHONE, "61491570156", "+61491570156"), (Role.PHONE, "(415) 555-2671", "+1 415 555 2671"),
        (Role.EMAIL, "John@Example.com", "john@example.com"), (Role.NOTE, "Peanut  allergy", "peanut allergy"),
        (Role.BOOKING, "8231", 8231), (Role.BOOKING, 8231, " 8231 "), (None, "vip", "VIP"), (None, 3, "3"),
        (None, [1, {"a": None}], [1, {"a": None}]), (None, True, True), (None, None, None),
    ],
)  # fmt: skip
def test_the_same_value_written_otherwise(role: Role | None, confirmed: Json, given_: Json) -> None:
    assert same_meaning(role, confirmed, given_)


@table(
    "role, confirmed, given_",
    [
        (Role.TIME, "15:00", "3am"), (Role.TIME, "15:00", "3"), (Role.TIME, "15:00", "15:30"), (Role.TIME, "15:00", ""),
        (Role.TIME, "01:00", "13am"), (Role.TIME, "15:00", "15:00 or 16:00"), (Role.TIME, "soon", "later"),
        (Role.DATE, "2026-11-28", "2027-11-28"), (Role.DATE, "2026-11-28", "11/28/2026"),
        (Role.DATE, "2026-11-28", "2026-11-28T15:00:00Z"), (Role.DATE, "2026-11-28", "Saturday"),
        (Role.COUNT, 14, "15"), (Role.COUNT, 14, "14 or 15"), (Role.COUNT, 14, "-14"), (Role.COUNT, 2, "²"),
        (Role.COUNT, 1, True), (Role.COUNT, 14, "1_4"), (Role.COUNT, 14, 14.5),
        (Role.PHONE, "+61 491 570 156", "+44 491 570 156"), (Role.PHONE, "+1 415 555 2671", "+1 615 555 2671"),
        (Role.PHONE, "0491 570 156", "0491 570 157"), (Role.PHONE, "0491 570 156", "0491 570 156 or 0491 570 157"),
        (Role.PHONE, "none", "unknown"), (Role.PHONE, "+61", "+61 491 570 156"), (Role.PHONE, "+61", "061"),
        (Role.PHONE, "570 156", "0491 570 156"), (Role.PHONE, "+39 06 6982 1234", "+39 6 6982 1234"),
        (Role.PHONE, "391 234 5678", "+39 1234 5678"),
        (Role.EMAIL, "john@example.com", "john@example.org"), (Role.EMAIL, "john@example.com", "joh n@example.com"),
        (Role.BOOKING, "aB3", "Ab3"), (Role.BOOKING, "8231", "08231"), (Role.BOOKING, "8231", "8231 8232"),
        (Role.NOTE, "no nuts", "nonuts"), (Role.NOTE, "no nuts", "nuts"),
        (None, 1, True), (None, 0, False), (None, None, "None"), (None, [1], [True]), (None, [1], "[1]"),
        (None, {"a": 1}, {"a": 2}), (None, "", "0"),
    ],
)  # fmt: skip
def test_another_value_is_never_the_same(role: Role | None, confirmed: Json, given_: Json) -> None:
    assert not same_meaning(role, confirmed, given_)
    assert not same_meaning(role, given_, confirmed)


minutes = st.integers(0, 24 * 60 - 1)


def a_time(minute: int, form: int) -> str:
    hour, minute = divmod(minute, 60)
    twelve, half = hour % 12 or 12, "pm" if hour >= 12 else "am"
    return (
        f"{hour:02}:{minute:02}", f"{hour}:{minute:02}", f"{hour:02}.{minute:02}", f"{hour}h{minute:02}",
        f"{twelve}:{minute:02}{half}", f"{twelve}:{minute:02} {half.upper()}", f"{hour:02}:{minute:02}:00",
    )[form]  # fmt: skip


@relaxed
@given(minutes, minutes, st.integers(0, 6), st.integers(0, 6))
def test_times_are_the_same_exactly_when_they_are_the_same_minute(a: int, b: int, form_a: int, form_b: int) -> None:
    assert same_meaning(Role.TIME, a_time(a, form_a), a_time(b, form_b)) is (a == b)


def a_day(day: date, form: int) -> str:
    return (day.isoformat(), day.strftime("%Y%m%d"), day.strftime("%d/%m/%Y"), f"{day.day}.{day.month}.{day:%Y}")[form]


@relaxed
@given(st.dates(date(2024, 1, 1), date(2030, 1, 1)), st.dates(date(2024, 1, 1), date(2030, 1, 1)), st.data())
def test_days_are_the_same_exactly_when_they_are_the_same_day(a: date, b: date, data: Any) -> None:
    forms = st.integers(0, 3)

    assert same_meaning(Role.DATE, a_day(a, data.draw(forms)), a_day(a, data.draw(forms)))
    assert same_meaning(Role.DATE, a_day(a, data.draw(forms)), a_day(b, data.draw(forms))) is (a == b)


@relaxed
@given(st.integers(0, 500), st.integers(0, 500), st.booleans(), st.booleans())
def test_counts_are_the_same_exactly_when_they_are_the_same_number(a: int, b: int, a_text: bool, b_text: bool) -> None:
    assert same_meaning(Role.COUNT, str(a) if a_text else a, str(b) if b_text else b) is (a == b)


@st.composite
def phones(draw: st.DrawFn) -> tuple[str, str]:
    """Draw (country, national number): the national number has no trunk zero."""
    country = draw(st.sampled_from(["1", "39", "44", "61", "353"]))
    return country, draw(st.from_regex(r"[2-9][0-9]{8,9}", fullmatch=True))


def a_phone(phone: tuple[str, str], form: int) -> str:
    country, number = phone
    # Italy has no trunk zero: one in brackets is a part of the number there.
    form = 1 if form == 3 and country == "39" else form
    spaced = f"{number[:3]} {number[3:6]} {number[6:]}"
    return (
        f"+{country}{number}", f"+{country} {spaced}", f"00{country} {spaced}", f"+{country} (0){spaced}",
        f"+{country}-{number[:3]}-{number[3:]}",
    )[form]  # fmt: skip


@relaxed
@given(phones(), phones(), st.integers(0, 4), st.integers(0, 4))
def test_international_phones_are_the_same_exactly_when_country_and_number_are(
    a: tuple[str, str], b: tuple[str, str], form_a: int, form_b: int
) -> None:
    assert same_meaning(Role.PHONE, a_phone(a, form_a), a_phone(a, form_b))
    assert same_meaning(Role.PHONE, a_phone(a, form_a), a_phone(b, form_b)) is (a == b)


@relaxed
@given(phones(), phones(), st.integers(0, 4), st.sampled_from(["", "0"]))
def test_a_phone_without_its_country_is_the_same_when_its_number_is(
    a: tuple[str, str], b: tuple[str, str], form: int, trunk: str
) -> None:
    assume(a[1] != b[1])
    # Italy has no trunk zero: there it is a part of the number.
    trunk = "" if a[0] == "39" else trunk
    assert same_meaning(Role.PHONE, a_phone(a, form), trunk + a[1])
    assert not same_meaning(Role.PHONE, a_phone(a, form), trunk + b[1])


@relaxed
@given(st.sampled_from([*Role, None]), st.text(max_size=12) | st.integers() | st.booleans() | st.none())
def test_everything_means_itself(role: Role | None, value: Json) -> None:
    assert same_meaning(role, value, value)


@relaxed
@given(st.sampled_from([*Role, None]), st.text(max_size=8), st.text(max_size=8))
def test_the_order_does_not_matter_and_nothing_raises(role: Role | None, a: str, b: str) -> None:
    assert same_meaning(role, a, b) is same_meaning(role, b, a)


@relaxed
@given(st.sampled_from([*Role, None]), st.text(max_size=8), st.text(max_size=8))
def test_text_that_differs_in_a_letter_or_digit_is_never_the_same(role: Role | None, a: str, b: str) -> None:
    def kept(text: str) -> str:
        return "".join(c for c in text.casefold() if c.isalnum())

    formatted = {Role.TIME, Role.DATE, Role.COUNT, Role.PHONE}
    assume(kept(a) != kept(b) and role not in formatted)

    assert not same_meaning(role, a, b)
