"""Any text at all. Guarantees:

- never an exception, from any function that reads text
- never a value from text without digits or date words
- spans are inside the text, and a value is always in the future
"""

from __future__ import annotations

import string
from datetime import datetime
from zoneinfo import ZoneInfo

from hypothesis import example, given, settings
from hypothesis import strategies as st

from language import (
    Status,
    check_email,
    find_counts,
    find_emails,
    find_phones,
    find_when,
    parse_count,
    resolve,
    to_e164,
)
from language.locales import SUPPORTED, get_locale
from language.text.lexer import fold
from tests.support.tables import table

NOW = datetime(2026, 11, 21, 10, tzinfo=ZoneInfo("Europe/Rome"))
LOCALES = st.sampled_from(SUPPORTED)


def _vocabulary() -> list[str]:
    words: set[str] = set()
    for code in SUPPORTED:
        locale = get_locale(code)
        words.update(locale.words)
        words.update(" ".join((first, *tail)) for first, options in locale.phrases.items() for tail, _ in options)
    return sorted(words)


PHRASES = st.lists(
    st.one_of(
        st.sampled_from(_vocabulary()),
        st.integers(0, 3000).map(str),
        st.sampled_from([":", ",", "-", "/", ".", "'", "’", "@"]),
        st.tuples(st.integers(0, 31), st.sampled_from([":", ".", "/", "-", "h"]), st.integers(0, 99)).map(
            lambda parts: "".join(map(str, parts))
        ),
    ),
    max_size=9,
).map(" ".join)
SILENT = frozenset(word for code in SUPPORTED for word in get_locale(code).words) | frozenset(
    word for code in SUPPORTED for word in get_locale(code).phrase_words
)


@settings(max_examples=300, deadline=None)
@given(text=st.one_of(PHRASES, st.text(max_size=60)), locale=LOCALES)
@example(text="slitta 0.0 ora e mezza", locale="it")
def test_reading_never_fails(text: str, locale: str) -> None:
    resolution = resolve(text, now=NOW, tz="Europe/Rome", locale=locale)
    if resolution.status is Status.OK:
        assert resolution.date is not None
        assert resolution.instant is None or resolution.instant >= NOW
        assert resolution.date >= NOW.date()
    else:
        assert resolution.instant is None
        assert resolution.error
    if resolution.span:
        assert 0 <= resolution.span[0] < resolution.span[1] <= len(text)
    last = 0
    for when in find_when(text, now=NOW, tz="Europe/Rome", locale=locale):
        assert text[slice(*when.span)] == when.text
        assert when.span[0] >= last
        last = when.span[1]
    for item in find_counts(text, locale):
        assert text[slice(*item.span)] == item.text
    parse_count(text, locale=locale)


@settings(max_examples=150, deadline=None)
@given(words=st.lists(st.text(string.ascii_letters + "àèìòù", min_size=1, max_size=9), max_size=8), locale=LOCALES)
def test_no_value_without_digits_or_date_words(words: list[str], locale: str) -> None:
    text = " ".join(word for word in words if fold(word) not in SILENT)
    assert resolve(text, now=NOW, tz="Europe/Rome", locale=locale).status is Status.NOT_UNDERSTOOD


@settings(max_examples=100, deadline=None)
@given(text=st.text(string.digits + " +-().@a.b/", max_size=40))
def test_contacts_never_fail(text: str) -> None:
    for email in find_emails(text):
        assert text[slice(*email.span)] == email.text
        check_email(email.text)
    for phone in find_phones(text, "IT"):
        assert text[slice(*phone.span)] == phone.text
    to_e164(text, "AU")


@table(
    "text",
    [
        "",
        " ",
        "'",
        "’",
        "\u0301",
        "a" * 5000,
        "1" * 5000,
        "٣ pm",
        "0/0",
        "00.00",
        "31/02",
        "9999-12-31",
        "in 999 years",
        "in 999 months",
        "in 999 weeks",
        "0 o'clock",
        "in 1/0 hour",
        "December 9999",
    ],
)
def test_odd_texts(text: str) -> None:
    for locale in SUPPORTED:
        assert resolve(text, now=NOW, tz="Europe/Rome", locale=locale).status in set(Status)
        assert isinstance(find_when(text, now=NOW, tz="Europe/Rome", locale=locale), list)
        assert isinstance(find_counts(text, locale), list)
