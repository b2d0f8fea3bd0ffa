"""The text of a note as an operator dictates it, found before anything else is read so that its words order nothing."""

from __future__ import annotations

import re
from dataclasses import dataclass

from language.dates.resolution import Span
from language.locales import alternatives, get_locale, in_all
from language.numbers.counts import counts_objects, find_counts
from language.requests.cues import find_cues
from language.text.normalize import normalize_text
from offline_planner.replies import words_of

_WHOSE = re.compile(
    rf"\s+(?:{alternatives('planner_notes', 'ON')})\s+(?:(?:{alternatives('planner_notes', 'BOOKING')})\s+)?#?"
    r"(?:[A-Za-z]{1,5}-)?\d{3,}\s*[.!]?$",
    re.IGNORECASE,
)
"""The booking at the very end ("… saying no candles on 6034") is no part of the note, where none is named before."""


@dataclass(frozen=True, slots=True)
class Dictated:
    """Hold the text to write down, and its place."""

    text: str
    span: Span


_CONTACT = re.compile(
    rf"\b(?:{alternatives('planner_notes', 'CONTACT')})\b.*\s(?:{alternatives('planner_notes', 'IS')}|:)\s+"
    r"(?:\S+@\S+|\+?[\d ]{8,})\s*$",
    re.IGNORECASE,
)
"""A new address or number is a contact detail however it is dictated, unless a note is asked for by its name."""


_ONLY_A_CONTACT = re.compile(
    rf"(?:\w+\s+){{0,3}}(?:{alternatives('planner_notes', 'CONTACT')})(?:\s+(?:address|number))?", re.IGNORECASE
)
"""Matches words that announce a contact detail: "record the following e-mail address"."""

_AND = alternatives("planner_notes", "AND")
_JOINER = re.compile(
    rf"(?:\s*[,;&+]|\s+(?:{_AND})\b)+(?:\s+(?:{alternatives('planner_notes', 'AND_ALSO')}))*\s*$", re.IGNORECASE
)
_TYPED_AS = [pair for pairs in in_all("planner_notes", "TYPED_AS") for pair in pairs]
_QUOTES = "\"“«'‘"
_LED = re.compile(rf"(?:(?:{_AND})\s+)+", re.IGNORECASE)


def _hurried(pattern: str) -> str:
    """Return the pattern with its words also as they are typed in a hurry."""
    for word, typed in _TYPED_AS:
        pattern = pattern.replace(word, f"(?:{word}|{typed})")
    return pattern


def _before_a_step(text: str, locale: str) -> int:
    """Return where a note ends before a change of the head count joined to it: "egg allergy and 1 extra kid"."""
    for step in find_counts(text, locale):
        led = _LED.match(step.text)
        joiner = _JOINER.search(text[: step.span[0] + (led.end() if led else 0)])
        if counts_objects(text, step.span[1], locale):
            continue
        if step.count.is_relative and joiner is not None and joiner.start():
            return joiner.start()
    return len(text)


def _only_a_booking(text: str, code: str) -> bool:
    """Return whether the words only name a booking: "a note on Sophie's party" dictates nothing yet."""
    return any(cue.kind == "BOOKING" and cue.span == (0, len(text)) for cue in find_cues(normalize_text(text), code))


def find_note(text: str, locale: str) -> Dictated | None:
    """Return the words to write down, ending where the next order begins; None when no note is dictated."""
    code = get_locale(locale).code
    words = words_of(locale, "notes")
    noun, order = words.get("NOUN", "(?!)"), words.get("NEXT_ORDER", "(?!)")
    for pattern in words.get("PATTERNS", ()):
        match = re.search(_hurried(pattern.replace("{noun}", noun)), text, re.IGNORECASE | re.DOTALL)
        if match is None:
            continue
        start, end = match.span("text")
        cut = re.search(order, text[start:end], re.IGNORECASE)
        if cut is not None:
            end = start + cut.start()
        if text[max(0, start - 1)] not in _QUOTES:
            end = start + _before_a_step(text[start:end], locale)
        if (tail := _WHOSE.search(text, start, end)) and not re.search(r"\d{3}", text[:start]):
            end = tail.start()
        message = text[start:end].strip().strip("\"“”«»'").rstrip(" ,;")
        if _only_a_booking(message, code) or _ONLY_A_CONTACT.fullmatch(message):
            continue
        if re.search(r"\w", message) and not (_CONTACT.search(message) and not re.search(noun, text[:start], re.I)):
            return Dictated(message, (start, end))
    return None
