"""From clauses to wanted calls: which tool each value and verb belongs to, and what is missing or not understood."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise

from contracts.enums import ParameterRole as Role
from language import Count
from sandbox.model.clauses import Clause, Ref
from sandbox.model.kinds import Item, Kind, at, first_but
from sandbox.model.phrases import phrase_set
from sandbox.model.protocol import Arguments
from sandbox.model.slots import fill_extras, slot_values
from sandbox.model.stating import tells_of_guest
from sandbox.model.tools import Tool, Toolbox
from sandbox.model.words import all_words, fold, stem

ROLES_OF: Mapping[Kind, tuple[Role, ...]] = {
    Kind.WHEN: (Role.DATE, Role.TIME),
    Kind.COUNT: (Role.COUNT,),
    Kind.EMAIL: (Role.EMAIL,),
    Kind.PHONE: (Role.PHONE,),
    Kind.NAME: (Role.LAST_NAME, Role.FIRST_NAME),
    Kind.NOTE: (Role.NOTE,),
}
_TOPICS: Mapping[str, tuple[Kind, ...]] = {
    "contact": (Kind.EMAIL, Kind.PHONE, Kind.NAME),
    **dict.fromkeys(("name", "last_name", "first_name"), (Kind.NAME,)),
    **dict.fromkeys(("date", "time", "when"), (Kind.WHEN,)),
    **{kind.value: (kind,) for kind in (Kind.PHONE, Kind.EMAIL, Kind.COUNT, Kind.NOTE)},
}
_VERBS: Mapping[str, Kind] = {"move": Kind.WHEN, "rename": Kind.NAME}


@dataclass(slots=True)
class Want:
    """One changing call to be made: its tool, the values said for it, and the booking as spoken of."""

    tool: Tool
    refs: list[Ref]
    values: dict[Kind, Item]
    pronoun: bool = False
    extras: Arguments = field(default_factory=dict)


@dataclass(slots=True)
class Wanted:
    """What a sentence comes to. With `missing` or `puzzles` it is a question; `foreign` is what no tool does."""

    wants: list[Want] = field(default_factory=list)
    missing: list[tuple[Kind, Clause]] = field(default_factory=list)
    puzzles: list[str] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)


def wanted(clauses: list[Clause], toolbox: Toolbox) -> Wanted:
    """The calls that the clauses ask for, in spoken order."""
    result = Wanted()
    for clause in clauses:
        _read_clause(clause, toolbox, result)
    result.missing = [
        (k, c)
        for k, c in result.missing
        if not _given_later(k, c, clauses) and not _spelt_out(c, result.wants) and not _only_urges(c, result.wants)
    ]
    told = {r.code for w in result.wants for r in w.refs}
    lost = [r.code for k, c in result.missing for r in c.refs if k is Kind.REF and r.code and r.code not in told]
    result.puzzles += lost if result.wants else []
    cancelled = [r for w in result.wants if "cancel" in w.tool.senses for r in w.refs]
    for want in result.wants:
        # "cancel 8231 and move it to Sunday": one of the two is meant.
        changes = [v.text for k, v in want.values.items() if k in (Kind.WHEN, Kind.COUNT)]
        result.puzzles += changes if any(r in cancelled for r in want.refs) else []
    return result


def _spelt_out(clause: Clause, wants: list[Want]) -> bool:
    """ "update contact for 7001: phone …, email …": "contact" asks for nothing once a detail is given."""
    given = {kind for w in wants if w.refs == clause.refs for kind in w.values}
    return clause.senses(Kind.TOPIC) == {"contact"} and bool(given & set(_TOPICS["contact"]))


def _only_urges(clause: Clause, wants: list[Want]) -> bool:
    """ "she can only do 4pm, please change it", "… has been cancelled, please take it off": said and then ordered."""
    own = clause.has(Kind.TOPIC, Kind.TOOL, Kind.FLAG, Kind.VAGUE, Kind.PLACE) or clause.values or clause.left
    if own or (clause.refs and not clause.inherited) or len(wants) != 1:
        return False
    senses = clause.senses(Kind.VERB)
    removes = senses <= {"resize", "cancel"} and "cancel" in wants[0].tool.senses
    return removes or (senses <= {"change", "move"} and bool(wants[0].values) and not clause.has(Kind.NEG))


def _given_later(kind: Kind, clause: Clause, clauses: list[Clause]) -> bool:
    """ "update the email and phone for 7781: x@y.com and 0412 …": the values follow their names."""
    later = clauses[next(n for n, c in enumerate(clauses) if c is clause) + 1 :]
    named = {k for c in later for t in c.of(Kind.TOPIC) for k in _TOPICS[t.sense]}
    same = [c for c in later if c.refs == clause.refs and not c.has(Kind.VERB)]
    moved = kind is Kind.WHEN and "move" in clause.senses(Kind.VERB)
    return (moved or kind not in named) and any(kind in c.value_kinds() for c in same)


def _read_clause(clause: Clause, toolbox: Toolbox, result: Wanted) -> None:
    asked = clause.of(Kind.ASKING)
    opens = first_but(clause.items, Kind.FILL, Kind.PREP) in asked
    (result.foreign if opens else result.puzzles).extend(i.text for i in asked)
    result.foreign += [i.text for i in clause.of(Kind.OTHER) if not _is_called(i, toolbox)]
    if _makes_a_booking(clause):
        result.foreign.append("a new booking")
    chosen, values = _choose(clause, toolbox)
    explained = _explained(clause, chosen)
    for want in chosen:
        want.extras, used = fill_extras(want.tool, clause, values)
        explained |= used
    result.wants += chosen
    _note_gaps(clause, chosen, values, toolbox, result)
    if len(clause.refs) > 1 and not clause.coordinated:
        result.puzzles.append(", ".join(r.said for r in clause.refs))
    unclear = sorted(_unclear(clause, bool(chosen), explained), key=lambda i: i.start)
    if unclear:
        ours = _concerns_booking(clause, unclear)
        (result.puzzles if ours else result.foreign).append(" ".join(i.text for i in unclear))
    if not chosen:
        result.foreign += [i.text for i in clause.of(Kind.FLAG)]


def _unclear(clause: Clause, called: bool, explained: set[int]) -> list[Item]:
    """The words that neither a value, a rule nor a chosen tool explains."""
    unclear = [i for i in (*clause.left, *clause.of(Kind.TOOL)) if i.start not in explained]
    if not _denies_only_a_flag(clause):
        unclear += clause.of(Kind.NEG)
    if called:
        unclear += clause.of(Kind.PLACE)
    spoken = [r for r in clause.refs if r.code or r.words]
    if len(spoken) < 2 and not any(r.code for r in spoken):
        unclear += [i for i in clause.of(Kind.BOOK) if i.sense == "many"]
    return unclear


def _concerns_booking(clause: Clause, unclear: list[Item]) -> bool:
    """Whether what is unclear is about a booking, so that it is asked about and not refused."""
    named = bool(clause.refs)
    ordered = clause.has(Kind.VERB) and (named or clause.has(Kind.BOOK, Kind.TOPIC))
    placed = (ordered or (named and clause.has(Kind.TOPIC))) and not _adds_a_thing(clause)
    told = named and (clause.has(Kind.NEG) or not _orders_elsewhere(clause))
    figures = all(i.kind is Kind.NUMBER for i in unclear)
    return bool(clause.values) or clause.pronoun or placed or figures or told or tells_of_guest(clause.items)


_MAKING = phrase_set("make|making|set|put|give|enter|have down|get down|fai|fare|metti|mettere|fammi|facciamo|imposta")


def _makes_a_booking(clause: Clause) -> bool:
    """ "make a booking" speaks of a new one, "I need to change a booking" of one there is."""
    verbs, solid = clause.of(Kind.VERB), [i for i in clause.items if i.kind is not Kind.FILL]
    changes = bool(verbs) and all(v.sense != "add" and fold(v.text) not in _MAKING for v in verbs)
    return not changes and any(a.is_a(Kind.DET, "a") and b.kind is Kind.BOOK for a, b in pairwise(solid))


def _adds_a_thing(clause: Clause) -> bool:
    """ "add a pizza package to 8231", "set an alarm": what the verb is about is nothing of ours."""
    solid = [i for i in clause.items if i.kind not in (Kind.FILL, Kind.DET)]
    orders = [b for a, b in pairwise(solid) if a.is_a(Kind.VERB, "add", "change")]
    return any(i.kind is Kind.UNKNOWN and not i.capital for i in orders) and not clause.has(Kind.TOPIC)


def _orders_elsewhere(clause: Clause) -> bool:
    """ "Bake a cake for Leo's party": an order of no list, at the head of the clause; "Molly is turning 8" tells."""
    first = first_but(clause.items, Kind.FILL, Kind.STOP, Kind.CONJ)
    if first is not None and first.kind is Kind.NAME:
        own = first.capital or clause.has(Kind.BOOK, Kind.REF)
    else:
        own = first is None or first.kind not in (Kind.UNKNOWN, Kind.TOOL, Kind.FLAG)
    return _adds_a_thing(clause) or not own


def _is_called(item: Item, toolbox: Toolbox) -> bool:
    """Whether some tool goes by this word; "booking" in "a new booking" calls none of those named after one."""
    listed = all_words()
    own = [w for w in item.text.split() if (e := listed.get(fold(w))) is None or e.kind is Kind.OTHER]
    return any(stem(w) in t.heads for t in toolbox.writes for w in own)


def _choose(clause: Clause, toolbox: Toolbox) -> tuple[list[Want], dict[Kind, Item]]:
    """The best tool by its words, then for each value still homeless the best tool that takes it."""
    values = {v.kind: v for v in clause.values} | _total(clause)
    wants: list[Want] = []
    homeless = dict(values)

    def take(tool: Tool, taken: dict[Kind, Item]) -> None:
        wants.append(Want(tool, clause.refs, taken, clause.pronoun))
        for kind in taken:
            del homeless[kind]

    named = _named_tool(clause, toolbox)
    if named is not None:
        taken = _fitting(named, homeless)
        if taken or not named.has_free_needs or slot_values(named, clause, values):
            take(named, taken)
    for value in sorted(values.values(), key=lambda v: v.start):
        able = [t for t in toolbox.writes if t.with_role(*ROLES_OF[value.kind]) and _is_fillable(t, values)]
        if able and value.kind in homeless:
            best = max(able, key=lambda t: (_likeness(t, clause, toolbox), -len(t.params)))
            take(best, _fitting(best, homeless))
    return wants, values


def _fitting(tool: Tool, values: Mapping[Kind, Item]) -> dict[Kind, Item]:
    return {k: v for k, v in values.items() if tool.with_role(*ROLES_OF[k])}


def _is_fillable(tool: Tool, values: Mapping[Kind, Item]) -> bool:
    """Whether what is said covers what the tool needs."""
    roles = {r for k in values for r in ROLES_OF[k]} | {Role.BOOKING}
    return all(p.role in roles for p in tool.params if p.required)


def _named_tool(clause: Clause, toolbox: Toolbox) -> Tool | None:
    """The tool that the clause calls by its own words, not by a value: "cancel …", "put … on the waiting list"."""
    said = [t for t in toolbox.writes if _heads_said(t, clause)]
    called = [t for t in said if not t.has_free_needs or _is_special(t, clause, toolbox)]
    scores = [_likeness(t, clause, toolbox) for t in called]
    return called[scores.index(max(scores))] if scores and scores.count(max(scores)) == 1 else None


def _heads_said(tool: Tool, clause: Clause) -> bool:
    if clause.senses(Kind.VERB) & tool.senses - {"change", "add", "resize", "look"}:
        return True
    stems = _stems(clause, Kind.TOOL, Kind.OTHER)
    verbs = {stem(i.text) for i in clause.of(Kind.VERB) if i.sense in ("add", "change", "resize")}
    return bool(stems & tool.heads) or (bool(verbs & tool.heads) and bool(stems & tool.vocabulary))


def _stems(clause: Clause, *kinds: Kind) -> set[str]:
    return {stem(w) for i in clause.items if i.kind in kinds for w in i.text.split()}


def _is_special(tool: Tool, clause: Clause, toolbox: Toolbox) -> bool:
    """A tool with needs of its own is called by name only when words of no list speak of it and of no other."""
    stems = _stems(clause, Kind.TOOL, Kind.OTHER)
    return any(s in tool.vocabulary and toolbox.shared[s] == 1 for s in stems)


def _likeness(tool: Tool, clause: Clause, toolbox: Toolbox) -> float:
    """How much of what is said this tool is described with; words that many tools share weigh little."""
    stems = _stems(clause, Kind.VERB, Kind.TOPIC, Kind.TOOL, Kind.OTHER, Kind.FLAG)
    shared = sum(1 / toolbox.shared[s] for s in stems & tool.vocabulary)
    heads = sum(1 / toolbox.shared[s] for s in stems & tool.heads)
    senses = len(clause.senses(Kind.VERB) & tool.senses - {"change", "add", "resize"})
    return shared + heads + 2 * senses


def _explained(clause: Clause, chosen: list[Want]) -> set[int]:
    """Where the words start that a chosen tool is described with."""
    vocabulary = frozenset(s for w in chosen for s in w.tool.vocabulary)
    kinds = (Kind.TOOL, Kind.UNKNOWN)
    return {i.start for i in clause.items if i.kind in kinds and not i.capital and stem(i.text) in vocabulary}


def _denies_only_a_flag(clause: Clause) -> bool:
    """ "without a refund" leaves a boolean out; any other no is not understood."""
    solid = [i for i in clause.items if i.kind not in (Kind.FILL, Kind.DET)]
    behind = [at(solid, n + 1) for n, i in enumerate(solid) if i.kind is Kind.NEG]
    return all(i is not None and i.kind is Kind.FLAG for i in behind)


def _note_gaps(
    clause: Clause, chosen: list[Want], values: Mapping[Kind, Item], toolbox: Toolbox, result: Wanted
) -> None:
    """What was spoken of without a value, or given without a use."""
    used = {k for w in chosen for k in w.values}
    result.puzzles += [v.text for k, v in values.items() if k not in used]
    summed = _total(clause)
    result.puzzles += [v.text for v in clause.values if values[v.kind] is not v and v.kind not in summed]
    bare = [w for w in chosen if not w.values]
    gaps = [k for t in clause.of(Kind.TOPIC) if (k := _lacking(t, clause, bare, chosen, values, toolbox)) is not None]
    verbs = clause.senses(Kind.VERB)
    if not chosen:
        gaps += [kind for verb in verbs if (kind := _VERBS.get(verb)) is not None and kind not in values]
    if clause.has(Kind.VAGUE) and not values and not gaps:
        gaps = [Kind.COUNT]
    if gaps and any(not w.tool.has_free_needs for w in bare):
        result.puzzles += [t.text for t in clause.of(Kind.TOPIC)]
    if not chosen and not gaps and clause.has(Kind.VERB) and not verbs <= {"look"}:
        gaps = [Kind.TOOL]
    if not chosen and not gaps and (clause.has(Kind.BOOK) or clause.refs) and not clause.inherited:
        gaps = [Kind.REF]
    result.missing += [(g, clause) for g in dict.fromkeys(gaps)]


def _lacking(
    topic: Item, clause: Clause, bare: list[Want], chosen: list[Want], values: Mapping[Kind, Item], toolbox: Toolbox
) -> Kind | None:
    """The kind of value that a topic asks for; None when it is said, is a tool's own word, or no tool takes it."""
    kinds = _TOPICS[topic.sense]
    said = any(k in values or _follows(clause, topic, k) for k in kinds)
    own = bool(bare) and any(stem(w) in want.tool.vocabulary for want in chosen for w in topic.text.split())
    taken = any(r in toolbox.roles for k in kinds for r in ROLES_OF[k])
    return kinds[0] if taken and not said and not own else None


def _follows(clause: Clause, topic: Item, kind: Kind) -> bool:
    """ "the booking with phone 0400 …": the number right behind the word is said, though only to find the booking."""
    place = next(n for n, i in enumerate(clause.items) if i is topic)
    behind = clause.items[place + 1 : place + 2]
    return kind in (Kind.EMAIL, Kind.PHONE) and any(i.kind is kind for i in behind)


def _total(clause: Clause) -> dict[Kind, Item]:
    """ "2 adults and 3 kids" is one head count: different people, each with their number."""
    items = [v for v in clause.values if v.kind is Kind.COUNT]
    counts = [i.value for i in items if isinstance(i.value, Count)]
    nouns = {stem(c.noun) for c in counts if c.noun}
    if len(items) < 2 or len(nouns) != len(items) or len({c.kind for c in counts}) != 1:
        return {}
    if counts[0].kind not in ("absolute", "add", "subtract"):
        return {}
    said = " + ".join(i.text for i in items)
    total = replace(counts[0], amount=sum(c.amount for c in counts))
    return {Kind.COUNT: replace(items[0], text=said, value=total)}
