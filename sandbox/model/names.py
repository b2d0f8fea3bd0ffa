"""Whose booking: runs of words of no list that stand where a name stands, as a booking's name or as a new name."""

from sandbox.model.kinds import Item, Kind
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


def name_runs(items: list[Item]) -> list[Item]:
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
        whole = Item(
            Kind.NAME,
            " ".join(r.text for r in run),
            run[0].start,
            run[-1].end,
            possessive=run[-1].possessive,
            capital=run[0].capital,
        )
        replaced = (
            bool(out) and out[-1].kind is Kind.NEG and any(i.kind is Kind.NAME and i.sense == "value" for i in out)
        )
        if replaced and fold(out[-1].text) in _NOT:
            # "Petra Novak not Peter Novak"
            out[-1:] = [out[-1].as_(Kind.FILL), whole.as_(Kind.FILL)]
            position = end
            continue
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
    if not item.capital or start == 0 or items[start - 1].kind is Kind.STOP or " " in item.text:
        return False
    previous, following = items[start - 1], items[start + 1] if start + 1 < len(items) else None
    if item.kind in _MAYBE_NAMES and following is not None and following.kind is Kind.UNKNOWN and following.capital:
        return True
    # "la festa di Mia", "move Will to 4pm": a little word with a capital, alone where a name stands.
    owned = previous.kind is Kind.BOOK or (previous.kind is Kind.PREP and _owns(previous))
    return item.kind in _LITTLE and owned and (following is None or following.kind in _CLOSING)


def _owns(item: Item) -> bool:
    return item.text.split()[0].lower() in OWNING


def _continues(items: list[Item], end: int) -> bool:
    item, before = items[end], items[end - 1]
    if item.start - before.end > 1:
        return False
    if item.kind is Kind.UNKNOWN:
        return True
    within = _MAYBE_NAMES | {Kind.PLACE} - {Kind.BOOK, Kind.NEG, Kind.VAGUE}
    return item.capital and before.capital and item.kind in within


def _standing(before: list[Item], run: list[Item], after: list[Item]) -> str:
    """ "ref" or "value" when the run stands where a name stands, else ""."""
    previous = before[-1] if before else None
    following = after[0] if after else None
    naming = any(i.kind is Kind.TOPIC and (i.sense.endswith("name") or i.sense == "contact") for i in before) or any(
        i.kind is Kind.VERB and i.sense == "rename" for i in before
    )
    if naming and previous is not None and _gives(before):
        return "value" if _is_spelt_as_name(run, before) else ""
    if previous is not None and previous.kind is Kind.TITLE:
        return "ref"
    if previous is not None and fold(previous.text) in _IN_THE_NAME and all(r.capital for r in run):
        # With its booking already told, a booking is put in somebody's name.
        told = any(i.kind is Kind.REF or (i.kind is Kind.NAME and i.sense == "ref") for i in before)
        said = {w for i in before if i.kind is Kind.FILL for w in fold(i.text).split()}
        puts = bool(said & _OUGHT) or any(i.kind is Kind.VERB and i.sense == "change" for i in before)
        return "value" if told and puts else "ref"
    if run[-1].possessive or (following is not None and following.kind is Kind.BOOK):
        return "" if previous is not None and previous.sense == "a" and previous.kind is Kind.DET else "ref"
    if previous is not None and previous.kind is Kind.PREP and _owns(previous):
        return "ref"
    if previous is not None and previous.kind is Kind.BOOK:
        return "ref"
    if all(r.capital for r in run) and previous is not None:
        family = previous.kind is Kind.DET and (following is None or following.kind in _CLOSING | {Kind.VERB})
        if previous.kind is not Kind.DET or (family and previous.sense != "a"):
            return "ref"
    # "holt cancel pls"
    alone = all(i.kind in (Kind.FILL, Kind.STOP) for i in (*before, *after[1:])) and len(run) == 1
    if alone and following is not None and (following.kind, following.sense) == (Kind.VERB, "cancel"):
        return "ref"
    return "ref" if _bare_place(before, run, following) else ""


def _gives(before: list[Item]) -> bool:
    """Whether what stands in front hands a value over: "to", "is now", "ora è", a colon."""
    for item in reversed(before):
        if item.sense == ":" or set(item.text.lower().split()) & _GIVING:
            return True
        if item.kind is not Kind.FILL:
            return False
    return False


def _is_spelt_as_name(run: list[Item], before: list[Item]) -> bool:
    """Small words in a capitalised name are its particles ("Anna de Luca"), else part of the sentence; after "is" a
    word without a capital may as well be "misspelled"."""
    capitals = [r for r in run if r.capital]
    if capitals:
        return all(r.capital or r.text.lower() in _PARTICLES for r in run)
    last = next((i for i in reversed(before) if i.kind is not Kind.FILL), None)
    return last is not None and (last.sense == ":" or last.kind is Kind.PREP) and len(run) <= 3


def _bare_place(before: list[Item], run: list[Item], following: Item | None) -> bool:
    """Terse style: "resched jones fri 4pm", "evans -> mon 1pm", "Olivia Chen has a new phone"."""
    opens = not before or before[-1].kind in (Kind.STOP, Kind.CONJ)
    if before and all(i.kind is Kind.FILL for i in before):
        opens = True
    follows_verb = bool(before) and before[-1].kind is Kind.VERB
    if not opens and not follows_verb:
        return False
    if opens and following is not None and following.kind is Kind.VERB:
        # "Erin Doyle changed her mobile": who did it is whose booking it is.
        return all(r.capital for r in run) or (len(run) == 2 and not any(r.capital for r in run))
    same_case = len(run) == 1 or len({r.capital for r in run}) == 1
    closes = following is None or following.kind in _CLOSING
    if following is None and opens:
        return same_case and all(r.capital for r in run)
    return same_case and closes and len(run) <= 3
