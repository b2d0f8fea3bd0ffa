"""Days and hours of something else than the booking: "call her at 4pm", "the cake comes at five", "invoice due 5
December".

What governs a day or an hour is the nearest word in front of it, in its clause, that is neither a small word, a name
nor another value. A verb of calling, paying or the like takes it; so does any verb with a subject of its own that is
neither the booking nor its guests.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial

from language.extraction.mention import Mention
from language.extraction.message import Message
from language.locales import alternatives, data_of, get_locale
from language.requests.cues import function_words
from language.requests.parts import is_unknown_word
from language.text.normalize import WordToken

_of = partial(alternatives, "extraction")
_OTHER = re.compile(_of("OTHER_EVENT"))
_COMES = re.compile(_of("COMES"))
_PARTICLE = re.compile(_of("PARTICLE"))
_ARTICLE = re.compile(_of("ARTICLE"))
_SUBJECT_PRONOUN = re.compile(_of("SUBJECT_PRONOUN"))


def is_of_another_event(message: Message, mention: Mention, mentions: Sequence[Mention]) -> bool:
    """Return whether the words give the day or hour to something else than the booking."""
    words = _in_front(message, mention, mentions)
    for index in range(len(words) - 1, -1, -1):
        word = words[index].text
        own_subject = _has_subject(message, words[:index])
        if _is_booking(message, words[index]):
            return False
        if _OTHER.fullmatch(word):
            before = words[index - 1] if index else None
            # "Schedule a call at 3": a noun.
            return before is None or not (_is_booking(message, before) or _ARTICLE.fullmatch(before.text))
        if _COMES.fullmatch(word):
            return own_subject
        if word in function_words(message.locale) or _PARTICLE.fullmatch(word):
            continue
        if not is_unknown_word(word, message.locale):
            return False
        is_name = message.text[words[index].start].isupper() and index > 0
        acts = (
            own_subject
            and not is_name
            and (_follows_pronoun(message, words[:index]) or _has_form(message, word, "VERB_FORM"))
        )
        if acts or (index == 0 and _has_form(message, word, "COMMAND_WITH_OBJECT")):
            return True
    return False


def _has_form(message: Message, word: str, name: str) -> bool:
    """Return whether an unknown word has a form that only the message's own language knows."""
    pattern: str = getattr(data_of(get_locale(message.locale).code, "extraction"), name)
    return re.fullmatch(pattern, word) is not None


def _in_front(message: Message, mention: Mention, mentions: Sequence[Mention]) -> list[WordToken]:
    """Return the words of the clause in front of a mention, without those of other mentions."""
    start = max((stop for stop in message.stops if stop < mention.span[0]), default=0)
    values = [m.span for m in mentions]
    return [
        word
        for word in message.words
        if start <= word.start and word.end <= mention.span[0]
        if not any(a < word.end and word.start < b for a, b in values)
    ]


def _has_subject(message: Message, words: Sequence[WordToken]) -> bool:
    """Return whether the last of the words is a subject: a person, a pronoun, or a noun with its article that is not
    the booking."""
    if not words:
        return False
    last = words[-1]
    if _follows_pronoun(message, words):
        return True
    article = words[-2] if len(words) > 1 and last.text not in function_words(message.locale) else None
    beside = article is not None and not message.plain[article.end : last.start].strip()
    return article is not None and beside and bool(_ARTICLE.fullmatch(article.text)) and not _is_booking(message, last)


def _follows_pronoun(message: Message, words: Sequence[WordToken]) -> bool:
    return _SUBJECT_PRONOUN.fullmatch(words[-1].text) is not None or _is_cued(message, words[-1], "PERSON")


def _is_booking(message: Message, word: WordToken) -> bool:
    people = any(token.start == word.start and token.symbol == "PEOPLE" for token in message.tokens)
    return people or _is_cued(message, word, "BOOKING", "FAMILY")


def _is_cued(message: Message, word: WordToken, *kinds: str) -> bool:
    return any(cue.span[0] <= word.start < cue.span[1] for cue in message.of_kind(*kinds))
