"""Clauses: a sentence split into requests, each with its verbs, its booking, its values, and what is left over."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from language import When
from sandbox.model.kinds import VALUES, Item, Kind
from sandbox.model.sentence import Marked

_OWNING = frozenset(("for", "of", "under", "by", "from", "4", "called", "named", "belonging",
                     "di", "del", "della", "per", "con", "sotto", "intestata", "intestato"))  # fmt: skip
_GIVING = frozenset(("to", "as", "into", "a", "al", "in", "come", "is", "be", "e"))
_MAYBE_NAMES = frozenset({Kind.FILL, Kind.VERB, Kind.PREP, Kind.TOOL, Kind.BOOK, Kind.NEG, Kind.VAGUE, Kind.TOPIC,
                          Kind.OTHER})  # fmt: skip
_CLOSING = frozenset({Kind.STOP, Kind.WHEN, Kind.COUNT, Kind.PREP, Kind.EMAIL, Kind.PHONE, Kind.CONJ, Kind.FILL,
                      Kind.TOPIC, Kind.NOTE})  # fmt: skip
_THINGS = frozenset({Kind.VERB, Kind.TOPIC, Kind.TOOL, Kind.FLAG, Kind.REF, *VALUES})


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
        return any(i.kind in kinds for i in self.items)

    def value_kinds(self) -> set[Kind]:
        """The kinds of the values to set."""
        return {v.kind for v in self.values}


def clauses_of(marked: Marked) -> list[Clause]:
    """The requests of a sentence, booking references shared where a clause names none."""
    named = _name_runs(list(marked.items))
    clauses = [c for part in _split(named) if (c := _clause(part)).items]
    return _share(_join(clauses))


def _split(items: Sequence[Item]) -> list[list[Item]]:
    parts: list[list[Item]] = [[]]
    for n, item in enumerate(items):
        after_title = n > 0 and items[n - 1].kind is Kind.TITLE
        if item.kind is Kind.CONJ or (item.kind is Kind.STOP and not after_title):
            if item.sense == ":":
                parts[-1] = _heading(parts[-1])
            parts.append([])
        elif item.kind is not Kind.STOP:
            if item.kind is Kind.VERB and _is_order(parts[-1]):
                parts.append([])
            parts[-1].append(item)
    return [p for p in parts if p]


def _heading(items: list[Item]) -> list[Item]:
    """ "Update Leo Park:" only says whom the rest is about, so the verb is no request of its own."""
    bare = not {i.kind for i in items} & {Kind.TOPIC, Kind.TOOL, Kind.FLAG, Kind.NOTE, *VALUES}
    named = any(i.kind in (Kind.REF, Kind.BOOK) or (i.kind is Kind.NAME and i.sense == "ref") for i in items)
    return [i for i in items if not (i.kind is Kind.VERB and i.sense == "change")] if bare and named else items


def _is_order(items: Sequence[Item]) -> bool:
    """Whether a verb and something for it are there, so that another verb starts another request."""
    kinds = {i.kind for i in items}
    return Kind.VERB in kinds and bool(kinds & {Kind.REF, Kind.PRON, *VALUES})


def _name_runs(items: list[Item]) -> list[Item]:
    """Runs of words of no list that stand where a booking's name stands become one `NAME`, sense "ref" or "value"."""
    out: list[Item] = []
    position = 0
    while position < len(items):
        end = _run_end(items, position)
        if end == position:
            out.append(items[position])
            position += 1
            continue
        run = items[position:end]
        whole = Item(Kind.NAME, " ".join(r.text for r in run), run[0].start, run[-1].end,
                     possessive=run[-1].possessive, capital=run[0].capital)  # fmt: skip
        role = _standing(out, run, items[end:])
        out += [whole.as_(Kind.NAME, sense=role, value=whole.text)] if role else run
        position = end
    return out


def _run_end(items: list[Item], start: int) -> int:
    """Where a run of name words that starts here ends; a listed word with a capital is part of a name inside one."""
    if not _can_start(items, start):
        return start
    end = start + 1
    while end < len(items) and not items[end - 1].possessive and _continues(items, end):
        end += 1
    return end


