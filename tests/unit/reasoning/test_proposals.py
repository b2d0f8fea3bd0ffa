"""Values that the operator gave are kept, and others are not, in wordings that no case file has.

- STANDS: right proposals of a model. Every one is kept as it is, form of a phone or an address aside.
- FALLS: values that were denied, corrected, of another thing or booking, or never given. None is kept.

" › " separates messages.
"""

from typing import Any

from tests.support.tables import table
from tests.unit.reasoning.proposals import judged

D, T, C = "new_date", "new_start_time", "guest_count"

STANDS: list[tuple[str, str, dict[str, Any]]] = [
    # days and times
    ("en", "could emma come on thursday instead", {D: "2026-11-26"}),
    ("en", "bring it to tuesday arvo", {D: "2026-11-24"}),
    ("en", "sometime in the morning on friday is fine", {D: "2026-11-27"}),
    ("en", "let's say friday, 11am", {D: "2026-11-27", T: "11:00"}),
    ("en", "5 would be better", {T: "17:00"}),
    ("en", "can we do 6?", {T: "18:00"}),
    ("en", "make that half past", {T: "15:30"}),
    ("en", "quarter past works for them", {T: "15:15"}),
    ("en", "about 5 › 5", {T: "17:00"}),
    ("en", "she was thinking 10am", {T: "10:00"}),
    ("en", "dad phoned this morning, they want 1pm", {T: "13:00"}),
    ("en", "not wednesday, thursday", {D: "2026-11-26"}),
    ("en", "thursday rather than wednesday", {D: "2026-11-26"}),
    ("en", "tuesday, hang on, wednesday", {D: "2026-11-25"}),
    ("en", "11 sorry 12", {T: "12:00"}),
    ("en", "the saturday party goes to 6 december", {D: "2026-12-06"}),
    ("en", "the 3pm one needs to be at 5:30pm", {T: "17:30"}),
    ("en", "from 3pm to 10:30am please", {T: "10:30"}),
    ("en", "sat 28th 3pm => sun 29th 11am", {D: "2026-11-29", T: "11:00"}),
    ("en", "2 hours later please", {T: "17:00"}),
    ("en", "push it back by half an hour", {T: "15:30"}),
    ("en", "one week later, same time", {D: "2026-12-05"}),
    ("en", "can they come the day before", {D: "2026-11-27"}),
    ("en", "friday doesn't work any more, thursday does", {D: "2026-11-26"}),
    ("en", "emma turns 8 that day, can we start at 4", {T: "16:00"}),
    ("en", "friday it is › 4pm", {D: "2026-11-27", T: "16:00"}),
    ("en", "move it to friday at 3 › no, 4", {D: "2026-11-27", T: "16:00"}),
    ("en", "the session at 3pm should be 5pm now", {T: "17:00"}),
    ("it", "facciamo alle 5", {T: "17:00"}),
    ("it", "meglio le 18", {T: "18:00"}),
    ("it", "venerdì pomeriggio", {D: "2026-11-27"}),
    ("it", "non martedì ma mercoledì", {D: "2026-11-25"}),
    ("it", "alle 16 anziché alle 15", {T: "16:00"}),
    ("it", "dalle 15 alle 18", {T: "18:00"}),
    ("it", "martedì, anzi no, giovedì alle 10", {D: "2026-11-26", T: "10:00"}),
    ("it", "la festa di sabato va spostata a domenica", {D: "2026-11-29"}),
    ("it", "un'ora prima", {T: "14:00"}),
    ("it", "la settimana dopo, stessa ora", {D: "2026-12-05"}),
    ("it", "il giorno prima alla stessa ora", {D: "2026-11-27"}),
    ("it", "verso le 5 › 5", {T: "17:00"}),
    ("it", "ieri ha chiamato la mamma: vogliono venerdì", {D: "2026-11-27"}),
    ("it", "compie 8 anni, si può fare alle 11?", {T: "11:00"}),
    ("it", "lunedì non va bene, facciamo martedì", {D: "2026-11-24"}),
    # head counts
    ("en", "it'll be an even dozen", {C: 12}),
    ("en", "they are now 15", {C: 15}),
    ("en", "14 kids, not 9", {C: 14}),
    ("en", "a couple of them dropped out", {C: 7}),
    ("en", "3 of the kids are sick", {C: 6}),
    ("en", "one of them isn't coming", {C: 8}),
    ("en", "she's bringing 2 cousins too", {C: 11}),
    ("en", "add another four", {C: 13}),
    ("en", "four more kids", {C: 13}),
    ("en", "take two off", {C: 7}),
    ("en", "we need to drop 3", {C: 6}),
    ("en", "minus one", {C: 8}),
    ("en", "it was 9 but it's 12 now", {C: 12}),
    ("en", "going from 9 up to 20", {C: 20}),
    ("en", "a hundred people", {C: 100}),
    ("en", "10 kids, sorry, 11", {C: 11}),
    ("en", "11", {C: 11}),
    ("en", "10 kids and 2 adults", {C: 12}),
    ("en", "numbers are up to 13", {C: 13}),
    ("en", "there's only 7 of them", {C: 7}),
    ("en", "twins can't come so 7", {C: 7}),
    ("en", "put her down for 16", {C: 16}),
    ("en", "emma's party on saturday at 3pm is 12 kids now", {C: 12}),
    ("en", "a kid dropped out", {C: 8}),
    ("it", "saranno una decina", {C: 10}),
    ("it", "siamo in undici", {C: 11}),
    ("it", "due bambini non vengono", {C: 7}),
    ("it", "un bambino non viene più", {C: 8}),
    ("it", "aggiungi tre bambini", {C: 12}),
    ("it", "tre in più", {C: 12}),
    ("it", "quattro in meno", {C: 5}),
    ("it", "non 9 ma 12", {C: 12}),
    ("it", "da 9 a 14 bambini", {C: 14}),
    ("it", "erano 9, ora sono 11", {C: 11}),
    ("it", "porta anche due amici", {C: 11}),
    ("it", "in tutto saremo 18", {C: 18}),
    ("it", "10 bambini, anzi 12", {C: 12}),
    ("it", "mancano 2 bambini", {C: 7}),
    ("it", "una trentina di persone", {C: 30}),
    ("it", "8 bambini e 4 adulti", {C: 12}),
    # contacts and names
    ("en", "her email is now e.clarke@post.com", {"email": "e.clarke@post.com"}),
    ("en", "mail: Emma.C@Post.com", {"email": "emma.c@post.com"}),
    ("en", "it's sam underscore lee at hotmail dot com", {"email": "sam_lee@hotmail.com"}),
    ("en", "jo dash ann at bigpond dot net dot au", {"email": "jo-ann@bigpond.net.au"}),
    ("en", "old@post.com is out of date, use new@post.com", {"email": "new@post.com"}),
    ("en", "ring her on 0412 000 111", {"phone": "+61412000111"}),
    ("en", "new mobile +61 412 000 111", {"phone": "0412 000 111"}),
    ("en", "mobile oh four one two triple oh one one one", {"phone": "0412000111"}),
    ("en", "phone is 0412000111 not 0412000112", {"phone": "0412000111"}),
    ("en", "surname is o'neill", {"last_name": "O'Neill"}),
    ("en", "it's under the robinsons now", {"last_name": "Robinson"}),
    ("en", "spelled S-M-Y-T-H", {"last_name": "Smyth"}),
    ("en", "contact should be maria macdonald", {"first_name": "Maria", "last_name": "MacDonald"}),
    ("en", "emma clarke got married, she's emma jones now", {"last_name": "Jones"}),
    ("en", "last name Clark, not Clarke", {"last_name": "Clark"}),
    ("it", "la mail è giulia punto neri chiocciola libero punto it", {"email": "giulia.neri@libero.it"}),
    ("it", "email: giulia@libero.it", {"email": "giulia@libero.it"}),
    ("it", "il numero è tre quattro zero uno due tre quattro cinque sei sette", {"phone": "3401234567"}),
    ("it", "cellulare 340 1234567", {"phone": "+393401234567"}),
    ("it", "cognome D'Angelo", {"last_name": "D'Angelo"}),
    ("it", "si chiama Niccolò", {"first_name": "Niccolò"}),
    ("it", "il cognome è de luca, non del luca", {"last_name": "De Luca"}),
    # notes, yes and no, choices
    ("en", "put a note: nut allergy and no balloons", {"note": "Nut allergy, no balloons"}),
    ("en", "note that grandma is in a wheelchair", {"note": "grandma is in a wheelchair"}),
    ("en", "scrap the old note and write: vegan cake", {"note": "vegan cake"}),
    ("en", "replace the note with gluten free", {"note": "gluten free", "replace": True}),
    ("en", "cancel emma, refunded by card", {"issue_refund": True, "refund_type": "CreditCard"}),
    ("en", "cancel it please, they got their money back in cash", {"issue_refund": True, "refund_type": "Cash"}),
    ("it", "annulla, rimborsata con bonifico", {"issue_refund": True, "refund_type": "BankTransfer"}),
    ("it", "aggiungi una nota: allergia alle noci", {"note": "Allergia alle noci"}),
]

