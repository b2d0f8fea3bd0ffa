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


_RETELLS = re.compile(
    r"\s*(?:just to |to )?(?:you (?:are about|asked|said|want)|you're about|you've asked|"
    r"i am about|i'm about|i will|i'll|(?:this|that|it) (?:will|would|cancels|deletes|removes)|"
    r"stai per|hai chiesto|sto per|questo)\b"
)
"""What says once more what is about to be done."""
_OBJECTS = re.compile(
    r"\b(?:instead|another|other|others|different|also|but|however|though|already|"
    r"invece|altr[oaie]|divers[oaie]|anche|ma|pero|gia)\b"
)
_END = re.compile(r"[.!?;\n]+(?:\s|$)")


def only_confirms(text: str) -> bool:
    """Whether a question asks for a confirmation and for nothing else: for no value, between no two things, and with
    nothing beside it that somebody ought to know first."""
    plain = fold(text).replace("’", "'")
    if not _CONFIRMS.search(plain) or _OPEN.search(plain) or _OBJECTS.search(plain):
        return False
    sentences = [one for one in _END.split(plain) if one.strip()]
    return all(_CONFIRMS.search(one) or _RETELLS.match(one) for one in sentences)
