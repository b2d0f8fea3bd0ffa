"""Coverage: a plan is what was asked for, no more and no less.

Each thing that the open request asks for is in a step, and each step was asked for: a high-risk one by a verb of its
own. What a no has just rejected does not come back. A difference is told to the model first, which may mend its plan,
and then asked of the operator by its words.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from contracts.action import AtomicAction
from contracts.base import Json
from contracts.booking import BookingSummary
from contracts.enums import ParameterRole as Role
from contracts.enums import SafetyTier
from contracts.plan import PlannedAction
from language.booking_names import marks_of
from language.catalogue import say
from language.counts import counts_a_thing
from language.effects import asks_for_change
from language.plain import plain, words
from language.resolution import Span
from language.verbs import clusters_of, may_say, said_of
from reasoning.anew import anew_left_out, moved_unasked, narrowed_anew, two_hours
from reasoning.bookings import tells_which
from reasoning.evidence import Claim, Evidence, Kind, Standing, is_addition
from reasoning.evidence.message import Message
from reasoning.evidence.quotes import decides, inside, only_reported, taken_down
from reasoning.evidence.subjects import says_why
from reasoning.knowable import name_of

_ROLES = {
    Kind.DAY: (Role.DATE,),
    Kind.TIME: (Role.TIME,),
    Kind.SHIFT: (Role.DATE, Role.TIME),
    Kind.COUNT: (Role.COUNT,),
    Kind.EMAIL: (Role.EMAIL,),
    Kind.PHONE: (Role.PHONE,),
}
"""What takes a claim of each kind. A bare number may be anything: it is missed only where it is what to change to."""
_LEFT_ALONE = {
    "LEAVE_DAY": Role.DATE,
    "LEAVE_TIME": Role.TIME,
    "LEAVE_COUNT": Role.COUNT,
    "LEAVE_NOTE": Role.NOTE,
}
_SHORTEST_WORD = 4
_DROPPED = frozenset(
    "forget scrap drop delete remove skip lose without leave no lascia togli senza dimentica niente salta".split()
)
"""Words in front of a thing that take it out: "forget the note"."""
_THING = 3
"""Words behind an article in which a booking would be named."""
_ARTICLES = frozenset("the that il lo la le i gli quella quel".split())
_ONLY = frozenset("just only solo soltanto solamente".split())
_LED = re.compile(r"^(?:(?:and|plus|also|e|piu|poi)\s+)+")
_JOINS = re.compile(r"(?:[,;&+]|\b(?:and|plus|also|e|poi))\s*$")
"""What may join a step to the words of a note."""
_ON = re.compile(r"(?:(?:on|of|from|del|dell|di|il)\b'?\s*)?(?:the\b\s*)?")
_NAMED_BY_DAY = re.compile(r"(?P<name>[\w']+)\s+(?:on|of|from|del|dell|di|il)\b'?\s*(?:the\b\s*)?$")
"""A name, and what leads from it to the day that tells its booking from others."""
_AND = re.compile(r"\s*(?:,|&|\band\b|\bed?\b)\s*(?:(?:on|of|from|del|dell|di|il|quella)\b'?\s*)*(?:the\b\s*)?")
"""What joins another such day to it."""
_POINTING = frozenset(("that", "it", "this"))
"""Words behind a verb that may point at the change that is being talked about: "cancel that"."""


@dataclass(frozen=True, slots=True)
class Step:
    """One call as it would be planned, and the booking it is about."""

    action: AtomicAction
    arguments: Mapping[str, Json]
    booking: BookingSummary | None


@dataclass(frozen=True, slots=True)
class Difference:
    """How a plan differs from what was said: `hint` for the model, `question` for the operator."""

    hint: str
    question: str


def difference(
    evidence: Evidence,
    steps: Sequence[Step],
    pending: Sequence[PlannedAction],
    bookings: Sequence[BookingSummary],
    *,
    makers: Collection[str] = (),
) -> Difference | None:
    """The first difference between a plan and the words; None where there is none. `pending` is the plan that waits,
    `bookings` are those that the words may speak of, `makers` the actions that make something new."""
    return (
        _unasked(evidence, steps, pending, bookings)
        or _undecided(evidence, steps, pending, makers)
        or _rejected(evidence, steps, pending)
        or _forgotten(evidence, steps, pending)
        or _left_out(evidence, steps, bookings)
    )


def points_at_booking(message: Message, evidence: Evidence, booking: BookingSummary | None) -> bool:
    """Whether words speak of a booking itself: by its name, its number, or the word for one."""
    named = booking is not None and any(s.booking == booking.booking_id for s in evidence.named_in(message, booking))
    return named or bool(message.of_kind("BOOKING"))


def _unasked(
    evidence: Evidence, steps: Sequence[Step], pending: Sequence[PlannedAction], bookings: Sequence[BookingSummary]
) -> Difference | None:
    """A high-risk step needs words of its own, or those of the plan that it puts right: "I meant 4112"."""
    put_right = [p.action_id for p in pending] == [s.action.name for s in steps]
    for step in steps:
        if put_right and _names_it(evidence, step):
            continue
        if step.action.safety is SafetyTier.HIGH_RISK and not _own_words_said(
            evidence, step, bookings, _written(steps)
        ):
            title, whom = step.action.title, name_of(step.booking)
            hint = f"The operator did not ask for {step.action.name} ({whom}): leave it out, or ask."
            reference = step.booking.reference if step.booking else ""
            return Difference(hint, say("coverage.unasked", title=title, whom=whom, reference=reference))
    return None


def _undecided(
    evidence: Evidence, steps: Sequence[Step], pending: Sequence[PlannedAction], makers: Collection[str]
) -> Difference | None:
    moved = moved_unasked(evidence, steps, [p.action_id for p in pending], makers)
    if moved is None:
        return None
    whom = (moved.booking.label if moved.booking else "") or name_of(moved.booking)
    hint = f"Nobody said to move anything: {moved.action.name} ({whom}) may not be meant. Make something new, or ask."
    return Difference(hint, say("coverage.undecided", whom=whom))


def _names_it(evidence: Evidence, step: Step) -> bool:
    """Whether the latest message names the booking of a step."""
    latest = evidence.messages[0]
    return step.booking is not None and any(
        s.booking == step.booking.booking_id for s in evidence.named_in(latest, step.booking)
    )


def _own_words_said(evidence: Evidence, step: Step, bookings: Sequence[BookingSummary], written: Sequence[str]) -> bool:
    """Whether words ask for this step itself. What a note of the plan takes down (`written`) asks for nothing."""
    clusters = clusters_of(step.action.title) or clusters_of(step.action.name.replace("_", " "))
    about = evidence.about(step.booking, bookings)
    for message in evidence.messages:
        spans = [span for name in clusters for span in may_say(name, message.text, message.locale)]
        if not clusters:
            own = {w.text for w in words(plain(step.action.title)) if len(w.text) >= _SHORTEST_WORD}
            spans = [(w.start, w.end) for w in message.words if w.text in own]
        for span in spans:
            meant = about.meant(message, span) not in (Standing.NEGATED, Standing.CORRECTED)
            if inside(span, taken_down(message, written)):
                continue
            if meant and decides(message, span) and about.asks_about(message, span, step.booking):
                return True
    return False


def _rejected(evidence: Evidence, steps: Sequence[Step], pending: Sequence[PlannedAction]) -> Difference | None:
    """ "No, move it to 3pm instead": what waits and is no part of the new words has been turned down."""
    latest = evidence.messages[0]
    left = {role for kind, role in _LEFT_ALONE.items() if latest.of_kind(kind)}
    for step in steps:
        same = any(p.action_id == step.action.name and p.parameters == dict(step.arguments) for p in pending)
        given = {p.role for p in step.action.parameters if step.arguments.get(p.name) is not None} - {Role.BOOKING}
        if same and given and given <= left:
            hint = f"The operator wants {step.action.name} left out."
            return Difference(hint, say("coverage.rejected", title=step.action.title, whom=name_of(step.booking)))
    # A no to a question of ours turns down what was asked, and not the plan.
    turns_down = len(evidence.messages) == 1 and (_opens_with_no(latest) or bool(latest.of_kind("INSTEAD")))
    said = {role for c in evidence.claims if c.message == 0 and c.stands for role in _ROLES.get(c.kind, ())}
    if not turns_down or not said or latest.of_kind("ALSO"):
        return None
    for step in steps:
        same = any(p.action_id == step.action.name and p.parameters == dict(step.arguments) for p in pending)
        roles = {p.role for p in step.action.parameters if step.arguments.get(p.name) is not None}
        if same and not roles & said and len(steps) > 1:
            hint = f"The operator has turned down {step.action.name}: leave it out."
            return Difference(hint, say("coverage.rejected", title=step.action.title, whom=name_of(step.booking)))
    return None


def _forgotten(evidence: Evidence, steps: Sequence[Step], pending: Sequence[PlannedAction]) -> Difference | None:
    """What waits for the same booking stays in the plan, unless the words take it out."""
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
            return Difference(hint, say("coverage.forgotten", title=waiting.title))
    return None


def _opens_with_no(message: Message) -> bool:
    first = message.words[0] if message.words else None
    cues = message.of_kind("NO", "CORRECT")
    return first is not None and any(cue.span[0] == first.start for cue in cues) and first.text.startswith("n")


def _left_out(evidence: Evidence, steps: Sequence[Step], bookings: Sequence[BookingSummary]) -> Difference | None:
    """What was asked for and is in no step. A message that orders anew stands by itself; an answer to a question of
    ours completes what was said before it."""
    orders = asks_for_change(evidence.messages[0].text)
    if swallowed := _swallowed(evidence, steps):
        hint = f"“{swallowed}” in the note may be a change of its own: plan for it, or ask."
        return Difference(hint, say("coverage.swallowed", said=swallowed))
    if anew := anew_left_out(evidence, steps, latest_only=orders):
        hint = f"The operator asks for something new (“{anew}”), and no step makes it: make it, or say that you cannot."
        return Difference(hint, say("coverage.left_out", said=anew))
    if which := two_hours(evidence, steps):
        return Difference("More than one hour is said of the new thing: ask which one is meant.", which)
    if narrowed := narrowed_anew(evidence, steps):
        hint = f"“{narrowed}” is said of the new thing, and no step carries it: use it, or ask what it is for."
        return Difference(hint, say("coverage.left_out", said=narrowed))
    if passed := _passed_over(evidence, steps, bookings):
        hint = f"“{passed.text}” tells one booking from another, and no step is about that one: plan for it, or ask."
        return Difference(hint, say("coverage.passed_over", said=passed.text))
    asked = [c for c in evidence.about(None).claims if c.message == 0 or not orders]
    missed = next((c for c in asked if _missing(c, evidence, steps, bookings)), None)
    said = missed.text if missed is not None else _kind_left_out(evidence, steps, latest_only=orders)
    if not said:
        return None
    hint = f"The operator also said “{said}”, which no step uses: use it, or ask what it is for."
    return Difference(hint, say("coverage.left_out", said=said))


def _swallowed(evidence: Evidence, steps: Sequence[Step]) -> str:
    """ "Note egg allergy and 1 extra kid": so many more, joined to a note and planned as its words; "" for none. What
    is quoted is meant as it stands."""
    if any(p.role is Role.COUNT and s.arguments.get(p.name) is not None for s in steps for p in s.action.parameters):
        return ""
    message = evidence.messages[0]
    texts = _written(steps)
    for claim in evidence.about(None).of(Kind.COUNT):
        if claim.message or claim.count is None or not claim.count.is_relative:
            continue
        if counts_a_thing(message.plain, claim.span[1], message.locale):
            continue
        said = _LED.sub("", message.plain[slice(*claim.span)])
        start = claim.span[1] - len(said)
        for text in texts:
            written = message.plain.find(text)
            inside = 0 <= written < start and claim.span[1] <= written + len(text)
            quoted = message.text[max(0, written - 1) : max(0, written)] in tuple("\"“«'‘")
            if inside and not quoted and _JOINS.search(message.plain, written, start):
                return message.text[start : claim.span[1]]
    return ""


def _written(steps: Sequence[Step]) -> list[str]:
    """The texts, plain, that the steps write down as notes."""
    return [
        plain(str(step.arguments[p.name]))
        for step in steps
        for p in step.action.parameters
        if p.role is Role.NOTE and step.arguments.get(p.name) is not None
    ]


def _passed_over(evidence: Evidence, steps: Sequence[Step], bookings: Sequence[BookingSummary]) -> Claim | None:
    """ "Rossi on the 3rd and Rossi on the 15th": a day right behind a name is that of the booking by this name; None
    where each such booking has a step."""
    taken = {s.booking.booking_id for s in steps if s.booking is not None}
    message = evidence.messages[0]
    name, end = "", 0
    for claim in evidence.about(None).of(Kind.DAY):
        if claim.to or claim.message or not claim.stands:
            continue
        small = _ON.match(message.plain, *claim.span)
        leading = message.plain[: small.end() if small else claim.span[0]]
        named = _NAMED_BY_DAY.search(leading)
        if named is None and not (name and _AND.fullmatch(leading, end)):
            continue
        name, end = named["name"].removesuffix("'s") if named else name, claim.span[1]
        called = [b for b in bookings if name in marks_of(b)]
        dated = [b for b in called if b.date in claim.values]
        apart = {b.booking_id for b in called} & taken and not {b.booking_id for b in dated} & taken
        if len(dated) == 1 and apart:
            return claim
    return None


def _missing(claim: Claim, evidence: Evidence, steps: Sequence[Step], bookings: Sequence[BookingSummary]) -> bool:
    roles = _ROLES.get(claim.kind, ())
    if claim.kind is Kind.NUMBER:
        target = evidence.messages[claim.message].cue_before(claim.span, ("TO",), 0) is not None
        return claim.stands and target and not _figures_in(claim.values[0], steps, bookings)
    if claim.count is not None and claim.count.is_relative and any(clusters_of(s.action.title) for s in steps):
        # "It's off, the kid has chickenpox" says why.
        return False
    if not roles or not claim.stands or tells_which(claim, bookings):
        return False
    text = evidence.messages[claim.message].plain[slice(*claim.span)]
    message = evidence.messages[claim.message]
    if any(set(text.split()) <= marks_of(b) for b in bookings) or message.cue_after(claim.span, ("BOOKING",), 0):
        # Part of a title, or of what a booking is: "the xmas party".
        return False
    for step in steps:
        for parameter in step.action.parameters:
            value = step.arguments.get(parameter.name)
            if value is None:
                continue
            if parameter.role in roles and _carries(claim, str(value), step):
                return False
            if parameter.role not in _ALL_ROLES and isinstance(value, str) and text in plain(value):
                return False
    return True


def _enters(evidence: Evidence, message: Message, span: Span) -> bool:
    """ "Segna Rossi a mercoledì", "scrivi che la mail è …": that enters a value, and writes nothing down."""
    kinds = [Kind.EMAIL, Kind.PHONE]
    kinds += [Kind.DAY, Kind.TIME, Kind.COUNT] if message.plain[slice(*span)].startswith("segn") else []
    clause = message.clause_at(span[0])
    return message.plain[slice(*span)] not in ("note", "notes", "nota") and any(
        c.message == message.number and c.clause == clause and c.span[0] >= span[1] for c in evidence.of(*kinds)
    )


def _figures_in(number: str, steps: Sequence[Step], bookings: Sequence[BookingSummary]) -> bool:
    """Whether a bare number is in some value of the steps, as an hour, a day or a number, or is a booking's own."""
    values = [str(value) for step in steps for value in step.arguments.values()]
    own = [str(v) for b in bookings for v in (b.start_time, b.guest_count, b.reference) if v]
    figures = {int(figure) for value in (*values, *own) for figure in re.findall(r"\d{1,9}", value)}
    hours = {int(value[:2]) % 12 for value in (*values, *own) if re.match(r"\d\d:\d\d", value)}
    said, parts = int(number), {int(number[:-2] or "0"), int(number[-2:])}
    return said in figures or (said <= 12 and said % 12 in hours) or (len(number) > 2 and parts <= figures)


