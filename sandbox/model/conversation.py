"""What the last message means in its chat: a new request, the answer to our question, or a change to a pending plan."""

import re
from dataclasses import dataclass, field, replace
from datetime import date

from contracts.enums import ParameterRole as Role
from language import Count, Resolution, When
from sandbox.model.arguments import UnclearError, moment_of
from sandbox.model.availability import as_move, asks_for_room, checker, is_yes
from sandbox.model.bookings import pick
from sandbox.model.clauses import Clause, Ref, clauses_of, spoken_of_in
from sandbox.model.dropping import Dropped, pending_roles, with_bare_count, without_dropped
from sandbox.model.kinds import Item, Kind, has
from sandbox.model.prompt import Brief
from sandbox.model.protocol import Message
from sandbox.model.sentence import Marked, mark, read_when
from sandbox.model.stating import tells_of_guest
from sandbox.model.tools import Toolbox
from sandbox.model.wants import Want, Wanted, wanted
from sandbox.model.words import fold, lexicon


@dataclass(slots=True)
class Understood:
    """The request as it stands. `amends`: it changes the plan that waits for confirmation, of which `dropped` says
    what should go; `room`: it asks what is free; `unsure`: the question, by key, of what could mean two things;
    `tells`: a booking or a guest is spoken of."""

    wants: list[Want] = field(default_factory=list)
    missing: list[Kind] = field(default_factory=list)
    puzzles: list[str] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)
    tells: bool = False
    amends: bool = False
    room: Marked | None = None
    dropped: Dropped | None = None
    unsure: tuple[str, str] | None = None


def understand(messages: list[Message], brief: Brief, toolbox: Toolbox) -> Understood:
    """The open request of the chat with the last message taken into account."""
    said = [m.content for m in messages if m.role == "user"]
    if not said:
        return Understood()
    earlier = _open_requests(messages)
    # What was not understood is said another way, so no answer completes it.
    while earlier and _puzzling(_mark(earlier[0], brief, toolbox), toolbox):
        earlier.pop(0)
    text, dropped = without_dropped(said[-1], brief, toolbox)
    marked = with_bare_count(_mark(text, brief, toolbox), brief, toolbox)
    if asks_for_room(marked) and checker(toolbox) is not None:
        return Understood(room=marked)
    clauses = clauses_of(marked)
    alone = wanted(clauses, toolbox)
    for want in alone.wants:
        note = want.values.get(Kind.NOTE)
        if note is not None and not want.refs and not want.pronoun and (ref := spoken_of_in(note.text)):
            want.refs = [ref]
    if dropped is not None:
        understood = _summary(alone) if clauses else Understood()
        understood.amends, understood.dropped = True, dropped
        return understood
    if earlier and not _stands_alone(alone, clauses):
        return _answered(earlier, said[-1], marked, clauses, brief, toolbox)
    understood = _summary(alone)
    understood.tells = tells_of_guest(marked.items)
    explicit = any(r.explicit for w in alone.wants for r in w.refs)
    understood.amends = bool(brief.pending and alone.wants) and not explicit
    if understood.amends:
        understood.unsure = _two_meanings(said[-1], clauses, brief, toolbox)
    return understood


_BARE_CANCEL = re.compile(
    r"(?:please |ok |no )*(?:cancel|annulla|cancella|disdici)(?:l[ao])?(?: (?:it|that|this|please|per favore))*"
)


def _two_meanings(said: str, clauses: list[Clause], brief: Brief, toolbox: Toolbox) -> tuple[str, str] | None:
    """ "cancel" may mean the plan or the booking, "make it 12" guests or noon: the question to ask, and its word."""
    if _BARE_CANCEL.fullmatch(" ".join(re.findall(r"[^\W_]+", fold(said)))):
        return "cancel_what", said
    roles = pending_roles(brief, toolbox)
    for clause in clauses:
        counts = [v.value for v in clause.values if isinstance(v.value, Count)]
        bare = [int(c.amount) for c in counts if c.kind == "absolute" and c.noun is None]
        if Role.TIME in roles and bare and "count" not in clause.senses(Kind.TOPIC):
            return ("guests_or_time", str(bare[0])) if bare[0] <= (12 if Role.COUNT in roles else 24) else None
    return None


