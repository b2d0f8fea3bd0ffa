"""A party in the venue that one test alone knows, and a model that plans for it."""

from collections.abc import Sequence
from typing import Any, Protocol

from tests.support.roller import Roller, a_name
from tests.support.scripted_model import ScriptedModel, look_up, obey, then


class Party(Protocol):
    """Books a party and scripts its plan: (the guest's name, the booking). Whoever says the name gets a plan of these
    steps, and `model` is what the model does once it is confirmed: obey, unless told otherwise."""

    async def __call__(self, *steps: Any, model: Sequence[Any] = (obey,), **booking: Any) -> tuple[str, dict[str, Any]]:
        """Such a party."""


def parties(roller: Roller, scripted: ScriptedModel) -> Party:
    """Makes parties in this venue, with this model."""

    async def book(*steps: Any, model: Sequence[Any] = (obey,), **booking: Any) -> tuple[str, dict[str, Any]]:
        guest = a_name()
        booked = await roller.book(guest, **booking)
        scripted.script(guest, look_up(guest), then(*steps), *model)
        return guest, booked

    return book
