"""The restaurant pack against what its operators read (issue 16, point 6). Guarantees:

- After any sequence of bookings made, moved, made larger, cancelled and undone, with lost answers and an unavailable
  reservations book in between, the book holds exactly what the operator was shown (hypothesis).
- An operator who asks for a person gets one, by code and not by a model; a waiting plan keeps waiting.
- A copy of the pack for English staff speaks English, and does the same.
- English staff read nothing of the service's Italian, rejections included; a limit is reported by its number.
- The start-up banner says that the service's bookings are invented.
- Snapshot, verify and undo use the staff API, by id and by day; they call no tool of the guests'.
"""

import re
import secrets
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from cli.stack.dev import banner
from restaurant.providers import OutcomeUnknownError, ProviderUnavailableError
from tests.integration.stack.test_restaurant import italian, read, spoken
from tests.support.operator import Operator
from tests.support.restaurant import (
    PLACE,
    TOKEN,
    DiningStack,
    Trattoria,
    a_phone,
    dining_stack,
    heard,
    plan_texts,
    undone,
)
from tests.support.roller import a_name
from tests.support.scripted_model import ScriptedModel
from tests.support.stacks import copied_pack

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

# ── exactly what was shown ───────────────────────────────────────────────────────────────────────────────────────────

HOURS = ("19:00", "20:00", "21:00", "22:00")
STEP = st.tuples(
    st.sampled_from(("create", "move", "resize", "cancel", "undo")),
    st.integers(0, 2),
    st.sampled_from(HOURS),
    st.integers(1, 8),
    st.sampled_from((None, None, None, "lost", "landed", "away")),
)
FAULTS = {"create": "create", "move": "change", "resize": "change", "cancel": "cancel"}
Shown = dict[str, tuple[str, int]]
"""By guest: when, and how many."""


def _new_name() -> str:
    """Return a name that no other example has, because hypothesis makes `random` repeat itself in each."""
    letters = "".join(secrets.choice("aeiou") if n % 2 else secrets.choice("bdfglmnprstvz") for n in range(14))
    return f"{letters[:6].capitalize()} {letters[6:].capitalize()}"


class Desk:
    """An operator who trusts what she reads, and nothing else."""

    def __init__(self, waiter: Operator, trattoria: Trattoria, day: date) -> None:
        self.waiter, self.trattoria, self.day = waiter, trattoria, day
        self.guests = [_new_name() for _ in range(3)]
        self.phones = {name: a_phone() for name in self.guests}
        self.shown: Shown = {}
        self.done: list[tuple[dict[str, Any], Shown]] = []

    async def opens(self) -> None:
        """Book two guests by telephone."""
        for name, at in zip(self.guests, HOURS, strict=False):
            if name is not self.guests[-1]:
                await self.trattoria.book(name, day=self.day, at=at, phone=self.phones[name])
                self.shown[name] = (at, 4)

    def words(self, what: str, name: str, at: str, people: int) -> str:
        """Return what she types."""
        return {
            "create": f"prenota un tavolo per {people} {spoken(self.day)} alle {at} a nome {name}, {self.phones[name]}",
            "move": f"sposta il tavolo di {name} alle {at}",
            "resize": f"porta il tavolo di {name} a {people} person{'a' if people == 1 else 'e'}",
            "cancel": f"annulla la prenotazione di {name}",
        }[what]

    async def does(self, what: str, name: str, at: str, people: int, fault: str | None) -> None:
        """Carry out one step, and note what she reads of it."""
        if what == "undo":
            return await self.undoes()
        async with Operator(self.waiter.base_url, user=self.waiter.user, token=TOKEN) as one:
            turn = await one.say(self.words(what, name, at, people))
            if turn["type"] != "plan":
                return None
            self.breaks(FAULTS[what], fault)
            ended = await one.settled(await one.confirm(turn["plan"]))
        self.trattoria.mended()
        if ended["status"] != "completed":
            assert ended["status"] == "failed", ended
            return None
        before = dict(self.shown)
        if what == "cancel":
            assert f"La prenotazione di {name} per" in ended["summary"] and "è annullata" in ended["summary"]
            del self.shown[name]
        else:
            was = self.shown.get(name, (at, people))
            self.shown[name] = (was[0] if what == "resize" else at, was[1] if what == "move" else people)
        self.done.append((ended, before))
        return None

    def breaks(self, method: str, fault: str | None) -> None:
        """Arm a fault between the service and where it keeps its bookings."""
        provider = self.trattoria.provider
        match fault:
            case "lost":
                provider.fails[method] = OutcomeUnknownError("lost")
            case "landed":
                provider.after[method] = OutcomeUnknownError("lost")
            case "away":
                provider.fails[method] = ProviderUnavailableError("away")

    async def undoes(self) -> None:
        """Undo the last change, if there is one."""
        if not self.done:
            return
        plan, before = self.done.pop()
        answer = await self.waiter.post(f"/v1/plans/{plan['plan_id']}/undo", user_id=self.waiter.user)
        if answer.status_code != 202:
            assert answer.status_code == 409, answer.text
            return
        ended = await self.waiter.until(
            plan, lambda p: p["status"] == "rolled_back" and p.get("rollback", {}).get("state", "done") == "done", 30
        )
        if ended["rollback_report"]["outcome"] == "complete":
            self.shown = before

    async def holds(self) -> Shown:
        """Return what the reservations book holds."""
        rows = [one for one in await self.trattoria.of(self.day) if one["live"]]
        assert len({one["name"] for one in rows}) == len(rows), "nobody is booked twice"
        return {one["name"]: (one["time"], one["people"]) for one in rows}


