"""The words by which a booking is called."""

from contracts.booking import BookingSummary
from language.alike import same_but_a_slip
from language.plain import plain
from language.plain import words as words_in


def marks_of(booking: BookingSummary) -> frozenset[str]:
    """The words that name a booking: of its guest and its title, not of how many come and when."""
    own = called_words(booking)
    # What a venue that forgives slips has found "Clark" by, asked for "Clarke", is no other name of his.
    return own | {w for w in _words_of(booking.found_by) if not any(same_but_a_slip(w, one) for one in own)}


def called_words(booking: BookingSummary) -> frozenset[str]:
    """Those of its own guest and title alone."""
    return _words_of(f"{booking.guest_name} {booking.label.partition(',')[0]}")


def _words_of(text: str) -> frozenset[str]:
    return frozenset(bare(word.text) for word in words_in(plain(text)) if not word.text.isdecimal())


def bare(word: str) -> str:
    """Without the ending of an owner or of several: "clarke's", "the smiths"."""
    word = word.removesuffix("'s").removesuffix("'")
    return word[:-1] if len(word) > 4 and word.endswith("s") and not word.endswith("ss") else word
