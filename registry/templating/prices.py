"""Filters for what the lines of a booking cost."""

from collections.abc import Iterable

from contracts.base import Json, Value
from registry.templating.values_at import first_at


def line_total(rows: Iterable[Value], price: str, count: str, discount: str = "") -> Value:
    """Return the price of lines to the cent: unit price times count, less the line's discount; none when a price or a
    count is unknown."""
    sums = [_line(row, price, count, discount) for row in rows]
    return None if None in sums else round(sum(one for one in sums if one is not None), 2)


def unit_price(price: float, discount: float, count: float, new_count: float | None = None) -> float:
    """Return the real unit price of a line, with its share of the line's discount taken off.

    It has as few decimals as keep the line's total to the cent, for `new_count` of them where that differs: 3 at 45
    less 10 are 41.6667 each, so that they stay 125.00.
    """
    wanted = float(count if new_count is None else new_count)
    one = (float(price) * float(count) - float(discount)) / float(count)
    line = round(one * wanted, 2)
    exact = line / wanted
    return next((p for d in range(2, 7) if abs((p := round(exact, d)) * wanted - line) < 0.001), exact)


def priced(rows: Iterable[dict[str, Value]], price: str, count: str, discount: str = "") -> list[Value]:
    """Return the rows, each with its price to the cent as `line_total`, so that lines compare whose discount became a
    lower price."""
    return [{**row, "line_total": line_total([row], price, count, discount)} for row in rows]


def _line(row: Value, price: str, count: str, discount: str) -> float | None:
    one, many = first_at(row, price), first_at(row, count)
    off: Json = (first_at(row, discount) if discount else None) or 0
    if not isinstance(one, int | float) or not isinstance(many, int | float):
        return None
    return float(one) * float(many) - float(off)


PRICES = (line_total, unit_price, priced)
