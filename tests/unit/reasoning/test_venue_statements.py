"""What an operator sees about the venue, over cases that were written before the word lists behind it, by the same
hand.

Guarantees:
- of 20 invented statements about a venue none is shown, and each of 10 questions that a profile entry answers gets that
  entry's text (`venue_statements.jsonl`; `docs/guided-reasoning.md` has the first score);
- statements about bookings, free places, our abilities and what to type next do not count as statements about the
  venue;
- figures are compared whether written in digits or in words, and so is a "not";
- a question keeps what it asks and loses what it states, in a chat, in a critique and in a running plan;
- the rest of a model's text is a question or an answer like any other.
"""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from contracts.chat_completion import ChatMessage, Critique, ModelReply, ReasonRequest, ToolCall
from contracts.enums import CritiqueDecision
from infra.config.settings import ROOT
from language.messages.catalogue import activate_locale
from language.numbers.numbers import figures_in
from language.venue_facts.questions import is_venue_question
from language.venue_facts.statements import is_venue_statement, sentences_in
from reasoning.critique.prompt import UnreadableError
from reasoning.critique.prompt import read as critique_in
from reasoning.modes import executing
from reasoning.modes.base import ToolOffer
from reasoning.modes.reply_filter import strip_effect_claims
from reasoning.venue_facts.quoting import quote_venue
from tests.support.shipped import shipped
from tests.support.tables import table
from tests.unit.reasoning.actions import a_venue

HERE = Path(__file__).parent
CASES = [json.loads(line) for line in (HERE / "venue_statements.jsonl").read_text().splitlines()]
KNOWN = shipped("roller").knowledge
HARMLESS = HERE.parent / "language" / "effects"
OF_THE_VENUE = {
    "Cancelled bookings cannot be restored.", "Refunds are made by a person in Venue Manager.",
    "If the booking is cancelled, the deposit stays with the venue.",
    "Once a booking is deleted it cannot be brought back.",
    "The venue opens at 9am.", "Le prenotazioni annullate non si possono ripristinare.", "Il locale apre alle 9.",
    "Se la prenotazione viene annullata, la caparra resta al locale.",
}  # fmt: skip
"""Sentences that claim no effect, and state what the venue goes by."""


def statement_of(by: str, model: str, seen: str = "", **fields: Any) -> ModelReply:
    messages = [ChatMessage(role="user", content=by)]
    messages += [ChatMessage(role="tool", content=seen, tool_call_id="1")] if seen else []
    request = ReasonRequest(venue_id="v-1", now="2026-11-27T09:05:00+11:00", messages=tuple(messages))
    offer = ToolOffer(a_venue(), {}, [], [], "", lambda *_: [], KNOWN)
    return quote_venue(ModelReply(text=model, statement=strip_effect_claims(model, "en"), **fields), request, offer)


@table("case", CASES)
def test_the_cases(case: dict[str, str]) -> None:
    reply = statement_of(case["said"], case["model"])
    if case["kind"] == "invented":
        assert case["never"] not in reply.text and reply.withheld == case["model"]
        assert reply.statement is not None and case["never"] not in reply.statement.plain
    else:
        assert case["entry"] in reply.text and len(reply.quoted) >= 1


def test_there_are_twenty_and_ten() -> None:
    assert [sum(case["kind"] == kind for case in CASES) for kind in ("invented", "answerable")] == [20, 10]


@pytest.mark.parametrize("name", ["en_harmless", "it_harmless"])
def test_what_a_chat_about_bookings_needs_is_not_held_back(name: str) -> None:
    lines = (HARMLESS / f"{name}.txt").read_text().splitlines()
    held = {line for line in lines if any(is_venue_statement(sentence) for sentence in sentences_in(line))}
    assert held == OF_THE_VENUE & set(lines)


@pytest.mark.parametrize("code", ["en", "it"])
def test_what_the_offline_planner_says_is_not_held_back(code: str) -> None:
    texts = tomllib.loads((ROOT / "language" / "locales" / code / "messages.toml").read_text())["planner"]
    reported = [re.sub(r"\{\{.*?\}\}", "Emma", re.sub(r"\{%.*?%\}", "", text)) for text in texts.values()]
    assert [
        text
        for text in reported
        if any(is_venue_statement(sentence, frozenset({"emma"})) for sentence in sentences_in(text))
    ] == []


@table("asked", [
    "when does John come?", "is there room on Saturday?", "who is coming today?", "can you move it to 3pm?", "and now?",
    "what's the phone number on Emma's booking?", "did they pay?", "what can you do?", "how many guests has 8231?",
    "hai capito?", "c'è posto sabato?", "quando viene Rossi?", "puoi spostarla?", "what's on today?", "why?",
])  # fmt: skip
def test_what_is_asked_of_bookings_is_not_asked_of_the_venue(asked: str) -> None:
    assert not is_venue_question(asked)


