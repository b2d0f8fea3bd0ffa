"""A riding school at Bookeo, end to end: the second pack, without code of its own in the core. Guarantees:

- iQ finds lessons and rides by rider, e-mail, number, kind and day, and reports free seats by lesson.
- A move is shown on the school's clock and sent as an instant with its offset. Everything else of the booking,
  including what the pack has no name for, is there afterwards, and after the undo.
- A change whose answer is lost is decided by reading the booking.
- A cancellation is final: nothing undoes it, and the plan says what staff can do instead.
- iQ checks seats before it shows a plan; a lesson that fills up meanwhile fails the plan, with what is free instead.
- An undo leaves alone what staff changed since.
- A running plan's question is asked and answered. The same school in Italian speaks Italian.
- Neither the two keys nor the operator's token is in any file, log line, prompt or answer.
"""

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli.stack.dev import Stack
from infra.config.settings import ROOT
from language import day_label
from sandbox.bookeo import API_KEY, SECRET_KEY
from sandbox.bookeo.schedule import JUMPING, PONIES, TRAIL
from sandbox.bookeo.seed import KNOWN_NUMBER
from tests.integration.leaks.scene import Logs
from tests.integration.stack.test_italian_venue import italian
from tests.support.bookeo import (
    TOKEN,
    School,
    a_day,
    asked_for,
    booking_of,
    content,
    event,
    instant,
    lines,
    spoken,
    undone,
)
from tests.support.operator import Operator
from tests.support.roller import a_name
from tests.support.scripted_model import ScriptedModel, look_up, obey, then
from tests.support.stacks import a_stack, copied_pack

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

OPTIONS = [{"id": "41551LEVEL", "name": "Level", "value": "canter"}]


@pytest.fixture(scope="module")
def logs() -> Iterator[Logs]:
    """Every line logged from here on, at DEBUG."""
    handler, root = Logs(), logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    yield handler
    root.removeHandler(handler)
    root.setLevel(level)


# ── finding and reading ──────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "message",
    ["find {name}'s lesson", "find the booking of {mail}", "find {last}'s class", "what is booking {number}?"],
)
async def test_a_lesson_is_found_by_the_words_of_its_trade(clerk: Operator, school: School, message: str) -> None:
    name, day = a_name(), a_day()
    booking = await school.book(name, day=day, riders=3)
    first, last = name.split()
    mail = f"{first}.{last}@riders.example".lower()
    text = message.format(name=name, last=last, mail=mail, number=booking["bookingNumber"])
    turn = await clerk.say(text)
    assert turn["type"] == "answer", turn
    assert f"{name}, {day:%a} {day.day} {day:%b} 10am, Beginners’ lesson, 3 riders" in turn["message"]
    assert booking["bookingNumber"] in turn["message"]


async def test_who_is_on_a_ride_is_found_by_its_kind_and_day(clerk: Operator, school: School) -> None:
    day, names = a_day(), [a_name(), a_name()]
    for name, lesson, at in zip(names, (TRAIL, PONIES), ("14:00", "16:00"), strict=True):
        await school.book(name, lesson=lesson, at=at, day=day)
    turn = await clerk.say(f"who is in the trail ride on {spoken(day)}?")
    assert turn["type"] == "answer", turn
    assert f"{names[0]}, " in turn["message"] and names[1] not in turn["message"], turn


async def test_two_riders_of_one_name_are_asked_about(clerk: Operator, school: School) -> None:
    last = a_name().split()[1]
    for first in ("Berta", "Carla"):
        await school.book(f"{first} {last}")
    turn = await clerk.say(f"cancel {last}'s lesson")
    assert turn["type"] == "clarification", turn
    assert {c["guest_name"] for c in turn["candidates"]} == {f"Berta {last}", f"Carla {last}"}


