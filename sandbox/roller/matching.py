"""Whether a booking matches keywords: pure text rules, no database.

Every keyword must match some word of the booking. A word matches if it is equal, if one is a prefix of the other (three
letters or more), or, from five letters on, if one typing slip separates the two. Case, accents, apostrophes and a
possessive 's do not count.
"""

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

# Shorter words are too similar to one another: "Emma" and "Gemma", "Liam" and "Lian".
TYPO_LENGTH = 5
PREFIX_LENGTH = 3
# Fewer digits are a reference or a count rather than a part of a phone number.
PHONE_DIGITS = 6


@dataclass(frozen=True)
class Haystack:
    """The text of one booking. `exact` holds ids, lower case, that match only as a whole."""

    words: frozenset[str]
    exact: frozenset[str]
    phone: str


def haystack(texts: list[str], ids: list[str], email: str, phone: str) -> Haystack:
    """Return one booking prepared: free texts, ids, and its guest's contact details ("" if unknown)."""
    words = {word for text in [*texts, email] for word in words_of(text)}
    exact = {value.casefold() for value in [*ids, email] if value}
    return Haystack(frozenset(words), frozenset(exact), national_digits(phone))


def matches(keywords: str, booking: Haystack) -> bool:
    """Return whether every word of the keywords is found in the booking."""
    if keywords.strip().casefold() in booking.exact:
        return True
    if re.fullmatch(r"[\d\s()+\-./]+", keywords):
        digits = national_digits(keywords)
        if len(digits) >= PHONE_DIGITS and phone_matches(digits, booking.phone):
            return True
    tokens = [token for token in keywords.split() if words_of(token)]
    return bool(tokens) and all(_token_matches(token, booking) for token in tokens)


@lru_cache(maxsize=10_000)
def words_of(text: str) -> tuple[str, ...]:
    """Return the words of a text, folded: "José's" gives "jose". Cached, because a search reads every booking and they
    rarely change."""
    folded = "".join(mark for mark in unicodedata.normalize("NFKD", text) if not unicodedata.combining(mark)).casefold()
    return tuple(re.findall(r"[^\W_]+", re.sub(r"['\u2019]", "", re.sub(r"['\u2019]s\b", "", folded))))


def national_digits(phone: str) -> str:
    """Return the digits without the leading zeros, which a country prefix replaces."""
    return re.sub(r"\D", "", phone.replace("(0)", "")).lstrip("0")


def phone_matches(asked: str, phone: str) -> bool:
    """Return whether two numbers are equal up to a country prefix, or one is part of the other."""
    return len(phone) >= PHONE_DIGITS and (asked in phone or asked.endswith(phone))


def one_slip_apart(left: str, right: str) -> bool:
    """Return whether at most one letter is missing, extra, wrong or swapped with its neighbour."""
    if abs(len(left) - len(right)) > 1:
        return False
    start = 0
    while start < min(len(left), len(right)) and left[start] == right[start]:
        start += 1
    rest_left, rest_right = left[start:], right[start:]
    swapped = rest_left[1::-1] + rest_left[2:]
    wrong, missing, extra = rest_left[1:] == rest_right[1:], rest_left == rest_right[1:], rest_left[1:] == rest_right
    return rest_right in (rest_left, swapped) or wrong or missing or extra


def _token_matches(token: str, booking: Haystack) -> bool:
    if token.casefold() in booking.exact:
        return True
    if "@" in token:
        return False
    digits = national_digits(token)
    if token.lstrip("+").isdigit() and len(digits) >= PHONE_DIGITS and phone_matches(digits, booking.phone):
        return True
    return all(any(_word_matches(word, other) for other in booking.words) for word in words_of(token))


def _word_matches(asked: str, word: str) -> bool:
    if asked == word or (len(asked) >= PREFIX_LENGTH and not asked.isdigit() and word.startswith(asked)):
        return True
    return len(asked) >= TYPO_LENGTH and asked.isalpha() and one_slip_apart(asked, word)
