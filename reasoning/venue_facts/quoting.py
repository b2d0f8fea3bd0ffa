"""Restricts a model's statements about a venue to what the profile states or a look-up of this turn has shown. Code
finds the profile entry for a question or a statement, and the operator reads that entry. Without one the answer is "I
don't know".

The activity filters and the reply carries the result, as in `reasoning/modes/reply_filter.py`. The sentences are the
core's own, so the locale must be active (`speak`). Source: guided reasoning, and its issue: an answer about policies
and FAQs quotes an entry that code can name, else "I don't know".
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from zoneinfo import ZoneInfo

from contracts.chat_completion import ChatMessage, ModelReply, ModelStatement, ReasonRequest, ToolCall
from contracts.venue import VenueKnowledge
from language.extraction import MentionKind, extract
from language.locales import alternatives
from language.messages.catalogue import translate
from language.numbers.numbers import figures_in
from language.replies import effect_claims
from language.replies.polarity import negated
from language.replies.questions import ASKING
from language.text.normalize import normalize_text
from language.venue_facts import questions
from language.venue_facts.matching import things_in
from language.venue_facts.questions import asks_to_bring, is_question, is_venue_question
from language.venue_facts.statements import (
    answers_venue_question,
    booking_clauses,
    courteous,
    is_venue_statement,
    question_without_presupposition,
    sentences_in,
)
from reasoning.modes.base import ToolOffer
from reasoning.modes.prompts import ASK, REFUSE
from reasoning.modes.reply_filter import operator_text, strip_effect_claims
from reasoning.venue_facts.entries import VenueFact, answering, asked_in, bearing_out, entries_of, quotes

_SPEAKS = {ASK: "question", REFUSE: "message"}
_A_QUESTION = 3
"""Words of a question: "yes?" asks nothing that anybody could know."""
_WORD = re.compile(r"[^\W_]+")
_AND = re.compile(rf"^(?:{alternatives('venue_entries', 'AND')}) ")
_FALSE = re.compile(r"\bfalse\b")


def quote_venue(reply: ModelReply, request: ReasonRequest, offer: ToolOffer) -> ModelReply:
    """Return the reply with its statements about the venue replaced by the profile's; unchanged if it has none."""
    text, last = operator_text(reply), _last(request.messages)
    if _acts(reply) or not text.strip():
        return reply
    known, names, seen = entries_of(offer.knowledge), _names(request), _seen(request.all_messages)
    sentences = sentences_in(text)
    known_of = normalize_text(f"{seen} {' '.join(m.content for m in request.all_messages)} {' '.join(names)}")
    statements = [s for s in sentences if _claims(s, names, seen) or _of_nothing_known(s, known_of)]
    # A question back is no answer if an entry answers: "posso portare il cane?", "to which day shall I move it?".
    answer = asks_to_bring(last) and bool(answering(last, known))
    if effect_claims.only_asks(text) and not statements and not answer:
        return reply
    if _asks(last, offer.knowledge, known) and not (_looked_up(last, seen) or _looked_up_day(last, request, offer)):
        return _answered(reply, sentences, statements, last, known, names, offer)
    if not statements:
        return reply
    return _without(reply, sentences, statements, last, known, offer)


def _answered(
    reply: ModelReply,
    sentences: Sequence[str],
    statements: Sequence[str],
    last: str,
    known: Sequence[VenueFact],
    names: frozenset[str],
    offer: ToolOffer,
) -> ModelReply:
    """Answer a question about the venue by an entry, whatever the model answers. Without an entry the model may still
    say that it does not know, or ask."""
    text = operator_text(reply)
    things, found = things_in(last), answering(last, known)
    named = [entry for entry in known if quotes(text, entry) and things <= entry.topics]
    # Of several entries use the one that the model quotes, because it has read the question, too.
    named = [entry for entry in named if entry in found] or found or named
    if not named and not statements and not any(answers_venue_question(sentence, names) for sentence in sentences):
        return reply
    return _quoted(reply, named, offer)