@pytest.mark.parametrize("asked", [
    "got a defib?", "are dogs ok?", "she wants to know if you take Amex", "quanto costa l'ingresso?", "avete il wifi?",
    "Move John to 3pm. And are dogs allowed?", "what's your address?", "can nan just sit and watch",
])  # fmt: skip
def test_what_is_asked_of_the_venue(asked: str) -> None:
    assert is_venue_question(asked)


def test_one_says_that_one_does_not_know() -> None:
    for words in ("I don't know that.", "Sorry, I cannot help with that here.", "Which booking do you mean?"):
        assert statement_of("are dogs allowed?", words).text == words


@pytest.mark.parametrize(("model", "shown", "kept"), [
    ("Pets are allowed.", '{"pets": "Pets are not allowed"}', False),
    ("Pets are not allowed.", '{"pets": "Pets are not allowed"}', True),
    ("Pets are allowed.", '{"pets_allowed": false}', False),
    ("Pets are allowed.", '{"pets_allowed": true}', True),
    ("Refunds take five days.", '{"note": "refunds take 5 days"}', True),
    ("Refunds take six days.", '{"note": "refunds take 5 days"}', False),
    ("Refunds take 5 days.", '{"note": "refunds take 15 days"}', False),
])  # fmt: skip
def test_what_a_look_up_showed_is_held_against_it(model: str, shown: str, kept: bool) -> None:
    assert (statement_of("what about the pets and refunds?", model, shown).text == model) is kept


def test_figures() -> None:
    assert figures_in("five days, 12 or a dozen, 3pm, 10:30, $4.50") == {5, 12, 15, 10, 30, 4, 50}
    assert figures_in("cinque giorni, mezzanotte") == {5, 24} and figures_in("no figure") == frozenset()


def test_a_statement_in_other_words_is_reported_in_the_venues() -> None:
    reply = statement_of("hi", "Hi! We're open from 9 am to 9 pm.")
    assert reply.quoted == ("hours",) and "Every day from 9 am to 9 pm" in reply.text
    assert statement_of("hi", "Hi! We're open from 9 am to 11 pm.").quoted == ()
    assert statement_of("hi", "Hi! We're never open at 9 am.").quoted == ()


def test_what_is_left_is_the_models_own() -> None:
    reply = statement_of("move it to 4", "Dogs are welcome. Which booking do you mean?")
    assert (reply.text, reply.left) == ("Which booking do you mean?", True) and reply.statement is not None
    assert reply.statement.only_asks and reply.withheld.startswith("Dogs")
    reply = statement_of("move it to 4", "Dogs are welcome, so which booking?")
    assert reply.text == "Which booking?"


def test_a_question_put_by_a_call_is_held_to_it() -> None:
    ask = ToolCall(id="1", name="ask_operator", arguments={"question": "Lockers cost $2. Which day?"}, kind="builtin")
    assert statement_of("move it", "", tool_calls=(ask,)).tool_calls[0].arguments["question"] == "Which day?"
    reported = ToolCall(id="1", name="ask_operator", arguments={"question": "Lockers cost $2."}, kind="builtin")
    reply = statement_of("are there lockers?", "", tool_calls=(reported,))
    assert reply.tool_calls == () and reply.text.startswith("I don't know")


def judged(message: str) -> Critique:
    return critique_in(ModelReply(text=json.dumps({"decision": "ASK_USER", "reasoning": "", "message": message})), "en")


def test_a_second_look_states_nothing_of_the_venue() -> None:
    assert judged("Vouchers never expire. Which booking?").message == "Which booking?"
    assert judged("Which booking?").decision is CritiqueDecision.ASK_USER
    with pytest.raises(UnreadableError):
        judged("Vouchers never expire.")


def test_what_is_left_out_of_a_second_look_is_still_a_reason_to_ask() -> None:
    critique = judged("Cancelled parties lose half the price. Are you sure?")
    assert (
        critique.message == "Are you sure?"
        and not critique.only_confirmation
        and judged("Are you sure?").only_confirmation
    )


def test_a_plan_that_is_carried_out_states_nothing_of_the_venue() -> None:
    request = ReasonRequest(venue_id="v-1", now="2026-11-27T09:05:00+11:00", messages=(), goal=())
    offer = ToolOffer(a_venue(), {}, [], [], "", lambda *_: [])

    def asked(question: str) -> ToolCall:
        call = ToolCall(id="1", name="ask_operator", arguments={"question": question})
        return executing.read(request, offer, ModelReply(tool_calls=(call,))).tool_calls[0]

    assert asked("Refunds take 5 days. Cash or card?").arguments["question"] == "Cash or card?"
    assert asked("Refunds take 5 days.").problems and not asked("Cash or card?").problems


def test_in_italian() -> None:
    activate_locale("it")
    assert "Su orari la struttura dice" in statement_of("a che ora chiudete?", "Alle 23.").text
