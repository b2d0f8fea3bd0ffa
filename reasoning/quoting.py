"""What a model says of a venue's policies and of what guests ask is said only as the venue itself says it: its words
must quote an entry of the profile, and that entry is what the operator reads. Else nobody knows.

Judged in the activity and carried in the reply, as `reasoning/saying.py`. The sentences are the core's own, so the
language must have been said (`speak`).
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from contracts.model import ChatMessage, ModelReply, ModelWords, ReasonRequest, ToolCall
from contracts.venue import VenueKnowledge
from language import effects, policies
from language.catalogue import say
from language.plain import plain
from reasoning.knowing import FAQS, POLICY
from reasoning.mode import Offer
from reasoning.prompting import REFUSE
from reasoning.saying import said_by

_RUN = 5
"""So many words in a row, as an entry has them, are a quotation; a shorter entry must stand there as a whole."""

_WORD = re.compile(r"[^\W_]+")
_SENTENCE = re.compile(r"[^.!?…\n]+[.!?…]*")
_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of the profile: its key, what it says, and how it is told."""

    key: str
    text: str
    told: str
    asked: tuple[str, ...] = ()


def quoted(reply: ModelReply, request: ReasonRequest, offer: Offer) -> ModelReply:
    """The reply with what it says of policies and of guests' questions as the profile says it; as it was, where it says
    nothing of them."""
    said, last = said_by(reply), _last(request.messages)
    if _acts(reply) or not said.strip() or effects.only_asks(said):
        return reply
    known = _entries(offer.knowledge)
    named = [entry for entry in known if _quotes(said, entry)]
    # What was looked up for a question answers it: it was about a booking.
    asked = [] if _seen(request.messages) else _asked_for(last, offer.knowledge, known)
    claims = _claims(said, request.messages)
    if not asked and not claims:
        return reply
    # A question that an entry is for is answered by that entry, whatever the model makes of it.
    named = named or [entry for entry in known if entry.asked and policies.same_question(last, entry.asked)]
    text = " ".join(entry.told for entry in named) if named else _unknown(offer.knowledge)
    keys = tuple(entry.key for entry in named)
    return _saying(reply, text).model_copy(update={"quoted": keys, "withheld": said})


def _entries(knowledge: VenueKnowledge) -> list[Entry]:
    found = [
        Entry(f"{POLICY}{name}", text, say("policy.quoted", name=name.replace("_", " "), text=text))
        for name, text in knowledge.policies.items()
    ]
    for number, faq in enumerate(knowledge.faqs, 1):
        told = say("policy.answered", question=faq.question, text=faq.answer)
        found.append(Entry(f"{FAQS}.{number}", faq.answer, told, (faq.question, *faq.also_asked)))
    return found


def _acts(reply: ModelReply) -> bool:
    return any(call.name != REFUSE and not call.problems for call in reply.tool_calls)


def _asked_for(last: str, knowledge: VenueKnowledge, known: Sequence[Entry]) -> list[str]:
    """What the operator's question is about, as far as that is a policy or a question of guests."""
    found = list(policies.asks_for_policies(last, list(knowledge.policies)))
    return found + [entry.key for entry in known if entry.asked and policies.same_question(last, entry.asked)]


def _claims(said: str, messages: Sequence[ChatMessage]) -> list[str]:
    """The sentences that state a policy and that no look-up of this turn showed."""
    seen = _seen(messages)
    sentences = [match.group().strip() for match in _SENTENCE.finditer(said)]
    stated = [s for s in sentences if not s.endswith("?") and policies.states_policy(s)]
    return [s for s in stated if not _shown(s, seen)]


def _shown(sentence: str, seen: str) -> bool:
    words = {word for word in _WORD.findall(plain(sentence)) if len(word) > 3}
    found = {word for word in words if word in seen}
    return bool(seen) and len(found) * 2 >= len(words) and all(n in seen for n in _NUMBER.findall(sentence))


def _seen(messages: Sequence[ChatMessage]) -> str:
    results = []
    for message in reversed(messages):
        if message.role == "user":
            break
        if message.role == "tool":
            results.append(plain(message.content))
    return " ".join(results)


def _quotes(said: str, entry: Entry) -> bool:
    spoken, own = _WORD.findall(plain(said)), _WORD.findall(plain(entry.text))
    length = min(_RUN, len(own))
    runs = {tuple(own[place : place + length]) for place in range(len(own) - length + 1)}
    return length > 0 and any(tuple(spoken[place : place + length]) in runs for place in range(len(spoken)))


def _unknown(knowledge: VenueKnowledge) -> str:
    reached = knowledge.contact
    ways: Mapping[str, str] = {"phone": reached.phone, "email": reached.email}
    return say("policy.unknown", ways=[value for value in ways.values() if value])


def _last(messages: Sequence[ChatMessage]) -> str:
    return next((message.content for message in reversed(messages) if message.role == "user"), "")


def _saying(reply: ModelReply, text: str) -> ModelReply:
    calls = tuple(_with_message(call, text) for call in reply.tool_calls)
    words = ModelWords(plain=text, only_asks=False)
    return reply.model_copy(update={"text": text, "words": words, "tool_calls": calls})


def _with_message(call: ToolCall, text: str) -> ToolCall:
    return call.model_copy(update={"arguments": {**call.arguments, "message": text}}) if call.name == REFUSE else call