def _can_start(items: list[Item], start: int) -> bool:
    item = items[start]
    if item.kind is Kind.UNKNOWN:
        return True
    if item.kind not in _MAYBE_NAMES or not item.capital or start == 0 or items[start - 1].kind is Kind.STOP:
        return False
    following = items[start + 1] if start + 1 < len(items) else None
    return following is not None and following.kind is Kind.UNKNOWN and following.capital and " " not in item.text


def _continues(items: list[Item], end: int) -> bool:
    item, before = items[end], items[end - 1]
    if item.start - before.end > 1:
        return False
    if item.kind is Kind.UNKNOWN:
        return True
    return item.capital and before.capital and item.kind in _MAYBE_NAMES - {Kind.BOOK, Kind.NEG, Kind.VAGUE}


def _standing(before: list[Item], run: list[Item], after: list[Item]) -> str:
    """ "ref" or "value" when the run stands where a name stands, else ""."""
    previous = before[-1] if before else None
    following = after[0] if after else None
    naming = any(i.kind is Kind.TOPIC and (i.sense.endswith("name") or i.sense == "contact") for i in before) or any(
        i.kind is Kind.VERB and i.sense == "rename" for i in before)  # fmt: skip
    if naming and previous is not None and _gives(previous):
        return "value"
    if previous is not None and previous.kind is Kind.TITLE:
        return "ref"
    if run[-1].possessive or (following is not None and following.kind is Kind.BOOK):
        return "" if previous is not None and previous.sense == "a" and previous.kind is Kind.DET else "ref"
    if previous is not None and previous.kind is Kind.PREP and previous.text.split()[0].lower() in _OWNING:
        return "ref"
    if previous is not None and previous.kind is Kind.BOOK:
        return "ref"
    if all(r.capital for r in run) and previous is not None and previous.kind is not Kind.DET:
        return "ref"
    return "ref" if _bare_place(before, run, following) else ""


def _gives(item: Item) -> bool:
    return item.sense == ":" or item.text.split()[-1].lower() in _GIVING


def _bare_place(before: list[Item], run: list[Item], following: Item | None) -> bool:
    """Terse style: "resched jones fri 4pm", "evans -> mon 1pm", "Olivia Chen has a new phone"."""
    opens = not before or before[-1].kind in (Kind.STOP, Kind.CONJ)
    if before and all(i.kind is Kind.FILL for i in before):
        opens = True
    follows_verb = bool(before) and before[-1].kind is Kind.VERB
    if not opens and not follows_verb:
        return False
    same_case = len(run) == 1 or len({r.capital for r in run}) == 1
    closes = following is None or following.kind in _CLOSING
    if following is None and opens:
        return same_case and all(r.capital for r in run)
    return same_case and closes and len(run) <= 3


def _clause(items: list[Item]) -> Clause:
    clause = Clause(items)
    for n, item in enumerate(items):
        previous = _before(items, n)
        match item.kind:
            case Kind.REF:
                clause.refs.append(Ref(code=str(item.value)))
            case Kind.NAME if item.sense == "ref":
                clause.refs.append(Ref(words=str(item.value)))
            case Kind.EMAIL | Kind.PHONE if _means_booking(items, n, previous):
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
    return clause


def _before(items: list[Item], n: int) -> Item | None:
    return next((i for i in reversed(items[:n]) if i.kind not in (Kind.DET, Kind.TITLE)), None)


def _means_booking(items: list[Item], n: int, previous: Item | None) -> bool:
    """Whether an address or number says which booking, rather than what to set."""
    if any(i.kind is items[n].kind for i in items[n + 1 :]):
        return True
    if previous is None:
        return False
    if previous.kind is Kind.BOOK or (previous.kind is Kind.VERB and previous.sense in ("move", "cancel", "look")):
        return True
    return previous.kind is Kind.PREP and previous.text.lower() in _OWNING


