"""Detects questions about the venue itself, and not about a booking, availability or the assistant."""

import re
from collections.abc import Collection
from functools import partial

from language.locales import alternatives
from language.replies.message_reading import small_talk
from language.text.lexer import fold
from language.venue_facts.matching import joined_tables, topics_in

_words = partial(alternatives, "venue_questions")
_ASKED_FOR = re.compile(rf"\b(?:{_words('ASKED_FOR')})\b")
_BOOKING = _words("BOOKING")
_OF_ONE = re.compile(
    rf"\d{{3,}}|\b(?:{_words('THIS')}) (?:\w+ )?(?:{_BOOKING})\b|"
    rf"(?:{_words('OWNER')}) (?:\w+ )?(?:{_BOOKING}|{_words('OWNED')})\b|"
    rf"\b(?:{_BOOKING}) (?:{_words('OF')}) (?!(?:{_words('A')})\b)\w+|{_words('OF_ONE')}"
)
_ROOM = re.compile(rf"\b(?:{_words('ROOM')})\b")
_CHANGE = _words("CHANGE")
_WISH = re.compile(
    rf"\b(?:{_words('WISH')}) (?:(?:{_words('SOFTENED')}) )?(?:{_CHANGE})\b|"
    rf"^(?:\W|(?:{_words('WISH_LEADS')}) )*(?:{_CHANGE})\b(?! (?:{_words('CHANGE_OF')}))"
)
_OF_US = re.compile(rf"(?:\b|^)(?:{_words('OF_US')})\b|^\W*(?:{_words('BARE')})\W*$")
_BRINGS = re.compile(rf"\b(?:{_words('BRINGS')})\b(?P<what>.*)")
_TABLE = _words("BROUGHT_TABLE")
_TO_WHERE = re.compile(
    rf"\b(?:{_words('BROUGHT_BOOKING')}|(?:{_TABLE}) (?:{_words('BROUGHT_OF')})\b)|"
    rf"^ (?:(?:{_words('THE')}) )?(?:{_TABLE}) |"
    rf"\b(?:{_words('TO')}) (?:(?:{_words('TO_THE')}) )?(?:\d|{_words('TO_WHEN')})"
)
"""Of a booking, or of the day, the hour or the number it goes to."""
_MAY_ONE = re.compile(rf"^\W*(?:{_words('MAY_ONE')})(?!(?:\w+ )?(?:{_words('REFUND')}))")
_NAMED = re.compile(rf"\d{{3,}}|{_words('NAMED')}")
_OF_RULES = frozenset(("refund", "price"))

_SENTENCE = re.compile(r"[^.!?\n]+[.!?]*")


def is_venue_question(text: str) -> bool:
    """Return whether words ask for something that holds of the venue itself: its hours, its rules, what there is, what
    it costs."""
    return not small_talk(text) and any(_asks(sentence.group()) for sentence in _SENTENCE.finditer(text))


def asks_to_bring(text: str) -> bool:
    """Return whether words ask if a guest may bring something or someone: "posso portare il cane?". The same verb moves
    a booking, which has a name or goes to a day, an hour or a head count: "possiamo portare Rossi a domani?"."""
    message = re.sub(r"\s+", " ", fold(text)).replace("’", "'").strip()
    found = _BRINGS.search(message)
    return found is not None and not _TO_WHERE.search(found["what"])


def _asks(sentence: str) -> bool:
    text = re.sub(r"\s+", " ", fold(sentence)).replace("’", "'").strip()
    if not (is_question(sentence) or _ASKED_FOR.search(text)):
        return False
    # "Could I move my booking without losing the money?" asks what holds, though it speaks of a booking and a change.
    if _MAY_ONE.match(text) and topics_in(sentence) & _OF_RULES and not _NAMED.search(text):
        return True
    return not any(other.search(text) for other in (_OF_ONE, _ROOM, _WISH, _OF_US))


_RULES = re.compile(rf"\b(?:{_words('RULES')})\b")
_TOPICS = joined_tables("venue_questions", "POLICIES")
"""By the commonest names of policies, what people say for them."""
_QUESTION = re.compile(rf"^(?:(?:{_words('QUESTION_LEADS')})[,!. ]+)*(?:{_words('QUESTION')})\b")
_REQUEST = re.compile(rf"\b(?:{_words('REQUEST')})\b")


def is_question(text: str) -> bool:
    """Return whether words ask for an answer."""
    message = fold(text).strip()
    return message.endswith("?") or bool(_QUESTION.match(message))


def asks_for_policies(text: str, names: Collection[str]) -> tuple[str, ...]:
    """Return the names of the policies that a question is about; ("*",) where it is about one that no name tells."""
    message = fold(text)
    ruled = bool(_RULES.search(message))
    if not is_question(text) or (_REQUEST.search(message) and not ruled):
        return ()
    own = [name for name in names if ruled and re.search(rf"\b{re.escape(name.replace('_', ' '))}\b", message)]
    topics = [name for name, words in _TOPICS.items() if re.search(rf"\b(?:{words})\b", message)]
    found = tuple(dict.fromkeys([*own, *(name for name in topics if name in names)]))
    return found or (("*",) if ruled or topics else ())
