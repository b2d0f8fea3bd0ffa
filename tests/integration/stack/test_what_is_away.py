"""A 503 to a message names the dependency that is unavailable, and says of the booking only what is certain."""

from typing import Any

import pytest

from tests.support.errors import expect_error
from tests.support.operator import Operator
from tests.support.roller import Roller, a_name
from tests.support.scripted_model import ScriptedModel, look_up

pytestmark = pytest.mark.asyncio


async def shown(operator: Operator, message: str) -> str:
    """Return the message of a 503."""
    body: dict[str, Any] = {"user_message": message, "session_id": operator.session, "user_id": operator.user}
    return str(expect_error(await operator.post("/v1/requests", **body), 503, "service_unavailable")["message"])


async def test_the_model(operator: Operator, scripted: ScriptedModel) -> None:
    guest = a_name()
    scripted.script(guest, {"find_bookings": {"query": guest}}, _broken)
    message = await shown(operator, f"a note for {guest}")
    assert message == "The assistant's model is not available right now. No booking was changed by this message."


def _broken(_: dict[str, Any]) -> Any:
    raise RuntimeError("the model's own failure")


async def test_the_booking_system(operator: Operator, roller: Roller, scripted: ScriptedModel) -> None:
    guest = a_name()
    scripted.script(guest, look_up(guest))
    await roller.fault("search-for-bookings", "status", status=503, times=10)
    message = await shown(operator, f"a note for {guest}")
    assert "booking system" in message and "assistant" not in message
