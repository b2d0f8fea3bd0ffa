"""Clauses: a sentence split into requests, each with its verbs, its booking, its values, and what is left over."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise, takewhile

from language import Count, When
from sandbox.model.kinds import VALUES, Item, Kind, at, first_but, has, names_booking
from sandbox.model.names import OWNING, name_runs
from sandbox.model.phrases import phrase_set
from sandbox.model.sentence import Marked
from sandbox.model.words import fold

_SET = frozenset({Kind.TOPIC, Kind.TOOL, Kind.FLAG, *VALUES})
_THINGS = frozenset({Kind.VERB, Kind.REF, *_SET})


@dataclass(frozen=True, slots=True)
class Ref:
    """How a booking was spoken of: by code, by words to search with, by its day and time, or by pronoun."""

    code: str = ""
    words: str = ""
    when: When | None = None
    pronoun: bool = False

    @property
    def explicit(self) -> bool:
        """Whether it can be looked up."""
        return bool(self.code or self.words or self.when)

    @property
    def said(self) -> str:
        """The operator's words for it."""
        return self.code or self.words or (self.when.text if self.when else "")


@dataclass(slots=True)
class Clause:
    """One request. `left` are the words that nothing explains."""

    items: list[Item]
    refs: list[Ref] = field(default_factory=list)
    values: list[Item] = field(default_factory=list)
    left: list[Item] = field(default_factory=list)
    pronoun: bool = False
    inherited: bool = False
    coordinated: bool = False

    def of(self, kind: Kind) -> list[Item]:
        """The pieces of that kind, in order."""
        return [i for i in self.items if i.kind is kind]

    def senses(self, kind: Kind) -> set[str]:
        """What the pieces of that kind stand for."""
        return {i.sense for i in self.items if i.kind is kind}

    def has(self, *kinds: Kind) -> bool:
        """Whether a piece of one of these kinds is there."""
        return has(self.items, *kinds)

    def value_kinds(self) -> set[Kind]:
        """The kinds of the values to set."""
        return {v.kind for v in self.values}


def clauses_of(marked: Marked) -> list[Clause]:
    """The requests of a sentence, booking references shared where a clause names none."""
    clauses = [c for part in _split(name_runs(marked.items)) if (c := _clause(part)).items]
    return _share(_join(clauses))


def _split(items: Sequence[Item]) -> list[list[Item]]:
    parts: list[list[Item]] = [[]]
    for n, item in enumerate(items):
        if item.kind is Kind.STOP and n > 0 and items[n - 1].kind is Kind.TITLE:
            continue
        if item.kind in (Kind.CONJ, Kind.STOP):
            if item.sense == ":":
                parts[-1] = _heading(parts[-1])
            # "update also her email": a conjunction after a lone verb joins nothing.
            if item.kind is Kind.STOP or first_but(parts[-1], Kind.VERB, Kind.FILL, Kind.PRON) is not None:
                parts.append([])
        else:
            if item.kind is Kind.VERB and _is_order(parts[-1]):
                parts.append([])
            parts[-1].append(item)
    return [p for p in parts if p]


def _heading(items: list[Item]) -> list[Item]:
    """ "Update Leo Park:" only says whom the rest is about, so the verb is no request of its own."""
    named = has(items, Kind.REF, Kind.BOOK, Kind.NAME)
    valued = any(i.kind in _SET and not names_booking(i) for i in items)
    # "update: …" announces and orders nothing.
    announced = first_but(items, Kind.VERB, Kind.FILL) is None
    silent = announced or (named and not valued)
    return [i for i in items if not i.is_a(Kind.VERB, "change")] if silent else items


def _is_order(items: Sequence[Item]) -> bool:
    """Whether a verb and something for it are there, so that another verb starts another request."""
    return has(items, Kind.VERB) and has(items, Kind.REF, Kind.PRON, *VALUES)


def _clause(items: list[Item]) -> Clause:
    clause = Clause(items)
    for n, item in enumerate(items):
        match item.kind:
            case Kind.REF:
                clause.refs.append(Ref(code=str(item.value)))
            case Kind.NAME if item.sense == "ref" and _strays(items, n):
                clause.left.append(item)
            case Kind.NAME if item.sense == "ref":
                clause.refs.append(Ref(words=str(item.value)))
            case Kind.EMAIL | Kind.PHONE if _means_booking(items, n):
                clause.refs.append(Ref(words=item.text))
            case Kind.WHEN:
                _place_when(clause, items, n)
            case Kind.PRON:
                clause.pronoun = True
            case Kind.UNKNOWN | Kind.NUMBER:
                clause.left.append(item)
            case Kind.NAME:
                part = next((s for s in ("last_name", "first_name") if s in clause.senses(Kind.TOPIC)), "name")
                clause.values.append(item.as_(Kind.NAME, sense=part, value=item.value))
            case kind if kind in VALUES:
                clause.values.append(item)
    clause.refs = _one_booking(clause.refs)
    _join_moment(clause)
    return clause


