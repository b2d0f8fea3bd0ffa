"""Completeness: a plan contains everything that was asked for, and nothing else.

Each request of the open turn is in a step, and each step was requested; a high-risk step needs a verb of its own. A
step that the operator just rejected does not return. A mismatch is reported to the model first, which may fix its plan,
and then asked of the operator in the operator's own words.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from contracts.booking import BookingSummary
from contracts.enums import ParameterRole as Role
from contracts.enums import SafetyTier
from contracts.plan import PlannedAction
from contracts.step_activities import DraftedStep
from language.dates.resolution import Span
from language.extraction import Assertion, Extraction, Mention, MentionKind, is_addition
from language.extraction.booking_references import says_why
from language.extraction.message import Message
from language.extraction.quotes import decides, inside, only_reported, taken_down
from language.locales import alternatives, in_all, words_in_all
from language.messages.catalogue import translate
from language.numbers.counts import counts_objects
from language.replies.effect_claims import asks_for_change
from language.requests.booking_names import booking_words
from language.requests.parts import find_verb, find_verb_loose, verb_groups
from language.text.normalize import normalize_text, tokenize
from reasoning.drafting.booking_list import tells_which
from reasoning.drafting.new_bookings import missing_creation, two_hours, unrequested_move, unused_creation_details
from reasoning.drafting.preflight import booking_label
from reasoning.grounding.context import ALL_ROLES, ROLES, carries

_LEFT_ALONE = {
    "LEAVE_DAY": Role.DATE,
    "LEAVE_TIME": Role.TIME,
    "LEAVE_COUNT": Role.COUNT,
    "LEAVE_NOTE": Role.NOTE,
}
_SHORTEST_WORD = 4
_DROPPED = words_in_all("completeness", "DROPPED")
_THING = 3
"""Words behind an article in which a booking would be named."""
_ARTICLES = words_in_all("completeness", "ARTICLES")
_ONLY = words_in_all("completeness", "ONLY")
_LED = re.compile(rf"^(?:(?:{alternatives('completeness', 'LED')})\s+)+")
_JOINS = re.compile(rf"(?:[,;&+]|\b(?:{alternatives('completeness', 'JOINS')}))\s*$")
_ON_WORD = alternatives("completeness", "ON")
_THE = rf"(?:(?:{alternatives('completeness', 'THE')})\b\s*)?"
_ON = re.compile(rf"(?:(?:{_ON_WORD})\b'?\s*)?{_THE}")
_NAMED_BY_DAY = re.compile(rf"(?P<name>[\w']+)\s+(?:{_ON_WORD})\b'?\s*{_THE}$")
"""Matches a name and the words from it to the day that identifies its booking."""
_AND = re.compile(
    rf"\s*(?:,|&|\b(?:{alternatives('completeness', 'AND')})\b)\s*"
    rf"(?:(?:{_ON_WORD}|{alternatives('completeness', 'AND_ON')})\b'?\s*)*{_THE}"
)
"""Matches what joins another such day to it."""
_POINTING = words_in_all("completeness", "POINTING")
_NO_LETTERS = tuple(in_all("completeness", "NO_LETTER"))
_ENTERS = tuple(in_all("completeness", "ENTERS"))
_NOTE = words_in_all("completeness", "NOTE")
_NOT_THE_NOUN = words_in_all("completeness", "NOT_THE_NOUN")


@dataclass(frozen=True, slots=True)
class Mismatch:
    """How a plan differs from the request: `hint` for the model, `question` for the operator."""

    hint: str
    question: str


def find_mismatch(
    evidence: Extraction,
    steps: Sequence[DraftedStep],
    pending: Sequence[PlannedAction],
    bookings: Sequence[BookingSummary],
    *,
    makers: Collection[str] = (),
) -> Mismatch | None:
    """Return the first mismatch between a plan and the words; None if there is none. `pending` is the waiting plan,
    `bookings` are those that the words may refer to, `makers` the actions that create something."""
    return (
        _unasked(evidence, steps, pending, bookings)
        or _undecided(evidence, steps, pending, makers)
        or _rejected(evidence, steps, pending)
        or _forgotten(evidence, steps, pending)
        or _left_out(evidence, steps, bookings)
    )


def points_at_booking(message: Message, evidence: Extraction, booking: BookingSummary | None) -> bool:
    """Return whether words refer to a booking itself: by its name, its number, or the word for a booking."""
    named = booking is not None and any(s.booking == booking.booking_id for s in evidence.named_in(message, booking))
    return named or bool(message.of_kind("BOOKING"))


def _unasked(
    evidence: Extraction,
    steps: Sequence[DraftedStep],
    pending: Sequence[PlannedAction],
    bookings: Sequence[BookingSummary],
) -> Mismatch | None:
    """Find a high-risk step without words of its own or of the plan that it corrects: "I meant 4112"."""
    put_right = [p.action_id for p in pending] == [s.action.name for s in steps]
    for step in steps:
        if put_right and _names_it(evidence, step):
            continue
        high_risk = step.action.safety is SafetyTier.HIGH_RISK
        if high_risk and not _has_own_words(evidence, step, bookings, _written(steps)):
            title, whom = step.action.title, booking_label(step.booking)
            hint = f"The operator did not ask for {step.action.name} ({whom}): leave it out, or ask."
            reference = step.booking.reference if step.booking else ""
            return Mismatch(hint, translate("coverage.unasked", title=title, whom=whom, reference=reference))
    return None


def _undecided(
    evidence: Extraction, steps: Sequence[DraftedStep], pending: Sequence[PlannedAction], makers: Collection[str]
) -> Mismatch | None:
    moved = unrequested_move(evidence, steps, [p.action_id for p in pending], makers)
    if moved is None:
        return None
    whom = (moved.booking.label if moved.booking else "") or booking_label(moved.booking)
    hint = f"The operator asked to move nothing: {moved.action.name} ({whom}) may not be meant. Make a new one, or ask."
    return Mismatch(hint, translate("coverage.undecided", whom=whom))


def _names_it(evidence: Extraction, step: DraftedStep) -> bool:
    """Return whether the latest message names the booking of a step."""
    latest = evidence.messages[0]
    return step.booking is not None and any(
        s.booking == step.booking.booking_id for s in evidence.named_in(latest, step.booking)
    )


def _has_own_words(
    evidence: Extraction, step: DraftedStep, bookings: Sequence[BookingSummary], written: Sequence[str]
) -> bool:
    """Return whether words request this step itself. The text of a note in the plan (`written`) requests nothing."""
    clusters = verb_groups(step.action.title) or verb_groups(step.action.name.replace("_", " "))
    about = evidence.for_booking(step.booking, bookings)
    for message in evidence.messages:
        spans = [span for name in clusters for span in find_verb_loose(name, message.text, message.locale)]
        if not clusters:
            own = {w.text for w in tokenize(normalize_text(step.action.title)) if len(w.text) >= _SHORTEST_WORD}
            spans = [(w.start, w.end) for w in message.words if w.text in own]
        for span in spans:
            meant = about.assertion_of(message, span) not in (Assertion.NEGATED, Assertion.CORRECTED)
            if inside(span, taken_down(message, written)):
                continue
            if meant and decides(message, span) and about.asks_about(message, span, step.booking):
                return True
    return False


def _rejected(evidence: Extraction, steps: Sequence[DraftedStep], pending: Sequence[PlannedAction]) -> Mismatch | None:
    """Find rejected waiting steps that the new words do not repeat: "no, move it to 3pm instead"."""
    latest = evidence.messages[0]
    left = {role for kind, role in _LEFT_ALONE.items() if latest.of_kind(kind)}
    for step in steps:
        same = any(p.action_id == step.action.name and p.parameters == dict(step.parameters) for p in pending)
        given = {p.role for p in step.action.parameters if step.parameters.get(p.name) is not None} - {Role.BOOKING}
        if same and given and given <= left:
            hint = f"The operator wants {step.action.name} left out."
            return Mismatch(
                hint, translate("coverage.rejected", title=step.action.title, whom=booking_label(step.booking))
            )
    # A no to a question of ours rejects what was asked, not the plan.
    turns_down = len(evidence.messages) == 1 and (_opens_with_no(latest) or bool(latest.of_kind("INSTEAD")))
    asserted = {role for c in evidence.mentions if c.message == 0 and c.is_asserted for role in ROLES.get(c.kind, ())}
    if not turns_down or not asserted or latest.of_kind("ALSO"):
        return None
    for step in steps:
        same = any(p.action_id == step.action.name and p.parameters == dict(step.parameters) for p in pending)
        roles = {p.role for p in step.action.parameters if step.parameters.get(p.name) is not None}
        if same and not roles & asserted and len(steps) > 1:
            hint = f"The operator has turned down {step.action.name}: leave it out."
            return Mismatch(
                hint, translate("coverage.rejected", title=step.action.title, whom=booking_label(step.booking))
            )
    return None


def _forgotten(evidence: Extraction, steps: Sequence[DraftedStep], pending: Sequence[PlannedAction]) -> Mismatch | None:
    """Find waiting steps of the same booking that the plan drops although the words do not exclude them."""
    latest = evidence.messages[0]
    taken_out = bool(latest.of_kind("INSTEAD", "CORRECT", "NO", "NOT", *_LEFT_ALONE)) or bool(
        (_DROPPED | _ONLY) & {word.text for word in latest.words}
    )
    kept = {(s.action.name, s.booking.booking_id) for s in steps if s.booking is not None}
    touched = {booking for _, booking in kept}
    if any(is_addition(message) for message in evidence.messages):
        touched |= {str(value) for waiting in pending for value in waiting.parameters.values()}
    for waiting in () if taken_out else pending:
        ids = {str(value) for value in waiting.parameters.values()} & touched
        if ids and all((waiting.action_id, booking) not in kept for booking in ids):
            hint = f"The plan that waits also has {waiting.action_id}, which was not taken back: call it again, too."
            return Mismatch(hint, translate("coverage.forgotten", title=waiting.title))
    return None


def _opens_with_no(message: Message) -> bool:
    first = message.words[0] if message.words else None
    cues = message.of_kind("NO", "CORRECT")
    return first is not None and any(cue.span[0] == first.start for cue in cues) and first.text.startswith(_NO_LETTERS)


def _left_out(
    evidence: Extraction, steps: Sequence[DraftedStep], bookings: Sequence[BookingSummary]
) -> Mismatch | None:
    """Find requests that are in no step. A message with a new request counts alone; an answer to our question completes
    the messages before it."""
    orders = asks_for_change(evidence.messages[0].text)
    if swallowed := _swallowed(evidence, steps):
        hint = f"“{swallowed}” in the note may be a change of its own: plan for it, or ask."
        return Mismatch(hint, translate("coverage.swallowed", text=swallowed))
    if missing := missing_creation(evidence, steps, latest_only=orders):
        hint = (
            f"The operator asks for something new (“{missing}”), and no step makes it: make it, or say that you cannot."
        )
        return Mismatch(hint, translate("coverage.left_out", text=missing))
    if which := two_hours(evidence, steps):
        return Mismatch("More than one hour is said of the new thing: ask which one is meant.", which)
    if narrowed := unused_creation_details(evidence, steps):
        hint = f"“{narrowed}” is said of the new thing, and no step carries it: use it, or ask what it is for."
        return Mismatch(hint, translate("coverage.left_out", text=narrowed))
    if passed := _passed_over(evidence, steps, bookings):
        hint = f"“{passed.text}” tells one booking from another, and no step is about that one: plan for it, or ask."
        return Mismatch(hint, translate("coverage.passed_over", text=passed.text))
    asked = [c for c in evidence.for_booking(None).mentions if c.message == 0 or not orders]
    missed = next((c for c in asked if _missing(c, evidence, steps, bookings)), None)
    text = missed.text if missed is not None else _kind_left_out(evidence, steps, latest_only=orders)
    if not text:
        return None
    hint = f"The operator also said “{text}”, which no step uses: use it, or ask what it is for."
    return Mismatch(hint, translate("coverage.left_out", text=text))


def _swallowed(evidence: Extraction, steps: Sequence[DraftedStep]) -> str:
    """Return a count planned as text of a note: "Note egg allergy and 1 extra kid". Quoted text is taken as it is."""
    if any(p.role is Role.COUNT and s.parameters.get(p.name) is not None for s in steps for p in s.action.parameters):
        return ""
    message = evidence.messages[0]
    texts = _written(steps)
    for mention in evidence.for_booking(None).of(MentionKind.COUNT):
        if mention.message or mention.count is None or not mention.count.is_relative:
            continue
        if counts_objects(message.plain, mention.span[1], message.locale):
            continue
        sentence = _LED.sub("", message.plain[slice(*mention.span)])
        start = mention.span[1] - len(sentence)
        for text in texts:
            written = message.plain.find(text)
            inside = 0 <= written < start and mention.span[1] <= written + len(text)
            quoted = message.text[max(0, written - 1) : max(0, written)] in tuple("\"“«'‘")
            if inside and not quoted and _JOINS.search(message.plain, written, start):
                return message.text[start : mention.span[1]]
    return ""


def _written(steps: Sequence[DraftedStep]) -> list[str]:
    """Return the plain texts that the steps write as notes."""
    return [
        normalize_text(str(step.parameters[p.name]))
        for step in steps
        for p in step.action.parameters
        if p.role is Role.NOTE and step.parameters.get(p.name) is not None
    ]


def _passed_over(
    evidence: Extraction, steps: Sequence[DraftedStep], bookings: Sequence[BookingSummary]
) -> Mention | None:
    """Return a booking's day that no step covers; None if each such booking has a step: "Rossi on the 3rd and Rossi on
    the 15th"."""
    taken = {s.booking.booking_id for s in steps if s.booking is not None}
    message = evidence.messages[0]
    name, end = "", 0
    for mention in evidence.for_booking(None).of(MentionKind.DAY):
        if mention.is_target or mention.message or not mention.is_asserted:
            continue
        small = _ON.match(message.plain, *mention.span)
        leading = message.plain[: small.end() if small else mention.span[0]]
        named = _NAMED_BY_DAY.search(leading)
        if named is None and not (name and _AND.fullmatch(leading, end)):
            continue
        name, end = named["name"].removesuffix("'s") if named else name, mention.span[1]
        called = [b for b in bookings if name in booking_words(b)]
        dated = [b for b in called if b.date in mention.values]
        apart = {b.booking_id for b in called} & taken and not {b.booking_id for b in dated} & taken
        if len(dated) == 1 and apart:
            return mention
    return None


