"""iQ reports before the confirmation what the reservations service would reject, in Italian, with other times one tap
away. A later rejection keeps its kind, and questions are answered by reads (issue 16, point 6). Guarantees:

- Before the confirmation: a closed day, an hour outside the openings, a full hour of another day, too many people.
- An hour that filled up meanwhile, an outage, a booking that is gone: the plan fails and nothing was changed. For a
  full hour the free times are one tap away.
- A single booking is shown with its reference, which cannot be mistaken for a table's number.
- A weekday alone is that day; iQ asks about a weekday that does not match the date, and never assumes it.
"""

from datetime import date, timedelta
from typing import Any

import pytest

from restaurant.providers import ProviderUnavailableError
from tests.integration.stack.test_italian_venue import ENGLISH
from tests.support.operator import Operator
from tests.support.restaurant import Trattoria
from tests.support.roller import a_name

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

WEEKDAYS = ("lunedì", "martedì", "mercoledì", "giovedì", "venerdì", "sabato", "domenica")


@pytest.fixture
async def day(trattoria: Trattoria) -> date:
    """An evening without bookings."""
    return await trattoria.quiet_evening()


async def no_plan(waiter: Operator, words: str) -> dict[str, Any]:
    """Return the turn that reports something instead of a plan."""
    turn = await waiter.say(words)
    assert turn["type"] != "plan", turn
    text = turn.get("question") or turn["message"]
    assert not ENGLISH.search(text), text
    return {**turn, "text": text}


async def test_a_closed_day(waiter: Operator, trattoria: Trattoria, day: date) -> None:
    name = a_name()
    await trattoria.book(name, day=day)
    sunday = trattoria.closed_day()
    turn = await no_plan(waiter, f"sposta il tavolo di {name} al {sunday.day}/{sunday.month} alle 20")
    assert turn["text"].startswith("Il ristorante non prende prenotazioni per domenica")


async def test_an_hour_outside_the_openings_has_others_beside_it(
    waiter: Operator, trattoria: Trattoria, day: date
) -> None:
    name = a_name()
    there = await trattoria.book(name, day=day, at="20:00")
    turn = await no_plan(waiter, f"sposta il tavolo di {name} alle 17:30")
    assert turn["text"].startswith("Il ristorante non prende prenotazioni per")
    tap = turn["quick_actions"][0]
    assert tap["label"] == "19:00"
    done = await waiter.do(tap["say"])
    assert (done["status"], (await trattoria.booking(there["booking_id"]))["time"]) == ("completed", "19:00")


async def test_a_full_hour_of_another_day(waiter: Operator, trattoria: Trattoria, day: date) -> None:
    name = a_name()
    there = await trattoria.book(name, day=day)
    full = await trattoria.quiet_evening()
    await trattoria.fill(full)
    turn = await no_plan(waiter, f"sposta il tavolo di {name} al {full.day}/{full.month} alle 20")
    assert turn["text"].startswith("Non ci sono tavoli per") and turn["quick_actions"]
    assert await trattoria.booking(there["booking_id"]) == there


async def test_more_people_than_one_booking_may_be_for(waiter: Operator, trattoria: Trattoria, day: date) -> None:
    name = a_name()
    await trattoria.book(name, day=day)
    turn = await no_plan(waiter, f"porta il tavolo di {name} a 9 persone")
    assert "9 persone: è più del massimo di una prenotazione, che è 8." in turn["text"]


async def test_an_hour_that_filled_up_meanwhile(waiter: Operator, trattoria: Trattoria, day: date) -> None:
    name = a_name()
    there = await trattoria.book(name, day=day, at="22:00")
    plan = await waiter.plan_for(f"sposta il tavolo di {name} alle 20")
    await trattoria.fill(day)
    done = await waiter.settled(await waiter.confirm(plan))
    assert done["status"] == "failed" and "non si è potuta spostare" in done["failure"]["message"], done
    assert "Dica un altro giorno o un altro orario." in done["failure"]["suggestions"]
    assert await trattoria.booking(there["booking_id"]) == there
    taps = done["failure"]["quick_actions"]
    # The booking's own table at 22 does not make 20, which it could not have, a free time.
    assert taps and "20:00" not in {tap["label"] for tap in taps} and not ENGLISH.search(str(taps)), taps
    moved = await waiter.do(taps[0]["say"])
    assert (moved["status"], (await trattoria.booking(there["booking_id"]))["time"]) == ("completed", taps[0]["label"])