def _strays(items: list[Item], n: int) -> bool:
    """ "move 8231 balloons 3pm": beside a number, small words that own no booking are not its name."""
    item, after, previous = items[n], at(items, n + 1), _before(items, n)
    small = not item.capital and not item.possessive and has(items, Kind.REF)
    owned = previous is not None and (previous.kind is Kind.BOOK or previous.text.lower() in OWNING)
    return small and not owned and (after is None or after.kind is not Kind.BOOK)


def _join_moment(clause: Clause) -> None:
    """ "a lunedì 30 novembre a mezzogiorno": a day and a time in one request are one moment."""
    whens = [v for v in clause.values if isinstance(v.value, When)]
    said = [v.value for v in whens if isinstance(v.value, When)]
    pair, both = _day_and_time(said), _one_moment(said)
    if pair is None or both is None or not all(w.resolution.ok for w in said):
        return
    day, hour = (next(v for v in whens if v.value is w) for w in pair)
    joint = replace(day, text=both.text, value=both)
    clause.values = [joint if v is day else v for v in clause.values if v is not hour]


_PAIRING = phrase_set("both|entrambe|entrambi|sia|tutte e due|please")
_NAMING_ONLY = frozenset({Kind.REF, Kind.BOOK, Kind.DET, Kind.PREP, Kind.TITLE})
_SUBJECT = re.compile(
    r"(?:the\s+|la\s+|il\s+)?(?:"
    r"(?P<owner>[A-Z][\w’'-]*?(?:\s+[A-Z][\w’'-]*?){0,2})(?:['’]s)?\s+(?:party|booking|birthday|group|family|session)\b|"
    r"(?:booking|party|reservation|prenotazione|festa)\s+#?(?P<code>(?:[A-Za-z]{1,5}-)?\d{3,})\b|"
    r"(?:[Ff]esta|[Pp]renotazione|[Cc]ompleanno|[Gg]ruppo|[Ff]amiglia)\s+(?:di\s+|dei\s+|della\s+)?"
    r"(?P<name>[A-Z][\w’'-]+(?:\s+[A-Z][\w’'-]+){0,2})"
    r")"
)


def spoken_of_in(note: str) -> Ref | None:
    """The booking that a note is about by its own first words: "note that the Park party is bringing a cake"."""
    match = _SUBJECT.match(note)
    if match is None:
        return None
    return Ref(code=match["code"]) if match["code"] else Ref(words=match["owner"] or match["name"])


def _before(items: Sequence[Item], n: int) -> Item | None:
    silent = (Kind.DET, Kind.TITLE)
    told = (i for i in reversed(items[:n]) if i.kind not in silent and i.text.lower() not in ("number", "numero"))
    return next(told, None)


def _means_booking(items: list[Item], n: int) -> bool:
    """Whether an address or number says which booking, rather than what to set."""
    kind, before, previous = items[n].kind, items[:n], _before(items, n)
    other = next((m for m in range(n + 1, len(items)) if items[m].kind is kind), None)
    if other is not None:
        # "new phone 0412 … old phone 0499 …" gives two, with nothing that says which goes where.
        given = previous is not None and previous.kind is Kind.TOPIC
        return not given or has(items[n + 1 : other], Kind.PREP)
    if previous is None:
        # "0412 345 678 wants Sunday instead", "0412 345 678 - cancel please": who it is comes first.
        known = any(names_booking(i) or i.is_a(Kind.TOPIC, kind.value, "contact") for i in items)
        return not known and has(items[n + 1 :], Kind.WHEN, Kind.COUNT, Kind.VERB, Kind.NOTE)
    solid = [i for i in before if i.kind is not Kind.DET]
    if len(solid) > 2 and solid[-1].kind is Kind.TOPIC and solid[-2].text.lower() in ("with", "con", "under", "sotto"):
        # "the booking with phone 0400 555 666": the number tells which one.
        return solid[-3].kind is Kind.BOOK
    spoken_of = any(i.is_a(Kind.TOPIC, kind.value, "contact") for i in before)
    if spoken_of and any(map(names_booking, before)):
        return False
    if previous.kind is Kind.BOOK or previous.is_a(Kind.VERB, "move", "cancel", "look"):
        return True
    return previous.kind is Kind.PREP and previous.text.lower() in OWNING


