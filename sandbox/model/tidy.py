"""A marked sentence put straight: what is no longer meant is taken back, and what only its place explains is named.

Each pass looks at pieces and their neighbours, never at the text again.
"""

from collections.abc import Callable, Sequence

from language import Count, When
from sandbox.model.figures import (
    BREAKS,
    segments,
    with_echoed_counts,
    with_misspelt_people,
    with_party_size,
    with_totals,
)
from sandbox.model.kinds import Item, Kind
from sandbox.model.phrases import phrase_set
from sandbox.model.stating import (
    with_ages,
    with_errands,
    with_questions,
    with_remarks,
    with_statements,
    with_what_was,
)
from sandbox.model.words import fold

_INSTEAD = phrase_set("""
    instead of|rather than|not|but not|invece di|invece che|invece del|invece della|invece delle|invece dei|
    invece degli|anziche|anziche alle|non
""")


def tidied(items: Sequence[Item]) -> list[Item]:
    """The same pieces, in order, some of them of another kind."""
    passes: tuple[Callable[[list[Item]], list[Item]], ...] = (
        with_questions,
        with_errands,
        _with_pairs,
        _with_nouns,
        _without_openers,
        _with_fewer,
        _with_slips,
        with_what_was,
        with_statements,
        with_ages,
        with_remarks,
        _without_replaced,
        _without_old_moments,
        _without_refused,
        _without_another_day,
        _with_named_ones,
        _with_removals,
        with_misspelt_people,
        with_totals,
        with_party_size,
        with_echoed_counts,
    )
    found = list(items)
    for one in passes:
        found = one(found)
    return found


_CHANGES = phrase_set("change|update|edit|swap|switch|modifica")


_MEALS = phrase_set("lunch|dinner|brunch|breakfast|pranzo|cena|colazione|merenda")


def _with_nouns(items: list[Item]) -> list[Item]:
    """ "a change to 8231: …", "a reminder note", "8231: allergy note": nouns that order nothing by themselves."""
    kept = list(items)
    told = any(i.kind is Kind.REF for i in items)
    for n, item in enumerate(items):
        mob = item.kind is Kind.TOPIC and fold(item.text) == "mob" and n > 0 and items[n - 1].possessive
        if mob and not any(i.kind is Kind.PHONE for i in items):
            kept[n] = item.as_(Kind.BOOK)
            continue
        meal = item.kind is Kind.WHEN and fold(item.text) in _MEALS and n > 0
        if meal and items[n - 1].kind in (Kind.DET, Kind.UNKNOWN) and items[n - 1].sense != "a":
            kept[n] = item.as_(Kind.BOOK)
            continue
        before, after = items[n - 1] if n else None, items[n + 1] if n + 1 < len(items) else None
        change = before is not None and (before.kind, before.sense) == (Kind.DET, "a") and fold(item.text) in _CHANGES
        of_note = after is not None and after.kind is Kind.TOPIC and after.sense == "note"
        reminder = item.kind is Kind.OTHER and fold(item.text) in ("reminder", "promemoria")
        adjective = item.kind is Kind.UNKNOWN and not item.capital and not item.possessive and told
        if change or (of_note and (reminder or adjective)):
            kept[n] = item.as_(Kind.FILL)
    return kept


def _with_pairs(items: list[Item]) -> list[Item]:
    """ "sia la 1180 che la 1181": the "che" joins."""
    kept = list(items)
    both = next((n for n, i in enumerate(items) if fold(i.text) == "sia"), None)
    if both is not None:
        for n in range(both + 1, len(items)):
            if fold(items[n].text) == "che" and any(i.kind is Kind.REF for i in items[n + 1 : n + 4]):
                kept[n] = items[n].as_(Kind.CONJ)
                break
    return kept


