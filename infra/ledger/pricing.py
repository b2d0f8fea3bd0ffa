"""The cost of model calls, by the price table of `overlays/prices.yaml`."""

from collections.abc import Sequence
from fnmatch import fnmatchcase

from contracts.venue import Price

_NANO = 1_000
"""Nanodollars per token, for a dollar per million tokens."""


class PriceTable:
    """A table of prices. The first price whose name matches a model applies."""

    def __init__(self, prices: Sequence[Price] = ()) -> None:
        self._prices = tuple(prices)

    def nanodollars(self, model: str, *, uncached: int, cached: int, output: int) -> int | None:
        """Return the cost of a call by its tokens; None if the model's price is unknown."""
        price = next((p for p in self._prices if fnmatchcase(model.casefold(), p.model.casefold())), None)
        if price is None:
            return None
        cached_input = price.input if price.cached_input is None else price.cached_input
        return round((uncached * price.input + cached * cached_input + output * price.output) * _NANO)
