"""The parts of people's messages that a trace shows (`language/redaction/vocabulary.py`).

- Words of ours, days, times and small numbers stay; everything else is left out, in English and Italian: whatever a
  name looks like, written large or small, and also where it means nothing to anyone.
- A word that is also a person's name is left out; a month of that kind stays beside a number.
- Approved words stay, but not where they are written like a name; a venue's own names stay however written.
- Names of actions and fields, written with underscores, are read like words, and generated ids stay.
- No made-up name, e-mail address or phone number gets through, wherever it occurs.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from language.redaction.vocabulary import REDACTED, redact_unknown, small_words, unknown_words, words_of_names
from tests.support.tables import table


@table("message, shown", [
    ("move John's party to Saturday 3pm and make it 14 kids", "move […] party to Saturday 3pm and make it 14 kids"),
    ("move zorbulina's party to saturday", "move […] party to saturday"),
    ("Move Will Smith to May 5, 3.30 pm please", "Move […] to May 5, 3.30 pm please"),
    ("May wants Monday instead, don't move it", "[…] wants Monday instead, don't move it"),
    ("cancel booking 8231 for rose", "cancel booking 8231 for […]"),
    ("MOVE JOHN TO 5PM", "MOVE […] TO 5PM"),
    ("will's booking on 2026-11-28 at 15:00", "[…] booking on 2026-11-28 at 15:00"),
    ("call 0412 987 654", "call […]"), ("call 0412987654", "call […]"), ("account 12345", "account […]"),
    ("her email is ab.new@example.org", "her email is […]"),
    ("sposta il tavolo di Mario Rossi a sabato 5 maggio", "sposta il tavolo di […] a sabato 5 maggio"),
    ("venerdì alle 20 e 30 a nome Verdi", "venerdì alle 20 e 30 a nome […]"),
])  # fmt: skip
def test_only_known_words_stay(message: str, shown: str) -> None:
    assert redact_unknown(message) == shown


def test_what_is_vouched_for_stays_unless_it_is_written_like_a_name() -> None:
    vouched = small_words("reschedules a trampoline")
    assert redact_unknown("the trampoline of Trampoline", vouched) == f"the trampoline of {REDACTED}"
    assert (
        redact_unknown("the Glow Night of Ann", (), words_of_names(["Glow Night"])) == f"the Glow Night of {REDACTED}"
    )


@pytest.mark.parametrize(("message", "shown"), [
    ('{"tool_name": "find_bookings"}', '{"tool_name": "find_bookings"}'),
    ("id=a2abdf6a-4702-4969-9a61-d5aacc4e14d7", "id=a2abdf6a-4702-4969-9a61-d5aacc4e14d7"),
    ("find_zorbulina_quist", "find_[…]"), ("rose_booking", "[…]_booking"), ("0412_987_654", "[…]"),
])  # fmt: skip
def test_names_of_actions_and_fields_are_read_word_by_word(message: str, shown: str) -> None:
    assert redact_unknown(message, small_words("find bookings tool name booking id")) == shown


def test_a_name_in_a_text_of_ours_is_not_vouched_for() -> None:
    assert small_words("such as Smith's party, or will") == {"such", "as", "party", "or"}


def test_what_is_left_out_is_named_for_all_the_rest() -> None:
    assert unknown_words("move Zélie Ångström's party to 3pm, a.b@example.org") == {"Zélie", "Ångström's"}


names = st.text(st.characters(categories=("Ll",), max_codepoint=0x24F), min_size=4, max_size=12).filter(
    lambda name: redact_unknown(f"x {name}") == f"{REDACTED}"
)
around = st.sampled_from(
    ["move {}'s party to 3pm", "{}: 14 guests", "the booking of {}, please", "{}", "(for {})", "sposta {} alle 21"]
)


@given(name=names, text=around, large=st.booleans())
def test_no_name_gets_through(name: str, text: str, large: bool) -> None:
    assert name.casefold() not in redact_unknown(text.format(name.title() if large else name)).casefold()


@given(digits=st.from_regex(r"[0-9]{5,13}", fullmatch=True), gap=st.sampled_from(["", " ", "-"]), text=around)
def test_no_phone_gets_through(digits: str, gap: str, text: str) -> None:
    written = gap.join((digits[:3], digits[3:])) if gap else digits
    assert digits[-4:] not in redact_unknown(text.format(written))
