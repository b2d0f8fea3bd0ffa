"""A marked sentence put straight: what is no longer meant is taken back, and what only its place explains is named.

Each pass looks at pieces and their neighbours, never at the text again.
"""

from collections.abc import Sequence
from itertools import pairwise

from language import Count, When
from sandbox.model import figures, stating
from sandbox.model.figures import BREAKS, segments
from sandbox.model.kinds import Item, Kind, Pass, at, each, first_but, has
from sandbox.model.phrases import phrase_set
from sandbox.model.words import fold

_MOMENT_OR_COUNT = (Kind.WHEN, Kind.COUNT)
_INSTEAD = phrase_set("""
    instead of|rather than|not|but not|invece di|invece che|invece del|invece della|invece delle|invece dei|
    invece degli|anziche|anziche alle|non
""")


_CHANGES = phrase_set("change|update|edit|swap|switch|modifica")
_MEALS = phrase_set("lunch|dinner|brunch|breakfast|pranzo|cena|colazione|merenda")


@each
def _with_nouns(items: Sequence[Item], n: int) -> Item | None:
    """ "a change to 8231: …", "a reminder note", "8231: allergy note": nouns that order nothing by themselves."""
    item, word, before, after = items[n], fold(items[n].text), at(items, n - 1), at(items, n + 1)
    if before is not None:
        mob = item.kind is Kind.TOPIC and word == "mob" and before.possessive and not has(items, Kind.PHONE)
        meal = item.kind is Kind.WHEN and word in _MEALS and before.kind in (Kind.DET, Kind.UNKNOWN)
        if mob or (meal and before.sense != "a"):
            return item.as_(Kind.BOOK)
    change = before is not None and before.is_a(Kind.DET, "a") and word in _CHANGES
    reminder = item.kind is Kind.OTHER and word in ("reminder", "promemoria")
    plain = item.kind is Kind.UNKNOWN and not item.capital and not item.possessive
    of_note = after is not None and after.is_a(Kind.TOPIC, "note") and (reminder or (plain and has(items, Kind.REF)))
    return item.as_(Kind.FILL) if change or of_note else None


def _with_pairs(items: Sequence[Item]) -> list[Item]:
    """ "sia la 1180 che la 1181": the "che" joins."""
    kept = list(items)
    both = next((n for n, i in enumerate(items) if fold(i.text) == "sia"), None)
    if both is not None:
        for n in range(both + 1, len(items)):
            if fold(items[n].text) == "che" and has(items[n + 1 : n + 4], Kind.REF):
                kept[n] = items[n].as_(Kind.CONJ)
                break
    return kept


def _without_openers(items: Sequence[Item]) -> list[Item]:
    """ "First cancel 1180, then …" counts the orders and picks no booking; a first "no," is only a word."""
    kept = list(items)
    for n, (item, following) in enumerate(pairwise(items)):
        opens = n == 0 or items[n - 1].kind in BREAKS
        counts = opens and item.kind is Kind.PLACE and (following.kind is Kind.VERB or following.sense == ",")
        waved = fold(item.text) == "no" and following.kind in (Kind.STOP, Kind.FILL)
        if counts or (waved and first_but(kept[:n], Kind.FILL, Kind.STOP) is None):
            kept[n] = item.as_(Kind.FILL)
    return kept


def _with_fewer(items: Sequence[Item]) -> list[Item]:
    """ "cancel 3 kids from 8231", "3 kids cancelled from 8231" take guests off; the booking stays."""
    kept = list(items)
    for start, end in segments(items):
        fewer = any(isinstance(i.value, Count) and i.value.kind == "subtract" for i in items[start:end])
        cancels = [n for n in range(start, end) if items[n].is_a(Kind.VERB, "cancel")]
        for n in cancels if fewer else ():
            kept[n] = items[n].as_(Kind.VERB, sense="resize")
        for n in cancels[1:]:
            # "cancel the cancellation" means the opposite of either; "she cancelled so cancel 8231" says it twice.
            if fold(items[n].text).split()[0] in _CANCELLATIONS:
                kept[n] = items[n].as_(Kind.NEG)
    return kept


_CANCELLATIONS = phrase_set("cancellation|cancelation|annullamento|cancellazione|disdetta")
_CORRECTING = phrase_set("""
    no wait|wait|actually|sorry|i mean|mean|meant|scratch that|hang on|hold on|no|anzi|scusa|scusami|volevo dire|
    intendevo|aspetta
""")


@each
def _with_slips(items: Sequence[Item], n: int) -> Item | None:
    """ "cancel 8231, no wait, 8232": the second booking is meant instead, which is asked rather than done to both."""
    corrects = items[n].kind is Kind.FILL and fold(items[n].text) in _CORRECTING
    behind = first_but(items[n + 1 :], Kind.STOP, Kind.FILL, Kind.DET)
    another = has(items[:n], Kind.REF) and behind is not None and behind.kind is Kind.REF
    return items[n].as_(Kind.NEG) if corrects and another else None


def _without_replaced(items: Sequence[Item]) -> list[Item]:
    """ "30 kids instead of 25", "4pm, not 3pm": what is no longer meant says nothing."""
    kept: list[Item] = []
    for n, item in enumerate(items):
        place = next((m for m in reversed(range(len(kept))) if kept[m].kind not in (Kind.PREP, Kind.DET)), -1)
        gone = item.kind in (*_MOMENT_OR_COUNT, Kind.NUMBER) and _takes_back(kept, place, items[n + 1 :])
        if gone:
            kept[place] = kept[place].as_(Kind.FILL)
        kept.append(item.as_(Kind.FILL) if gone else item)
    return kept