async def test_what_has_seats_is_reported_by_lesson(clerk: Operator, school: School) -> None:
    day = a_day()
    turn = await clerk.say(f"is there room for 3 riders on {spoken(day)} at 2pm?")
    assert turn["type"] == "answer" and "there is room. Trail ride: " in turn["message"], turn
    turn = await clerk.say(f"is there room on {spoken(day)} at 1pm?")
    assert "there is no room then. Free that day: 2pm" in turn["message"], turn


async def test_what_is_cancelled_is_known_as_cancelled(clerk: Operator, school: School) -> None:
    name = a_name()
    booking = await school.book(name)
    await school.http.delete(f"/bookings/{booking['bookingNumber']}")
    turn = await clerk.say(f"move {name}'s lesson to {spoken(a_day())} at 3pm")
    assert turn["type"] == "clarification" and "cancelled" in turn["question"], turn


# ── changing ─────────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_move_is_shown_locally_sent_as_an_instant_and_undone(clerk: Operator, school: School) -> None:
    name, day, new = a_name(), a_day(9), a_day(16)
    details = [{"personId": "41551P", "peopleCategoryId": "Cadults", "categoryIndex": 1}]
    booking = await school.book(name, day=day, options=OPTIONS, externalRef="partner-7", privateEvent=True)
    await school.put(booking, participants={**booking["participants"], "details": details})
    booking = await school.booking(booking["bookingNumber"])
    plan = await clerk.plan_for(f"move {name}'s lesson to {spoken(new)} at 3pm")
    assert [a["action_id"] for a in plan["actions"]] == ["move_booking"]
    was, will_be = (f"{d:%a} {d.day} {d:%b} {d.year}, {at}" for d, at in ((day, "10am"), (new, "3pm")))
    assert lines(plan) == {"When": (was, will_be)}
    await clerk.confirm(plan)
    ended = await clerk.settled(plan)
    assert ended["status"] == "completed", ended
    assert f"now rides on {will_be}" in ended["results"][0]["message"]
    now = await school.booking(booking["bookingNumber"])
    moved = {"eventId": event(new, "15:00"), "startTime": instant(new, "15:00"), "endTime": instant(new, "16:00")}
    assert content(now) == content(booking) | moved
    [*_, written] = await school.journal(booking["bookingNumber"])
    assert written["body"]["startTime"] == instant(new, "15:00")
    assert not {"bookingNumber", "price", "canceled", "creationTime"} & written["body"].keys(), (
        "what is read-only stays"
    )
    shown = await undone(clerk, ended)
    assert shown["rollback_report"]["outcome"] == "complete", shown
    assert content(await school.booking(booking["bookingNumber"])) == content(booking)


async def test_how_many_come_is_changed_and_undone(clerk: Operator, school: School) -> None:
    name = a_name()
    booking = await school.book(name, options=OPTIONS)
    ended = await clerk.do(f"make {name}'s lesson four riders")
    assert ended["status"] == "completed", ended
    assert lines(ended) == {"Riders": ("2", "4"), "Price": ("70.00 EUR", "recalculated by Bookeo")}
    now = await school.booking(booking["bookingNumber"])
    assert now["participants"]["numbers"] == [{"peopleCategoryId": "Cadults", "number": 4}]
    assert (now["options"], now["price"]["totalGross"]["amount"]) == (OPTIONS, "140")
    assert (await undone(clerk, ended))["rollback_report"]["outcome"] == "complete"
    assert content(await school.booking(booking["bookingNumber"])) == content(booking)


async def test_adults_and_children_together_are_not_guessed_at(clerk: Operator, school: School) -> None:
    name = a_name()
    numbers = [{"peopleCategoryId": c, "number": n} for c, n in (("Cadults", 1), ("Cchildren", 2))]
    await school.book(name, participants={"numbers": numbers})
    turn = await clerk.say(f"make {name}'s lesson 5 riders")
    assert turn["type"] == "clarification" and "adults and children together" in turn["question"], turn


