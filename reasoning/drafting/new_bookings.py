"""Requests to create something that no step creates: "new booking for Emma at 4pm", planned as a change of Emma's."""

import re
from collections.abc import Collection, Sequence

from contracts.action import ActionParameter, AtomicAction
from contracts.base import Json
from contracts.enums import ParameterRole
from contracts.step_activities import DraftedStep
from language.dates.resolution import Span
from language.dates.times import find_durations, recurs
from language.extraction import Assertion, Extraction, MentionKind
from language.extraction.message import Message
from language.locales import alternatives, get_locale
from language.messages.catalogue import translate
from language.requests.creation import VAGUE, find_creation_request, is_creation_title
from language.requests.parts import is_unknown_word, tag_words
from language.text.lexer import lex
from language.text.normalize import normalize_text


def missing_creation(evidence: Extraction, steps: Sequence[DraftedStep], *, latest_only: bool) -> str:
    """Return the words for the new thing; "" if there are none, or if a step may create it."""
    if any(
        s.action.operation.method == "POST" or is_creation_title(normalize_text(f"{s.action.title} {s.action.name}"))
        for s in steps
    ):
        return ""
    texts = [normalize_text(str(v)) for step in steps for v in step.parameters.values() if isinstance(v, str)]
    for message in evidence.messages[: 1 if latest_only else None]:
        position = find_creation_request(message.plain, _nouns(message))
        asked = position is not None and evidence.assertion_of(message, position) is Assertion.ASSERTED
        if position and asked and not any(message.plain[slice(*position)] in text for text in texts):
            return message.text[slice(*position)]
    return ""


def unused_creation_details(evidence: Extraction, steps: Sequence[DraftedStep]) -> str:
    """Return the words about a new thing that no creating step carries: recurrence, a range of days ("Monday to
    Wednesday"), duration, time zone; "" if there are none. A new thing has no previous day."""
    making = [s for s in steps if creates_again(s.action)]
    if not making or not evidence.messages:
        return ""
    message = evidence.messages[0]
    if again := recurs(message.text):
        return message.text[slice(*again)]
    stretch = [c for c in evidence.of(MentionKind.DAY) if c.message == 0 and c.assertion is Assertion.PAST]
    if stretch:
        return stretch[0].text
    if _unfilled(making, ParameterRole.DURATION):
        details = [
            span
            for _, span in find_durations(message.text)
            if evidence.assertion_of(message, span) is Assertion.ASSERTED
        ]
        if details:
            return message.text[slice(*details[0])]
    for parameter in _unfilled(making, ParameterRole.TIME_ZONE):
        ways = [normalize_text(way) for phrases in parameter.phrases.values() for way in phrases]
        found = next((m for way in ways if (m := re.search(rf"(?<!\w){re.escape(way)}(?!\w)", message.plain))), None)
        if found is not None:
            return message.text[slice(*found.span())]
        tokens = lex(message.text, get_locale(message.locale)).tokens
        if zone := next((t for t in tokens if t.symbol == "ZONE"), None):
            return message.text[zone.start : zone.end]
    return _unnamed(message, making) if len(making) == len(steps) else ""


def two_hours(evidence: Extraction, steps: Sequence[DraftedStep]) -> str:
    """Return the question which hour is meant, if the steps create something and two hours are mentioned; "" if one is,
    or if the first is corrected. "Alle 21 … alle 22" is a change of hour only in a move, because a new thing has no
    previous hour."""
    if not any(creates_again(s.action) for s in steps) or not evidence.messages:
        return ""
    takes_back = [cue.span[0] for cue in evidence.messages[0].of_kind("CORRECT", "NO", "INSTEAD")]
    hours = [
        c
        for c in evidence.of(MentionKind.TIME)
        if c.message == 0 and c.assertion in (Assertion.PAST, Assertion.ASSERTED)
    ]
    for before in hours:
        later = hours[-1]
        kept = not any(before.span[1] <= index for index in takes_back)
        if before.assertion is Assertion.PAST and later.is_asserted and kept:
            return translate("coverage.two_hours", first=before.text, last=later.text)
    return ""


