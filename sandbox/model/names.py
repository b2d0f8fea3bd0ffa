"""Whose booking: runs of words of no list that stand where a name stands, as a booking's name or as a new name."""

from collections.abc import Sequence

from sandbox.model.kinds import Item, Kind, at, first_but, names_booking
from sandbox.model.phrases import phrase_set
from sandbox.model.words import fold

OWNING = phrase_set("for|of|under|by|from|4|x|called|named|belonging|di|del|della|per|con|sotto|intestata|intestato")
_GIVING = phrase_set("to|as|into|a|al|in|come|is|be|e|è|e'|essere|dev'essere|now|adesso|ora")
_OUGHT = phrase_set("now|ora|adesso|should|must|ought|needs|has|deve|dovrebbe|va|devessere")
_MAYBE_NAMES = frozenset(
    {Kind.FILL, Kind.VERB, Kind.PREP, Kind.TOOL, Kind.BOOK, Kind.NEG, Kind.VAGUE, Kind.TOPIC, Kind.OTHER}
)
_LITTLE = frozenset({Kind.FILL, Kind.DET, Kind.PRON})
_NOT = phrase_set("not|instead of|rather than|non|invece di|anziche")
_IN_THE_NAME = phrase_set("in the name of|under the name of|under the name|a nome di|a nome")
_PARTICLES = phrase_set("""
    van|von|de|di|del|della|dei|da|dal|dalla|la|le|lo|el|al|bin|ben|ten|ter|der|den|dos|du|d|mc|o|st|y|e
""")
_CLOSING = frozenset(
    {Kind.STOP, Kind.WHEN, Kind.COUNT, Kind.PREP, Kind.EMAIL, Kind.PHONE, Kind.CONJ, Kind.FILL, Kind.TOPIC, Kind.NOTE}
)


def name_runs(items: Sequence[Item]) -> list[Item]:
    """Runs of words of no list that stand where a booking's name stands become one `NAME`, sense "ref" or "value"."""
    out: list[Item] = []
    position = 0
    while position < len(items):
        end = _run_end(items, position)
        run = items[position : max(end, position + 1)]
        if end == position:
            out += run
        elif _denies_name(out):
            out[-1:] = [out[-1].as_(Kind.FILL), _joined(run).as_(Kind.FILL)]
        else:
            whole, role = _joined(run), _standing(out, run, items[end:])
            out += [whole.as_(Kind.NAME, sense=role, value=whole.text)] if role else run
        position += len(run)
    return out


def _joined(run: Sequence[Item]) -> Item:
    text, first, last = " ".join(r.text for r in run), run[0], run[-1]
    return Item(Kind.NAME, text, first.start, last.end, possessive=last.possessive, capital=first.capital)


def _denies_name(before: Sequence[Item]) -> bool:
    """ "Petra Novak not Peter Novak": behind a new name, a "not" takes the name back that follows."""
    denied = bool(before) and before[-1].kind is Kind.NEG and fold(before[-1].text) in _NOT
    return denied and any(i.is_a(Kind.NAME, "value") for i in before)


def _run_end(items: Sequence[Item], start: int) -> int:
    """Where a run of name words that starts here ends; a listed word with a capital is part of a name inside one."""
    if not _can_start(items, start):
        return start
    end = start + 1
    while end < len(items) and not items[end - 1].possessive and _continues(items, end):
        end += 1
    return end


def _can_start(items: Sequence[Item], start: int) -> bool:
    item, previous, following = items[start], at(items, start - 1), at(items, start + 1)
    if item.kind is Kind.UNKNOWN:
        return True
    if previous is None or not item.capital or previous.kind is Kind.STOP or " " in item.text:
        return False
    surname = following is not None and following.kind is Kind.UNKNOWN and following.capital
    if item.kind in _MAYBE_NAMES and surname:
        return True
    # "la festa di Mia", "move Will to 4pm": a little word with a capital, alone where a name stands.
    owned = previous.kind is Kind.BOOK or _owns(previous)
    return item.kind in _LITTLE and owned and (following is None or following.kind in _CLOSING)


def _owns(item: Item) -> bool:
    """Whether a name behind it says whose booking it is: "for", "under", "intestata"."""
    return item.kind is Kind.PREP and item.text.split()[0].lower() in OWNING


