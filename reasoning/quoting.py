"""What a model says of a venue is said only as the venue itself says it, or as a look-up of this turn has shown it.
Code finds the entry of the profile that a question or a statement is of, and that entry is what the operator reads.
Else nobody knows.

Judged in the activity and carried in the reply, as `reasoning/saying.py`. The sentences are the core's own, so the
language must have been said (`speak`). Source: guided reasoning, and its issue: an answer about policies and FAQs
quotes an entry that code can name, else "I don't know".
"""

import re
from collections.abc import Mapping, Sequence

from contracts.model import ChatMessage, ModelReply, ModelWords, ReasonRequest, ToolCall
from contracts.venue import VenueKnowledge
from language import effects, policies
from language.catalogue import say
from language.figures import figures_in
from language.plain import plain
from language.polarity import negated
from language.policies import is_question
from language.questions import ASKING
from language.venue_asked import asks_of_venue, brings
from language.venue_claims import answers_with, asked_before, courteous, of_a_booking, sentences_in, states_of_venue
from language.venue_topics import things_in
from reasoning.mode import Offer
from reasoning.prompting import ASK, REFUSE
from reasoning.saying import plain_words, said_by
from reasoning.venue_entries import Entry, answering, bearing_out, entries_of, quotes

_SPEAKS = {ASK: "question", REFUSE: "message"}
_A_QUESTION = 3
"""Words of a question: "yes?" asks nothing that anybody could know."""
_WORD = re.compile(r"[^\W_]+")
_FALSE = re.compile(r"\bfalse\b")


def quoted(reply: ModelReply, request: ReasonRequest, offer: Offer) -> ModelReply:
    """The reply with what it says of the venue as the profile says it; as it was, where it says nothing of it."""
    said, last = said_by(reply), _last(request.messages)
    if _acts(reply) or not said.strip():
        return reply
    known, names, seen = entries_of(offer.knowledge), _names(request), _seen(request.messages)
    sentences = sentences_in(said)
    known_of = plain(f"{seen} {' '.join(m.content for m in request.messages)} {' '.join(names)}")
    claims = [s for s in sentences if _claims(s, names, seen) or _of_nothing_known(s, known_of)]
    # A question back is no answer where an entry is one: "posso portare il cane?", "to which day shall I move it?".
    answer = brings(last) and bool(answering(last, known))
    if effects.only_asks(said) and not claims and not answer:
        return reply
    if _asks(last, offer.knowledge, known) and not _looked_up(last, seen):
        return _answered(reply, sentences, claims, last, known, names, offer)
    if not claims:
        return reply
    return _without(reply, sentences, claims, last, known, offer)


def _answered(
    reply: ModelReply,
    sentences: Sequence[str],
    claims: Sequence[str],
    last: str,
    known: Sequence[Entry],
    names: frozenset[str],
    offer: Offer,
) -> ModelReply:
    """A question about the venue is answered by an entry, whatever the model makes of it. Where there is none, it may
    still say that it does not know, or ask."""
    said = said_by(reply)
    things, found = things_in(last), answering(last, known)
    named = [entry for entry in known if quotes(said, entry) and things <= entry.topics]
    # Of several entries the one that the model quotes: it has read the question, too.
    named = [entry for entry in named if entry in found] or found or named
    if not named and not claims and not any(answers_with(sentence, names) for sentence in sentences):
        return reply
    return _told(reply, named, offer)


def _without(
    reply: ModelReply,
    sentences: Sequence[str],
    claims: Sequence[str],
    last: str,
    known: Sequence[Entry],
    offer: Offer,
) -> ModelReply:
    """The reply without what it states of the venue: an entry that says the same in its place, else nothing."""
    named = list(dict.fromkeys(entry for claim in claims for entry in bearing_out(claim, known)))
    own = _left_of(sentences, claims)
    if named:
        return _told(reply, named, offer)
    if all(courteous(sentence) for sentence in sentences_in(own)):
        return _nothing_left(reply, last, offer)
    words = plain_words(own, offer.profile.locale)
    left = _saying(reply, own, words)
    return left.model_copy(update={"withheld": said_by(reply), "left": True})


def _nothing_left(reply: ModelReply, last: str, offer: Offer) -> ModelReply:
    """ "I don't know" answers a question, and no other words: where a model was to ask, the core asks instead, and
    where nothing was asked the core says what it says to words that it can do nothing with."""
    if is_question(last) and len(_WORD.findall(last)) >= _A_QUESTION:
        return _told(reply, [], offer)
    asks = any(call.name == ASK and not call.problems for call in reply.tool_calls)
    fills_in = any(call.name == ASK and call.arguments.get("parameter") for call in reply.tool_calls)
    own = say("plan.what_to_fill_in" if fills_in else "ask.unsure") if asks else say("next.say_change")
    told = _saying(reply, own, ModelWords(plain=own, only_asks=asks))
    return told.model_copy(update={"withheld": said_by(reply), "left": True})


def without_claims(text: str) -> str:
    """A question's words without what they state of the venue; "" where nothing is left. Nothing was looked up for
    them, so nothing bears such a statement out."""
    sentences = sentences_in(text)
    claims = [sentence for sentence in sentences if states_of_venue(sentence)]
    return _left_of(sentences, claims) if claims else text.strip()


