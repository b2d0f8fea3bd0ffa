"""Read an operator's message by word lists, in all languages at once, before any model reads it.

Small talk leads to no plan and no look-up: a greeting, thanks, "what can you do?", and a request for a person
("vorrei parlare con una persona", "get me a human").
"""

import re
from functools import partial
from typing import Literal

from contracts.enums import ShortReply
from contracts.message_reading import MessageReading, MessageTrait, RemainingRequest, ReplyQualifiers
from language.locales import alternatives, words_in_all
from language.replies.effect_claims import asks_for_change
from language.replies.polarity import asks_to_stop
from language.replies.short_replies import after_a_drop, bare_value, chose_undo, match_short_reply
from language.requests.cues import has_anaphora
from language.text.lexer import fold
from language.text.names import for_whom
from language.text.normalize import normalize_text

DECIDES = frozenset({ShortReply.YES, ShortReply.YES_CANCEL, ShortReply.UNDO})
"""Replies that change bookings: only a person may send them. The others stop running work."""


def classify_message(text: str, *, decides: bool = True, edited: bool = False) -> MessageReading:
    """Return the reading of a message. Unless it `decides`, it confirms, undoes and answers no plan, whatever its text.
    `edited`: the text repeats values that the operator typed into a plan, so it is no short reply."""
    match = None if edited else match_short_reply(text)
    rest = after_a_drop(text)
    traits = _traits(text)
    if asks_for_a_person(text) and not edited:
        traits.add(MessageTrait.WANTS_PERSON)
    if decides and chose_undo(text):
        traits.add(MessageTrait.CHOSE_UNDO)
    if decides and "?" not in text and not traits & {MessageTrait.ASKS_CHANGE, MessageTrait.WANTS_PERSON}:
        traits.add(MessageTrait.MAY_ANSWER)
    if has_anaphora(text):
        traits.add(MessageTrait.HAS_ANAPHORA)
    return MessageReading(
        reply=match.kind if match is not None and (decides or match.kind not in DECIDES) else None,
        traits=tuple(sorted(traits)),
        qualifiers=match.qualifiers if match is not None else ReplyQualifiers(),
        for_whom=for_whom(text),
        after_drop=_remaining(rest) if rest else None,
    )


def _remaining(text: str) -> RemainingRequest:
    return RemainingRequest(text=text, traits=tuple(sorted(_traits(text))), roles=tuple(sorted(bare_value(text))))


def _traits(text: str) -> set[MessageTrait]:
    signs = {
        MessageTrait.ASKS_CHANGE: asks_for_change(text),
        MessageTrait.SMALL_TALK: small_talk(text) is not None,
        MessageTrait.STOPS: asks_to_stop(text),
    }
    return {trait for trait, found in signs.items() if found}


Talk = Literal["hello", "thanks", "help"]

_words = partial(alternatives, "small_talk")

_all = partial(words_in_all, "small_talk")
_HELLO, _GREETINGS = _all("HELLO"), _all("GREETINGS")
_THANKS, _THANKING = _all("THANKS"), _all("THANKING")
_HELP = re.compile(rf"^(?:{_words('HELP')})$")
_BESIDE_HELP = re.compile(rf"^(?:(?:{_words('HELP_LEADS')}) )+|(?: (?:{_words('HELP_ENDS')}))+$")
_PRAISE = re.compile(_words("PRAISE"))


def small_talk(text: str) -> Talk | None:
    """Return the kind of small talk that a message is, if it is nothing else."""
    words = re.findall(r"[^\W_]+", re.sub(r"(?<=\w)['’`](?=\w)", "", fold(text)))
    if not words or len(words) > 12:
        return None
    plain = " ".join(words)
    if _HELP.match(_BESIDE_HELP.sub("", plain)):
        return "help"
    beside = set(_PRAISE.sub(" ", plain).split())
    if _THANKING & set(words) and _THANKS.issuperset(beside) and not re.search(r"\d", plain):
        return "thanks"
    return "hello" if _GREETINGS & set(words) and _HELLO.issuperset(words) else None


_wording = partial(alternatives, "asks_for_person")
_ASKS = re.compile(
    rf"(?:(?:{_wording('COURTESY')})[\s,.!]+)*(?:{_wording('ASKS')})(?:[\s,]+(?:{_wording('ENDS')})\b.*)?[\s.!?]*"
)
_LONGEST = 200


def asks_for_a_person(text: str) -> bool:
    """Return whether a message asks for a reply by a person, in any language. It must begin so, in the first person or
    as an order: "she wants to talk to somebody" is about others, and a note may hold any words."""
    letters = normalize_text(" ".join(text[: _LONGEST + 1].split()))
    return len(letters) <= _LONGEST and _ASKS.fullmatch(letters) is not None