def _without(
    reply: ModelReply,
    sentences: Sequence[str],
    statements: Sequence[str],
    last: str,
    known: Sequence[VenueFact],
    offer: ToolOffer,
) -> ModelReply:
    """Return the reply without its statements about the venue: an entry with the same content instead, else nothing."""
    named = list(dict.fromkeys(entry for claim in statements for entry in bearing_out(claim, known)))
    own = _left_of(sentences, statements)
    if named:
        return _quoted(reply, named, offer)
    if all(courteous(sentence) for sentence in sentences_in(own)):
        return _nothing_left(reply, last, offer)
    statement = strip_effect_claims(own, offer.profile.locale)
    left = _saying(reply, own, statement)
    return left.model_copy(update={"withheld": operator_text(reply), "left": True})


def _nothing_left(reply: ModelReply, last: str, offer: ToolOffer) -> ModelReply:
    """Return the reply if nothing is left. "I don't know" only answers a question. If the model was to ask, the core
    asks instead; otherwise the core answers as to words that it cannot process."""
    if is_question(last) and len(_WORD.findall(last)) >= _A_QUESTION:
        return _quoted(reply, [], offer)
    asks = any(call.name == ASK and not call.problems for call in reply.tool_calls)
    fills_in = any(call.name == ASK and call.arguments.get("parameter") for call in reply.tool_calls)
    own = translate("plan.what_to_fill_in" if fills_in else "ask.unsure") if asks else translate("next.say_change")
    quoted = _saying(reply, own, ModelStatement(plain=own, only_asks=asks))
    return quoted.model_copy(update={"withheld": operator_text(reply), "left": True})


def strip_venue_claims(text: str) -> str:
    """Return a question without its statements about the venue; "" if nothing is left. No look-up was made for it, so
    nothing grounds such a statement."""
    sentences = sentences_in(text)
    statements = [sentence for sentence in sentences if is_venue_statement(sentence)]
    return _left_of(sentences, statements) if statements else text.strip()


def _left_of(sentences: Sequence[str], statements: Sequence[str]) -> str:
    return "".join(_asking_part(sentence) if sentence in statements else sentence for sentence in sentences).strip()


def _asking_part(sentence: str) -> str:
    """Return the question in a text, without the statements before it."""
    parts = re.split(r"(?<=[,;:])\s+|\s[-–—]\s", sentence)
    if not sentence.rstrip().endswith("?"):
        return ""
    before = question_without_presupposition(sentence)
    if before and ASKING.match(normalize_text(before)) and not is_venue_statement(before):
        return before
    if effect_claims.asks_what_was_done(parts[0]) and not any(is_venue_statement(part) for part in parts[1:]):
        return sentence
    if (
        len(parts) < 2
        or effect_claims.is_fragment(parts[-1])
        or is_venue_statement(parts[-1])
        or not ASKING.match(normalize_text(parts[-1]))
    ):
        return ""
    question = _AND.sub("", parts[-1])
    return question[:1].upper() + question[1:]


def _quoted(reply: ModelReply, named: Sequence[VenueFact], offer: ToolOffer) -> ModelReply:
    text = " ".join(entry.answer for entry in named) if named else _unknown(offer.knowledge)
    message = operator_text(reply)
    # What is left is no question any more, and a person has nothing to answer.
    calls = tuple(call for call in reply.tool_calls if call.name != ASK)
    quoted = _saying(reply.model_copy(update={"tool_calls": calls}), text, ModelStatement(plain=text, only_asks=False))
    return quoted.model_copy(update={"quoted": tuple(entry.key for entry in named), "withheld": message})


def _acts(reply: ModelReply) -> bool:
    return any(call.name not in _SPEAKS and not call.problems for call in reply.tool_calls)


def _asks(last: str, knowledge: VenueKnowledge, known: Sequence[VenueFact]) -> bool:
    of_policies = questions.asks_for_policies(last, list(knowledge.policies))
    return bool(asked_in(last, known) or of_policies) or is_venue_question(last)


