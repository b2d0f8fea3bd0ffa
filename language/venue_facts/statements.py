"""Detect statements about a venue: "dogs are welcome", "we close at 11", "la domenica costa di più".

A venue's rules can be on anything, so no list covers them. Therefore every statement counts as one about the venue,
except for the kinds that a chat about bookings needs: on a booking or its people, on availability, on what was found or
is not possible here, or on what the operator should write next.
"""

import re
from functools import partial

from language.locales import alternatives, words_in_all
from language.replies.message_reading import small_talk
from language.text.lexer import fold

_words = partial(alternatives, "venue_statements")
_SENTENCE = re.compile(r"(?:[^.!?…\n]|\.(?=\w)|(?<=[apAP])\.(?=[mM]))+[.!?…]*[\"'”’)]*\s*")
_CLAUSE = re.compile(
    rf"[;:]\s+|\s[-–—]\s|,\s+(?:{_words('JOINS')})\s+|,\s+|\s(?:{_words('BECAUSE')})\s|"
    rf"\s(?:{_words('AND')}|{_words('BUT')})\s(?=(?:{_words('SUBJECTS')})\b)"
)
_HEAD = re.compile(rf"^(?:[\s,.!:;()–—-]|(?:{_words('HEADS')})\b)+")
_INNOCENT = re.compile(rf"^(?:[\"“«„']|{_words('INNOCENT')})")
_SUBJECT = re.compile(rf"^(?:{_words('SUBJECT')})")
_OF_ANY = words_in_all("venue_statements", "OF_ANY")
_BOOKED = re.compile(_words("BOOKED"))
_RULE = re.compile(rf"\b(?:{_words('RULE')})\b")
_NO_RULE = re.compile(_words("NO_RULE"))
_NOT_KNOWN = re.compile(rf"\b(?:{_words('NOT_KNOWN')})\b")
_VERB = re.compile(_words("VERB"))
_SENTENCE_WORDS = 4
_ASKS = re.compile(rf"^(?:{_words('ASKS')})\b")
_DID_YOU_KNOW = re.compile(rf"^\W*(?:{_words('DID_YOU_KNOW')})\b")
_NO_ANSWER = re.compile(rf"^\W*(?:{_words('NO_ANSWER')})")
_ROW = re.compile(rf"^(?:\W*\d|{_words('ROW')})\b")
_FRAGMENT = re.compile(rf"[$€£%]|\b(?:{_words('MONEY')})\b")
_WE = re.compile(rf"^(?:{_words('WE')})")
_COURTEOUS = re.compile(rf"^\W*(?:{_words('COURTEOUS')})(?: (?:{_words('COURTEOUS_TO')}))?\W*$")


def sentences_in(text: str) -> list[str]:
    """Return the sentences of a text, each with its marks and the space behind it."""
    return [found.group() for found in _SENTENCE.finditer(text) if found.group().strip()]


def courteous(sentence: str) -> bool:
    """Return whether a sentence is only a courtesy."""
    return bool(_COURTEOUS.match(_plain(sentence))) or small_talk(sentence) is not None


def is_venue_statement(sentence: str, names: frozenset[str] = frozenset()) -> bool:
    """Return whether a sentence states a fact about the venue. `names` are words, in lower case, of the bookings and
    people that the chat is about: a statement on those does not count. A question states only what it presupposes: "did
    you know that dogs are welcome?", "dogs are welcome, so which booking?"."""
    if courteous(sentence):
        return False
    text = _plain(sentence)
    clauses = [clause.strip() for clause in _CLAUSE.split(text) if clause and clause.strip()]
    if text.rstrip("\"'”’) ").endswith("?"):
        if _presuming(sentence, names):
            return True
        stated = [clause for clause in clauses[:-1] if not _ASKS.match(clause)]
        clauses = stated + ([clauses[-1]] if _DID_YOU_KNOW.match(text) else [])
    return any(_states(clause, names) for clause in clauses)


def question_without_presupposition(question: str, names: frozenset[str] = frozenset()) -> str:
    """Return a question up to the part that presupposes a fact about the venue: of "Which one, as dogs are free?" it is
    "Which one?"."""
    return before_presumed(question, _presuming(question, names))


def _presuming(question: str, names: frozenset[str]) -> set[str]:
    return {part for part in find_presuppositions(question) if _states(_plain(part), names)}


def booking_clauses(sentence: str) -> tuple[frozenset[str], ...]:
    """Return, for each clause on a booking or a person, the words that known facts must ground; nothing for a question,
    a courtesy, or a statement that something is unknown or not possible here."""
    text = _plain(sentence)
    if courteous(sentence) or text.rstrip("\"'”’) ").endswith("?"):
        return ()
    bare = [_HEAD.sub("", clause).strip() for clause in _CLAUSE.split(text) if clause and clause.strip()]
    lines = [clause for clause in bare if _SUBJECT.match(clause) and not _NOT_KNOWN.search(clause)]
    return tuple(frozenset(w for w in re.findall(r"[^\W\d_]{4,}", clause)) - _OF_ANY for clause in lines)