def _left_of(sentences: Sequence[str], claims: Sequence[str]) -> str:
    return "".join(_asking_part(sentence) if sentence in claims else sentence for sentence in sentences).strip()


def _asking_part(sentence: str) -> str:
    """What a question asks, without what it states before."""
    parts = re.split(r"(?<=[,;:])\s+|\s[-–—]\s", sentence)
    if not sentence.rstrip().endswith("?"):
        return ""
    before = asked_before(sentence)
    if before and ASKING.match(plain(before)) and not states_of_venue(before):
        return before
    if effects.asks_what_was_done(parts[0]) and not any(states_of_venue(part) for part in parts[1:]):
        return sentence
    if (
        len(parts) < 2
        or effects.is_fragment(parts[-1])
        or states_of_venue(parts[-1])
        or not ASKING.match(plain(parts[-1]))
    ):
        return ""
    asked = re.sub(r"^(?:so|and|but|e|ma|quindi|allora) ", "", parts[-1])
    return asked[:1].upper() + asked[1:]


def _told(reply: ModelReply, named: Sequence[Entry], offer: Offer) -> ModelReply:
    text = " ".join(entry.told for entry in named) if named else _unknown(offer.knowledge)
    said = said_by(reply)
    # What is left is no question any more, and a person has nothing to answer.
    calls = tuple(call for call in reply.tool_calls if call.name != ASK)
    told = _saying(reply.model_copy(update={"tool_calls": calls}), text, ModelWords(plain=text, only_asks=False))
    return told.model_copy(update={"quoted": tuple(entry.key for entry in named), "withheld": said})


def _acts(reply: ModelReply) -> bool:
    return any(call.name not in _SPEAKS and not call.problems for call in reply.tool_calls)


def _asks(last: str, knowledge: VenueKnowledge, known: Sequence[Entry]) -> bool:
    same = any(entry.asked and policies.same_question(last, entry.asked) for entry in known)
    return same or bool(policies.asks_for_policies(last, list(knowledge.policies))) or asks_of_venue(last)


def _looked_up(last: str, seen: str) -> bool:
    """Whether a look-up showed anything of what was asked: then it was about a booking."""
    asked = {word for word in _WORD.findall(plain(last)) if len(word) > 3}
    return any(word in seen for word in asked)


def _claims(sentence: str, names: frozenset[str], seen: Sequence[str] | str) -> bool:
    return states_of_venue(sentence, names) and not _shown(sentence, str(seen))


def _of_nothing_known(sentence: str, known: str) -> bool:
    """Whether a statement of a booking is borne out by nothing that was said or looked up in the chat: then it may as
    well be a rule ("they can stay as long as they like"), and the chat has nothing to tell of a booking anyway."""
    return any(words and not any(word[:4] in known for word in words) for words in of_a_booking(sentence))


def _shown(sentence: str, seen: str) -> bool:
    """Whether what was looked up bears a statement out: its words, its figures, and whether it says yes or no."""
    words = {word for word in _WORD.findall(plain(sentence)) if len(word) > 3}
    if not seen or not words or not figures_in(sentence) <= figures_in(seen):
        return False
    pieces = re.split(r'[.;{}\n]|,\s*(?=")', seen)
    best = max(pieces, key=lambda piece: sum(word in piece for word in words))
    carried = sum(word in seen for word in words) * 2 >= len(words)
    return carried and negated(sentence) == (negated(best) or bool(_FALSE.search(best)))


def _names(request: ReasonRequest) -> frozenset[str]:
    """Words of bookings and people that the chat is about."""
    known = (*request.context.known, *request.context.offered)
    told = " ".join(f"{b.guest_name} {b.label} {b.reference}" for b in known)
    said = [m.content for m in request.messages if m.role == "user"]
    # A sentence's own capital says nothing.
    spelt = [match[0] for text in said for match in re.finditer(r"(?<=[a-z,] )[A-Z][\w'’-]+", text)]
    return frozenset(_WORD.findall(plain(" ".join([told, *spelt]))))


def _seen(messages: Sequence[ChatMessage]) -> str:
    results = []
    for message in reversed(messages):
        if message.role == "user":
            break
        if message.role == "tool":
            results.append(plain(message.content))
    return " ".join(results)


def _unknown(knowledge: VenueKnowledge) -> str:
    reached = knowledge.contact
    ways: Mapping[str, str] = {"phone": reached.phone, "email": reached.email}
    return say("policy.unknown", ways=[value for value in ways.values() if value])


def _last(messages: Sequence[ChatMessage]) -> str:
    return next((message.content for message in reversed(messages) if message.role == "user"), "")


def _saying(reply: ModelReply, text: str, words: ModelWords) -> ModelReply:
    calls = tuple(_with_words(call, text) for call in reply.tool_calls)
    return reply.model_copy(update={"text": text, "words": words, "tool_calls": calls})


def _with_words(call: ToolCall, text: str) -> ToolCall:
    if call.name not in _SPEAKS:
        return call
    return call.model_copy(update={"arguments": {**call.arguments, _SPEAKS[call.name]: text}})
