"""Italian: words, grammar and labels. Symbols are listed in `language.lexer`, fragments in `language.when.rules`.

"le", "alle" and "ore" before a number mean a time (`LE`, `AT`, `Uh`), "il", "al" and "del" a day (`ON`, `OF`).
"""

from language.locales.it.labels import LABELS, SUGGESTIONS
from language.locales.it.lexicon import LEXICON
from language.locales.it.rules import COUNT_RULES, RULES

ELISION = True
VAGUE_SUFFIXES = ()

__all__ = ["COUNT_RULES", "ELISION", "LABELS", "LEXICON", "RULES", "SUGGESTIONS", "VAGUE_SUFFIXES"]
