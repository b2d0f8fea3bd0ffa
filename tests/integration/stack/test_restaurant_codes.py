"""The contract's user-facing codes, row by row (`restaurant-tools-contract.md`): the message for the restaurant's
staff, and what they can do next. Guarantees:

- Each code that the service can answer has the pack's own message, in Italian and in English, and its next move:
  another time one tap away, another value, another booking, or a person.
- A person is offered where the contract hands over, by a tap that does escalate, and only while the restaurant is open.
- iQ itself asks about an unclear day or time, without the service.
- A technical code has no message of its own.
"""

from collections.abc import AsyncIterator
from datetime import datetime, time
from typing import Any

import pytest

from contracts.action import AtomicAction, ErrorRule
from contracts.enums import ErrorType
from registry import Pack
from registry.loading.load import load_pack
from registry.presentation.error_rules import error_rule
from restaurant.errors import TECHNICAL, Code
from restaurant.providers import AmbiguousError, NoTableError, ProviderUnavailableError
from restaurant.providers.errors import FailedError
from tests.support.operator import Operator
from tests.support.restaurant import Trattoria
from tests.support.roller import a_name
from tests.support.shipped import shipped
from tests.support.stacks import copied_pack

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

CREATE, MOVE, RESIZE, CANCEL, CHECK = (
    "create_booking", "move_booking", "change_guest_count", "cancel_booking", "check_openings",
)  # fmt: skip
SLOTS, PERSON, EITHER = "check_openings", "is_open_now", "staff_instead"
"""The read that the next move comes from; otherwise it is a word of the suggestion."""

TABLE: list[tuple[Code, str, str, str]] = [
    (Code.VALIDATION_ERROR, CREATE, "manca un dato, o l'orario è passato", "Dica il giorno, l'orario, il telefono"),
    (Code.VALIDATION_ERROR, MOVE, "non si può spostare", "Dica un giorno e un orario"),
    (Code.VALIDATION_ERROR, RESIZE, "è più del massimo, o il suo orario è passato", "Dica meno persone"),
    (Code.VALIDATION_ERROR, CANCEL, "non si può più annullare", "Guardi la prenotazione"),
    (Code.MAX_PEOPLE_EXCEEDED, CREATE, "è più del massimo di una prenotazione", PERSON),
    (Code.NO_TABLE_AVAILABLE, CREATE, "Non ci sono tavoli per", SLOTS),
    (Code.SLOT_FULL, CREATE, "Non ci sono tavoli per", SLOTS),
    (Code.SLOT_FULL, MOVE, "Non ci sono tavoli per", SLOTS),
    (Code.OUTSIDE_HOURS, CREATE, "non prende prenotazioni per", SLOTS),
    (Code.OUTSIDE_HOURS, MOVE, "non prende prenotazioni per", SLOTS),
    (Code.DUPLICATE_BOOKING, CREATE, "risulta già una prenotazione", "Dica se vuole modificare quella"),
    (Code.CREATE_ERROR, CREATE, "non è raggiungibile o non ha accettato la prenotazione", PERSON),
    (Code.PROVIDER_ERROR, CREATE, "non è raggiungibile o non ha accettato la prenotazione", PERSON),
    (Code.PROVIDER_UNAVAILABLE, CREATE, "non è raggiungibile o non ha accettato la prenotazione", PERSON),
    (Code.BOOKING_NOT_FOUND, MOVE, "Quella prenotazione non c'è più", "Cerchi invece con il nome"),
    (Code.BOOKING_NOT_FOUND, RESIZE, "Quella prenotazione non c'è più", "Cerchi invece con il nome"),
    (Code.BOOKING_NOT_FOUND, CANCEL, "Quella prenotazione non c'è più", "Cerchi invece con il nome"),
    (Code.UPDATE_ERROR, MOVE, "non si è potuta spostare", EITHER),
    (Code.UPDATE_ERROR, RESIZE, "non ha accettato la modifica", PERSON),
    (Code.DELETE_ERROR, CANCEL, "non ha accettato l'annullamento", PERSON),
    (Code.PAST_TIME, CHECK, "L'orario indicato è già passato", "Dica un altro orario"),
    (Code.PAST_DATE, CHECK, "La data indicata è già passata", "Dica un altro giorno"),
]
BY_IQ_ITSELF = {Code.WEEKDAY_MISMATCH, Code.UNSUPPORTED_RELATIVE_DAY, Code.UNSUPPORTED_RELATIVE_TIME, Code.VAGUE_TIME}
"""Days and times are resolved before the service is asked."""
UNSURE = {Code.CREATE_ERROR, Code.PROVIDER_ERROR, Code.PROVIDER_UNAVAILABLE, Code.UPDATE_ERROR, Code.DELETE_ERROR}
"""The service may have tried: what became of it is looked at before anything is said."""


@pytest.fixture(scope="module")
def pack() -> Pack:
    return shipped("restaurant")


def rule_of(action: AtomicAction, code: str) -> ErrorRule | None:
    """Return the meaning of a 2xx answer with that code."""
    found = error_rule(action, 200, code)
    return found if found is not None and found.code == code else None


@pytest.mark.parametrize(("code", "action", "words", "then"), TABLE, ids=lambda value: str(value)[:24])
async def test_a_row_of_the_contract(pack: Pack, code: Code, action: str, words: str, then: str) -> None:
    rule = rule_of(pack.actions[action], code)
    assert rule is not None and words in str(rule.message), rule
    if then in (SLOTS, PERSON, EITHER):
        assert rule.alternatives is not None and rule.alternatives.operation.key == then
        assert rule.alternative_say
    else:
        assert rule.alternatives is None or action == RESIZE
        assert any(then in text for text in rule.suggestions), rule.suggestions
    assert (rule.error_type is ErrorType.SERVER_ERROR) is (code in UNSURE)