def _of_a_booking(evidence: Evidence, message: Message, span: Span) -> bool:
    """Whether what a verb takes out is a booking, and no part of a plan: "scrap the later start"."""
    clause = message.clause_at(span[0])
    behind = [w for w in message.words if w.start >= span[1] and message.clause_at(w.start) == clause]
    if not behind or behind[0].text not in _ARTICLES:
        return True
    thing = (behind[0].end, behind[min(_THING, len(behind) - 1)].end)
    nouns = [cue.span for cue in message.of_kind("BOOKING") if message.plain[slice(*cue.span)] != "do"]
    marks = [c.span for c in evidence.of(Kind.DAY, Kind.TIME, Kind.OTHER) if c.message == message.number]
    return any(thing[0] <= start < thing[1] for start, _ in (*nouns, *marks))


_ALL_ROLES = frozenset(role for roles in _ROLES.values() for role in roles)


def _carries(claim: Claim, value: str, step: Step) -> bool:
    """Whether a step's value is this claim's. A shift or a number that is relative was judged when it was grounded."""
    if claim.kind is Kind.SHIFT or claim.count is not None:
        return True
    return claim.kind is Kind.PHONE or value.casefold() in {one.casefold() for one in claim.values} or not claim.certain


def _kind_left_out(evidence: Evidence, steps: Sequence[Step], *, latest_only: bool) -> str:
    """The word for a whole change that no step makes: a note, a cancellation."""
    makes_notes = any(p.role is Role.NOTE for step in steps for p in step.action.parameters)
    cancels = any(clusters_of(s.action.title) or clusters_of(s.action.name.replace("_", " ")) for s in steps)
    for message in evidence.messages[: 1 if latest_only else None]:
        for cluster, made in (("note", makes_notes), ("cancel", cancels)):
            if not made:
                for span in said_of(cluster, message.text):
                    if _asks_for(evidence, message, span, steps, cluster):
                        return message.text[slice(*span)]
    return ""


def _asks_for(evidence: Evidence, message: Message, span: Span, steps: Sequence[Step], cluster: str) -> bool:
    """Whether a verb asks for its change: not denied, not taken out, not of some who stay away, not inside a note."""
    row = [word.text for word in message.words if word.end <= span[0]][-3:]
    behind = [word.text for word in message.words if word.start >= span[1]][:1]
    if inside(span, message.names) or only_reported(message, span):
        return False
    if evidence.meant(message, span) is not Standing.SAID or _DROPPED & set(row) or _POINTING & set(behind):
        return False
    clause = message.clause_at(span[0])
    counted = evidence.of(Kind.COUNT, Kind.NUMBER)
    some_stay_away = cluster == "cancel" and any(
        c.clause == clause and c.message == message.number and not says_why(c, message, span) for c in counted
    )
    if cluster == "note" and _enters(evidence, message, span):
        return False
    if cluster == "cancel" and not _of_a_booking(evidence, message, span):
        return False
    texts = [plain(str(v)) for step in steps for v in step.arguments.values() if isinstance(v, str)]
    quoted = any(message.plain[slice(*span)] in text for text in texts)
    return not some_stay_away and not quoted