FALLS: list[tuple[str, str, dict[str, Any]]] = [
    ("en", "not on thursday, wednesday please", {D: "2026-11-26"}),
    ("en", "thursday? no, wednesday", {D: "2026-11-26"}),
    ("en", "instead of friday make it tuesday", {D: "2026-11-27"}),
    ("en", "tuesday, i mean wednesday", {D: "2026-11-24"}),
    ("en", "she called on thursday to move to friday", {D: "2026-11-26"}),
    ("en", "the 2pm party should be at 5pm", {T: "14:00"}),
    ("en", "they rang at 10am about moving to 1pm", {T: "10:00"}),
    ("en", "at 5", {T: "05:00"}),
    ("en", "4pm › actually 5pm", {T: "16:00"}),
    ("en", "emma clarke to tuesday, mia wong to wednesday", {D: "2026-11-25"}),
    ("en", "emma clarke at 1pm and move tom baker to 2pm", {T: "14:00"}),
    ("en", "can't do 11am, can do noon", {T: "11:00"}),
    ("en", "bring it forward please", {T: "14:00"}),
    ("en", "another day please", {D: "2026-12-05"}),
    ("en", "emma turns 8 on friday", {C: 8}),
    ("en", "they want 4pm", {C: 4}),
    ("en", "the party in room 6", {C: 6}),
    ("en", "year 5 party on the 27th", {C: 27}),
    ("en", "booking 8340 needs changing", {C: 8340}),
    ("en", "they paid $20 each", {C: 20}),
    ("en", "add 2 kids", {C: 2}),
    ("en", "3 fewer", {C: 3}),
    ("en", "not 12", {C: 12}),
    ("en", "12 kids, no wait, 13", {C: 12}),
    ("en", "emma clarke 12 kids and mia wong to 14 kids", {C: 14}),
    ("en", "call 0412 000 111 about numbers", {C: 111}),
    ("en", "her email is xsam@post.com", {"email": "sam@post.com.au"}),
    ("en", "sam@post.com is wrong", {"email": "sam@post.com"}),
    ("en", "phone 0412 000 111", {"phone": "+44 412 000 111"}),
    ("en", "old number 0412 000 111", {"phone": "0412 000 111"}),
    ("en", "surname smith", {"last_name": "Smyth"}),
    ("en", "not smith", {"last_name": "Smith"}),
    ("en", "smith, sorry, smythe", {"last_name": "Smith"}),
    ("en", "cancel it", {"issue_refund": True}),
    ("en", "cancel it without a refund", {"issue_refund": True}),
    ("en", "cancel, don't refund them", {"issue_refund": True}),
    ("en", "add a note about the cake", {"note": "customer is a VIP"}),
    ("en", "note: nut allergy", {"note": "nut allergy", "replace": True}),
    ("en", "note: no nut allergy", {"note": "nut allergy"}),
    ("it", "non giovedì, mercoledì", {D: "2026-11-26"}),
    ("it", "quella delle 14 va alle 17", {T: "14:00"}),
    ("it", "alle 5", {T: "05:00"}),
    ("it", "ha chiamato alle 10 per spostare alle 13", {T: "10:00"}),
    ("it", "emma clarke a martedì e mario rossi a mercoledì", {D: "2026-11-25"}),
    ("it", "compie 8 anni sabato", {C: 8}),
    ("it", "sono nella sala 3", {C: 3}),
    ("it", "aggiungi 2 bambini", {C: 2}),
    ("it", "12, anzi 13 bambini", {C: 12}),
    ("it", "hanno pagato 20 euro", {C: 20}),
    ("it", "annulla senza rimborso", {"issue_refund": True}),
    ("it", "annulla, niente rimborso", {"issue_refund": True}),
    ("it", "il cognome non è Neri", {"last_name": "Neri"}),
    ("it", "giulia@libero.it non funziona più", {"email": "giulia@libero.it"}),
    ("it", "aggiungi una nota", {"note": "arrivano tardi"}),
]


@table("language, message, given", STANDS)
def test_what_was_stated_stands(language: str, message: str, given: dict[str, Any]) -> None:
    found = judged(message, given, language)
    assert isinstance(found, dict), f"asked about {found}"
    assert {k: _form(v) for k, v in found.items()} == {k: _form(v) for k, v in given.items()}


@table("language, message, given", FALLS)
def test_what_was_not_stated_is_not_kept(language: str, message: str, given: dict[str, Any]) -> None:
    found = judged(message, given, language)
    assert not isinstance(found, dict) or any(found.get(name) != value for name, value in given.items())


def _form(value: Any) -> Any:
    """Compare a phone by its last figures, an address in small letters: the venue decides in which form they are
    kept."""
    text = value.replace(" ", "") if isinstance(value, str) and value[:1] in "+0" else str(value)
    return text[-9:] if text.lstrip("+").isdigit() and len(text) > 8 else text.lower()
