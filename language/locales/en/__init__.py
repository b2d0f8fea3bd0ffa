"""English: words, grammar and labels. Symbols are listed in `language.text.lexer`, fragments in
`language.dates.rules`."""

from language.locales.en.calendar_words import LEXICON
from language.locales.en.formatting import LABELS, SUGGESTIONS
from language.locales.en.rules import COUNT_RULES, RULES

ELISION = False
VAGUE_SUFFIXES = ("ish",)
SOUNDS: dict[str, tuple[str, ...]] = {"2": ("to", "t")}
CAPITAL_DAYS = True
DAY_MARKERS = ("ON",)

__all__ = ["COUNT_RULES", "LABELS", "LEXICON", "RULES", "SUGGESTIONS"]
