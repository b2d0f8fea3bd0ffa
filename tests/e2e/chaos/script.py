"""The scenario's model: it plans the steps, executes them as a good model would, and asks where the scenario requires
it."""

from collections.abc import Callable, Sequence
from typing import Any

from tests.e2e.chaos.injection import Injector
from tests.e2e.chaos.scenario import STEPS, Scenario
from tests.support.scripted_model import executes, look_up, obey

_DONE = "All steps are done."


class Script:
    """The model's replies in one scenario's chat. `bookings`: the scenario's, as the venue first returned them."""

    def __init__(
        self, scenario: Scenario, guest: str, bookings: Sequence[dict[str, Any]], injector: Callable[[], Injector]
    ) -> None:
        self._scenario = scenario
        self._guest = guest
        self._bookings = bookings
        self._injector = injector
        self._asked = False

    async def reply(self, body: dict[str, Any]) -> Any:
        """Return the model's answer to one request."""
        if not executes(body):
            return self._planned() if body["messages"][-1]["role"] == "tool" else look_up(self._guest)
        injector = self._injector()
        await injector.model_asked()
        text = self._question(body) or obey(body)
        await injector.model_answers()
        return text

    def _planned(self) -> list[dict[str, Any]]:
        return [self._call(number, step) for number, step in enumerate(self._scenario.steps)]

    def _call(self, number: int, step: str) -> dict[str, Any]:
        action, arguments = STEPS[step]
        booking = self._bookings[-1 if step == "update_email" else 0]
        by_reference = self._scenario.ids == "reference" or (self._scenario.ids == "in turn" and number % 2)
        return {action: {"booking_id": booking["bookingReference" if by_reference else "uniqueId"], **arguments}}

    def _question(self, body: dict[str, Any]) -> dict[str, Any] | None:
        at = self._scenario.asks_at
        if at is None or self._asked or obey(body) == _DONE:
            return None
        done = body["messages"][0]["content"].count('"status": "completed"')
        if done != at - 1:
            return None
        self._asked = True
        return {"ask_operator": {"question": "Is that all right?", "choices": ["Yes", "No"]}}