def _missing(
    mention: Mention, evidence: Extraction, steps: Sequence[DraftedStep], bookings: Sequence[BookingSummary]
) -> bool:
    roles = ROLES.get(mention.kind, ())
    if mention.kind is MentionKind.NUMBER:
        target = evidence.messages[mention.message].cue_before(mention.span, ("TO",), 0) is not None
        return mention.is_asserted and target and not _figures_in(mention.values[0], steps, bookings)
    if mention.count is not None and mention.count.is_relative and any(verb_groups(s.action.title) for s in steps):
        # "It's off, the kid has chickenpox" gives the reason.
        return False
    if not roles or not mention.is_asserted or tells_which(mention, bookings):
        return False
    text = evidence.messages[mention.message].plain[slice(*mention.span)]
    message = evidence.messages[mention.message]
    if any(set(text.split()) <= booking_words(b) for b in bookings) or message.cue_after(mention.span, ("BOOKING",), 0):
        # Part of a title or of a booking's description: "the xmas party".
        return False
    for step in steps:
        for parameter in step.action.parameters:
            value = step.parameters.get(parameter.name)
            if value is None:
                continue
            if parameter.role in roles and carries(mention, str(value)):
                return False
            if parameter.role not in ALL_ROLES and isinstance(value, str) and text in normalize_text(value):
                return False
    return True


