"""A venue's policies and answers for guests appear in the venue's own text, or not at all.

Guarantees:
- a policy, or an answer to a guest's question, appears as the profile's entry has it, with its name, whatever the model
  makes of it;
- a statement without an entry is replaced by "I don't know", in the operator's language, with the venue's contact;
  where the operator asked nothing, we reply or ask as usual;
- a policy that the model claims unasked is withheld, too; what a look-up of this turn returned is not;
- other text, questions and calls stay as they are.
"""

from typing import Any

import pytest

from contracts.base import Json
from contracts.chat_completion import ChatMessage, ModelReply, ReasonRequest, ToolCall
from contracts.venue import Faq, VenueContact, VenueKnowledge
from language.messages.catalogue import activate_locale, translate
from reasoning.modes.base import ToolOffer
from reasoning.venue_facts.quoting import quote_venue
from tests.support.tables import table
from tests.unit.reasoning.actions import a_venue

RETURNS = "Bookings cancelled 48 hours ahead are refunded in full. Later ones are not."
KNOWN = VenueKnowledge(
    policies={"returns": RETURNS, "privacy": "Nothing is passed on."},
    faqs=(
        Faq(
            question="Is there parking?", answer="Sixty free spaces behind the house.",
            synonyms=("Where do I park?",),
        ),
    ),
    contact=VenueContact(phone="+61 3 5550 0142"),
)  # fmt: skip
REFUND = "What is your refund policy?"


def judged(message: str, model: str, known: VenueKnowledge = KNOWN, seen: str = "", **fields: Any) -> ModelReply:
    messages = [ChatMessage(role="user", content=message)]
    messages += [ChatMessage(role="tool", content=seen, tool_call_id="1")] if seen else []
    request = ReasonRequest(venue_id="v-1", now="2026-11-27T09:05:00+11:00", messages=tuple(messages))
    offer = ToolOffer(a_venue(), {}, [], [], "", lambda *_: [], known)
    return quote_venue(ModelReply(text=model, **fields), request, offer)


@table("message, model, keys", [
    (REFUND, RETURNS, ("policies.returns",)),
    (REFUND, "We say: bookings cancelled 48 hours ahead are refunded in full!", ("policies.returns",)),
    (REFUND, f"{RETURNS} And you always get a bonus.", ("policies.returns",)),
    ("what about privacy?", "Nothing is passed on.", ("policies.privacy",)),
    ("Is there parking?", "Sixty free spaces behind the house.", ("faqs.1",)),
    ("where do I park?", "Just around the corner, as many as you like.", ("faqs.1",)),
    ("anywhere to leave the car?", "No.", ("faqs.1",)), ("dove si parcheggia?", "In strada.", ("faqs.1",)),
    (REFUND, "We refund everything, always.", ("policies.returns",)), (REFUND, "Yes.", ("policies.returns",)),
    (REFUND, "Refunds are paid within 3 days.", ("policies.returns",)),
    ("does he get his money back?", "Half of it.", ("policies.returns",)),
])  # fmt: skip
def test_it_is_reported_as_the_venue_says_it(message: str, model: str, keys: tuple[str, ...]) -> None:
    reply = judged(message, model)
    assert reply.quoted == keys and reply.withheld == model
    entry = {"policies.returns": RETURNS, "policies.privacy": "Nothing is passed on.",
             "faqs.1": "Sixty free spaces behind the house."}[keys[0]]  # fmt: skip
    assert f"“{entry}”" in reply.text and "bonus" not in reply.text and "corner" not in reply.text
    assert reply.statement is not None and reply.statement.plain == reply.text


@pytest.mark.parametrize(("date", "stands"), [("2026-12-04", True), ("2026-12-05", False)])
def test_what_is_on_a_day_that_was_looked_up_is_about_its_bookings(date: str, stands: bool) -> None:
    look = ToolCall(id="1", name="find_bookings", arguments={"date": date}, kind="read")
    messages = (
        ChatMessage(role="user", content="what's on friday 4 december?"),
        ChatMessage(role="assistant", content="", tool_calls=(look,)),
        ChatMessage(role="tool", content='{"found": 0}', tool_call_id="1"),
    )
    request = ReasonRequest(venue_id="v-1", now="2026-11-27T09:05:00+11:00", messages=messages)
    offer = ToolOffer(a_venue(), {}, [], [], "", lambda *_: [], KNOWN)
    reply = quote_venue(ModelReply(text="Found."), request, offer)
    assert (reply.text == "Found.") is stands


