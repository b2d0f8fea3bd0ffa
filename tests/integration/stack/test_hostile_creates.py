"""A create whose answer names another booking: no rollback and no undo ever touches another user's booking
(`docs/saga.md`). Guarantees, for a meeting, a table and a lesson:

- iQ finds the plan's own booking all the same. Its undo removes only that one where it carries our key; a table carries
  none, so staff must check.
- Where the plan's own booking cannot be found, or was never made, staff must check, and the other one stays.
- A create that was carried out behind any status is found, and exists once.
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Any

import pytest

from tests.integration.stack.test_restaurant import spoken as spoken_in_italian
from tests.support import bookeo, calendar
from tests.support.bookeo import School
from tests.support.calendar import Calendar, next_
from tests.support.hostile_proxy import HostileProxy, Proxied, Trick, proxied
from tests.support.operator import Operator
from tests.support.restaurant import TOKEN as STAFF_TOKEN
from tests.support.restaurant import DiningStack, Trattoria
from tests.support.roller import a_name
from tests.support.scripted_model import ScriptedModel, obey

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

SHORTLY = {"settle_seconds: 2": "settle_seconds: 0.6"}
TUESDAY = "tuesday"


@dataclass(frozen=True, slots=True)
class Making:
    """A booking that an operator requests, beside one of another user. `creates` and `lists` are the paths that make
    and list it, `rows` is the key of the rows in a listing; `name_other` makes an answer name the other booking.
    """

    operator: Operator
    gateway: HostileProxy
    say: Callable[[], Awaitable[dict[str, Any]]]
    creates: str
    lists: str
    rows: str
    name_other: Callable[[Any], Any]
    other: Callable[[], Awaitable[Any]]
    own: Callable[[], Awaitable[list[bool]]]
    keeps_a_key: bool = True

    def hide(self) -> None:
        """Hide the created booking from every listing."""
        hidden = Trick(changed=lambda body: {**body, self.rows: []})
        for part in ("GET", "POST"):
            self.gateway.play(hidden, method=part, path=self.lists, times=50)

    async def carried_out(self) -> dict[str, Any]:
        """Confirm the plan; return it once it has ended."""
        return await self.operator.settled(await self.operator.confirm(await self.say()))

    async def undone(self, plan: dict[str, Any]) -> dict[str, Any]:
        """Undo the plan; return it once the undo has ended."""
        answer = await self.operator.post(f"/v1/plans/{plan['plan_id']}/undo", user_id=self.operator.user)
        assert answer.status_code == 202, answer.text
        return await self.operator.until(
            plan, lambda p: p["status"] == "rolled_back" and p.get("rollback", {}).get("state", "done") == "done", 40
        )


class Dining(Proxied, DiningStack):
    """The restaurant behind the proxy."""


@pytest.fixture(scope="module", params=["calendar", "restaurant", "bookeo"])
async def place(
    request: pytest.FixtureRequest, model_url: str, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[tuple[str, Proxied]]:
    """Each pack in turn, behind the proxy."""
    pack: str = request.param
    kind = Dining if pack == "restaurant" else Proxied
    async with proxied(tmp_path_factory.mktemp(pack), pack, SHORTLY, kind, model_base_url=model_url) as running:
        yield pack, running


@pytest.fixture
async def making(place: tuple[str, Proxied], scripted: ScriptedModel) -> AsyncIterator[Making]:
    """The booking that the test creates there."""
    pack, stack = place
    made = {"calendar": _meeting, "restaurant": _table, "bookeo": _lesson}[pack]
    token = {"calendar": calendar.TOKEN, "restaurant": STAFF_TOKEN, "bookeo": bookeo.TOKEN}[pack]
    async with AsyncExitStack() as closing:
        operator = await closing.enter_async_context(Operator(f"http://127.0.0.1:{stack.ports.facade}", token=token))
        yield await made(closing, stack, operator, scripted)
        stack.proxies[pack].behave()


async def _meeting(closing: AsyncExitStack, stack: Proxied, operator: Operator, _: ScriptedModel) -> Making:
    books = await closing.enter_async_context(Calendar(f"http://127.0.0.1:{stack.ports.calendar}"))
    await books.reset(seed=False)
    day = next_(TUESDAY)
    other = (await books.meet(day, "12:00"))["id"]

    async def event() -> Any:
        return next(one for one in await books.of(day) if one["id"] == other)

    async def own() -> list[bool]:
        return [one["status"] == "confirmed" for one in await books.of(day) if one["id"] != other]

    return Making(
        operator, stack.proxies["calendar"],
        lambda: operator.plan_for("i want a meeting with Aviad on Tuesday at 3pm"),
        "/v1/events", "/v1/events", "events", lambda body: {**body, "id": other}, event, own,
    )  # fmt: skip


async def _table(closing: AsyncExitStack, stack: Proxied, operator: Operator, _: ScriptedModel) -> Making:
    assert isinstance(stack, Dining)
    book = await closing.enter_async_context(Trattoria(stack))
    day, name = await book.quiet_evening(), a_name()
    other = (await book.book(a_name(), day=day))["booking_id"]

    async def booking() -> Any:
        return await book.booking(other)

    async def own() -> list[bool]:
        return [row["live"] for row in await book.of(day) if row["name"] == name]

    wish = f"prenota un tavolo per 4 {spoken_in_italian(day)} alle 21 a nome {name}, 333 765 4321"
    return Making(
        operator, stack.proxies["restaurant"], lambda: operator.plan_for(wish),
        "/api/create_booking", "/staff/[^/]+/days/.*", "bookings",
        lambda body: {**body, "booking_id": other}, booking, own, keeps_a_key=False,
    )  # fmt: skip


async def _lesson(closing: AsyncExitStack, stack: Proxied, operator: Operator, scripted: ScriptedModel) -> Making:
    school = await closing.enter_async_context(School(f"http://127.0.0.1:{stack.ports.bookeo}"))
    await school.empty()
    name, day = a_name(), bookeo.a_day()
    other = (await school.book(a_name(), day=day, at="15:00"))["bookingNumber"]
    action, arguments = bookeo.booking_of(name, day)
    scripted.script(name, {action: arguments}, obey)

    async def booking() -> Any:
        return await school.booking(other)

    async def own() -> list[bool]:
        return [not one["canceled"] for one in await school.of(name)]

    return Making(
        operator, stack.proxies["bookeo"], lambda: operator.plan_for(bookeo.asked_for(name, day)),
        "/bookings", "/bookings", "data", lambda body: {**body, "bookingNumber": other}, booking, own,
    )  # fmt: skip


async def test_f2_its_own_is_found_though_the_answer_names_another(making: Making) -> None:
    before = await making.other()
    making.gateway.play(Trick(changed=making.name_other), method="POST", path=making.creates)
    done = await making.carried_out()
    assert done["status"] == "completed" and await making.own() == [True], done
    await taken_back_where_it_is_known(making, done)
    assert await making.other() == before


async def taken_back_where_it_is_known(making: Making, done: dict[str, Any], *, named: bool = False) -> None:
    """Undo a create. A booking with our key, or one that the answer `named`, is removed; an equal table is left to
    staff.
    """
    if making.keeps_a_key or named:
        assert (await making.undone(done))["rollback_report"]["outcome"] == "complete"
        assert await making.own() in ([False], []), "what was made is gone"
        return
    answer = await making.operator.post(f"/v1/plans/{done['plan_id']}/undo", user_id=making.operator.user)
    assert answer.status_code == 409 and "qualcun altro" in answer.json()["error"]["message"], answer.text
    assert await making.own() == [True]


async def test_f2_what_cannot_be_found_is_left_to_a_person_and_the_other_is_not_touched(making: Making) -> None:
    before = await making.other()
    plan = await making.say()
    making.gateway.play(Trick(changed=making.name_other), method="POST", path=making.creates)
    making.hide()
    done = await making.operator.settled(await making.operator.confirm(plan))
    assert await making.other() == before
    assert done["status"] == "rolled_back", done
    assert done["failure"]["error_type"] == "unknown_outcome", done
    assert done["rollback_report"]["outcome"] == "partial" and done["rollback_report"]["manual_steps"], done
    assert await making.own() == [True], "what is not known to be the plan's own is left"


async def test_f2_what_was_not_made_is_not_taken_back_from_another(making: Making) -> None:
    before, made = await making.other(), len(await making.own())
    plan = await making.say()
    answer = making.name_other({"ok": True})
    making.gateway.play(Trick(forwards=0, instead=answer, status=201), method="POST", path=making.creates)
    done = await making.operator.settled(await making.operator.confirm(plan))
    assert await making.other() == before and len(await making.own()) == made
    assert done["status"] in ("failed", "rolled_back"), done
    assert "put back" not in (done.get("summary") or "").replace("could be put back", ""), done


async def test_f2_what_staff_took_away_since_is_not_undone_on_another(making: Making) -> None:
    """The stored answer names the other booking, and no listing shows the plan's own when it is undone."""
    before = await making.other()
    making.gateway.play(Trick(changed=making.name_other), method="POST", path=making.creates)
    done = await making.carried_out()
    assert done["status"] == "completed", done
    making.hide()
    answer = await making.operator.post(f"/v1/plans/{done['plan_id']}/undo", user_id=making.operator.user)
    if answer.status_code == 202:
        await making.operator.until(
            done, lambda p: p["status"] == "rolled_back" and p.get("rollback", {}).get("state", "done") == "done", 40
        )
    assert await making.other() == before


@pytest.mark.parametrize("trick", [
    Trick(status=303), Trick(status=409), Trick(status=504), Trick(late=0.3, status=422), Trick(cut=True),
    Trick(interim=500), Trick(status=400, bare=True),
], ids=str)  # fmt: skip
async def test_f1_a_create_that_was_carried_out_behind_a_status_is_found_once(making: Making, trick: Trick) -> None:
    before = await making.other()
    making.gateway.play(trick, method="POST", path=making.creates)
    done = await making.carried_out()
    assert (done["status"], await making.own()) == ("completed", [True]), done
    await taken_back_where_it_is_known(making, done, named=trick.status is None and not trick.cut)
    assert await making.other() == before
