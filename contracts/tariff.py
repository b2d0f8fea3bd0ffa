"""What a venue pays for, and what follows of it."""

from pydantic import Field

from contracts.base import Frozen
from contracts.enums import AiMode


class Tariff(Frozen):
    """One tariff of `overlays/tariffs.yaml`. `multiplier`: what a model call costs the venue, as a multiple of its
    price."""

    mode: AiMode = AiMode.STANDARD
    multiplier: float = Field(default=1.0, ge=0, le=1_000, allow_inf_nan=False)


class Price(Frozen):
    """One row of `overlays/prices.yaml`, in dollars a million tokens. `model` is a name, or a pattern of names
    (`claude-sonnet-*`). Input that the endpoint has cached costs what other input costs where `cached_input` is left
    out."""

    model: str = Field(min_length=1)
    input: float = Field(ge=0, le=1_000_000, allow_inf_nan=False)
    cached_input: float | None = Field(default=None, ge=0, le=1_000_000, allow_inf_nan=False)
    output: float = Field(ge=0, le=1_000_000, allow_inf_nan=False)
