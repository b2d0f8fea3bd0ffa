"""What a venue pays for, and what follows of it."""

from collections.abc import Mapping
from typing import Annotated

from pydantic import Field

from contracts.base import Frozen
from contracts.enums import AiMode

Multiplier = Annotated[float, Field(ge=0, le=1_000, allow_inf_nan=False)]


class Tariff(Frozen):
    """One tariff of `overlays/tariffs.yaml`: the mode that its venues are served in, and what a model call costs them
    in each mode, as a multiple of its price (1 where `multiplier` does not name the mode)."""

    mode: AiMode = AiMode.STANDARD
    multiplier: Mapping[AiMode, Multiplier] = Field(default_factory=dict)

    def multiplier_in(self, mode: AiMode) -> float:
        """What a call costs that is served in this mode, whatever the tariff's own is."""
        return self.multiplier.get(mode, 1.0)


class Price(Frozen):
    """One row of `overlays/prices.yaml`, in dollars a million tokens. `model` is a name, or a pattern of names
    (`claude-sonnet-*`). Input that the endpoint has cached costs what other input costs where `cached_input` is left
    out."""

    model: str = Field(min_length=1)
    input: float = Field(ge=0, le=1_000_000, allow_inf_nan=False)
    cached_input: float | None = Field(default=None, ge=0, le=1_000_000, allow_inf_nan=False)
    output: float = Field(ge=0, le=1_000_000, allow_inf_nan=False)