@settings(
    max_examples=6, deadline=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck), database=None
)
@given(steps=st.lists(STEP, min_size=3, max_size=7))
async def test_the_book_holds_what_was_reported(
    waiter: Operator, trattoria: Trattoria, steps: list[tuple[str, int, str, int, str | None]]
) -> None:
    trattoria.mended()
    desk = Desk(waiter, trattoria, await trattoria.quiet_evening())
    await desk.opens()
    for what, guest, *values in steps:
        name = desk.guests[guest]
        if what == "create" and name in desk.shown:
            # The same guest at two hours is two bookings, but this desk tells bookings apart by name.
            continue
        await desk.does(what, name, *values)
        assert await desk.holds() == desk.shown, (what, name, values)


# ── a person ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("words", ["vorrei parlare con una persona", "get me a human"])
async def test_who_asks_for_a_person_gets_one(
    waiter: Operator, trattoria: Trattoria, scripted: ScriptedModel, words: str
) -> None:
    day, name = await trattoria.quiet_evening(), a_name()
    there = await trattoria.book(name, day=day)
    plan = await waiter.plan_for(f"sposta il tavolo di {name} alle 21")
    asked = scripted.calls
    turn = await waiter.say(words)
    assert (turn["type"], turn["reason"]) == ("escalation", "asked") and turn["reference"], turn
    assert turn["message"].startswith("Va bene: lo passo a una persona.")
    assert scripted.calls == asked, "no model was asked"
    assert (await waiter.look(plan))["status"] == "pending_confirmation"
    assert await trattoria.booking(there["booking_id"]) == there
    done = await waiter.settled(await waiter.confirm(plan))
    assert done["status"] == "completed", done


# ── in English ───────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
async def english(model_url: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[DiningStack]:
    """The stack with a copy of the pack for English staff."""
    folder = tmp_path_factory.mktemp("english")
    pack = copied_pack(folder, {"locale: it-IT": "locale: en-GB"}, "restaurant")
    async with dining_stack(folder, pack=pack, model_base_url=model_url) as running:
        yield running


async def test_the_same_in_english(english: DiningStack) -> None:
    async with (
        Trattoria(english) as place,
        Operator(f"http://127.0.0.1:{english.ports.facade}", token=TOKEN) as one,
    ):
        day, name = await place.quiet_evening(), a_name()
        label = f"{day:%a} {day.day} {day:%b} {day.year}"
        booked = await one.do(f"book a table for 4 on {day:%B} {day.day} at 8:30pm, {name}, +39 333 765 4321")
        assert booked["summary"] == f"A table is booked for {name} on {label}, 8:30pm, 4 people.", booked
        moved = await one.do(f"move {name}'s table to 9pm")
        assert moved["summary"] == f"The booking of {name} is now on {label}, 9pm."
        more = await one.do(f"make {name}'s booking 6 people")
        assert more["summary"].endswith("is for 6 people now."), more
        cancelled = await one.do(f"cancel {name}'s booking")
        assert cancelled["summary"].endswith("is cancelled.") and await place.of(day) == []
        shown = await undone(one, cancelled)
        [again] = await place.of(day)
        assert (again["time"], again["people"], again["name"]) == ("21:00", 6, name)
        for plan in (booked, moved, more, shown):
            assert not {"prenotazione", "tavolo", "annullata"} & set(read(plan).lower().split())


async def test_a_refusal_in_english(english: DiningStack) -> None:
    async with (
        Trattoria(english) as place,
        Operator(f"http://127.0.0.1:{english.ports.facade}", token=TOKEN) as one,
    ):
        day, name = await place.quiet_evening(), a_name()
        there = await place.book(name, day=day)
        turn = await one.say(f"make {name}'s booking 12 people")
        assert "12 people are more than one booking may be for here: 8 at most." in turn["question"], turn
        plan = await one.plan_for(f"make {name}'s booking 7 people")
        knowledge = place.service.desk.restaurants[PLACE]
        # The restaurant's limit dropped after the plan was shown.
        smaller = replace(knowledge, kb=knowledge.kb.model_copy(update={"max_people": 6}))
        place.service.desk.restaurants[PLACE] = smaller
        try:
            done = await one.settled(await one.confirm(plan))
        finally:
            place.service.desk.restaurants[PLACE] = knowledge
        text_of_it = done["failure"]["message"]
        assert done["status"] == "failed" and "The booking cannot be made 7 people" in text_of_it, done
        assert not {"massimo", "persone", "prenotazioni", "passata"} & set(re.findall(r"\w+", text_of_it)), text_of_it
        assert await place.booking(there["booking_id"]) == there


# ── what it is ───────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_the_service_is_called_what_it_is(dining: DiningStack) -> None:
    [line] = [one for one in banner(dining, 1).splitlines() if f":{dining.ports.restaurant}" in one]
    assert line.endswith("(its staff's page, with invented bookings: any name, password demo-restaurant)"), line


# ── by which API ─────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_plan_reads_the_staffs_doors(waiter: Operator, trattoria: Trattoria, dining: DiningStack) -> None:
    day, name = await trattoria.quiet_evening(), a_name()
    there = await trattoria.book(name, day=day)
    plan = await waiter.plan_for(f"annulla la prenotazione di {name}")
    assert plan_texts(plan)["Prenotazione"][1] == "Annullata"
    with heard(dining) as paths:
        done = await waiter.settled(await waiter.confirm(plan))
        await undone(waiter, done)
    writes = [path for path in paths if path.startswith("POST")]
    assert writes == ["POST /api/cancel_booking", "POST /api/create_booking"], paths
    assert {path for path in paths if path not in writes} == {
        f"GET /staff/{PLACE}/bookings/{there['booking_id']}", f"GET /staff/{PLACE}/days/{day}",
    }  # fmt: skip
    assert italian(done)