async def test_two_changes_of_one_booking_in_one_plan(clerk: Operator, school: School) -> None:
    name, new = a_name(), a_day()
    booking = await school.book(name, lesson=JUMPING, at="11:00")
    ended = await clerk.do(f"move {name}'s lesson to {spoken(new)} at 6pm and make it 3 riders")
    assert ended["status"] == "completed", ended
    now = await school.booking(booking["bookingNumber"])
    assert (now["startTime"], now["participants"]["numbers"][0]["number"]) == (instant(new, "18:00"), 3)
    assert (await undone(clerk, ended))["rollback_report"]["outcome"] == "complete"
    assert content(await school.booking(booking["bookingNumber"])) == content(booking)


async def test_an_undo_leaves_alone_what_staff_changed_since(clerk: Operator, school: School) -> None:
    name, day, new = a_name(), a_day(10), a_day(17)
    booking = await school.book(name, day=day)
    ended = await clerk.do(f"move {name}'s lesson to {spoken(new)} at 5pm")
    assert ended["status"] == "completed", ended
    there = await school.booking(booking["bookingNumber"])
    three = {"numbers": [{"peopleCategoryId": "Cadults", "number": 3}]}
    await school.put(there, participants=three, options=OPTIONS)
    shown = await undone(clerk, ended)
    assert shown["rollback_report"]["outcome"] == "complete", shown
    now = await school.booking(booking["bookingNumber"])
    assert (now["startTime"], now["participants"]["numbers"], now["options"]) == (
        instant(day, "10:00"), three["numbers"], OPTIONS,
    )  # fmt: skip


@pytest.mark.parametrize(("effect", "landed"), [("drop_after", True), ("drop_before", False)])
async def test_a_change_whose_answer_is_lost_is_decided_by_the_booking(
    clerk: Operator, school: School, effect: str, landed: bool
) -> None:
    name, new = a_name(), a_day()
    booking = await school.book(name, day=a_day(5))
    plan = await clerk.plan_for(f"move {name}'s lesson to {spoken(new)} at 5pm")
    await school.fault("PutBookingsBookingnumber", effect)
    await clerk.confirm(plan)
    ended = await clerk.settled(plan)
    assert ended["status"] == ("completed" if landed else "failed"), ended
    assert (await school.booking(booking["bookingNumber"]))["startTime"] == (
        instant(new, "17:00") if landed else booking["startTime"]
    )


# ── seats ────────────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_full_lesson_is_reported_beforehand(clerk: Operator, school: School) -> None:
    name, new = a_name(), a_day()
    await school.book(name, lesson=PONIES, at="10:00", day=a_day(4))
    await school.book(lesson=PONIES, at="16:00", day=new, riders=5)
    turn = await clerk.say(f"move {name}'s pony hour to {spoken(new)} at 4pm")
    assert turn["type"] != "plan" and "not enough seats for 2 riders" in str(turn), turn


async def test_a_time_without_such_a_lesson_is_reported_beforehand(clerk: Operator, school: School) -> None:
    name, new = a_name(), a_day()
    await school.book(name)
    turn = await clerk.say(f"move {name}'s lesson to {spoken(new)} at 1pm")
    assert turn["type"] != "plan" and "There is no Beginners’ lesson on" in str(turn), turn


async def test_a_lesson_that_fills_up_meanwhile_fails_with_what_is_free(clerk: Operator, school: School) -> None:
    name, new = a_name(), a_day(6)
    booking = await school.book(name, lesson=TRAIL, at="09:00")
    plan = await clerk.plan_for(f"move {name}'s trail ride to {spoken(new)} at 2pm")
    await school.book(lesson=TRAIL, at="14:00", day=new, riders=9)
    await clerk.confirm(plan)
    ended = await clerk.settled(plan)
    assert (ended["status"], ended["failure"]["error_type"]) == ("failed", "conflict"), ended
    assert "9am" in str(ended["failure"]["suggestions"]), ended["failure"]
    assert content(await school.booking(booking["bookingNumber"])) == content(booking)