async def test_every_user_facing_code_has_a_row() -> None:
    assert {code for code, *_ in TABLE} | BY_IQ_ITSELF == set(Code) - TECHNICAL


async def test_a_technical_code_has_no_words_of_its_own(pack: Pack) -> None:
    shared = {
        str(rule.message) for a in pack.actions.values() for rule in a.errors if rule.code in set(Code) - TECHNICAL
    }
    for action in pack.actions.values():
        for rule in action.errors:
            if rule.code in TECHNICAL and not action.read_only:
                assert str(rule.message) in shared, (action.name, rule.code)
                assert rule.error_type is ErrorType.SERVER_ERROR, "nobody knows what a call did that ended so"


async def test_the_same_rows_in_english(tmp_path: Any, pack: Pack) -> None:
    english = load_pack(copied_pack(tmp_path, {"locale: it-IT": "locale: en-GB"}, "restaurant"))
    for code, action, words, _ in TABLE:
        rule = rule_of(english.actions[action], code)
        assert rule is not None and rule.message and words not in rule.message
        assert not {"Il", "prenotazione", "registro", "Dica"} & set(str(rule.message).split())


# ── escalated while it is open ───────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(params=[True, False], ids=["open", "closed"])
async def is_open(trattoria: Trattoria, request: pytest.FixtureRequest) -> AsyncIterator[bool]:
    """Return whether it is an evening at the restaurant, or the small hours of the same day."""
    clock = trattoria.service.desk.clock
    clock.stopped_at = datetime.combine(trattoria.evening(1), time(20) if request.param else time(4))
    yield request.param
    clock.stopped_at = None


PERSON_TAP = {"label": "parlare con una persona", "say": "vorrei parlare con una persona"}


def offers_a_person(found: dict[str, Any]) -> bool:
    """Return whether a turn or a failure offers the tap."""
    return PERSON_TAP in found["quick_actions"]


async def test_too_many_people_are_for_a_person(waiter: Operator, trattoria: Trattoria, is_open: bool) -> None:
    day = trattoria.evening(6)
    turn = await waiter.say(f"prenota un tavolo per 12 il {day.day}/{day.month} alle 20, {a_name()}, 333 765 4321")
    assert (
        turn["type"] == "clarification"
        and "12 persone: è più del massimo di una prenotazione, che è 8." in turn["question"]
    ), turn
    assert offers_a_person(turn) is is_open
    if is_open:
        handed = await waiter.say(turn["quick_actions"][0]["say"])
        assert (handed["type"], handed["reason"]) == ("escalation", "asked") and handed["reference"], handed


@pytest.mark.parametrize(
    ("words", "method", "fault"),
    [
        ("sposta il tavolo di {name} alle 21", "change", FailedError("no")),
        ("porta il tavolo di {name} a 6 persone", "change", ProviderUnavailableError("away")),
        ("annulla la prenotazione di {name}", "cancel", ProviderUnavailableError("away")),
        (
            "prenota un tavolo per 2 {day} alle 21 a nome Altro Ospite, 333 765 4321",
            "create",
            ProviderUnavailableError("away"),
        ),
        ("prenota un tavolo per 2 {day} alle 21 a nome Altro Ospite, 333 765 4321", "create", FailedError("no")),
        ("prenota un tavolo per 2 {day} alle 21 a nome Altro Ospite, 333 765 4321", "create", AmbiguousError("what")),
    ],
    ids=[
        "UPDATE_ERROR",
        "UPDATE_ERROR people",
        "DELETE_ERROR",
        "PROVIDER_UNAVAILABLE",
        "CREATE_ERROR",
        "PROVIDER_ERROR",
    ],
)
async def test_what_the_book_did_not_do_is_for_a_person(
    waiter: Operator, trattoria: Trattoria, is_open: bool, words: str, method: str, fault: Exception
) -> None:
    day, name = await trattoria.quiet_evening(), a_name()
    there = await trattoria.book(name, day=day)
    plan = await waiter.plan_for(words.format(name=name, day=f"il {day.day}/{day.month}"))
    trattoria.provider.fails[method] = fault
    done = await waiter.settled(await waiter.confirm(plan))
    trattoria.mended()
    assert done["status"] == "failed", done
    assert offers_a_person(done["failure"]) is is_open, done["failure"]
    assert await trattoria.of(day) == [there]


async def test_no_table_has_other_times(waiter: Operator, trattoria: Trattoria) -> None:
    day = await trattoria.quiet_evening()
    plan = await waiter.plan_for(f"prenota un tavolo per 2 il {day.day}/{day.month} alle 21, {a_name()}, 333 765 4321")
    trattoria.provider.fails["create"] = NoTableError("none")
    done = await waiter.settled(await waiter.confirm(plan))
    trattoria.mended()
    assert done["status"] == "failed" and "Non ci sono tavoli per" in done["failure"]["message"], done
    assert await trattoria.of(day) == []


# ── days and times that iQ resolves itself ───────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "words", ["alle 20 di un giorno qualunque", "il 31 febbraio alle 20", "domani più tardi", "domani verso sera"]
)
async def test_a_day_or_an_hour_that_is_none_is_asked_about(waiter: Operator, words: str) -> None:
    turn = await waiter.say(f"prenota un tavolo per 4 {words} a nome {a_name()}, 333 765 4321")
    assert turn["type"] == "clarification" and turn["question"].endswith("?"), turn
