"""The filters for money, and a `verify` that checks the total.

- One unit's price carries its share of a line's discount, so that the line's total stays to the cent.
- A write after which the booking's price differs from the preview is not as asked.
- Amounts are written in the venue's currency and language.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import registry
from contracts.base import Json
from language.messages.formatting import money_label
from registry import BoundAction
from registry.templating.filters import leading, leading_place, less
from registry.templating.prices import line_total, unit_price

ITEMS: Json = [
    {"bookingItemId": 70, "productId": 19, "quantity": 2, "bookingDate": "2026-11-28", "cost": 3.5, "discount": 0},
    {"bookingItemId": 71, "productId": 11, "quantity": 3, "bookingDate": "2026-11-28", "sessionStartTime": "14:00",
     "cost": 45, "discount": 10},
]  # fmt: skip
FOUR: Json = {**ITEMS[1], "bookingItemId": 81, "quantity": 4, "cost": 41.6667, "discount": 0}
BEFORE: Json = {"uniqueId": "b-1", "bookingReference": "8231", "name": "John Smith", "customerId": 5, "status": "Paid",
                "total": 132.0, "fees": 0, "items": ITEMS}  # fmt: skip


@pytest.mark.parametrize(
    ("price", "off", "count", "new", "one"),
    [
        (12.5, 0, 10, None, 12.5), (45, 10, 3, None, 41.6667), (45, 10, 3, 4, 41.6675), (32, 12, 12, None, 31.0),
        (0, 0, 5, None, 0.0), (19.5, 0, 4, 6, 19.5),
    ],
)  # fmt: skip
def test_one_unit_costs_its_share(price: float, off: float, count: int, new: int | None, one: float) -> None:
    assert unit_price(price, off, count, new) == one


@given(st.integers(0, 50_000), st.integers(1, 300), st.integers(0, 100))
def test_the_line_stays_to_the_cent(price: int, count: int, off: int) -> None:
    discount = round(price * count * off / 100) / 100
    line = round(price / 100 * count - discount, 2)
    assert round(unit_price(price / 100, discount, count) * count, 2) == line


def test_sums_know_what_they_do_not_know() -> None:
    assert line_total(ITEMS, "cost", "quantity", "discount") == 132.0
    assert line_total([{"quantity": 2}], "cost", "quantity") is None
    assert (less(10, 2.5), less(None, 1), less(10, None)) == (7.5, None, None)
    assert (leading(ITEMS, "sessionStartTime"), leading_place(ITEMS, "sessionStartTime")) == (ITEMS[1], 1)
    assert (leading([], "x"), leading_place([{}], "x")) == (None, 0)


@pytest.mark.parametrize(("total", "as_asked"), [(173.67, True), (173.66, False), (185.0, False), (132.0, False)])
def test_a_total_other_than_shown_is_not_as_asked(pack: registry.Pack, total: float, as_asked: bool) -> None:
    action = pack.actions["change_guest_count"]
    bound = BoundAction.of(action, {"booking_id": "b-1", "guest_count": 4}, pack.profile, "k").with_(before=BEFORE)
    request = bound.request()
    assert request.body["idsToRemove"] == [71], "the socks stay as they are"
    lines = {p.field: (p.before, p.after) for p in bound.with_(sent=request).preview()}
    assert lines["Total"] == ("132.00 AUD", "173.67 AUD")
    now = {
        **BEFORE,
        "total": total,
        "items": [ITEMS[0], FOUR],
    }
    assert bound.with_(sent=request, now=now).matches_request() is as_asked


def test_fees_are_the_venues_own(pack: registry.Pack) -> None:
    action = pack.actions["change_guest_count"]
    bound = BoundAction.of(action, {"booking_id": "b-1", "guest_count": 4}, pack.profile, "k")
    bound = bound.with_(before={**BEFORE, "total": 134.0, "fees": 2.0})
    request = bound.request()
    now = {**BEFORE, "total": 176.5, "fees": 2.83,
           "items": [ITEMS[0], FOUR]}  # fmt: skip
    assert bound.with_(sent=request, now=now).matches_request() is True


@pytest.mark.parametrize(
    ("amount", "currency", "locale", "words"),
    [
        (1250, "AUD", "en-AU", "1,250.00 AUD"), (1250.5, "EUR", "it-IT", "1.250,50 EUR"),
        (1250, "JPY", "en", "1,250 JPY"),
        (-8, "EUR", "it", "-8,00 EUR"), (3, "", "en", "3.00"),
    ],
)  # fmt: skip
def test_amounts_in_words(amount: float, currency: str, locale: str, words: str) -> None:
    assert money_label(amount, currency, locale) == words
