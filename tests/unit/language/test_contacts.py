"""E-mail addresses and phones. Guarantees:

- found with exact characters, checked without a network
- an unlikely number causes a warning, never a refusal
- every spelling of a number has one form, marks of a contact card and a country's own zero included
"""

from __future__ import annotations

import pytest

from language import check_email, find_emails, find_phones, one_number, to_e164
from language.contacts.contacts import spoken_emails
from tests.support.tables import table


@table(
    "text, country, phone, e164",
    [
        ("it's 07911 123456", "GB", "07911 123456", "+447911123456"),
        ("phone should be +44 20 7946 0958", "AU", "+44 20 7946 0958", "+442079460958"),
        ("call 0412 345 678, please", "AU", "0412 345 678", "+61412345678"),
        ("è 333 1234567", "IT", "333 1234567", "+393331234567"),
        ("tel +44 (0)20 7946 0958 grazie", "IT", "+44 (0)20 7946 0958", "+442079460958"),
        ("tel \u202a+44 20 7946 0958\u202c", "IT", "+44 20 7946 0958", "+442079460958"),
        ("tel +44\u201120\u20117946\u20110958", "IT", "+44\u201120\u20117946\u20110958", "+442079460958"),
        ("her number is 0412\u00a0345\u202f678", "AU", "0412\u00a0345\u202f678", "+61412345678"),
        ("tel +39 (06) 55501234", "GB", "+39 (06) 55501234", "+390655501234"),
        ("change his phone to 555-0142", "AU", "555-0142", None),
    ],
)
def test_phones(text: str, country: str, phone: str, e164: str | None) -> None:
    (item,) = find_phones(text, country)
    assert (item.text, text[slice(*item.span)]) == (phone, phone)
    assert item.phone.e164 == e164
    assert (item.phone.warning is None) == (e164 is not None)


@pytest.mark.parametrize("text", ["booking 8231 to 14", "2026-11-28 10:30", "on 28/11/2026 at 3", "3pm", "k9@a.com"])
def test_other_figures_are_no_phones(text: str) -> None:
    assert find_phones(text, "AU") == []


def test_an_unlikely_number_keeps_its_digits() -> None:
    reading = to_e164("07700 900123", "AU")
    assert (reading.digits, reading.warning) == ("07700900123", "unlikely")


def test_emails() -> None:
    text = "Write to (k.nguyen@mail.co.uk), or lucy99@gmail.com."
    assert [text[slice(*item.span)] for item in find_emails(text)] == ["k.nguyen@mail.co.uk", "lucy99@gmail.com"]
    assert check_email("Lucy@GMAIL.com").normalised == "Lucy@gmail.com"
    assert check_email("a@@b").problem


def test_an_hour_behind_a_month_is_no_address() -> None:
    assert spoken_emails("Saturday 12 December at 1.30pm", "en-AU") == []
    assert [s.written for s in spoken_emails("emma dot clarke at gmail dot com", "en-AU")] == ["emma.clarke@gmail.com"]


@table(
    "spelling, country, number",
    [
        ("+44 (0)20 7946 0958", None, "+442079460958"),
        ("\u202a+44 20 7946 0958\u202c", None, "+442079460958"),
        ("+39 (0)6 5550 1234", None, "+390655501234"),
        ("06 5550\u20111234", "IT", "+390655501234"),
        ("020 7946 0958", "GB", "+442079460958"),
        ("+393331234", None, "+393331234"),
        ("+999123456789", None, "+999123456789"),
        ("333 1234567", None, None),
        ("+39 333 abc", None, None),
        ("anonymous", "IT", None),
    ],
)
def test_one_number_has_one_form(spelling: str, country: str | None, number: str | None) -> None:
    assert one_number(spelling, country) == number
