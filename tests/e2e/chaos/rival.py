"""A second operator whose plan changes the same booking at the same time: both changes survive, or one plan reports the
conflict."""

from typing import Any

from tests.e2e.chaos.second_writer import STAFF_EMAIL, STAFF_NOTE, Change
from tests.e2e.chaos.stack import ChaosStack
from tests.support.asking import asking
from tests.support.operator import Operator
from tests.support.scripted_model import executes, look_up, obey

_CALLS: dict[str, tuple[str, dict[str, Any]]] = {
    "note": ("edit_note", {"note": STAFF_NOTE}),
    "email": ("update_contact", {"email": STAFF_EMAIL}),
}


class Rival:
    """A plan of one step. `kind`: note or email."""

    def __init__(self, process_stack: ChaosStack, operator: Operator, guest: str, booking_id: str, kind: str) -> None:
        self._operator = operator
        self._guest = guest
        self._booking_id = booking_id
        self._kind = kind
        self._plan: dict[str, Any] = {}
        self._begun = False
        self._key = f"{guest}, the other operator"
        process_stack.scripted.script(self._key, self._reply)

    async def draft(self) -> None:
        """Have the plan drafted."""
        self._plan = await self._operator.plan_for(asking(self._key, _CALLS[self._kind]))

    async def confirm(self) -> None:
        """Confirm it."""
        self._begun = True
        await self._operator.confirm(self._plan)

    async def change(self) -> tuple[Change | None, list[str]]:
        """Return (the change that must survive, the problems with how the plan ended)."""
        if not self._begun:
            return None, []
        ended = await self._operator.settled(self._plan)
        if ended["status"] == "completed":
            return Change(self._kind), []
        shown = ended.get("failure") or ended.get("rollback_report")
        return None, [] if shown else [f"the other operator's plan ended as {ended['status']} and nobody is told why"]

    async def _reply(self, body: dict[str, Any]) -> Any:
        if executes(body):
            return obey(body)
        action, arguments = _CALLS[self._kind]
        if body["messages"][-1]["role"] != "tool":
            return look_up(self._guest)
        return [{action: {"booking_id": self._booking_id, **arguments}}]
