"""From clauses to wanted calls: which tool each value and verb belongs to, and what is missing or not understood."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise

from contracts.enums import ParameterRole as Role
from language import Count
from sandbox.model.clauses import Clause, Ref
from sandbox.model.kinds import Item, Kind
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
    "phone": (Kind.PHONE,),
    "email": (Kind.EMAIL,),
    "name": (Kind.NAME,),
    "last_name": (Kind.NAME,),
    "first_name": (Kind.NAME,),
    "contact": (Kind.EMAIL, Kind.PHONE, Kind.NAME),
    "count": (Kind.COUNT,),
    "date": (Kind.WHEN,),
    "time": (Kind.WHEN,),
    "when": (Kind.WHEN,),
    "note": (Kind.NOTE,),
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
    details = set(_TOPICS["contact"])
    return clause.senses(Kind.TOPIC) == {"contact"} and any(
        details & set(w.values) for w in wants if w.refs == clause.refs
    )


def _only_urges(clause: Clause, wants: list[Want]) -> bool:
    """ "she can only do 4pm, please change it", "… has been cancelled, please take it off": said and then ordered."""
    own = clause.has(Kind.TOPIC, Kind.TOOL, Kind.FLAG, Kind.VAGUE, Kind.PLACE) or clause.values or clause.left
    shared = clause.inherited or not clause.refs
    if own or not shared or len(wants) != 1:
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
    asked = [i.text for i in clause.of(Kind.ASKING)]
    opens = next((i for i in _solid(clause.items) if i.kind is not Kind.PREP), None) in clause.of(Kind.ASKING)
    (result.foreign if opens else result.puzzles).extend(asked)
    result.foreign += [i.text for i in clause.of(Kind.OTHER) if not _is_called(i, toolbox)]
    if (
        clause.has(Kind.BOOK)
        and not _changes_one(clause)
        and any(
            a.kind is Kind.DET and a.sense == "a" and b.kind is Kind.BOOK for a, b in pairwise(_solid(clause.items))
        )
    ):
        result.foreign.append("a new booking")
    chosen, values = _choose(clause, toolbox)
    explained = _explained(clause, chosen)
    for want in chosen:
        want.extras, used = fill_extras(want.tool, clause, values)
        explained |= used
    result.wants += chosen
    _note_gaps(clause, chosen, values, toolbox, result)
    unclear = [i for i in clause.left if i.start not in explained]
    unclear += [i for i in clause.of(Kind.TOOL) if i.start not in explained]
    if clause.has(Kind.NEG) and not _denies_only_a_flag(clause):
        unclear += clause.of(Kind.NEG)
    if chosen:
        unclear += clause.of(Kind.PLACE)
    spoken = [r for r in clause.refs if r.code or r.words]
    if any(i.sense == "many" for i in clause.of(Kind.BOOK)) and not (len(spoken) > 1 or any(r.code for r in spoken)):
        unclear += [i for i in clause.of(Kind.BOOK) if i.sense == "many"]
    if len(clause.refs) > 1 and not clause.coordinated:
        result.puzzles.append(", ".join(r.said for r in clause.refs))
    if unclear:
        words = " ".join(i.text for i in sorted(unclear, key=lambda i: i.start))
        about = clause.has(Kind.BOOK, Kind.TOPIC)
        placed = (clause.has(Kind.VERB) and (clause.refs or about)) or (clause.has(Kind.TOPIC) and clause.refs)
        figures = all(i.kind is Kind.NUMBER for i in unclear)
        denied = clause.has(Kind.NEG) and clause.refs
        told = bool(clause.refs) and not _orders_elsewhere(clause)
        ours = clause.values or clause.pronoun or (placed and not _adds_a_thing(clause)) or figures or denied or told
        (result.puzzles if ours or tells_of_guest(clause.items) else result.foreign).append(words)
    if clause.has(Kind.FLAG) and not chosen:
        result.foreign += [i.text for i in clause.of(Kind.FLAG)]


_MAKING = phrase_set("make|making|set|put|give|enter|have down|get down|fai|fare|metti|mettere|fammi|facciamo|imposta")


def _changes_one(clause: Clause) -> bool:
    """ "I need to change a booking" speaks of one there is; "make a booking" of a new one."""
    verbs = clause.of(Kind.VERB)
    return bool(verbs) and all(v.sense != "add" and fold(v.text) not in _MAKING for v in verbs)


def _adds_a_thing(clause: Clause) -> bool:
    """ "add a pizza package to 8231", "set an alarm": what the verb is about is nothing of ours."""
    solid = [i for i in clause.items if i.kind not in (Kind.FILL, Kind.DET)]
    return any(
        a.kind is Kind.VERB and a.sense in ("add", "change") and b.kind is Kind.UNKNOWN and not b.capital
        for a, b in pairwise(solid)
    ) and not clause.has(Kind.TOPIC)


def _orders_elsewhere(clause: Clause) -> bool:
    """ "Bake a cake for Leo's party": an order of no list, at the head of the clause; "Molly is turning 8" tells."""
    if _adds_a_thing(clause):
        return True
    first = next((i for i in clause.items if i.kind not in (Kind.FILL, Kind.STOP, Kind.CONJ)), None)
    if first is not None and first.kind is Kind.NAME:
        return not first.capital and not clause.has(Kind.BOOK, Kind.REF)
    return first is not None and first.kind in (Kind.UNKNOWN, Kind.TOOL, Kind.FLAG)


def _solid(items: list[Item]) -> list[Item]:
    return [i for i in items if i.kind is not Kind.FILL]


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
    named = _named_tool(clause, toolbox)
    if named is not None:
        taken = {k: v for k, v in homeless.items() if named.with_role(*ROLES_OF[k])}
        if taken or not named.has_free_needs or slot_values(named, clause, values):
            wants.append(Want(named, clause.refs, taken, clause.pronoun))
            homeless = {k: v for k, v in homeless.items() if k not in taken}
    for value in sorted(values.values(), key=lambda v: v.start):
        if value.kind not in homeless:
            continue
        able = [t for t in toolbox.writes if t.with_role(*ROLES_OF[value.kind]) and _is_fillable(t, values)]
        if not able:
            continue
        best = max(able, key=lambda t: (_likeness(t, clause, toolbox), -len(t.params)))
        taken = {k: v for k, v in homeless.items() if best.with_role(*ROLES_OF[k])}
        wants.append(Want(best, clause.refs, taken, clause.pronoun))
        homeless = {k: v for k, v in homeless.items() if k not in taken}
    return wants, values


def _is_fillable(tool: Tool, values: Mapping[Kind, Item]) -> bool:
    """Whether what is said covers what the tool needs."""
    roles = {r for k in values for r in ROLES_OF[k]} | {Role.BOOKING}
    return all(p.role in roles for p in tool.params if p.required)


def _named_tool(clause: Clause, toolbox: Toolbox) -> Tool | None:
    """The tool that the clause calls by its own words, not by a value: "cancel …", "put … on the waiting list"."""
    scored = []
    for tool in toolbox.writes:
        if not _heads_said(tool, clause):
            continue
        if tool.has_free_needs and not _is_special(tool, clause, toolbox):
            continue
        scored.append((_likeness(tool, clause, toolbox), tool))
    if not scored:
        return None
    scored.sort(key=lambda s: -s[0])
    if len(scored) > 1 and scored[0][0] == scored[1][0]:
        return None
    return scored[0][1]


def _heads_said(tool: Tool, clause: Clause) -> bool:
    senses = clause.senses(Kind.VERB) & tool.senses - {"change", "add", "resize", "look"}
    if senses:
        return True
    stems = {stem(w) for i in clause.items if i.kind in (Kind.TOOL, Kind.OTHER) for w in i.text.split()}
    verbs = {stem(i.text) for i in clause.of(Kind.VERB) if i.sense in ("add", "change", "resize")}
    return bool(stems & tool.heads) or (bool(verbs & tool.heads) and bool(stems & tool.vocabulary))


def _is_special(tool: Tool, clause: Clause, toolbox: Toolbox) -> bool:
    """A tool with needs of its own is called by name only when words of no list speak of it and of no other."""
    stems = {stem(w) for i in clause.items if i.kind in (Kind.TOOL, Kind.OTHER) for w in i.text.split()}
    return any(s in tool.vocabulary and toolbox.shared[s] == 1 for s in stems)


def _likeness(tool: Tool, clause: Clause, toolbox: Toolbox) -> float:
    """How much of what is said this tool is described with; words that many tools share weigh little."""
    kinds = (Kind.VERB, Kind.TOPIC, Kind.TOOL, Kind.OTHER, Kind.FLAG)
    stems = {stem(w) for i in clause.items if i.kind in kinds for w in i.text.split()}
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
    negs = [n for n, i in enumerate(solid) if i.kind is Kind.NEG]
    return all(n + 1 < len(solid) and solid[n + 1].kind is Kind.FLAG for n in negs)


def _note_gaps(
    clause: Clause, chosen: list[Want], values: Mapping[Kind, Item], toolbox: Toolbox, result: Wanted
) -> None:
    """What was spoken of without a value, or given without a use."""
    used = {k for w in chosen for k in w.values}
    homeless = [v for k, v in values.items() if k not in used]
    result.puzzles += [v.text for v in homeless]
    summed = _total(clause)
    result.puzzles += [v.text for v in clause.values if values[v.kind] is not v and v.kind not in summed]
    gaps: list[Kind] = []
    filled = any(not w.values for w in chosen)
    for topic in clause.of(Kind.TOPIC):
        kinds = _TOPICS[topic.sense]
        spoken = [k for k in kinds if k in values or _follows(clause, topic, k)]
        if not spoken and not (filled and _belongs(topic, chosen)) and _offered(kinds, toolbox):
            gaps.append(kinds[0])
    for verb in clause.senses(Kind.VERB):
        kind = _VERBS.get(verb)
        if kind is not None and kind not in values and not chosen:
            gaps.append(kind)
    if clause.has(Kind.VAGUE) and not values:
        gaps += [Kind.COUNT] if not gaps else []
    if gaps and any(not w.values and not w.tool.has_free_needs for w in chosen):
        result.puzzles += [t.text for t in clause.of(Kind.TOPIC)]
    if not chosen and not gaps and clause.has(Kind.VERB) and not clause.senses(Kind.VERB) <= {"look"}:
        gaps.append(Kind.TOOL)
    if not chosen and not gaps and (clause.has(Kind.BOOK) or clause.refs) and not clause.inherited:
        gaps.append(Kind.REF)
    result.missing += [(g, clause) for g in dict.fromkeys(gaps)]


def _follows(clause: Clause, topic: Item, kind: Kind) -> bool:
    """ "the booking with phone 0400 …": the number right behind the word is said, though only to find the booking."""
    place = next(n for n, i in enumerate(clause.items) if i is topic)
    behind = clause.items[place + 1 : place + 2]
    return kind in (Kind.EMAIL, Kind.PHONE) and any(i.kind is kind for i in behind)


def _belongs(topic: Item, chosen: list[Want]) -> bool:
    return any(stem(w) in want.tool.vocabulary for want in chosen for w in topic.text.split())


def _offered(kinds: tuple[Kind, ...], toolbox: Toolbox) -> bool:
    return any(r in toolbox.roles for k in kinds for r in ROLES_OF[k])


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
