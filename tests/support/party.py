"""A party at the venue that only one test knows, and a model that plans for it."""

from collections.abc import Sequence
from typing import Any, Protocol

from tests.support.roller import Roller, a_name
from tests.support.scripted_model import ScriptedModel, look_up, obey, then


class Party(Protocol):
    """Books a party and scripts its plan: (the guest's name, the booking). A message with the name gets a plan of these
    steps, and `model` is the model's behaviour after the confirmation: obey by default."""

    async def __call__(self, *steps: Any, model: Sequence[Any] = (obey,), **booking: Any) -> tuple[str, dict[str, Any]]:
        """Book such a party."""


def parties(roller: Roller, scripted: ScriptedModel) -> Party:
    """Return a function that books parties at this venue, with this model."""

    async def book(*steps: Any, model: Sequence[Any] = (obey,), **booking: Any) -> tuple[str, dict[str, Any]]:
        guest = a_name()
        booked = await roller.book(guest, **booking)
        scripted.script(guest, look_up(guest), then(*steps), *model)
        return guest, booked

    return book
