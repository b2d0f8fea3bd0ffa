"""A value is kept only if the words give it the role in which a model proposes it. Guarantees, in English and Italian:

- a new name, address or number is what the words make it; another person's, the operator's own or an old one is not;
- a head count counts people or nothing in particular; cakes and chairs are no guests;
- a day or an hour of a call, a delivery or a payment is not the booking's;
- a message that begins by dropping the last request drops its values, whatever else it asks for.
"""

from typing import Any

import pytest

from tests.support.tables import table
from tests.unit.reasoning.proposals import judged

GIVEN: list[tuple[str, str, dict[str, Any]]] = [
    ("en", "the booking is under Karen Doyle from today", {"first_name": "Karen", "last_name": "Doyle"}),
    ("en", "emma's surname got misspelt, it should be Clarkson", {"last_name": "Clarkson"}),
    ("it", "il cognome della clarke diventa Bellini", {"last_name": "Bellini"}),
    ("en", "please write to her at karen@doyle.org from now on", {"email": "karen@doyle.org"}),
    ("en", "clarke party: change the phone over to 0491 570 006", {"phone": "+61491570006"}),
    ("it", "il cellulare di emma adesso è 333 1234567, quello vecchio non va", {"phone": "+393331234567"}),
    ("en", "phone of emma clarke 0491 570 006", {"phone": "+61491570006"}),
    ("it", "il cellulare di emma clarke 333 1234567", {"phone": "+393331234567"}),
    ("en", "move emma clarke into the bubble soccer on 5 december", {"new_date": "2026-12-05"}),
    ("en", "20 lollybags and 12 kids for emma", {"guest_count": 12}),
    ("it", "clarke in 22 alle 18", {"guest_count": 22}),
    ("it", "clarke in 22 anzi 24", {"guest_count": 24}),
    ("en", "clarke party to Thursday the 16th of December › Thursday is right", {"new_date": "2026-12-17"}),
    ("en", "emma's party is just one kid", {"guest_count": 1}),
    ("en", "a quick one: one guest for emma", {"guest_count": 1}),
    ("en", "the clarke party comes at 4 now", {"new_start_time": "16:00"}),
    ("en", "ring emma, her party goes to 4pm", {"new_start_time": "16:00"}),
]
ELSEWHERE: list[tuple[str, str, dict[str, Any]]] = [
    ("en", "fix the spelling of emma's surname thanks", {"last_name": "Thanks"}),
    ("en", "Doreen from the office says the surname is out of date", {"last_name": "Doreen"}),
    ("it", "correggi il cognome di emma per favore", {"last_name": "Correggi"}),
    ("en", "text me on 0491 570 006 once emma's phone is changed", {"phone": "0491570006"}),
    ("en", "the receipt was sent to billing@clarke.org, fix her email", {"email": "billing@clarke.org"}),
    ("it", "scrivimi a capo@sede.it quando la mail è cambiata", {"email": "capo@sede.it"}),
    ("en", "the one with the 14 guests, move it to 4pm", {"guest_count": 14}),
    ("it", "quella con i 14 ospiti, spostala alle 16", {"guest_count": 14}),
    ("en", "Tuesday's no good for emma, they want Wednesday", {"new_date": "2026-11-24"}),
    ("en", "emma asked for 24 lollybags", {"guest_count": 24}),
    ("en", "quick one, can you fix the guest count for emma", {"guest_count": 1}),
    ("it", "una veloce: correggi gli ospiti della clarke", {"guest_count": 1}),
    ("it", "la clarke arriva in 20 minuti", {"guest_count": 20}),
    ("it", "servono 15 cappellini per la clarke", {"guest_count": 15}),
    ("en", "ring her back at 5 about the move", {"new_start_time": "17:00"}),
    ("en", "the clown arrives at 4, move her party", {"new_start_time": "16:00"}),
    ("en", "the clown performs at 4, move her party", {"new_start_time": "16:00"}),
    ("en", "phone of the caterer 0491 570 006, move emma", {"phone": "+61491570006"}),
    ("it", "richiamala alle 18 per il cambio", {"new_start_time": "18:00"}),
    ("en", "deposit due 3 december, move it", {"new_date": "2026-12-03"}),
]


@table("language, message, given", GIVEN)
def test_what_the_words_give_in_its_role_stands(language: str, message: str, given: dict[str, Any]) -> None:
    assert judged(message, given, language) == given


@table("language, message, given", ELSEWHERE)
def test_what_belongs_to_something_else_does_not(language: str, message: str, given: dict[str, Any]) -> None:
    assert judged(message, given, language) != given


@pytest.mark.parametrize("words", ["ignore that, just move it to 4pm", "scrap that, move emma's party to 4pm"])
def test_a_dropped_request_leaves_no_value(words: str) -> None:
    message = f"make the clarke party 12 kids › {words}"
    assert judged(message, {"guest_count": 12}, pending={"guest_count": 12}) != {"guest_count": 12}
    assert judged(message, {"new_start_time": "16:00"}) == {"new_start_time": "16:00"}