def _unnamed(message: Message, steps: Sequence[DraftedStep]) -> str:
    """Return a person after "with" or a verb of meeting that no step is about: "meet Aviad and meet Marco"."""
    text = " ".join(normalize_text(str(v)) for s in steps for v in s.parameters.values() if isinstance(v, str))
    met = [w for w in message.words if is_unknown_word(w.text.removesuffix("'s"), message.locale)]
    missed = (w for w in met if _MEETS.search(message.plain, 0, w.start) and w.text.removesuffix("'s") not in text)
    found = next(missed, None)
    return message.text[found.start : found.end] if found is not None else ""


_MEETS = re.compile(rf"\b(?:{alternatives('drafting', 'MEETS')})\s+$")


def creates_again(action: AtomicAction) -> bool:
    """Return whether an action creates something with a day of its own."""
    return bool(action.with_role(ParameterRole.DATE)) and not action.with_role(ParameterRole.BOOKING)


def created_id(action: AtomicAction, output: Json) -> str | None:
    """Return the venue's id of what a step created, from its output. The chat refers to it by this id."""
    if action.read_only or action.with_role(ParameterRole.BOOKING) or not isinstance(output, dict):
        return None
    found = output.get("booking_id")
    return str(found) if isinstance(found, str | int) and found and not isinstance(found, bool) else None


def unrequested_move(
    evidence: Extraction, steps: Sequence[DraftedStep], pending: Sequence[str], makers: Collection[str]
) -> DraftedStep | None:
    """Return a move that was not requested: the operator may mean something new, or the waiting creation (`pending` are
    the actions of the waiting plan, `makers` those that create). A waiting plan that moves something makes it clear,
    and so do earlier words."""
    making = any(name in makers for name in pending)
    open_before = len(evidence.messages) > 1 if not pending else not making
    moved = next((s for s in steps if s.booking is not None and _sets_when(s)), None)
    return None if not makers or open_before or moved is None or not may_mean_creation(evidence) else moved


def _sets_when(step: DraftedStep) -> bool:
    whens = (*step.action.with_role(ParameterRole.DATE), *step.action.with_role(ParameterRole.TIME))
    return any(step.parameters.get(p.name) is not None for p in whens)


_MOVES = frozenset(("move", "now", "pronoun", "booking"))


def may_mean_creation(evidence: Extraction) -> bool:
    """Return whether words neither request a move nor point at an existing booking ("Tuesday 3pm with Aviad", "can we
    do Priya at 11"). They may then mean a creation, if the venue supports one."""
    message = evidence.messages[0]
    whens = [
        c
        for c in evidence.of(MentionKind.DAY, MentionKind.TIME, MentionKind.SHIFT, MentionKind.NUMBER)
        if c.message == 0
    ]
    stretch = any(c.assertion is Assertion.PAST for c in whens)
    target = any(message.cue_before(c.span, ("TO",), 0) for c in whens) and not stretch
    moves = any(part.does(*_MOVES) for part in tag_words(message.text, message.locale))
    points = message.of_kind("INSTEAD", "CORRECT", "NOT")
    return not (moves or target or points or any(c.kind is MentionKind.SHIFT for c in whens))


def _unfilled(steps: Sequence[DraftedStep], role: ParameterRole) -> list[ActionParameter]:
    """Return the parameters of a role that no step has a value for."""
    found = [(s, p) for s in steps for p in s.action.with_role(role)]
    return [] if any(s.parameters.get(p.name) is not None for s, p in found) else [p for _, p in found]


def _nouns(message: Message) -> list[Span]:
    """Return where a bookable thing is mentioned; "another booking" counts by its last word."""
    found = [c.span for c in message.of_kind("BOOKING")]
    for other in message.of_kind("OTHER"):
        found += [(w.start, w.end) for w in message.words if w.end == other.span[1] and w.start > other.span[0]]
    return sorted(s for s in set(found) if message.plain[slice(*s)] not in VAGUE)
