"""A venue in Rome, end to end, with the offline planner: the operator types Italian and reads only Italian. Guarantees:

- A request becomes a plan whose title, steps, labels, days and times are Italian; "sì" confirms it; the result is in
  Italian, and the venue's booking has the requested values: days and hours of Rome, an Italian phone.
- iQ asks in Italian for what is missing or unclear, and declines in Italian what cannot be done.
- A step that the venue rejects is explained with what is free instead. The rollback report is Italian, including the
  steps to do by hand.
- Errors of the API itself, from a missing field to an unknown plan, are Italian, too.
"""

import re
from collections.abc import AsyncIterator, Iterator
from datetime import date, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from cli.stack.dev import Stack
from language import day_label
from tests.support.operator import Operator
from tests.support.roller import Roller, a_name
from tests.support.stacks import a_stack, own_token

pytestmark = pytest.mark.slow

ENGLISH = re.compile(
    r"(?i)\b(the|this|is|are|was|not|booking|guests?|cancell?ed|please|which|what|when|could|change[ds]?|time|day|"
    r"monday|tuesday|wednesday|thursday|friday|saturday|sunday|try|again|retry|step|plan)\b"
)
CODES = {
    "action_id", "category", "error_type", "safety_tier", "status", "type", "outcome", "trigger", "plan_id", "state",
    "session_id", "user_id", "venue_id", "created_at", "expires_at", "confirmed_at", "completed_at", "undo_until",
    "started_at", "finished_at", "request_id", "booking_id", "timezone", "parameters", "time_zone",
}  # fmt: skip
"""Fields for programs, not for people."""


ITALY = {
    "locale: en-AU": "locale: it-IT",
    "Australia/Melbourne": "Europe/Rome",
    "country: AU": "country: IT",
    "- Move a booking": "- Sposta una prenotazione",
    "- Change guest count": "- Cambia il numero di ospiti",
    "- Update contact details": "- Aggiorna i contatti",
    "- Add a note to a booking": "- Aggiungi una nota",
}


@pytest.fixture(scope="module")
async def rome(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stack]:
    """The whole stack with the shipped pack at an Italian venue."""
    async with a_stack(tmp_path_factory.mktemp("rome"), venue=ITALY) as running:
        yield running


@pytest.fixture
async def operator(rome: Stack) -> AsyncIterator[Operator]:
    """An operator in Rome."""
    async with Operator(f"http://127.0.0.1:{rome.ports.facade}", token=await own_token(rome)) as one:
        yield one


@pytest.fixture
async def roller(rome: Stack) -> AsyncIterator[Roller]:
    """The venue's own API."""
    async with Roller(f"http://127.0.0.1:{rome.ports.roller}") as one:
        yield one
        await one.clear_faults()


def sentences(shown: Any, key: str = "") -> Iterator[str]:
    """Return all user-facing text of an answer."""
    if isinstance(shown, dict):
        for name, value in shown.items():
            if name not in CODES:
                yield from sentences(value, name)
    elif isinstance(shown, list):
        for value in shown:
            yield from sentences(value, key)
    elif isinstance(shown, str):
        yield shown


def italian(shown: Any, *names: str) -> list[str]:
    """Return the sentences of an answer, after asserting that none is English; names of people do not count."""
    found = list(sentences(shown))
    for text in found:
        for name in names:
            text = text.replace(name, "")
        assert not ENGLISH.search(text), text
    return found


async def test_stated_planned_confirmed_and_carried_out_in_italian(operator: Operator, roller: Roller) -> None:
    guest = a_name()
    booking = await roller.book(guest)
    turn = await operator.say(
        f"porta la prenotazione di {guest} a quattordici ospiti e aggiungi la nota: torta alle 15"
    )
    plan = turn["plan"]
    italian(turn, guest)
    assert [a["title"] for a in plan["actions"]] == ["Cambia numero di ospiti", "Modifica nota"]
    changes = {line["field"]: line["after"] for line in plan["actions"][0]["preview"]}
    assert (changes["Ospiti"], changes["Totale"]) == ("14", "448,00 AUD")
    assert "pacchetto" in changes["Extra"]
    confirmed = await operator.say("sì, va bene")
    italian(confirmed, guest)
    ended = await operator.settled(plan)
    assert ended["status"] == "completed", ended
    assert "è stata portata a 14 ospiti" in " ".join(italian(ended, guest))
    now = await roller.booking(booking["uniqueId"])
    assert (now["items"][0]["quantity"], now["comments"]) == (14, "torta alle 15")