def _place_when(clause: Clause, items: list[Item], n: int) -> None:
    """A day or time is the booking's own ("the 2pm party", "the party on Friday … 18 guests") or the one to set."""
    item, when = items[n], items[n].value
    assert isinstance(when, When)
    # Without a verb "from 3pm to 5pm" may as well say how long.
    if when.marker == "FROM" and len(when.ends) == 2 and clause.has(Kind.VERB):
        bare = re.fullmatch(r"(?!.*\b[dD]?all)[^\d:]*\d{1,2}[^\d:]+\d{1,2}", item.text)
        if bare and "move" not in clause.senses(Kind.VERB):
            # "change 8231 from 12 to 14" may count guests.
            clause.left.append(item)
        else:
            clause.refs.append(Ref(when=when.ends[0]))
            clause.values.append(item.as_(Kind.WHEN, sense="TO", value=when.ends[1]))
    elif _is_bookings_own(clause, when, items, n):
        clause.refs.append(Ref(when=when))
    else:
        clause.values.append(item)


def _is_bookings_own(clause: Clause, when: When, items: list[Item], n: int) -> bool:
    """Whether a day or time tells which booking: what is cancelled, what it names, what it moves from."""
    following = at(items, n + 1)
    names_it = following is not None and following.kind is Kind.BOOK
    known_as = has(items[:n], Kind.BOOK, Kind.REF, Kind.NAME) and when.marker != "TO"
    from_there = known_as and any(i.is_a(Kind.WHEN, "TO") for i in items[n + 1 :])
    cancels = "cancel" in clause.senses(Kind.VERB)
    return names_it or cancels or from_there or when.marker == "FROM" or _stands_behind_it(clause, when, items, n)


def _stands_behind_it(clause: Clause, when: When, items: list[Item], n: int) -> bool:
    """ "the party on Friday … 18 guests": behind the booking, with something else to set."""
    previous = _before(items, n)
    if previous is not None and previous.kind is Kind.PREP:
        previous = _before(items, items.index(previous))
    behind = previous is not None and (previous.kind is Kind.BOOK or previous.possessive)
    if not behind or when.marker not in ("ON", "AT", "FROM", None):
        return False
    others = any(_is_other_value(items, m, n) for m in range(len(items)))
    return others and not (clause.has(Kind.VERB) and _goes_with_count(items, n))


def _goes_with_count(items: list[Item], n: int) -> bool:
    """ "set the Ahmed party at 4pm with 20 guests": of a named booking, two things to set side by side."""
    named = any(i.kind is Kind.REF or i.sense == "ref" for i in items[:n])
    behind = items[n + 1 : n + 3]
    joins = len(behind) == 2 and behind[0].kind is Kind.PREP and fold(behind[0].text) in ("with", "con", "per", "for")
    return named and joins and behind[1].kind is Kind.COUNT


def _is_other_value(items: list[Item], m: int, n: int) -> bool:
    """Whether piece `m` is a value to set besides piece `n`; a number or address may say whose booking it is."""
    item = items[m]
    if m == n or item.kind not in VALUES or item.sense == "ref":
        return False
    return item.kind not in (Kind.EMAIL, Kind.PHONE) or not _means_booking(items, m)


def _one_booking(refs: list[Ref]) -> list[Ref]:
    """A code or name together with a day speaks of one booking; two codes of two."""
    day = _one_moment([r.when for r in refs if r.when is not None])
    spoken = [r for r in refs if r.when is None]
    codes = [r for r in spoken if r.code]
    if len(codes) == 1 and len(spoken) > 1:
        hint = next(r.words for r in spoken if r.words)
        return [Ref(code=codes[0].code, words=hint, when=day)]
    if spoken:
        return [Ref(r.code, r.words, day) for r in spoken]
    return [Ref(when=day)] if day is not None else []


def _one_moment(whens: Sequence[When]) -> When | None:
    """The day of one and the time of the other in "the 2pm party tomorrow"."""
    pair = _day_and_time(whens)
    if pair is None:
        return whens[0] if whens else None
    day, hour = pair
    both = replace(day.resolution, time=hour.resolution.time, time_stated=True, grain="minute", instant=None)
    return replace(day, text=f"{day.text} {hour.text}", resolution=both)


def _day_and_time(whens: Sequence[When]) -> tuple[When, When] | None:
    """The day and the time where one of two states the one and the other the other."""
    days = [w for w in whens if w.resolution.date_stated and not w.resolution.time_stated]
    times = [w for w in whens if w.resolution.time_stated and not w.resolution.date_stated]
    return (days[0], times[0]) if len(whens) == 2 and len(days) == len(times) == 1 else None


