"""Claims of an effect in a model's text: "I have cancelled it", "è stata spostata", "Done!".

A model's text changes nothing, so such a sentence is never true, whatever its subject. The grammar of each language is
in its folder (`language/locales/en/effect_claims.py`): forms of claims over a list of verbs, not sentences. Questions,
refusals, conditions and results of a look-up are no claims.
"""

import re
from functools import cache, partial

from language.locales import SUPPORTED, alternatives, defined
from language.replies.claim_grammar import Grammar

_GRAMMARS: dict[str, Grammar] = {
    code: words["GRAMMAR"] for code in SUPPORTED if (words := defined(code, "effect_claims"))
}
"""Compiled when imported: a workflow may not read files."""

_SENTENCE = re.compile(
    r"[^.!?…\n]*(?:(?:[.!?…](?!\s|$|[\"'”’)])|(?<=[apAP]\.[mM])\.(?=\ [a-z]))[^.!?…\n]*)*[.!?…]*[\"'”’)]*\s*"
)
_words = partial(alternatives, "effect_claims")
_INVERTED = re.compile(rf"^\W*(?:{_words('INVERTED')})")
"""An auxiliary in front of its subject: a part that asks by itself ("was a refund given, and how?")."""
_OF_THE_PAST = re.compile(rf"^\W*(?:{_words('OF_THE_PAST')})")
"""Questions on a venue's usual practice are in the present; "did you know that …" states what follows."""
_FRAGMENT = re.compile(rf"\W*(?:(?:{_words('FRAGMENT_LEADS')}) )*[\w']+\W*")
"""A single word, which asks nothing without what stood in front of it: "how?", "and when?"."""


def without_effect_claims(text: str, locale: str) -> str:
    """Return `text` without its sentences that claim that something was, is being or will at once be done; "" if
    nothing is left. A question keeps its asking part, and is removed if that part alone is no question. Models do not
    always keep to the venue's language, so every language's grammar is applied; `locale` comes first."""
    kept = [_kept(sentence.group(), locale) for sentence in _SENTENCE.finditer(text) if sentence.group()]
    return re.sub(r"[ \t]{2,}", " ", "".join(kept)).strip()


def only_asks(text: str) -> bool:
    """Return whether every sentence of a text is a question."""
    sentences = [sentence.group().strip("\"'”’) \n\t") for sentence in _SENTENCE.finditer(text)]
    return all(sentence.endswith("?") for sentence in sentences if sentence)


def asks_what_was_done(part: str) -> bool:
    """Return whether a part of a question asks by itself if something was done: "was a refund given"."""
    words = _plain(part)
    return _INVERTED.match(words) is not None and _OF_THE_PAST.search(words) is not None


def is_fragment(question: str) -> bool:
    """Return whether the rest of a question asks nothing by itself: "how?", "and when?"."""
    return _FRAGMENT.fullmatch(_plain(question)) is not None


def asks_for_change(text: str) -> bool:
    """Return whether an operator's words hold a verb of change, in any language: the sign of a request. Errs towards
    yes."""
    return any(grammar.wishes.search(_plain(text)) for grammar in _GRAMMARS.values())


def _kept(sentence: str, locale: str) -> str:
    if not sentence.strip():
        return sentence
    if not sentence.rstrip("\"'”’) \n\t").endswith("?"):
        return "" if _claims(sentence, locale) else sentence
    asking = re.split(r"(?<=[,;:])\s+|\s[-–—]\s", sentence)
    last = len(asking) - 1
    left = [p for n, p in enumerate(asking) if n == last or _INVERTED.match(_plain(p)) or not _claims(p, locale)]
    if len(left) == len(asking):
        return sentence
    return "" if len(left) == 1 and is_fragment(left[0]) else " ".join(left)


def _claims(sentence: str, locale: str) -> bool:
    plain = _plain(sentence)
    return any(_GRAMMARS[name].claims(plain) for name in _order(locale))


@cache
def _order(locale: str) -> tuple[str, ...]:
    own = locale.split("-", maxsplit=1)[0].lower()
    return tuple(sorted(_GRAMMARS, key=lambda name: name != own))


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", text.replace("’", "'").replace("`", "'")).strip().lower()