def _mark(text: str, brief: Brief, toolbox: Toolbox) -> Marked:
    return mark(" ".join(text[:2000].split()), brief, toolbox, lexicon(brief.locale))


def _open_requests(messages: list[Message]) -> list[str]:
    """The user messages that our last questions left open, oldest first."""
    spoken = [m for m in messages if m.role == "user" or (m.role == "assistant" and not m.calls)]
    opened: list[str] = []
    position = len(spoken) - 2
    while position >= 1 and spoken[position].role == "assistant" and spoken[position].content.rstrip().endswith("?"):
        if spoken[position - 1].role != "user":
            break
        opened.insert(0, spoken[position - 1].content)
        position -= 2
    return opened


def _puzzling(marked: Marked, toolbox: Toolbox) -> bool:
    return not asks_for_room(marked) and bool(wanted(clauses_of(marked), toolbox).puzzles)


def _stands_alone(result: Wanted, clauses: list[Clause]) -> bool:
    """Whether a message is a request of its own although a question is open."""
    verbs = any(c.has(Kind.VERB, Kind.TOOL) for c in clauses)
    refs = any(r.explicit for c in clauses for r in c.refs)
    return bool(result.wants) and verbs and refs and not result.puzzles


def _summary(result: Wanted) -> Understood:
    missing = [kind for kind, _ in result.missing]
    if result.wants:
        missing = [k for k in missing if k is not Kind.REF]
    return Understood(result.wants, missing, result.puzzles, result.foreign)


def _answered(
    earlier: list[str], text: str, marked: Marked, clauses: list[Clause], brief: Brief, toolbox: Toolbox
) -> Understood:
    """The open request with the answer put in: a booking, a value, or both."""
    first = _mark(earlier[0], brief, toolbox)
    asked_room = asks_for_room(first)
    base = clauses_of(as_move(first) if asked_room else first)
    for between in earlier[1:]:
        again = _mark(between, brief, toolbox)
        _put_in(base, again, clauses_of(again), between, replace(brief, offered=()))
    for kind, clause in wanted(base, toolbox).missing[:1]:
        if kind is Kind.NOTE:
            clause.values.append(Item(Kind.NOTE, text, 0, len(text), value=text.strip()))
            return _summary(wanted(base, toolbox))
    taken = _put_in(base, marked, clauses, text, brief)
    if not taken:
        result = _summary(wanted(clauses, toolbox))
        if result.wants or result.foreign or (asked_room and not is_yes(text)):
            return result
    return _summary(wanted(base, toolbox))


def _put_in(base: list[Clause], marked: Marked, answer: list[Clause], text: str, brief: Brief) -> bool:
    """Complete `base` in place; False when the answer holds nothing for it."""
    taken = False
    for value in [v for c in answer for v in c.values] + _bare_values(marked, base):
        if brief.offered and (value.kind in (Kind.WHEN, Kind.NAME) or _is_bare(value)):
            continue
        _set(base, _as_time(value, base, brief), brief)
        taken = True
    ref = _picked(marked, answer, text, brief)
    if ref is not None:
        for clause in base:
            if brief.offered or not any(r.code for r in clause.refs):
                clause.refs = [ref]
        taken = True
    return taken


def _is_bare(value: Item) -> bool:
    """A number alone, which after "which booking?" is a place in the list."""
    return isinstance(value.value, Count) and value.text.strip().isdigit()