async def test_an_outage_changes_nothing_and_says_so(waiter: Operator, trattoria: Trattoria, day: date) -> None:
    name = a_name()
    there = await trattoria.book(name, day=day)
    plan = await waiter.plan_for(f"annulla la prenotazione di {name}")
    trattoria.provider.fails["cancel"] = ProviderUnavailableError("away")
    done = await waiter.settled(await waiter.confirm(plan))
    trattoria.mended()
    assert done["status"] == "failed" and "non ha accettato l'annullamento" in done["failure"]["message"], done
    assert await trattoria.booking(there["booking_id"]) == there


async def test_a_booking_that_is_gone(waiter: Operator, trattoria: Trattoria, day: date) -> None:
    name = a_name()
    there = await trattoria.book(name, day=day)
    plan = await waiter.plan_for(f"sposta il tavolo di {name} alle 21")
    await trattoria.ask("cancel_booking", booking_id=there["booking_id"])
    done = await waiter.settled(await waiter.confirm(plan))
    assert done["status"] == "failed" and "non esiste più" in done["failure"]["message"], done


async def test_a_weekday_alone_is_that_day_and_one_that_is_not_the_dates_is_asked_about(
    waiter: Operator, trattoria: Trattoria, day: date
) -> None:
    name = a_name()
    await trattoria.book(name, day=day)
    other = day + timedelta(days=1)
    wrong = WEEKDAYS[(other.weekday() + 1) % 7]
    turn = await no_plan(waiter, f"sposta il tavolo di {name} a {wrong} {other.day}/{other.month} alle 21")
    assert wrong in turn["text"].lower()
    friday = await waiter.plan_for(f"sposta il tavolo di {name} a venerdì alle 21")
    assert date.fromisoformat(friday["actions"][0]["parameters"]["new_date"]).weekday() == 4


async def test_what_is_asked_is_read(waiter: Operator, trattoria: Trattoria, day: date) -> None:
    name = a_name()
    there = await trattoria.book(name, day=day)
    trattoria.provider.asked.clear()
    shown = await waiter.say(f"c'è posto il {day.day}/{day.month} alle 21?")
    assert shown["type"] == "answer" and "c'è posto, fino a 8 persone" in shown["message"], shown
    shown = await waiter.say(f"quali prenotazioni ha il numero {there['phone']}?")
    assert name in (shown.get("message") or shown.get("question")), shown
    assert not {"create", "change", "cancel"} & set(trattoria.provider.asked)


async def test_a_bookings_number_is_no_tables(waiter: Operator, trattoria: Trattoria, day: date) -> None:
    name = a_name()
    there = await trattoria.book(name, day=day)
    shown = await waiter.say(f"cerca la prenotazione di {name}")
    text = shown.get("message") or shown["question"]
    assert f"Riferimento {there['booking_id'][:6]}." in text and "Tavolo" not in text, shown


async def test_one_value_a_message_books_the_table(waiter: Operator, trattoria: Trattoria, day: date) -> None:
    name, answers = a_name(), {"nome": "", "telefono": "333 765 4321", "giorno": f"il {day.day}/{day.month}"}
    answers |= {"nome": name, "orario": "20:30", "persone": "4"}
    turn, asked = await waiter.say("prenota un tavolo"), []
    while turn["type"] == "clarification" and len(asked) < 9:
        asked.append(turn["question"])
        wanted = next((key for key in answers if key in turn["question"].lower()), None)
        assert wanted, (turn, asked)
        turn = await waiter.say(answers.pop(wanted))
    assert turn["type"] == "plan", (turn, asked)
    done = await waiter.settled(await waiter.confirm(turn["plan"]))
    [made] = await trattoria.of(day)
    assert (done["status"], made["name"], made["time"], made["people"]) == ("completed", name, "20:30", 4), asked
    assert len(asked) > 3