def _join(clauses: list[Clause]) -> list[Clause]:
    """Clauses that only finish the one before: "has a new phone number, it's 07700 …", "we refunded her in cash"."""
    joined: list[Clause] = []
    for n, clause in enumerate(clauses):
        last = joined[-1] if joined else None
        named_last = n == len(clauses) - 1 and not any(c.refs for c in joined)
        if last is not None and (_finishes(clause, last) or (named_last and _only_names(clause, last))):
            last.items += clause.items
            last.refs = last.refs or clause.refs
            last.values += clause.values
            last.left += clause.left
            last.pronoun = last.pronoun or clause.pronoun
            _join_moment(last)
            continue
        joined.append(clause)
    return joined


def _finishes(clause: Clause, last: Clause) -> bool:
    added = clause.value_kinds() == last.value_kinds() == {Kind.COUNT} and not clause.has(Kind.VERB, Kind.PRON)
    if added and not (clause.refs and last.refs) and (not clause.refs or _counts_people(clause, last)):
        return True
    if clause.refs:
        return False
    if clause.has(Kind.VERB, Kind.TOPIC, Kind.OTHER, Kind.ASKING) and not _is_flag_only(clause):
        return False
    if not clause.values:
        return not clause.has(Kind.TOOL) or _is_flag_only(clause) or last.has(Kind.VERB)
    wanting = last.has(Kind.VERB, Kind.TOPIC) and not last.values
    return wanting or (clause.value_kinds() == {Kind.WHEN} and last.value_kinds() == {Kind.WHEN} and not clause.pronoun)


def _only_names(clause: Clause, last: Clause) -> bool:
    """ "her new email is zoe@x.com - Zoe Katz": said last, it is whose booking it was all along."""
    telling = (Kind.VERB, Kind.TOPIC, Kind.TOOL, Kind.OTHER, Kind.ASKING, Kind.NEG)
    return bool(clause.refs and last.values) and not clause.values and not clause.left and not clause.has(*telling)


def _counts_people(clause: Clause, last: Clause) -> bool:
    """ "9 adults and 12 kids for BK-7004": different people, so two parts of one number."""
    nouns = [v.value.noun for c in (last, clause) for v in c.values if isinstance(v.value, Count)]
    return all(nouns) and len(set(nouns)) == len(nouns)


def _is_flag_only(clause: Clause) -> bool:
    spare = clause.senses(Kind.VERB) <= {"add", "change"} and not clause.has(Kind.TOPIC)
    return clause.has(Kind.FLAG) and not clause.values and spare


def _share(clauses: list[Clause]) -> list[Clause]:
    """Coordinated bookings take the values after them; a clause without a booking takes the one before it."""
    paired = any(i.text.lower() in _PAIRING and i.text.lower() != "please" for c in clauses for i in c.items)
    together = paired or any(i.sense == "many" for c in clauses for i in c.items)
    for here, after in pairwise(clauses):
        if not _is_coordinated(here, after, paired):
            continue
        bare = _only_lists(here)
        codes = all(r.code for r in (*here.refs, *after.refs))
        if bare and (after.values or after.has(Kind.VERB)) and not codes and not paired:
            # "Leo and Emma sunday 3pm": one party of two, or two parties.
            after.refs = here.refs + after.refs
            here.items, here.refs = [], []
        elif (here.has(Kind.VERB) or bare) and (codes or together):
            after.items = here.of(Kind.VERB) + after.items
            after.refs, after.coordinated = here.refs + after.refs, True
            here.items, here.refs = [], []
    kept = [c for c in clauses if c.items]
    first: list[Ref] = next((c.refs for c in kept if c.refs), [])
    current: list[Ref] = []
    for clause in kept:
        if clause.refs:
            current = clause.refs
        elif current:
            clause.refs, clause.inherited = current, True
        elif not clause.pronoun:
            clause.refs, clause.inherited = first, bool(first)
    telling = (*_THINGS, Kind.OTHER, Kind.ASKING, Kind.VAGUE, Kind.NEG, Kind.PLACE)
    return [c for c in kept if c.left or c.has(*telling)]


def _is_coordinated(here: Clause, after: Clause, paired: bool) -> bool:
    """ "8231 and 8232 to Sunday": two clauses that each name a booking, of which only the second says what to do."""
    if not here.refs or not after.refs or here.values or here.has(Kind.NEG):
        return False
    counted = Kind.COUNT in after.value_kinds()
    topics = any(not (counted and t.sense == "count") for t in after.of(Kind.TOPIC))
    if topics or (after.values and "cancel" in here.senses(Kind.VERB)):
        return False
    subject = paired or not has(takewhile(lambda i: not names_booking(i), after.items), Kind.VERB)
    return not after.has(Kind.VERB) or (_only_lists(here) and subject)


def _only_lists(clause: Clause) -> bool:
    """Whether a clause names bookings and says nothing else."""
    return all(i.kind in _NAMING_ONLY or i.sense == "ref" or i.text.lower() in _PAIRING for i in clause.items)
