"""Extracts the questions of a text, without its statements and announcements: "Which one?" of "I'll refund it. Which
one?"."""

import re
from functools import partial

from language.locales import alternatives
from language.replies import effect_claims
from language.text.lexer import fold
from language.venue_facts.statements import is_venue_statement, sentences_in

_words = partial(alternatives, "reply_questions")
_JOINS = _words("JOINS")
ASKING = re.compile(rf"^\W*(?:(?:{_JOINS}|{_words('OR')}) )?(?:{_words('ASKING')})\b")
"""How a question begins, in plain small letters."""
_TAG = re.compile(rf"^\W*(?:{_words('TAGS')})\W*$")
_ANNOUNCES = re.compile(_words("ANNOUNCES"))
_JOINED = re.compile(rf"^(?:{_JOINS}) ", re.IGNORECASE)
_PARTS = re.compile(r"(?<=[,;:])\s+|\s+[-–—]\s+|(?<=[.!…])\s+")


def questions_in(text: str, locale: str) -> str:
    """Return the questions of a text, each from its asking part on; "" if the text only asks for approval."""
    requested = [_asked(sentence.strip(), locale) for sentence in sentences_in(text)]
    return " ".join(question for question in requested if question)


def _asked(sentence: str, locale: str) -> str:
    bare = sentence.rstrip("\"'”’) ")
    if not bare.endswith("?"):
        return ""
    parts = [part for part in _PARTS.split(bare) if part]
    first = next(
        (n for n, part in enumerate(parts) if ASKING.match(_plain(part)) and not _TAG.match(_plain(part))), None
    )
    if first is None:
        # "Cash or card?" asks without a word for it; beside a statement, what is left of it asks nothing.
        first = 0 if len(parts) == 1 and not _TAG.match(_plain(bare)) else None
    question = " ".join(parts[first:]) if first is not None else ""
    if not question or (first and effect_claims.is_fragment(question)) or _asserts(question, locale):
        return ""
    question = _JOINED.sub("", question)
    return question[:1].upper() + question[1:]


def _asserts(question: str, locale: str) -> bool:
    stated = f"{question.rstrip('? ')}."
    claims = effect_claims.without_effect_claims(stated, locale) != stated
    return claims or bool(_ANNOUNCES.search(_plain(stated))) or is_venue_statement(question)


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", fold(text)).replace("’", "'").strip()


_CONFIRMS = re.compile(rf"\b(?:{_words('CONFIRMS')})\b")
_OPEN = re.compile(rf"\b(?:{_words('OPEN')})\b")
_RETELLS = re.compile(rf"\s*(?:{_words('RETELLS')})\b")
_OBJECTS = re.compile(rf"\b(?:{_words('OBJECTS')})\b")
_END = re.compile(r"[.!?;\n]+(?:\s|$)")


def only_confirms(text: str) -> bool:
    """Return whether a question only asks for a confirmation: for no value, no choice, and with no fact beside it that
    the operator should know first."""
    plain = fold(text).replace("’", "'")
    if not _CONFIRMS.search(plain) or _OPEN.search(plain) or _OBJECTS.search(plain):
        return False
    sentences = [one for one in _END.split(plain) if one.strip()]
    return all(_CONFIRMS.search(one) or _RETELLS.match(one) for one in sentences)