def _picked(marked: Marked, answer: list[Clause], text: str, brief: Brief) -> Ref | None:
    spoken = next((r for c in answer for r in c.refs if r.explicit), None)
    if brief.offered:
        place = next((i.sense for i in marked.items if i.kind is Kind.PLACE), "")
        when = next((i.value for i in marked.items if i.kind is Kind.WHEN and isinstance(i.value, When)), None)
        asked = replace(spoken, when=spoken.when or when) if spoken else Ref(when=when) if when else None
        rows = pick(asked, text, place, brief.offered)
        if len(rows) == 1:
            return Ref(code=rows[0].booking_id)
        digits = [i.text for i in marked.items if i.kind in (Kind.NUMBER, Kind.COUNT) and i.text.isdigit()]
        if len(digits) == 1 and 1 <= int(digits[0]) <= len(brief.offered):
            return Ref(code=brief.offered[int(digits[0]) - 1].booking_id)
    if spoken is not None:
        return spoken
    names = [i for i in marked.items if i.kind in (Kind.UNKNOWN, Kind.NAME)]
    if 0 < len(names) <= 3 and not has(marked.items, Kind.VERB, Kind.OTHER, Kind.ASKING):
        return Ref(words=" ".join(i.text for i in names))
    return None


def _bare_values(marked: Marked, base: list[Clause]) -> list[Item]:
    """A name given as a bare answer to "what is the new name?"."""
    topics = ("name", "last_name", "first_name")
    asked = any(i.is_a(Kind.TOPIC, *topics) or i.is_a(Kind.VERB, "rename") for c in base for i in c.items)
    names = [i for i in marked.items if i.kind in (Kind.UNKNOWN, Kind.NAME)]
    if not asked or not names or any(Kind.NAME in c.value_kinds() for c in base):
        return []
    text = " ".join(n.text for n in names)
    return [Item(Kind.NAME, text, names[0].start, names[-1].end, value=text)]


def _as_time(value: Item, base: list[Clause], brief: Brief) -> Item:
    """A bare "3" that answers a question about a time is a time."""
    timed = any(c.has(Kind.WHEN) or "move" in c.senses(Kind.VERB) or "time" in c.senses(Kind.TOPIC) for c in base)
    if not (_is_bare(value) and timed) or any(c.has(Kind.COUNT) or "count" in c.senses(Kind.TOPIC) for c in base):
        return value
    read = read_when(f"at {value.text}" if brief.locale.startswith("en") else f"alle {value.text}", brief)
    return value.as_(Kind.WHEN, value=When(value.text, (value.start, value.end), read))


def _set(base: list[Clause], value: Item, brief: Brief) -> None:
    """Put a value where it is missing, or in place of one of its kind that could not be used."""
    for clause in base:
        old = next((v for v in clause.values if v.kind is value.kind), None)
        if old is not None and (not _usable(old) or (isinstance(old.value, When) and isinstance(value.value, When))):
            clause.values[clause.values.index(old)] = _together(old, value, brief)
            clause.items = [i for i in clause.items if i.kind is not Kind.VAGUE]
            return
    wanting = next((c for c in base if not c.values), base[0] if base else None)
    if wanting is not None:
        wanting.values.append(value)
        wanting.items = [i for i in wanting.items if i.kind is not Kind.VAGUE] + [value]


def _usable(item: Item) -> bool:
    if isinstance(item.value, When):
        return item.value.resolution.ok
    return not (isinstance(item.value, Count) and item.value.kind == "vague")


def _together(old: Item, new: Item, brief: Brief) -> Item:
    """A new day keeps the time said before, and the other way round: "next week at 3pm", then "Tuesday"."""
    if not (isinstance(old.value, When) and isinstance(new.value, When)):
        return new
    before, after = old.value.resolution, new.value.resolution
    joint = read_when(f"{new.text} {old.text}", brief)
    if joint.ok and joint.date_stated and joint.time_stated and not (after.date_stated and after.time_stated):
        return replace(new, value=replace(new.value, resolution=joint))
    day = _day_of(before, old.text, brief)
    if after.date_stated and not after.time_stated and before.time is not None and before.time_stated:
        merged = replace(after, time=before.time, time_stated=True, grain="minute", instant=None)
    elif after.time_stated and not after.date_stated and day is not None:
        merged = replace(after, date=day, date_stated=True, instant=None)
    else:
        return new
    return replace(new, value=replace(new.value, resolution=merged))


def _day_of(when: Resolution, said: str, brief: Brief) -> date | None:
    try:
        return moment_of(when, said, None, brief).day if when.date_stated else None
    except UnclearError:
        return None
