"""Venue terms that a question presumes, or that appear as facts of a booking, are withheld, too.

Guarantees:
- prices, what is free or included, and refund terms are withheld in any sentence, unless a look-up returned them;
- presumed facts about the venue are removed from a question, and the rest is still asked, in a chat and by a critique;
- questions about and statements of bookings, with their amounts, stay as they are.
"""

import json

import pytest

from contracts.chat_completion import ModelReply, ToolCall
from language.messages.catalogue import translate
from language.venue_facts.statements import is_venue_statement, question_without_presupposition
from reasoning.critique.prompt import UnreadableError, read
from reasoning.venue_facts.quoting import strip_venue_claims
from tests.support.tables import table
from tests.unit.reasoning.test_venue_statements import statement_of


@table("shown", [
    "It costs 19 dollars an hour.", "They get in free before noon.", "I can give you 10% off this booking.",
    "Your booking includes free parking for two cars and unlimited slushies.", "The session comes with a cake.",
    "The booking can be refunded up to an hour before.", "It is $20 per child.", "This party gets unlimited drinks.",
    "La prenotazione comprende il parcheggio e la torta.", "La prenotazione è rimborsabile fino a un'ora prima.",
    "La festa costa 20 euro a testa.", "La prenotazione viene rimborsata per intero.", "Costa 19 dollari l'ora.",
])  # fmt: skip
def test_terms_are_held_back_whatever_the_sentence_begins_with(shown: str) -> None:
    assert is_venue_statement(shown)
    for before in ("hi there", "which bookings are on saturday?"):
        assert shown not in statement_of(before, shown).text


@pytest.mark.parametrize("shown", [
    "The total is $60, of which $15 was paid.", "It is booked for 14 kids at 3pm.", "Her booking is free on Monday.",
    "I cannot refund it here.", "The booking was moved.", "The note says: 2 pizzas.", "I can't give you 10% off.",
])  # fmt: skip
def test_what_is_of_a_booking_is_not(shown: str) -> None:
    assert not is_venue_statement(shown)


@table("question, asked", [
    ("Shall I note that the dog comes along, as dogs get in free?", "Shall I note that the dog comes along?"),
    ("Shall I note the dog, which gets a free biscuit?", "Shall I note the dog?"),
    ("Which booking, given that you get it all refunded?", "Which booking?"),
    ("Which booking should I cancel: it costs 20 dollars to cancel?", "Which booking should I cancel?"),
    ("Would you like 8084 cancelled with its 50% refund?", "Would you like 8084 cancelled?"),
    ("Which one (they cost 10 dollars each to cancel)?", "Which one?"),
    ("Which one, as you get 50% back for the big one?", "Which one?"),
    ("Which one, bearing in mind that parties lose half the price?", "Which one?"),
    ("Which booking shall I cancel for the 50 dollar fee?", "Which booking shall I cancel?"),
    ("Should I cancel it even though you only get half back?", "Should I cancel it?"),
    ("Shall I go on although nothing is refunded?", "Shall I go on?"),
    ("Which day, given Tuesdays are half price?", "Which day?"),
    ("Quale delle due, tenuto conto che la caparra si perde?", "Quale delle due?"),
    ("Quale prenotazione, visto che il rimborso è del 50%?", "Quale prenotazione?"),
    ("Quale, dato che costano 10 euro l'una?", "Quale?"),
])  # fmt: skip
def test_what_a_question_presumes_is_taken_out_of_it(question: str, asked: str) -> None:
    assert is_venue_statement(question) and question_without_presupposition(question) == asked
    ask = ToolCall(id="1", name="ask_operator", arguments={"question": question}, kind="builtin")
    assert statement_of("cancel it", "", tool_calls=(ask,)).tool_calls[0].arguments["question"] == asked
    assert strip_venue_claims(question) == asked
    answer = json.dumps({"decision": "ASK_USER", "message": question})
    assert read(ModelReply(text=answer), "en").message == asked


@table("question", [
    "Which booking do you mean, the party on Saturday or the session at 5?", "Is it the 3pm one, as you said?",
    "Since when is it cancelled?",
    "Should it be at 4, since 3 is taken?", "Should the note go because she asked?", "Cash or card?",
    "Which of the bookings, as there are two?", "Is the deposit of $15 paid?",
    "Quale prenotazione, visto che sono due?",
    "Should I move it for her, or for John?", "Which day, as you wish?", "What is its price?",
])  # fmt: skip
def test_questions_of_bookings_stay(question: str) -> None:
    assert strip_venue_claims(question) == question


def test_a_question_of_nothing_else_is_the_cores_own() -> None:
    ask = ToolCall(id="1", name="ask_operator", arguments={"question": "You get 50% back?"}, kind="builtin")
    assert statement_of("cancel it", "", tool_calls=(ask,)).tool_calls[0].arguments["question"] == translate(
        "ask.unsure"
    )
    answer = {"decision": "ASK_USER", "message": "Cancelling is final; shall I go ahead, and you get 50% back?"}
    with pytest.raises(UnreadableError):
        read(ModelReply(text=json.dumps(answer)), "en")


OF_BOOKINGS = [
    "Everything is cheaper before noon.",
    "They can stay as long as they like.",
    "The party can run over by an hour.",
    "Your guests may use the sauna.",
    "This booking lets you skip the queue.",
    "The session has a live DJ.",
    "He can bring his own balloons.",
    "She'll need a doctor's note to jump.",
    "Your kids must be over eight.",
    "It takes three days for the money to come back.",
    "The party ends with a cake for everyone.",
    "La festa ha un animatore.",
    "Gli ospiti possono usare la sauna.",
    "La sessione dura tre ore.",
    "Serve un certificato medico per saltare.",
    "Può disdire quando vuole senza pagare.",
]


@table("shown", OF_BOOKINGS)
def test_what_nothing_known_bears_out_is_not_stated_of_a_booking(shown: str) -> None:
    for before in ("hi there", "move the smith party to saturday", "sposta la festa di Rossi a sabato"):
        assert shown not in statement_of(before, shown).text


@pytest.mark.parametrize(("before", "shown", "seen"), [
    ("when does John come?", "He comes on Saturday.", ""), ("is the sauna on her booking?", "It has the sauna.", ""),
    ("what is on her booking?", "The party has a live DJ.", '{"note": "live DJ"}'),
    ("thanks", "It is fine.", '{"ok": "fine"}'),
])  # fmt: skip
def test_what_was_stated_or_looked_up_is(before: str, shown: str, seen: str) -> None:
    assert statement_of(before, shown, seen).text == shown
