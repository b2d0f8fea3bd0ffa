"""The profile entry that answers a question: cases that an outsider put to a running stack, with the expected entries.

Guarantees:
- a question gets the entry on its topic, in words that no list foresaw, and no other beside it;
- a question without a full answer gets none, though an entry covers half of it;
- an Italian question about an Italian profile is answered there, and the entry's name is in Italian.
"""

import pytest

from contracts.venue import Faq, VenueContact, VenueKnowledge
from language.messages.catalogue import activate_locale
from language.venue_facts.questions import is_venue_question
from reasoning.venue_facts.entries import answering, bearing_out, entries_of
from tests.support.tables import table
from tests.unit.reasoning.test_venue_statements import KNOWN, statement_of

ITALIAN = VenueKnowledge(
    description="Un parco con quaranta trampolini e quattro sale per feste.", hours="Tutti i giorni dalle 9 alle 21.",
    contact=VenueContact(phone="+39 055 5550 142"),
    policies={"returns": "Una prenotazione annullata 48 ore prima è rimborsata per intero.",
              "safety": "I calzini sono obbligatori. I bambini sotto i cinque anni saltano con un adulto.",
              "weather": "Siamo al coperto."},
    faqs=(Faq(question="Da che età si salta?", answer="Dai tre anni."),
          Faq(question="Si può portare la torta?", answer="Sì, la torta è benvenuta.")),
)  # fmt: skip


def keys(question: str, known: VenueKnowledge = KNOWN) -> list[str]:
    assert is_venue_question(question), "it is asked of the venue"
    return [entry.key for entry in answering(question, entries_of(known))]


@table("question, key", [
    ("what are your opening hours?", "hours"), ("till what time can my kids bounce on a sunday?", "hours"),
    ("are you guys shut on xmas day?", "hours"), ("a che ora aprite?", "hours"),
    ("if I call it off the day before do I see my money again?", "policies.returns"),
    ("can a two year old have a go?", "faqs.4"), ("do I have to wear special socks?", "policies.safety"),
    ("who needs to sign the waiver for my 15 year old?", "policies.terms"),
    ("who needs to sign the waiver?", "policies.terms"), ("quanto tempo prima dobbiamo arrivare?", "faqs.2"),
    ("got somewhere for the minibus?", "faqs.3"),
    ("ci sono penali se annullo il giorno prima?", "policies.returns"), ("chi firma per mio figlio?", "policies.terms"),
    ("how many trampolines have you got?", "about"), ("how do I contact you?", "contact.phone"),
    ("do you hand my phone number to anybody?", "policies.privacy"), ("how long is a voucher in the post?",
                                                                      "policies.shipping"),
])  # fmt: skip
def test_a_question_has_its_entry(question: str, key: str) -> None:
    assert keys(question) == [key]


@pytest.mark.parametrize("question", [
    "avete opzioni senza glutine?", "can you do vegan party food?", "is the café nut free?",
    "how many lockers are there?", "how many slides have you got?", "is there a lift for my grandma's wheelchair?",
    "what do I pay for parking a bus?",
])  # fmt: skip
def test_half_an_answer_is_none(question: str) -> None:
    assert keys(question) == []


@pytest.mark.parametrize(("question", "key"), [
    ("mio figlio ha due anni, può saltare?", "faqs.1"), ("come vi contatto?", "contact.phone"),
    ("se annullo tre ore prima mi ridate i soldi?", "policies.returns"), ("fino a che ora si salta?", "hours"),
    ("quante sale per le feste avete?", "about"), ("si salta anche se piove?", "policies.weather"),
])  # fmt: skip
def test_in_italian(question: str, key: str) -> None:
    activate_locale("it")
    assert keys(question, ITALIAN) == [key]
    shown = {entry.key: entry.answer for entry in entries_of(ITALIAN)}
    assert shown["policies.safety"].startswith("Su sicurezza la") and shown["policies.weather"].startswith(
        "Su maltempo"
    )


def test_a_way_to_reach_the_venue_bears_nothing_out() -> None:
    entries = entries_of(KNOWN)
    assert bearing_out("You will get a confirmation e-mail.", entries) == []
    assert [e.key for e in bearing_out("It is hello@bounce-beyond.example.", entries)] == ["contact.email"]
    assert "hello@" not in statement_of("thanks", "You will get a confirmation e-mail.").text


def test_what_a_change_would_cost_is_asked_of_the_venue() -> None:
    for asked in ("could I shift my booking instead of losing the cash?", "can we move it without a fee?"):
        assert is_venue_question(asked) and statement_of(asked, "No, never.").text != "No, never."
    for other in ("could we move it to Saturday?", "can we refund Emma?", "posso spostarla a sabato?"):
        assert not is_venue_question(other)


@pytest.mark.parametrize("asked", ["yes?", "ok?", "do I have to confirm it?"])
def test_what_is_asked_of_anyone_answers(asked: str) -> None:
    assert not is_venue_question(asked)


@pytest.mark.parametrize("asked", ["is the café nut free?", "what do I wear?", "who has to sign?", "is parking free?"])
def test_a_bare_yes_answers_nothing_of_the_venue(asked: str) -> None:
    assert is_venue_question(asked) and statement_of(asked, "Yes!").text != "Yes!"
    for other in ("is John free?", "is Saturday at 3 free?", "who is coming today?", "what do I do?"):
        assert not is_venue_question(other)