def _without_openers(items: list[Item]) -> list[Item]:
    """ "First cancel 1180, then …" counts the orders and picks no booking; a first "no," is only a word."""
    kept = list(items)
    for n, item in enumerate(items[:-1]):
        following = items[n + 1]
        opens = n == 0 or items[n - 1].kind in BREAKS
        ordered = item.kind is Kind.PLACE and (following.kind is Kind.VERB or following.sense == ",")
        waved = all(i.kind in (Kind.FILL, Kind.STOP) for i in kept[:n])
        denied = waved and fold(item.text) == "no" and following.kind in (Kind.STOP, Kind.FILL)
        if (opens and ordered) or denied:
            kept[n] = item.as_(Kind.FILL)
    return kept


def _with_fewer(items: list[Item]) -> list[Item]:
    """ "cancel 3 kids from 8231", "3 kids cancelled from 8231" take guests off; the booking stays."""
    kept = list(items)
    for start, end in segments(items):
        counts = [i.value for i in items[start:end] if isinstance(i.value, Count)]
        cancels = [n for n in range(start, end) if items[n].kind is Kind.VERB and items[n].sense == "cancel"]
        for n in cancels:
            if any(c.kind == "subtract" for c in counts):
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


def _with_slips(items: list[Item]) -> list[Item]:
    """ "cancel 8231, no wait, 8232": the second booking is meant instead, which is asked rather than done to both."""
    kept = list(items)
    for n, item in enumerate(items[1:], 1):
        earlier = any(i.kind is Kind.REF for i in items[:n])
        behind = next((i for i in items[n + 1 :] if i.kind not in (Kind.STOP, Kind.FILL, Kind.DET)), None)
        corrects = item.kind is Kind.FILL and fold(item.text) in _CORRECTING
        if earlier and corrects and behind is not None and behind.kind is Kind.REF:
            kept[n] = item.as_(Kind.NEG)
    return kept


def _without_replaced(items: list[Item]) -> list[Item]:
    """ "30 kids instead of 25", "4pm, not 3pm": what is no longer meant says nothing."""
    kept: list[Item] = []
    values = (Kind.WHEN, Kind.COUNT)
    for n, item in enumerate(items):
        place = _before(kept)
        gone = item.kind in (*values, Kind.NUMBER) and place is not None and kept[place].kind is Kind.NEG
        if gone and place is not None and (kept[place].sense == "was" or fold(kept[place].text) in _INSTEAD):
            earlier = any(i.kind in values for i in kept)
            later = any(i.kind in values for i in items[n + 1 :])
            if earlier or (later and fold(kept[place].text) not in ("not", "non", "but not")):
                kept[place] = kept[place].as_(Kind.FILL)
                kept.append(item.as_(Kind.FILL))
                continue
        kept.append(item)
    return kept


def _before(kept: Sequence[Item]) -> int | None:
    """The last piece that is no preposition or article."""
    return next((n for n in range(len(kept) - 1, -1, -1) if kept[n].kind not in (Kind.PREP, Kind.DET)), None)


def _without_refused(items: list[Item]) -> list[Item]:
    """ "she can't do Saturday, can we do Sunday": the refused day is none to set, once something else is ordered.

    Left alone the refusal stays a no, which is asked about.
    """
    kept = list(items)
    parts = segments(items)
    for n, (start, end) in enumerate(parts):
        said = [i for i in range(start, end) if items[i].kind is Kind.NEG and items[i].sense == "gone"]
        if not said:
            continue
        rest = [i for a, b in parts[n + 1 :] for i in items[a:b]]
        behind = items[said[-1] + 1 : end]
        ordered = [m for m, i in enumerate(behind) if i.kind is Kind.VERB]
        so = bool(ordered) and any(fold(i.text) in ("so", "quindi", "allora") for i in behind[: ordered[0]])
        if ordered and not so:
            # "I don't want to cancel 4417": what is refused is the order itself.
            continue
        rest += [i for i in behind if i.kind is Kind.VERB and i.sense == "cancel"]
        if not any(i.kind is Kind.WHEN or (i.kind is Kind.VERB and i.sense == "cancel") for i in rest):
            continue
        for i in range(start, end):
            if i in said or items[i].kind is Kind.WHEN:
                kept[i] = items[i].as_(Kind.FILL)
    return kept