async def test_days_and_hours_are_those_of_rome(operator: Operator, roller: Roller) -> None:
    guest = a_name()
    booking = await roller.book(guest)
    day = date.fromisoformat(booking["items"][0]["bookingDate"]) + timedelta(days=1)
    wording = day_label(day, "it-IT")
    turn = await operator.say(f"sposta {guest} a {wording} alle 15")
    assert turn["type"] == "plan", turn
    assert turn["plan"]["actions"][0]["preview"][0]["after"] == f"{wording} {day.year}, 15:00"
    italian(turn, guest)
    await operator.confirm(turn["plan"])
    ended = await operator.settled(turn["plan"])
    assert ended["status"] == "completed", ended
    assert f"è stata spostata a {wording} {day.year}, 15:00" in " ".join(italian(ended, guest))
    moved = (await roller.booking(booking["uniqueId"]))["items"][0]
    assert (moved["bookingDate"], moved["sessionStartTime"]) == (day.isoformat(), "15:00")


async def test_an_italian_phone_reaches_the_venue_in_one_form(operator: Operator, roller: Roller) -> None:
    guest = a_name()
    booking = await roller.book(guest)
    ended = await operator.do(f"il nuovo telefono di {guest} è 347 1234567")
    assert ended["status"] == "completed", ended
    italian(ended, guest)
    assert (await roller.guest(booking))["phone"] == "+393471234567"


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        ("sposta {guest} un giorno di questi", "clarification"),
        ("sposta {guest} a sabato tra le 15 e le 17", "clarification"),
        ("cambia il numero di ospiti di {guest}", "clarification"),
        ("aggiorna il telefono di Nessuno Davvero a 347 1234567", "clarification"),
        ("che tempo fa domani?", None),
        ("ciao", None),
    ],
)
async def test_questions_and_refusals(operator: Operator, roller: Roller, message: str, kind: str | None) -> None:
    guest = a_name()
    await roller.book(guest)
    turn = await operator.say(message.format(guest=guest))
    assert turn["type"] == kind or (kind is None and turn["type"] != "plan"), turn
    assert italian(turn, guest), "something is said"


async def test_a_refusal_of_the_venue_and_the_rollback_report(operator: Operator, roller: Roller) -> None:
    guest = a_name()
    booking = await roller.book(guest)
    turn = await operator.say(f"sposta {guest} alle 15 e porta {guest} a 14 ospiti")
    full = {"errors": [{"name": "VenueCapacity", "message": "full"}]}
    await roller.fault("update-a-booking", "status", status=409, skip=1, body=full)
    await roller.fault(
        "update-a-booking", "status", status=400, skip=1, body={"errors": [{"name": "X", "message": ""}]}
    )
    await operator.confirm(turn["plan"])
    ended = await operator.settled(turn["plan"])
    assert ended["status"] == "rolled_back", ended
    wording = " ".join(italian(ended, guest))
    assert "non c'è posto per 14 ospiti" in wording
    report = ended["rollback_report"]
    assert report["outcome"] == "partial" or report["outcome"] == "failed", report
    assert "In Venue Manager, riporti la prenotazione" in wording and booking["bookingReference"] in wording


@pytest.mark.parametrize(
    ("method", "path", "body", "says"),
    [
        ("POST", "/v1/requests", {"user_message": "ciao", "user_id": "u"}, "session_id manca"),
        ("POST", "/v1/requests", {"user_message": " ", "session_id": "s", "user_id": "u"}, "non può essere vuoto"),
        ("POST", "/v1/requests", {"user_message": 7, "session_id": "s", "user_id": "u"}, "deve essere un testo"),
        ("POST", "/v1/requests", {"user_message": "x" * 5000, "session_id": "s", "user_id": "u"}, "supera 4000"),
        ("POST", "/v1/requests", {"user_message": "x", "session_id": "a b", "user_id": "u"}, "solo lettere"),
        ("POST", "/v1/requests", {"user_message": "x", "session_id": "s", "user_id": "u", "z": 1}, "non è un campo"),
        ("POST", "/v1/requests", ["x"], "il corpo non è valido"),
        ("POST", "/v1/requests", {"user_message": "x", "session_id": "s", "user_id": "u", "venue_id": "n"}, "n"),
        ("GET", "/v1/plans/nessuno?user_id=u", None, ""),
        ("GET", "/v1/nessuno", None, "indirizzo"),
        ("DELETE", "/v1/requests", None, "metodo"),
    ],
)
async def test_errors_of_the_api(operator: Operator, method: str, path: str, body: Any, says: str) -> None:
    answer = await operator.http.request(method, path, json=body)
    assert answer.status_code in (404, 405, 422), answer.text
    error = answer.json()["error"]
    assert says in error["message"], error
    italian(error, "session_id", "user_message", "roller-demo", "venue_id")


async def test_a_body_that_is_too_large(operator: Operator) -> None:
    answer = await operator.post("/v1/requests", user_message="x" * 2_000_000, session_id="s", user_id="u")
    assert answer.status_code == 413
    italian(answer.json()["error"])


def test_the_zone_is_that_of_rome(rome: Stack) -> None:
    assert rome.services is not None
    profile = rome.services.registries.registry.default_venue.profile
    assert ZoneInfo(profile.time_zone).key == "Europe/Rome"