def _enters(evidence: Extraction, message: Message, span: Span) -> bool:
    """Return whether a verb sets a value and writes no note: "segna Rossi a mercoledì", "scrivi che la mail è …"."""
    kinds = [MentionKind.EMAIL, MentionKind.PHONE]
    kinds += (
        [MentionKind.DAY, MentionKind.TIME, MentionKind.COUNT]
        if message.plain[slice(*span)].startswith(_ENTERS)
        else []
    )
    clause = message.clause_at(span[0])
    return message.plain[slice(*span)] not in _NOTE and any(
        c.message == message.number and c.clause == clause and c.span[0] >= span[1] for c in evidence.of(*kinds)
    )


def _figures_in(number: str, steps: Sequence[DraftedStep], bookings: Sequence[BookingSummary]) -> bool:
    """Return whether a bare number is a value of the steps (an hour, a day or a number) or belongs to a booking."""
    values = [str(value) for step in steps for value in step.parameters.values()]
    own = [str(v) for b in bookings for v in (b.start_time, b.guest_count, b.reference) if v]
    figures = {int(figure) for value in (*values, *own) for figure in re.findall(r"\d{1,9}", value)}
    hours = {int(value[:2]) % 12 for value in (*values, *own) if re.match(r"\d\d:\d\d", value)}
    whole, parts = int(number), {int(number[:-2] or "0"), int(number[-2:])}
    return whole in figures or (whole <= 12 and whole % 12 in hours) or (len(number) > 2 and parts <= figures)