def _takes_back(before: Sequence[Item], place: int, after: Sequence[Item]) -> bool:
    """Whether the word there denies the value behind it, and another value is said that stands."""
    if place < 0 or before[place].kind is not Kind.NEG:
        return False
    word = fold(before[place].text)
    if before[place].sense != "was" and word not in _INSTEAD:
        return False
    return has(before, *_MOMENT_OR_COUNT) or (has(after, *_MOMENT_OR_COUNT) and word not in ("not", "non", "but not"))


def _without_refused(items: Sequence[Item]) -> list[Item]:
    """ "she can't do Saturday, can we do Sunday": the refused day is none to set, once something else is ordered.

    With nothing else ordered the refusal stays a `NEG`, which is asked about.
    """
    kept = list(items)
    parts = segments(items)
    for n, (start, end) in enumerate(parts):
        said = [i for i in range(start, end) if items[i].is_a(Kind.NEG, "gone")]
        if not said:
            continue
        behind = items[said[-1] + 1 : end]
        ordered = [m for m, i in enumerate(behind) if i.kind is Kind.VERB]
        if ordered and not any(fold(i.text) in ("so", "quindi", "allora") for i in behind[: ordered[0]]):
            # "I don't want to cancel 4417": what is refused is the order itself.
            continue
        later = [i for a, b in parts[n + 1 :] for i in items[a:b]]
        if has(later, Kind.WHEN) or any(i.is_a(Kind.VERB, "cancel") for i in (*later, *behind)):
            for i in range(start, end):
                if i in said or items[i].kind is Kind.WHEN:
                    kept[i] = items[i].as_(Kind.FILL)
    return kept


@each
def _without_old_moments(items: Sequence[Item], n: int) -> Item | None:
    """ "change 3pm to 5pm": right behind the verb stands the time that was, not one to set."""
    before, later = at(items, n - 1), first_but(items[n + 1 :], Kind.PREP)
    ordered = before is not None and before.is_a(Kind.VERB, "change", "move")
    replaced = later is not None and later.is_a(Kind.WHEN, "TO")
    return items[n].as_(Kind.FILL) if ordered and replaced and items[n].is_a(Kind.WHEN, "") else None


def _without_another_day(items: Sequence[Item]) -> list[Item]:
    """ "different day, make it Monday", "later, say 5pm": what is vague at first is said after."""
    kept = list(items)
    for n, item in enumerate(items):
        later, before = items[n + 1 :], at(items, n - 1)
        loose = isinstance(item.value, When) and item.value.resolution.error == "vague_time"
        exact = any(isinstance(i.value, When) and i.value.resolution.time_stated for i in later)
        if loose and exact and isinstance(item.value, When) and not item.value.resolution.date_stated:
            kept[n] = item.as_(Kind.FILL)
        vague = before is not None and (before.kind is Kind.VAGUE or before.is_a(Kind.DET, "a"))
        if vague and item.is_a(Kind.TOPIC, "date", "time") and has(later, Kind.WHEN):
            kept[n - 1], kept[n] = items[n - 1].as_(Kind.FILL), item.as_(Kind.FILL)
    return kept


@each
def _with_named_ones(items: Sequence[Item], n: int) -> Item | None:
    """ "change the Lowe one to 15": "one" behind a name stands for the booking."""
    named = n >= 2 and items[n - 1].kind is Kind.UNKNOWN and items[n - 2].kind in (Kind.DET, Kind.UNKNOWN)
    return items[n].as_(Kind.BOOK) if named and fold(items[n].text) == "one" else None


_REMOVING = phrase_set("remove|removed|removing|take off|rimuovi|rimuovere|togli|togliere|leva")


def _with_removals(items: Sequence[Item]) -> list[Item]:
    """ "remove booking 3310": a booking taken away is cancelled; guests or a note taken away are something else."""
    kept = list(items)
    others = (Kind.COUNT, Kind.TOPIC, Kind.NUMBER, Kind.NOTE, Kind.UNKNOWN)
    for start, end in segments(items):
        part = items[start:end]
        if any(i.kind in others and not i.capital for i in part):
            continue
        off = any(fold(i.text).startswith("off the ") for i in part)
        for n in range(start, end - 1):
            behind = first_but(items[n + 1 : end], Kind.DET, Kind.FILL, Kind.PRON)
            word = fold(items[n].text)
            removes = items[n].kind is Kind.VERB and (word in _REMOVING or (off and word == "take"))
            if removes and behind is not None and behind.kind in (Kind.BOOK, Kind.REF):
                kept[n] = items[n].as_(Kind.VERB, sense="cancel")
    return kept


_PASSES: tuple[Pass, ...] = (
    stating.with_questions, stating.with_errands, _with_pairs, _with_nouns, _without_openers, _with_fewer, _with_slips,
    stating.with_what_was, stating.with_statements, stating.with_ages, stating.with_remarks, stating.with_some_of,
    stating.with_others_wishes, _without_replaced, _without_old_moments, _without_refused, _without_another_day,
    _with_named_ones, _with_removals, figures.with_misspelt_people, figures.with_totals, figures.with_party_size,
    figures.with_echoed_counts,
)  # fmt: skip


def tidied(items: Sequence[Item]) -> list[Item]:
    """The same pieces, in order, some of them of another kind."""
    found = list(items)
    for one in _PASSES:
        found = one(found)
    return found
