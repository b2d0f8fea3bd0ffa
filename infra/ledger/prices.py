"""What a model call costs, by the price table of `overlays/prices.yaml`."""

from collections.abc import Sequence
from fnmatch import fnmatchcase

from contracts.tariff import Price

_NANO = 1_000
"""Nanodollars a token, of a dollar a million tokens."""


class PriceTable:
    """The first price whose name fits a model counts."""

    def __init__(self, prices: Sequence[Price] = ()) -> None:
        self._prices = tuple(prices)

    def nanodollars(self, model: str, *, uncached: int, cached: int, output: int) -> int | None:
        """What a call costs, by its tokens; None where nobody knows what the model costs."""
        price = next((p for p in self._prices if fnmatchcase(model.casefold(), p.model.casefold())), None)
        if price is None:
            return None
        cached_input = price.input if price.cached_input is None else price.cached_input
        return round((uncached * price.input + cached * cached_input + output * price.output) * _NANO)