@pytest.mark.parametrize(("message", "model"), [
    ("Are dogs allowed?", "Dogs are welcome."), ("Are dogs allowed?", "Yes!"), ("when do you close?", "At 11."),
    ("do you deliver?", "Of course, everywhere."),
    ("May dogs wait in the car park?", "Sixty free spaces behind the house."), ("how long do refunds take?", "5 days"),
    ("avete il wifi?", "La password è salto."),
])  # fmt: skip
def test_what_no_entry_bears_out_is_not_stated(message: str, model: str) -> None:
    reply = judged(message, model)
    assert reply.text.startswith("I don't know") and "+61 3 5550 0142" in reply.text
    assert (reply.quoted, reply.withheld) == ((), model)


@pytest.mark.parametrize(("message", "model"), [
    ("hello", "Hello! Refunds are within 90 days, by the way."), ("ok", "The park has a climbing wall."),
    ("ok", "Chiudiamo alle 23."), ("thanks!", "Your refund is on its way."), ("yes?", "Dogs are welcome."),
])  # fmt: skip
def test_where_nothing_was_asked_no_one_says_that_they_do_not_know(message: str, model: str) -> None:
    reply = judged(message, model)
    assert (
        reply.text == translate("next.say_change")
        and reply.statement is not None
        and reply.statement.plain == reply.text
    )
    assert (reply.quoted, reply.withheld, reply.left) == ((), model, True)


def test_no_one_knows_in_italian() -> None:
    activate_locale("it")
    assert judged("Posso portare il cane?", "Certo, i cani sono benvenuti.").text.startswith("Non lo so")
    assert "la struttura dice" in judged("Qual è la politica di rimborso?", RETURNS).text


def test_a_venue_that_says_nothing_of_itself_has_nothing_to_quote() -> None:
    reply = judged(REFUND, RETURNS, VenueKnowledge())
    assert reply.text.startswith("I don't know") and "Ask the venue" not in reply.text


@pytest.mark.parametrize(("message", "model"), [
    ("move John to 3pm", "Which John do you mean?"), ("hello", "Hello! What should change?"),
    ("when does John come?", "He comes on Saturday at 3pm."), ("cancel it", "I cannot help with that here."),
    (REFUND, "Do you mean for a party, or for a session?"), ("thanks", "You are welcome."),
])  # fmt: skip
def test_other_words_stay_as_they_are(message: str, model: str) -> None:
    reply = judged(message, model)
    assert (reply.text, reply.quoted, reply.withheld) == (model, (), "")


def test_what_a_look_up_showed_may_be_reported() -> None:
    shown: Json = '{"status": "refunded", "refund": "refunds are within 5 days"}'
    model = "Refunds are within 5 days."
    assert judged("was John refunded?", model, seen=shown).text == model
    assert judged("was John refunded?", "Refunds are within 9 days.", seen=shown).withheld


def test_a_refusal_is_held_to_it_and_a_call_is_not() -> None:
    refusal = ToolCall(id="1", name="cannot_help", arguments={"message": "Refunds are always in cash."}, kind="builtin")
    reply = judged("hi", "", tool_calls=(refusal,))
    assert str(reply.tool_calls[0].arguments["message"]) == translate("next.say_change")
    asks = ToolCall(id="1", name="ask_operator", arguments={"question": "Refunds are in cash."}, kind="builtin")
    assert judged("move it", "", tool_calls=(asks,)).tool_calls[0].arguments["question"] == translate("ask.unsure")
    change = ToolCall(id="1", name="edit_note", arguments={"note": "refund"}, kind="write")
    assert judged(REFUND, "Refunds are in cash.", tool_calls=(change,)).withheld == ""