# ── cancelling ───────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_cancellation_is_for_good_and_tells_no_one_unasked(clerk: Operator, school: School) -> None:
    name = a_name()
    booking = await school.book(name)
    plan = await clerk.plan_for(f"cancel {name}'s lesson")
    assert (plan["actions"][0]["safety_tier"], plan["actions"][0]["reversible"]) == ("high_risk", False)
    assert lines(plan)["E-mail to the customer"] == (None, "none")
    await clerk.confirm(plan)
    ended = await clerk.settled(plan)
    assert ended["status"] == "completed", ended
    assert (await school.booking(booking["bookingNumber"]))["canceled"]
    [*_, written] = await school.journal(booking["bookingNumber"])
    assert {written["body"][k] for k in ("notifyCustomer", "notifyUsers", "applyCancellationPolicy")} == {"false"}
    response = await clerk.post(f"/v1/plans/{ended['plan_id']}/undo", user_id=clerk.user)
    assert response.status_code == 409, response.text


async def test_what_cannot_be_taken_back_is_left_to_a_person(
    clerk: Operator, school: School, scripted: ScriptedModel
) -> None:
    name, other = a_name(), a_name()
    booking, second = await school.book(name), await school.book(other)
    steps = [
        {"cancel_booking": {"booking_id": booking["bookingNumber"], "notify_customer": True}},
        {"change_rider_count": {"booking_id": second["bookingNumber"], "rider_count": 3}},
    ]
    scripted.script(name, {"find_bookings": {"keywords": name}}, {"find_bookings": {"keywords": other}}, steps, obey)
    plan = await clerk.plan_for(f"cancel {name}'s lesson and let her know, and make {other}'s lesson 3 riders")
    assert lines(plan)["E-mail to the customer"] == (None, "sent")
    await school.fault("PutBookingsBookingnumber", "status", status=409)
    await clerk.confirm(plan)
    ended = await clerk.settled(plan)
    report = ended["rollback_report"]
    assert (ended["status"], report["outcome"]) == ("rolled_back", "partial"), ended
    [manual] = report["manual_steps"]
    assert f"Book {name} again in Bookeo: Beginners’ lesson" in manual and booking["bookingNumber"] in manual
    [*_, written] = await school.journal(booking["bookingNumber"])
    assert written["body"]["notifyCustomer"] == "true"


# ── a question, the other language, two packs, secrets ───────────────────────────────────────────────────────────────


async def test_a_question_is_asked_and_answered(clerk: Operator, school: School, scripted: ScriptedModel) -> None:
    name, new = a_name(), a_day()
    booking = await school.book(name)
    move = ("move_booking", {"new_date": new.isoformat(), "new_start_time": "15:00"})
    question = {"ask_operator": {"question": "Does the horse come along?", "choices": ["yes", "no"]}}
    scripted.script(name, look_up(name), then(move), question, obey)
    plan = await clerk.plan_for(f"move {name}'s lesson to {spoken(new)} at 3pm")
    await clerk.confirm(plan)
    asked = await clerk.asked(plan)
    assert asked["blocking_prompt"]["question"] == "Does the horse come along?"
    assert (await clerk.answer(plan, "no")).status_code == 200
    ended = await clerk.settled(plan)
    assert ended["status"] == "completed", ended
    assert (await school.booking(booking["bookingNumber"]))["startTime"] == instant(new, "15:00")