def _looked_up(last: str, seen: str) -> bool:
    """Return whether a look-up showed anything of what was asked: then the question was about a booking."""
    asked = {word for word in _WORD.findall(normalize_text(last)) if len(word) > 3}
    return any(word in seen for word in asked)


def _looked_up_day(last: str, request: ReasonRequest, offer: ToolOffer) -> bool:
    """Return whether a look-up of this turn was of a day that the question names: "what's on Saturday?" is about its
    bookings, also where there are none."""
    calls = [call for m in _of_this_turn(request.all_messages) for call in m.tool_calls if call.kind == "read"]
    asked = {str(value) for call in calls for value in call.arguments.values()}
    evidence = extract((last,), request.now.astimezone(ZoneInfo(offer.profile.time_zone)), offer.profile)
    return any(not asked.isdisjoint(mention.values) for mention in evidence.of(MentionKind.DAY))


def _of_this_turn(messages: Sequence[ChatMessage]) -> Iterator[ChatMessage]:
    """Yield the messages since the operator's last one, latest first."""
    yield from takewhile(lambda message: message.role != "user", reversed(messages))


def _claims(sentence: str, names: frozenset[str], seen: Sequence[str] | str) -> bool:
    return is_venue_statement(sentence, names) and not _shown(sentence, str(seen))


def _of_nothing_known(sentence: str, known: str) -> bool:
    """Return whether nothing in the chat or its look-ups grounds a statement about a booking. It may then be a rule
    ("they can stay as long as they like"), and the chat knows nothing about a booking anyway."""
    return any(words and not any(word[:4] in known for word in words) for words in booking_clauses(sentence))


def _shown(sentence: str, seen: str) -> bool:
    """Return whether the look-ups ground a statement: its words, its figures, and whether it is positive or
    negative."""
    words = {word for word in _WORD.findall(normalize_text(sentence)) if len(word) > 3}
    if not seen or not words or not figures_in(sentence) <= figures_in(seen):
        return False
    pieces = re.split(r'[.;{}\n]|,\s*(?=")', seen)
    best = max(pieces, key=lambda piece: sum(word in piece for word in words))
    carried = sum(word in seen for word in words) * 2 >= len(words)
    return carried and negated(sentence) == (negated(best) or bool(_FALSE.search(best)))


def _names(request: ReasonRequest) -> frozenset[str]:
    """Return words of bookings and people that the chat is about."""
    known = (*request.context.known, *request.context.offered)
    message = " ".join(f"{b.guest_name} {b.label} {b.reference}" for b in known)
    messages = [m.content for m in request.messages if m.role == "user"]
    # A sentence's own capital says nothing.
    spelt = [match[0] for text in messages for match in re.finditer(r"(?<=[a-z,] )[A-Z][\w'’-]+", text)]
    return frozenset(_WORD.findall(normalize_text(" ".join([message, *spelt]))))


def _seen(messages: Sequence[ChatMessage]) -> str:
    return " ".join(normalize_text(m.content) for m in _of_this_turn(messages) if m.role == "tool")


def _unknown(knowledge: VenueKnowledge) -> str:
    reached = knowledge.contact
    ways: Mapping[str, str] = {"phone": reached.phone, "email": reached.email}
    return translate("policy.unknown", ways=[value for value in ways.values() if value])


def _last(messages: Sequence[ChatMessage]) -> str:
    return next((message.content for message in reversed(messages) if message.role == "user"), "")


def _saying(reply: ModelReply, text: str, statement: ModelStatement) -> ModelReply:
    calls = tuple(_with_words(call, text) for call in reply.tool_calls)
    return reply.model_copy(update={"text": text, "statement": statement, "tool_calls": calls})


def _with_words(call: ToolCall, text: str) -> ToolCall:
    if call.name not in _SPEAKS:
        return call
    return call.model_copy(update={"arguments": {**call.arguments, _SPEAKS[call.name]: text}})