def _without_old_moments(items: list[Item]) -> list[Item]:
    """ "change 3pm to 5pm": right behind the verb stands the time that was, not one to set."""
    kept = list(items)
    for n in range(1, len(items) - 1):
        later = next((i for i in items[n + 1 :] if i.kind is not Kind.PREP), None)
        ordered = items[n - 1].kind is Kind.VERB and items[n - 1].sense in ("change", "move")
        was = items[n].kind is Kind.WHEN and items[n].sense == ""
        if ordered and was and later is not None and later.kind is Kind.WHEN and later.sense == "TO":
            kept[n] = items[n].as_(Kind.FILL)
    return kept


def _without_another_day(items: list[Item]) -> list[Item]:
    """ "different day, make it Monday", "later, say 5pm": what is vague at first is said after."""
    kept = list(items)
    for n, item in enumerate(items):
        loose = isinstance(item.value, When) and item.value.resolution.error == "vague_time"
        exact = any(isinstance(i.value, When) and i.value.resolution.time_stated for i in items[n + 1 :])
        if loose and exact and isinstance(item.value, When) and not item.value.resolution.date_stated:
            kept[n] = item.as_(Kind.FILL)
    for n, item in enumerate(items[1:], 1):
        vague = items[n - 1].kind is Kind.VAGUE or (items[n - 1].kind is Kind.DET and items[n - 1].sense == "a")
        topic = item.kind is Kind.TOPIC and item.sense in ("date", "time")
        if vague and topic and any(i.kind is Kind.WHEN for i in items[n + 1 :]):
            kept[n - 1], kept[n] = items[n - 1].as_(Kind.FILL), item.as_(Kind.FILL)
    return kept


def _with_named_ones(items: list[Item]) -> list[Item]:
    """ "change the Lowe one to 15": "one" behind a name stands for the booking."""
    kept = list(items)
    for n in range(2, len(items)):
        named = items[n - 1].kind is Kind.UNKNOWN and items[n - 2].kind in (Kind.DET, Kind.UNKNOWN)
        if named and fold(items[n].text) == "one":
            kept[n] = items[n].as_(Kind.BOOK)
    return kept


_REMOVING = phrase_set("remove|removed|removing|take off|rimuovi|rimuovere|togli|togliere|leva")


def _with_removals(items: list[Item]) -> list[Item]:
    """ "remove booking 3310": a booking taken away is cancelled; guests or a note taken away are something else."""
    kept = list(items)
    for start, end in segments(items):
        part = items[start:end]
        others = (Kind.COUNT, Kind.TOPIC, Kind.NUMBER, Kind.NOTE, Kind.UNKNOWN)
        if any(i.kind in others and not i.capital for i in part):
            continue
        for n in range(start, end - 1):
            passed_over = (Kind.DET, Kind.FILL, Kind.PRON)
            behind = next((i for i in items[n + 1 : end] if i.kind not in passed_over), None)
            taken = fold(items[n].text) == "take" and any(fold(i.text).startswith("off the ") for i in part)
            removes = items[n].kind is Kind.VERB and (fold(items[n].text) in _REMOVING or taken)
            if removes and behind is not None and behind.kind in (Kind.BOOK, Kind.REF):
                kept[n] = items[n].as_(Kind.VERB, sense="cancel")
    return kept


def day_and_time(whens: Sequence[Item]) -> tuple[Item, Item] | None:
    """The day and the time where one piece states the one and another the other."""
    days = [i for i in whens if isinstance(i.value, When) and _states(i.value) == (True, False)]
    times = [i for i in whens if isinstance(i.value, When) and _states(i.value) == (False, True)]
    return (days[0], times[0]) if len(whens) == 2 and len(days) == len(times) == 1 else None


def _states(when: When) -> tuple[bool, bool]:
    return when.resolution.date_stated, when.resolution.time_stated
