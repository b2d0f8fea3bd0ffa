"""English: words, grammar and labels. Symbols are listed in `language.lexer`, fragments in `language.when.rules`."""

from language.locales.en.labels import LABELS, SUGGESTIONS
from language.locales.en.lexicon import LEXICON
from language.locales.en.rules import COUNT_RULES, RULES

ELISION = False
VAGUE_SUFFIXES = ("ish",)

__all__ = ["COUNT_RULES", "ELISION", "LABELS", "LEXICON", "RULES", "SUGGESTIONS", "VAGUE_SUFFIXES"]