async def test_the_same_school_in_italian(tmp_path: Path) -> None:
    pack = copied_pack(tmp_path, {"locale: en-GB": "locale: it-IT", "- Move a lesson": "- Sposta una lezione",
                                  "- Change how many come": "- Cambia quanti vengono",
                                  "- Book a lesson": "- Prenota una lezione",
                                  "- See which lessons have room": "- Guarda quali lezioni hanno posto"},
                       name="bookeo")  # fmt: skip
    async with a_stack(tmp_path / "data", packs=(pack,)) as stack:
        base = f"http://127.0.0.1:{stack.ports.facade}"
        async with Operator(base, token=TOKEN) as clerk, School(f"http://127.0.0.1:{stack.ports.bookeo}") as school:
            name, new = a_name(), a_day()
            booking = await school.book(name)
            text = day_label(new, "it-IT")
            turn = await clerk.say(f"sposta la lezione di {name} a {text} alle 15 e porta {name} a 3 partecipanti")
            italian(turn, name)
            plan = turn["plan"]
            assert [a["title"] for a in plan["actions"]] == ["Sposta prenotazione", "Cambia numero di partecipanti"]
            assert lines(plan)["Quando"][1] == f"{text} {new.year}, 15:00"
            await clerk.say("sì, va bene")
            ended = await clerk.settled(plan)
            assert ended["status"] == "completed", ended
            assert f"è stata spostata a {text} {new.year}, 15:00" in " ".join(italian(ended, name))
            now = await school.booking(booking["bookingNumber"])
            assert (now["startTime"], now["participants"]["numbers"][0]["number"]) == (instant(new, "15:00"), 3)
            cancelled = await clerk.do(f"disdici la prenotazione {booking['bookingNumber']}")
            assert cancelled["status"] == "completed" and "è annullata" in " ".join(italian(cancelled, name))


async def test_both_packs_are_served_side_by_side(tmp_path: Path) -> None:
    packs = (ROOT / "overlays" / "roller", ROOT / "overlays" / "bookeo")
    async with a_stack(tmp_path, packs=packs) as stack, Operator(f"http://127.0.0.1:{stack.ports.facade}") as one:
        party = await one.plan_for("move John Smith's party to Saturday at 3pm")
        assert (party["venue_id"], party["actions"][0]["action_id"]) == ("roller-demo", "reschedule_booking")
        one.session += "-riding"
        turn = await one.say(f"make booking {KNOWN_NUMBER} three riders", venue_id="bookeo-riding")
        assert turn["type"] == "plan", turn
        assert (turn["plan"]["venue_id"], turn["plan"]["actions"][0]["action_id"]) == (
            "bookeo-riding", "change_rider_count",
        )  # fmt: skip


async def test_no_secret_is_left_anywhere(
    riding: Stack, clerk: Operator, school: School, scripted: ScriptedModel, logs: Logs
) -> None:
    name, day = a_name(), a_day()
    action, arguments = booking_of(name, day)
    scripted.script(name, {action: arguments}, obey)
    plan = await clerk.plan_for(asked_for(name, day))
    echo = {"httpStatus": 403, "message": f"{API_KEY} with {SECRET_KEY} is not allowed", "errorId": "X"}
    await school.fault("PostBookings", "status", status=403, body=echo)
    await clerk.confirm(plan)
    ended = await clerk.settled(plan)
    assert ended["status"] == "failed", ended
    # A server that repeats what it was sent, at places that iQ shows.
    booking = await school.book(name)
    repeats = {**booking, "title": f"{API_KEY} {SECRET_KEY} {TOKEN}"}
    await school.fault("GetBookingsBookingnumber", "status", status=200, body=repeats)
    clerk.session += "-next"
    turn = await clerk.say(f"what is booking {booking['bookingNumber']}?")
    assert "*** *** ***" in str(turn), turn
    wanted = [secret.encode() for secret in (API_KEY, SECRET_KEY, TOKEN)]
    files = [(path.name, path.read_bytes()) for path in riding.settings.data.rglob("*") if path.is_file()]
    assert {"temporal.db", "temporal.db-wal", "temporal.log", "bookeo.db"} <= {place for place, _ in files}
    assert any(path.startswith("registry-cache") or "json" in path for path, _ in files), "the cache is looked at, too"
    kept = [*files, *((line[:60], line.encode()) for line in logs.lines), ("answer", str([ended, turn]).encode())]
    assert any(plan["plan_id"].encode() in data for _, data in files), "the scan sees what is there"
    assert len(logs.lines) > 20
    assert [place for place, data in kept if any(secret in data for secret in wanted)] == []
    prompts = str(scripted.seen[name]).encode()
    assert not any(secret in prompts for secret in wanted), "no model was told"
