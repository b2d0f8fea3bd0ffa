"""Evidence: the statements in the operator's message, and the assertion of each. Guarantees:

- A mention has a kind, its readings, and an assertion; only an asserted one grounds a value.
- Negated, corrected, current and unrelated values are recognised, in both languages.
- A number belongs to one mention only: an age, a price, a room or a phone number is never a head count.
- A clause that names another booking does not apply to this one.
- A later message replaces an earlier one; a relative change accumulates.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from language.extraction import Assertion, MentionKind
from tests.support.tables import table
from tests.unit.reasoning.proposals import evidence

TEXT, NEGATED, CORRECTED, FORMER, REPORTED = Assertion


@table(
    "language, text, kind, expected",
    [
        ("en", "not Monday, Tuesday", MentionKind.DAY, [("2026-11-23", NEGATED), ("2026-11-24", TEXT)]),
        (
            "en",
            "not friday or thursday, tuesday",
            MentionKind.DAY,
            [("2026-11-27", NEGATED), ("2026-11-26", NEGATED), ("2026-11-24", TEXT)],
        ),
        ("en", "friday won't work, thursday will", MentionKind.DAY, [("2026-11-27", NEGATED), ("2026-11-26", TEXT)]),
        (
            "en",
            "friday – actually make that thursday",
            MentionKind.DAY,
            [("2026-11-27", CORRECTED), ("2026-11-26", TEXT)],
        ),
        ("en", "1pm no wait 2pm", MentionKind.TIME, [("13:00", CORRECTED), ("14:00", TEXT)]),
        ("en", "instead of 3pm, 4pm", MentionKind.TIME, [("15:00", FORMER), ("16:00", TEXT)]),
        ("en", "from 3pm to 4pm", MentionKind.TIME, [("15:00", FORMER), ("16:00", TEXT)]),
        ("en", "3pm -> 4pm", MentionKind.TIME, [("15:00", FORMER), ("16:00", TEXT)]),
        ("en", "the 2pm party to 5pm", MentionKind.TIME, [("14:00", FORMER), ("17:00", TEXT)]),
        ("en", "put it in the 5pm session", MentionKind.TIME, [("17:00", TEXT)]),
        ("en", "thursday's booking to friday", MentionKind.DAY, [("2026-11-26", FORMER), ("2026-11-27", TEXT)]),
        ("en", "they'd prefer 11am to 1pm", MentionKind.TIME, [("11:00", TEXT), ("13:00", FORMER)]),
        ("en", "she rang at 11am to say 4pm suits", MentionKind.TIME, [("11:00", REPORTED), ("16:00", TEXT)]),
        (
            "en",
            "yesterday she called, friday please",
            MentionKind.DAY,
            [("2026-11-21", REPORTED), ("2026-11-27", TEXT)],
        ),
        ("en", "on the day after tomorrow at 2", MentionKind.DAY, [("2026-11-24", TEXT)]),
        ("en", "monday arvo", MentionKind.DAY, [("2026-11-23", TEXT)]),
        ("en", "emma's sat 3pm, make it 4pm", MentionKind.TIME, [("15:00", FORMER), ("16:00", TEXT)]),
        ("it", "non lunedì, martedì", MentionKind.DAY, [("2026-11-23", NEGATED), ("2026-11-24", TEXT)]),
        ("it", "venerdì, anzi giovedì", MentionKind.DAY, [("2026-11-27", CORRECTED), ("2026-11-26", TEXT)]),
        ("it", "quella delle 14 alle 17", MentionKind.TIME, [("14:00", FORMER), ("17:00", TEXT)]),
        ("it", "invece di venerdì facciamo giovedì", MentionKind.DAY, [("2026-11-27", FORMER), ("2026-11-26", TEXT)]),
        ("it", "ha chiamato alle 11, vuole le 17", MentionKind.TIME, [("11:00", REPORTED), ("17:00", TEXT)]),
        ("it", "era alle 16, ora alle 17", MentionKind.TIME, [("16:00", FORMER), ("17:00", TEXT)]),
        ("en", "a@old.com is wrong, it's a@new.com", MentionKind.EMAIL, [("a@old.com", NEGATED), ("a@new.com", TEXT)]),
        (
            "en",
            "old phone 0412 345 678, new one 0412 345 679",
            MentionKind.PHONE,
            [("+61412345678", FORMER), ("+61412345679", TEXT)],
        ),
    ],
)
def test_each_statement_is_meant_in_its_way(
    language: str, text: str, kind: MentionKind, expected: list[tuple[str, Assertion]]
) -> None:
    found = [(claim.values[0], claim.assertion) for claim in evidence(text, language).of(kind)]
    assert found == expected


@table(
    "language, text, kind, amount",
    [
        ("en", "make Emma's booking 6 guests", "absolute", 6),
        ("it", "se possibile anche 8 persone invece di 6", "absolute", 8),
        ("en", "a dozen kids", "absolute", 12),
        ("en", "a hundred and twenty people", "absolute", 120),
        ("en", "two more are coming", "add", 2),
        ("en", "she brings 3 friends as well", "add", 3),
        ("en", "her cousin is coming too", "add", 1),
        ("en", "one kid can't make it", "subtract", 1),
        ("en", "the twins dropped out", "subtract", 2),
        ("en", "we lost 2", "subtract", 2),
        ("it", "una ventina di bambini", "absolute", 20),
        ("it", "siamo centoventi", "absolute", 120),
        ("it", "due non vengono", "subtract", 2),
        ("it", "mancano 2 bambini", "subtract", 2),
        ("it", "viene anche un cugino", "add", 1),
    ],
)
def test_people_come_and_go(language: str, text: str, kind: str, amount: int) -> None:
    counts = [claim.count for claim in evidence(text, language).asserted(MentionKind.COUNT)]
    assert [(count.kind, count.amount) for count in counts if count] == [(kind, amount)]


@table(
    "language, text",
    [
        ("en", "Mia turns 7 on Saturday"),
        ("en", "it's her 7th birthday at 4pm"),
        ("en", "the year 4 party"),
        ("en", "kids aged 7 to 11"),
        ("en", "room 6 at noon"),
        ("en", "they paid 50 dollars"),
        ("en", "$50 a head"),
        ("en", "call 0412 345 678"),
        ("en", "booking 8340"),
        ("en", "for 2 hours"),
        ("en", "at 1530"),
        ("it", "compie 7 anni"),
        ("it", "la classe 4"),
        ("it", "hanno pagato 50 euro"),
        ("it", "per 2 ore"),
        ("it", "alle 16 e 30"),
    ],
)
def test_a_number_of_something_else_counts_no_one(language: str, text: str) -> None:
    assert evidence(text, language).asserted(MentionKind.COUNT, MentionKind.NUMBER) == []


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "emma clarke to friday and john smith to sunday"),
        ("en", "emma clarke friday, liam wu sunday"),
        ("en", "emma clarke to friday, 8341 to sunday"),
        ("en", "emma clarke to friday, the other one to sunday"),
        ("it", "emma clarke a venerdì e mario rossi a domenica"),
    ],
)
def test_another_bookings_clause_says_nothing_of_this_one(language: str, text: str) -> None:
    assert [claim.values for claim in evidence(text, language).asserted(MentionKind.DAY)] == [("2026-11-27",)]


@pytest.mark.parametrize(
    ("text", "kind", "values"),
    [
        ("around 4 › 4", MentionKind.NUMBER, ("4",)),
        ("friday at 3pm › actually 5pm", MentionKind.TIME, ("17:00",)),
        ("friday at 3pm › actually 5pm", MentionKind.DAY, ("2026-11-27",)),
        ("friday or thursday › the second", MentionKind.DAY, ("2026-11-26",)),
        ("emma to friday › the saturday one", MentionKind.DAY, ("2026-11-27",)),
    ],
)
def test_the_latest_word_on_a_thing_counts(text: str, kind: MentionKind, values: tuple[str, ...]) -> None:
    assert [claim.values for claim in evidence(text).asserted(kind)] == [values]


@given(st.text(alphabet=st.sampled_from("abe 0123456789:,.-@'’éìß→pmnotalle€"), max_size=60))
def test_any_text_is_read_and_each_claim_lies_where_it_says(text: str) -> None:
    for language in ("en", "it"):
        found = evidence(text, language)
        for claim in found.mentions:
            assert found.messages[claim.message].text[slice(*claim.span)] == claim.text
