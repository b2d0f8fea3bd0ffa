"""What English calls things, and the forms of such a noun in a sentence, see `language.messages.nouns`."""

import re
from collections.abc import Callable

from contracts.venue import Noun

NOUNS = {
    "booking": Noun(one="booking", many="bookings"),
    "guest": Noun(one="guest", many="guests"),
    "system": Noun(one="booking system", many="booking systems"),
}

_VOWEL = re.compile(r"[aeiouàèéìòù]", re.IGNORECASE)
_HARD_A = re.compile(r"(uni|use|eu|one\b)", re.IGNORECASE)
_SILENT_H = re.compile(r"(hour|heir|honou?r|honest)", re.IGNORECASE)


def _sounds_open(text: str) -> bool:
    """Return whether a word begins with the sound of a vowel."""
    return bool(_SILENT_H.match(text) or (_VOWEL.match(text) and not _HARD_A.match(text)))


FORMS: dict[str, Callable[[Noun], str]] = {"a": lambda w: f"{'an' if _sounds_open(w.one) else 'a'} {w.one}"}