def _continues(items: Sequence[Item], end: int) -> bool:
    item, before = items[end], items[end - 1]
    if item.start - before.end > 1:
        return False
    within = _MAYBE_NAMES | {Kind.PLACE} - {Kind.BOOK, Kind.NEG, Kind.VAGUE}
    return item.kind is Kind.UNKNOWN or (item.capital and before.capital and item.kind in within)


def _standing(before: Sequence[Item], run: Sequence[Item], after: Sequence[Item]) -> str:
    """ "ref" or "value" when the run stands where a name stands, else ""."""
    previous, following = at(before, len(before) - 1), at(after, 0)
    if _is_naming(before) and _gives(before):
        return "value" if _is_spelt_as_name(run, before) else ""
    owned = run[-1].possessive or (following is not None and following.kind is Kind.BOOK)
    if previous is not None and previous.kind is not Kind.TITLE:
        if fold(previous.text) in _IN_THE_NAME and all(r.capital for r in run):
            return "value" if _renames(before) else "ref"
        if previous.is_a(Kind.DET, "a") and owned:
            # "a Miller party" may be anybody's.
            return ""
    titled = previous is not None and (previous.kind in (Kind.TITLE, Kind.BOOK) or _owns(previous))
    known = owned or titled or _is_family(previous, run, following) or _is_cancelled_alone(before, run, after)
    return "ref" if known or _bare_place(before, run, following) else ""


def _is_naming(before: Sequence[Item]) -> bool:
    """Whether a name has been announced: "change the surname …", "rename …"."""
    senses = ("name", "last_name", "first_name", "contact")
    return any(i.is_a(Kind.TOPIC, *senses) or i.is_a(Kind.VERB, "rename") for i in before)


def _renames(before: Sequence[Item]) -> bool:
    """With its booking already told, a booking is put in somebody's name."""
    ought = any(i.kind is Kind.FILL and set(fold(i.text).split()) & _OUGHT for i in before)
    return any(map(names_booking, before)) and (ought or any(i.is_a(Kind.VERB, "change") for i in before))


def _is_family(previous: Item | None, run: Sequence[Item], following: Item | None) -> bool:
    """ "move Olivia Chen to 3pm", "the Bakers want …": capitals, and behind an article nothing that they describe."""
    if previous is None or not all(r.capital for r in run):
        return False
    closes = following is None or following.kind in _CLOSING | {Kind.VERB}
    return previous.kind is not Kind.DET or (closes and not previous.is_a(Kind.DET, "a"))


def _is_cancelled_alone(before: Sequence[Item], run: Sequence[Item], after: Sequence[Item]) -> bool:
    """ "holt cancel pls"."""
    others = (*before, *after[1:])
    alone = len(run) == 1 and first_but(others, Kind.FILL, Kind.STOP) is None
    return alone and bool(after) and after[0].is_a(Kind.VERB, "cancel")


def _gives(before: Sequence[Item]) -> bool:
    """Whether what stands in front hands a value over: "to", "is now", "ora è", a colon."""
    for item in reversed(before):
        if item.sense == ":" or set(item.text.lower().split()) & _GIVING:
            return True
        if item.kind is not Kind.FILL:
            return False
    return False


def _is_spelt_as_name(run: Sequence[Item], before: Sequence[Item]) -> bool:
    """Small words in a capitalised name are its particles ("Anna de Luca"), else part of the sentence; after "is" a
    word without a capital may as well be "misspelled"."""
    capitals = [r for r in run if r.capital]
    if capitals:
        return all(r.capital or r.text.lower() in _PARTICLES for r in run)
    last = first_but(reversed(before), Kind.FILL)
    return last is not None and (last.sense == ":" or last.kind is Kind.PREP) and len(run) <= 3


def _bare_place(before: Sequence[Item], run: Sequence[Item], following: Item | None) -> bool:
    """Terse style: "resched jones fri 4pm", "evans -> mon 1pm", "Olivia Chen has a new phone"."""
    opens = first_but(before, Kind.FILL) is None or before[-1].kind in (Kind.STOP, Kind.CONJ)
    if not opens and before[-1].kind is not Kind.VERB:
        return False
    capitals = [r.capital for r in run]
    if opens and following is not None and following.kind is Kind.VERB:
        # "Erin Doyle changed her mobile": who did it is whose booking it is.
        return all(capitals) or (len(run) == 2 and not any(capitals))
    if opens and following is None:
        return all(capitals)
    same_case = all(capitals) or not any(capitals)
    return same_case and (following is None or following.kind in _CLOSING) and len(run) <= 3