def answers_venue_question(sentence: str, names: frozenset[str] = frozenset()) -> bool:
    """Return whether a sentence would answer a question about the venue: "yes", "at 11", "in Brunswick"; not a
    question, nor a statement that the answer is unknown or that help is not possible here."""
    text = _plain(sentence)
    if text.rstrip("\"'”’) ").endswith("?"):
        return is_venue_statement(sentence, names)
    return not _NOT_KNOWN.search(text) and not _NO_ANSWER.match(text)


def _states(clause: str, names: frozenset[str]) -> bool:
    bare = _HEAD.sub("", clause).strip()
    if not bare or _COURTEOUS.match(bare) or _NOT_KNOWN.search(bare):
        return False
    if find_terms(bare):
        return True
    if _RULE.search(bare) and not _NO_RULE.search(bare):
        return True
    if _FRAGMENT.search(bare) and not _INNOCENT.match(bare) and not _BOOKED.search(bare):
        return True
    if _WE.match(bare):
        return True
    if _BOOKED.search(bare) or _INNOCENT.match(bare) or not (_VERB.search(bare) or _says_something(bare)):
        return False
    return not set(re.findall(r"[^\W_]+", bare)[:4]) & names


def _says_something(clause: str) -> bool:
    """Return whether a clause is more than a name, a day or a row of a list, since no list holds every verb."""
    return len(re.findall(r"[^\W\d_]+", clause)) >= _SENTENCE_WORDS and not _ROW.match(clause)


def _plain(sentence: str) -> str:
    return re.sub(r"\s+", " ", fold(sentence)).replace("’", "'").strip()


_MONEY = rf"(?:{_words('MONEY')}|aud|eur|usd)\b"
_EACH = rf"(?:{_words('EACH')})"
_TERMS = re.compile(
    rf"\b(?:{_words('COSTS')}) (?:\w+ ){{0,2}}[$€£]?\d|"
    rf"\d+(?:[.,]\d+)? ?(?:[$€£]|{_MONEY}) (?:\w+ )?{_EACH}|[$€£] ?\d+(?:[.,]\d+)? (?:\w+ )?{_EACH}|"
    rf"\d+ ?(?:%|{_words('PERCENT')}) (?:{_words('OFF')})\b|"
    rf"\b(?:{_words('FEES')}) (?:(?:{_words('IS')}) )?(?:{_words('OF')}) (?:(?:{_words('THE')}) )?\d+|{_words('TERMS')}"
)
_OWN = re.compile(rf"\b(?:{_words('OWN')})\b")
_SINCE = rf"(?:{_words('SINCE')})"
_WITH = rf"(?:{_words('WITH')}) (?:(?:{_words('WITH_ITS')}) )?\d+ ?(?:%|{_words('WITH_UNIT')})"
_PIECES = re.compile(
    rf"\s*[()]\s*|,?\s+(?={_SINCE}\s)|(?<=[:;])\s+|,\s+(?:(?:{_words('AND')})\s+)?|\s[-–—]\s|\s+(?={_WITH})",
    re.IGNORECASE,
)
_SUBORDINATE = re.compile(rf"^{_SINCE}\s+", re.IGNORECASE)
_CLAIM = 3
"""Words from which on a part presupposes something: "as agreed" does not."""
_SHARE = re.compile(rf"^{_WITH}")


def find_terms(clause: str) -> bool:
    """Return whether words state a price, an availability, an inclusion or a refund."""
    text = _plain_terms(clause)
    return bool(_TERMS.search(text) or _SHARE.match(text)) and not _OWN.search(text)


def find_presuppositions(question: str) -> list[str]:
    """Return what a question presupposes, each part without its conjunction: "… , as it is free"."""
    pieces = [piece for piece in _PIECES.split(question.rstrip("\"'”’) ").rstrip("?")) if piece and piece.strip()]
    joined = [_SUBORDINATE.sub("", piece) for piece in pieces if _SUBORDINATE.match(_plain_terms(piece))]
    found = [piece for piece in joined if find_terms(piece) or len(piece.split()) >= _CLAIM]
    return found + [piece for piece in pieces if find_terms(piece) and not _SUBORDINATE.match(_plain_terms(piece))]


def before_presumed(question: str, holds: set[str]) -> str:
    """Return a question up to the first of these parts; "" if the question begins with it."""
    kept = ""
    for piece in _PIECES.split(question.strip().rstrip("\"'”’) ").rstrip("?")):
        if not piece or not piece.strip():
            continue
        if _SUBORDINATE.sub("", piece) in holds:
            break
        index = question.find(piece, len(kept))
        kept = question[: index + len(piece)]
    return f"{kept.rstrip(' ,;:(-–—')}?" if kept.strip() else ""


def _plain_terms(text: str) -> str:
    return re.sub(r"\s+", " ", fold(text)).replace("’", "'").strip()