def _of_a_booking(evidence: Extraction, message: Message, span: Span) -> bool:
    """Return whether a verb cancels a booking and not a part of a plan: "scrap the later start"."""
    clause = message.clause_at(span[0])
    behind = [w for w in message.words if w.start >= span[1] and message.clause_at(w.start) == clause]
    if not behind or behind[0].text not in _ARTICLES:
        return True
    thing = (behind[0].end, behind[min(_THING, len(behind) - 1)].end)
    nouns = [cue.span for cue in message.of_kind("BOOKING") if message.plain[slice(*cue.span)] not in _NOT_THE_NOUN]
    marks = [
        c.span for c in evidence.of(MentionKind.DAY, MentionKind.TIME, MentionKind.OTHER) if c.message == message.number
    ]
    return any(thing[0] <= start < thing[1] for start, _ in (*nouns, *marks))


def _kind_left_out(evidence: Extraction, steps: Sequence[DraftedStep], *, latest_only: bool) -> str:
    """Return the word for a whole change that no step makes: a note, a cancellation."""
    makes_notes = any(p.role is Role.NOTE for step in steps for p in step.action.parameters)
    cancels = any(verb_groups(s.action.title) or verb_groups(s.action.name.replace("_", " ")) for s in steps)
    for message in evidence.messages[: 1 if latest_only else None]:
        for cluster, made in (("note", makes_notes), ("cancel", cancels)):
            if not made:
                for span in find_verb(cluster, message.text):
                    if _asks_for(evidence, message, span, steps, cluster):
                        return message.text[slice(*span)]
    return ""


def _asks_for(evidence: Extraction, message: Message, span: Span, steps: Sequence[DraftedStep], cluster: str) -> bool:
    """Return whether a verb requests its change: not negated, not excluded, not about absent guests, not inside a
    note."""
    row = [word.text for word in message.words if word.end <= span[0]][-3:]
    behind = [word.text for word in message.words if word.start >= span[1]][:1]
    if inside(span, message.names) or only_reported(message, span):
        return False
    if evidence.assertion_of(message, span) is not Assertion.ASSERTED or _DROPPED & set(row) or _POINTING & set(behind):
        return False
    clause = message.clause_at(span[0])
    counted = evidence.of(MentionKind.COUNT, MentionKind.NUMBER)
    some_stay_away = cluster == "cancel" and any(
        c.clause == clause and c.message == message.number and not says_why(c, message, span) for c in counted
    )
    if cluster == "note" and _enters(evidence, message, span):
        return False
    if cluster == "cancel" and not _of_a_booking(evidence, message, span):
        return False
    texts = [normalize_text(str(v)) for step in steps for v in step.parameters.values() if isinstance(v, str)]
    quoted = any(message.plain[slice(*span)] in text for text in texts)
    return not some_stay_away and not quoted
