"""Claims of an effect in a model's words: "I have cancelled it", "è stata spostata", "Done!".

Nothing that a model says changes anything, so a sentence of this kind is never true, whoever it speaks of. The grammar
of each language stands in a file of its own (`en`, `it`): forms of claims over a list of verbs, not sentences.
Questions, refusals, conditions and what a look-up showed are none of them.
"""

import re
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from language.effects.grammar import Grammar

_LANGUAGES = tuple(sorted(m.name for m in iter_modules(__path__) if m.name != "grammar"))
_GRAMMARS: dict[str, Grammar] = {name: import_module(f"language.effects.{name}").GRAMMAR for name in _LANGUAGES}
"""Compiled when imported: a workflow may not read files."""

_SENTENCE = re.compile(
    r"[^.!?…\n]*(?:(?:[.!?…](?!\s|$|[\"'”’)])|(?<=[apAP]\.[mM])\.(?=\ [a-z]))[^.!?…\n]*)*[.!?…]*[\"'”’)]*\s*"
)


_INVERTED = re.compile(
    r"^\W*(?:and |but |so )?(?:was|were|is|are|has|have|had|did|does|do|will|would|should|shall|can|could|may)"
    r"(?:n't)? (?:a|an|the|any|some|this|that|it|they|she|he|we|you|i|there|her|his|their|your|our|everything|"
    r"everyone|anything)\b"
)
"""An auxiliary in front of its subject: a part that asks by itself ("was a refund given, and how?")."""
_OF_THE_PAST = re.compile(
    r"^\W*(?:and |but |so )?(?:was|were|did|has|have|had)"
    r"(?!.*\b(?:know|knew|known|heard?|that|aware|remember\w*|told)\b)"
)
"""Of what a venue does at all people ask in the present; "did you know that …" states what follows."""
_FRAGMENT = re.compile(r"\W*(?:(?:and|or|but|so|then|e|o|ma|allora|not|no|if so|se si) )*[\w']+\W*")
"""A single word, which asks nothing without what stood in front of it: "how?", "and when?"."""


def without_effect_claims(text: str, locale: str) -> str:
    """`text` without its sentences that claim that something was, is being or will at once be done; "" when nothing
    is left. A question keeps its asking part, and goes whole where that part alone would be no question. Models do not
    always keep to the venue's language, so every language's grammar looks; `locale` comes first."""
    kept = [_kept(sentence.group(), locale) for sentence in _SENTENCE.finditer(text) if sentence.group()]
    return re.sub(r"[ \t]{2,}", " ", "".join(kept)).strip()


def only_asks(text: str) -> bool:
    """Whether every sentence of a text is a question."""
    sentences = [sentence.group().strip("\"'”’) \n\t") for sentence in _SENTENCE.finditer(text)]
    return all(sentence.endswith("?") for sentence in sentences if sentence)


def asks_what_was_done(part: str) -> bool:
    """Whether a part of a question asks by itself whether something was done: "was a refund given"."""
    words = _plain(part)
    return _INVERTED.match(words) is not None and _OF_THE_PAST.search(words) is not None


def is_fragment(asked: str) -> bool:
    """Whether what is left of a question asks nothing by itself: "how?", "and when?"."""
    return _FRAGMENT.fullmatch(_plain(asked)) is not None


def asks_for_change(text: str) -> bool:
    """Whether an operator's words hold a verb of change, in any language: the sign of a request. Errs towards yes."""
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
