"""Italian: words, grammar and labels. Symbols are listed in `language.text.lexer`, fragments in `language.dates.rules`.

"le", "alle" and "ore" before a number mean a time (`LE`, `AT`, `Uh`), "il", "al" and "del" a day (`ON`, `OF`).
"""

from language.locales.it.calendar_words import LEXICON
from language.locales.it.formatting import LABELS, SUGGESTIONS
from language.locales.it.rules import COUNT_RULES, RULES

ELISION = True
VAGUE_SUFFIXES = ()
SOUNDS: dict[str, tuple[str, ...]] = {}
CAPITAL_DAYS = False
DAY_MARKERS = ("TO THE",)

__all__ = ["COUNT_RULES", "LABELS", "LEXICON", "RULES", "SUGGESTIONS"]
