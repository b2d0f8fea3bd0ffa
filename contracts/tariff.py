"""What a venue pays for, and what follows of it."""

from pydantic import Field

from contracts.base import Frozen
from contracts.enums import AiMode


class Tariff(Frozen):
    """One tariff of `overlays/tariffs.yaml`. `multiplier`: what a model call costs the venue, as a multiple of its
    price."""

    mode: AiMode = AiMode.STANDARD
    multiplier: float = Field(default=1.0, ge=0)
