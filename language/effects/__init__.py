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


def without_effect_claims(text: str, locale: str) -> str:
    """`text` without its sentences that claim that something was, is being or will at once be done; "" when nothing
    is left. A question keeps its asking part. Models do not always keep to the venue's language, so every language's
    grammar looks; `locale` comes first."""
    kept = [_kept(sentence.group(), locale) for sentence in _SENTENCE.finditer(text) if sentence.group()]
    return re.sub(r"[ \t]{2,}", " ", "".join(kept)).strip()


def only_asks(text: str) -> bool:
    """Whether every sentence of a text is a question."""
    sentences = [sentence.group().strip("\"'”’) \n\t") for sentence in _SENTENCE.finditer(text)]
    return all(sentence.endswith("?") for sentence in sentences if sentence)


def asks_for_change(text: str) -> bool:
    """Whether an operator's words hold a verb of change, in any language: the sign of a request. Errs towards yes."""
    return any(grammar.wishes.search(_plain(text)) for grammar in _GRAMMARS.values())


def _kept(sentence: str, locale: str) -> str:
    if not sentence.strip():
        return sentence
    if not sentence.rstrip("\"'”’) \n\t").endswith("?"):
        return "" if _claims(sentence, locale) else sentence
    asking = re.split(r"(?<=[,;:])\s+|\s[-–—]\s", sentence)
    left = [part for place, part in enumerate(asking) if place == len(asking) - 1 or not _claims(part, locale)]
    return sentence if len(left) == len(asking) else " ".join(left)


def _claims(sentence: str, locale: str) -> bool:
    plain = _plain(sentence)
    return any(_GRAMMARS[name].claims(plain) for name in _order(locale))


@cache
def _order(locale: str) -> tuple[str, ...]:
    own = locale.split("-", maxsplit=1)[0].lower()
    return tuple(sorted(_GRAMMARS, key=lambda name: name != own))


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", text.replace("’", "'").replace("`", "'")).strip().lower()