def _place_when(clause: Clause, items: list[Item], n: int) -> None:
    """A day or time is the booking's own ("the 2pm party", "the party on Friday … 18 guests") or the one to set."""
    item = items[n]
    when = item.value
    assert isinstance(when, When)
    if when.marker == "FROM" and len(when.ends) == 2:
        clause.refs.append(Ref(when=when.ends[0]))
        clause.values.append(item.as_(Kind.WHEN, sense="TO", value=when.ends[1]))
        return
    previous = _before(items, n)
    if previous is not None and previous.kind is Kind.PREP:
        previous = _before(items, items.index(previous))
    following = items[n + 1] if n + 1 < len(items) else None
    cancels = "cancel" in clause.senses(Kind.VERB)
    names_it = following is not None and following.kind is Kind.BOOK
    others = [i for i in items if i.kind in VALUES and i is not item and i.sense != "ref"]
    after_it = (previous is not None and (previous.kind is Kind.BOOK or previous.possessive)
                and when.marker in ("ON", "AT", "FROM", None) and bool(others))  # fmt: skip
    targets = [i for i in items[n + 1 :] if i.kind is Kind.WHEN and i.sense == "TO"]
    known_as = any(i.kind in (Kind.BOOK, Kind.REF, Kind.NAME) for i in items[:n])
    from_there = bool(targets) and known_as and when.marker != "TO"
    if names_it or cancels or after_it or from_there or when.marker == "FROM":
        clause.refs.append(Ref(when=when))
    else:
        clause.values.append(item)


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


def _one_moment(whens: list[When]) -> When | None:
    """The day of one and the time of the other in "the 2pm party tomorrow"."""
    if len(whens) != 2:
        return whens[0] if whens else None
    days = [w for w in whens if w.resolution.date_stated and not w.resolution.time_stated]
    times = [w for w in whens if w.resolution.time_stated and not w.resolution.date_stated]
    if len(days) != 1 or len(times) != 1:
        return whens[0]
    both = replace(days[0].resolution, time=times[0].resolution.time, time_stated=True, grain="minute", instant=None)
    return replace(days[0], text=f"{days[0].text} {times[0].text}", resolution=both)


def _join(clauses: list[Clause]) -> list[Clause]:
    """Clauses that only finish the one before: "has a new phone number, it's 07700 …", "we refunded her in cash"."""
    joined: list[Clause] = []
    for clause in clauses:
        last = joined[-1] if joined else None
        if last is not None and _finishes(clause, last):
            last.items += clause.items
            last.values += clause.values
            last.left += clause.left
            last.pronoun = last.pronoun or clause.pronoun
            continue
        joined.append(clause)
    return joined


def _finishes(clause: Clause, last: Clause) -> bool:
    if clause.refs:
        return False
    if clause.value_kinds() == last.value_kinds() == {Kind.COUNT} and not clause.has(Kind.VERB, Kind.PRON):
        return True
    if clause.has(Kind.VERB, Kind.TOPIC, Kind.OTHER, Kind.ASKING) and not _is_flag_only(clause):
        return False
    if not clause.values:
        return not clause.has(Kind.TOOL) or _is_flag_only(clause) or last.has(Kind.VERB)
    wanting = last.has(Kind.VERB, Kind.TOPIC) and not last.values
    return wanting or (clause.value_kinds() == {Kind.WHEN} and last.value_kinds() == {Kind.WHEN} and not clause.pronoun)


def _is_flag_only(clause: Clause) -> bool:
    spare = clause.senses(Kind.VERB) <= {"add", "change"} and not clause.has(Kind.TOPIC)
    return clause.has(Kind.FLAG) and not clause.values and spare


def _share(clauses: list[Clause]) -> list[Clause]:
    """Coordinated bookings take the values after them; a clause without a booking takes the one before it."""
    pairing = ("both", "entrambe", "entrambi")
    together = any(i.sense == "many" or i.text.lower() in pairing for c in clauses for i in c.items)
    for here, after in pairwise(clauses):
        coordinated = here.refs and after.refs and not here.values and not after.has(Kind.VERB, Kind.TOPIC)
        codes = all(r.code for r in (*here.refs, *after.refs))
        if coordinated and here.has(Kind.VERB) and (codes or together):
            after.items = [i for i in here.items if i.kind is Kind.VERB] + after.items
            after.refs, after.coordinated = here.refs + after.refs, True
            here.items, here.refs = [], []
    kept = [c for c in clauses if c.items]
    first = next((c.refs for c in kept if c.refs), [])
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
