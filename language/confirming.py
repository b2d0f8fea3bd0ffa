"""Questions that ask for nothing but a yes: "just to confirm, you want to cancel it?", "confermi?"."""

import re

from language.lexer import fold

_CONFIRMS = re.compile(
    r"\b(?:confirm|confirming|confirmed|confirmation|are you sure|sure you want|sure that you want|"
    r"(?:do|would) you (?:really |still )?(?:want|like) (?:me )?to|you want to|shall i|should i|go ahead|proceed|"
    r"cannot be undone|can't be undone|"
    r"confermi|conferma|confermare|confermo|(?:sei|e) sicur[oa]|vuoi (?:davvero |proprio )|procedo|procedere|"
    r"devo procedere|non si puo annullare)\b"
)
_OPEN = re.compile(
    r"\b(?:which|what|when|who|whom|whose|where|how|or|"
    r"quale|quali|cosa|che ora|quando|chi|dove|come|quant[oaie]|oppure|o)\b"
)


def only_confirms(text: str) -> bool:
    """Whether a question asks for a confirmation and for nothing else: for no value, and between no two things."""
    plain = fold(text).replace("’", "'")
    return bool(_CONFIRMS.search(plain)) and not _OPEN.search(plain)
