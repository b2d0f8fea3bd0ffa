"""Extract claims about numbers: head counts, numbers of something else, and numbers without anything they count."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, pairwise

from language import Count, find_counts
from language.dates.resolution import Span
from language.extraction.mention import Mention, MentionKind, stated
from language.extraction.message import Message
from language.locales import alternatives, data_of, get_locale, in_all, words_in_all
from language.numbers.counts import CountKind, counts_objects
from language.numbers.numbers import find_quantities, is_selector, number_phrase_at
from language.requests.cues import ordinary_words
from language.text.spelling import same_but_a_slip

_NUMBER = re.compile(r"([0-9]{1,4})w?")
_ORDINAL = re.compile(r"[0-9]{1,2}w?o")
_UNIT = re.compile(r"U[a-z]+|MONEY")

_of = partial(alternatives, "numbers")
_CLOCK = re.compile(rf"\s?(?:[:.]\d\d|{_of('CLOCK')})")
_AT = re.compile(rf"\b(?:{_of('AT')})\s+$")
_RANGE = re.compile(rf"\s*(?:{_of('RANGE')}|-|–)\s*")
_PEOPLE = re.compile(rf"\s+(?:{_of('PEOPLE')})\b")
_BOTH = re.compile(rf"\b(?:{_of('BOTH')})\s+$")
_RESIZED = re.compile(rf"\b(?:{_of('RESIZED')}) (\d{{1,3}})\b")
_COUNTED = words_in_all("numbers", "COUNTED")
_ONE_OF_A_KIND = re.compile(rf"\b(?:{_of('ONE_OF_A_KIND')})(?! (?:{'|'.join(_COUNTED)})\b)")
_DATED = re.compile(rf"[a-z]\s+(?:{_of('DATED')})\s+$")
_FROM_MORE = re.compile(rf"\s+(?:{_of('FROM_MORE_TO')})\b")
_PUT_DOWN_AS = re.compile(rf"\b(?:{_of('PUT_DOWN_AS')})\s+$")
_SIGN_WORD = re.compile(rf"\b(?:(?P<plus>{_of('PLUS')})|{_of('MINUS')})\s+$")
_NO_HEADS = 1000
"""A number from which on it is a reference, not a head count."""
_Values = Sequence[tuple[Span, int]]


def numbers(message: Message, locale: str, taken: Sequence[Span]) -> list[Mention]:
    """Return every number outside `taken` (days, times, addresses, phones), with what it counts, if anything."""
    written = _figures(message)
    values = find_quantities(message.plain, message.tokens, locale)
    owned = [span for span, owner in written if owner]
    mentions = [stated(message, MentionKind.OTHER, span) for span in owned if not _over(span, taken)]
    counts = list(_counts(message, locale, values, [*taken, *owned]))
    mentions += counts
    covered = [*taken, *owned, *(mention.span for mention in counts)]
    for span, value in values:
        if not _over(span, covered) and not _stands_for_a_noun(message, span):
            mentions.append(stated(message, MentionKind.NUMBER, span, values=(str(value),)))
    return sorted(mentions, key=lambda claim: claim.span)


def _stands_for_a_noun(message: Message, span: Span) -> bool:
    """Return whether a number is used as a pronoun and counts nothing: "the second one", "quick one, ..."."""
    if any(match.start() <= span[0] < match.end() for match in _ONE_OF_A_KIND.finditer(message.plain)):
        return True
    noun = any(cue.kind == "BOOKING" and cue.span == span for cue in message.cues)
    hour = _CLOCK.match(message.plain[span[1] :]) or _AT.search(message.plain[: span[0]])
    if not noun or hour:
        return False
    before = next((w.text for w in reversed(message.words) if w.end <= span[0]), "")
    definite = message.cue_before(span, ("DEFINITE",), 2) is not None
    return definite or is_selector(before) or _behind_a_name(message, span)


def _behind_a_name(message: Message, span: Span) -> bool:
    """Return whether a number is directly behind a word unknown to the language that heads nothing: "Bellini one to the
    tenth"."""
    before = next((w for w in reversed(message.words) if w.end <= span[0]), None)
    after = next((w.text for w in message.words if w.start >= span[1]), "")
    counts = after in _COUNTED
    free = before is not None and not message.parted(before.end, span[0]) and not before.text[0].isdigit()
    unknown = before is not None and before.text.isalpha() and before.text not in ordinary_words(message.locale)
    lexed = [t.symbol for t in message.tokens if before is not None and t.start == before.start]
    cued = any(before is not None and c.span[0] <= before.start < c.span[1] for c in message.cues)
    return free and unknown and lexed == ["_"] and not cued and not counts


def _counts(message: Message, locale: str, values: _Values, taken: Sequence[Span]) -> Iterator[Mention]:
    """Yield head counts by the grammar, then those that only the words around a number make one."""
    nouns = [span for span, _ in values if _stands_for_a_noun(message, span)]
    letters = list(message.text)
    for start, end in nouns:
        letters[start:end] = "x" * (end - start)
    found = [item for item in find_counts("".join(letters), locale) if not _over(_digits(message, item.span), taken)]
    spans: list[Span] = []
    for item in found:
        if item.count.amount >= _NO_HEADS:
            continue
        if _is_bare(message, item.span, item.count) or (item.count.is_relative and _is_dated(message, item.span)):
            continue
        spans.append(item.span)
        count = _turned(message, item.span, _put_in_words(message, item.count, locale, values))
        yield (
            stated(message, MentionKind.OTHER, item.span)
            if _tells_of_one(message, count) or _of_things(message, count)
            else _count(message, item.span, count)
        )
    for span, value in values:
        if _over(span, [*taken, *spans]):
            continue
        if value >= _NO_HEADS:
            continue
        count = _turned(message, span, Count("absolute", value, span))
        if count.is_relative and _is_dated(message, span):
            continue
        if _BOTH.search(message.plain[: span[0]]) or (count.kind == "vague" and len(values) > 1):
            yield stated(message, MentionKind.OTHER, span)
        elif (
            count.is_relative
            or count.kind == "vague"
            or _counts_heads(message, span)
            or message.cue_after(span, ("COMING",), 2)
            or message.cue_before(span, ("COMING",), 1)
        ):
            yield _count(message, span, count)
    for span, heads in _persons(message):
        count = _turned(message, span, Count("absolute", heads, span))
        if not count.is_relative and message.cue_before(span, ("BRINGS",), 2):
            count = Count("add", heads, span)
        if count.is_relative and not _over(span, [*taken, *spans]) and not _has_number(message, span):
            spans.append(span)
            yield _count(message, span, count)


def _counts_heads(message: Message, span: Span) -> bool:
    """Return whether a number counts people: "dodici di persone", "a round dozen", "Conti x 22"."""
    dozen = _DOZEN.fullmatch(message.plain[slice(*span)]) is not None
    return dozen or _PEOPLE.match(message.plain, span[1]) is not None or _is_for_people(message, span)


def _is_for_people(message: Message, span: Span) -> bool:
    """Return whether a number ends a phrase that only people take in this language: "in 22", not "in 22 minuti"."""
    leads = data_of(get_locale(message.locale).code, "numbers").FOR_PEOPLE
    behind = next((token for token in message.tokens if token.start >= span[1]), None)
    led = bool(leads) and re.search(rf"\b(?:{leads})\s+$", message.plain[: span[0]]) is not None
    if not led or behind is None:
        return led
    unit = _UNIT.fullmatch(behind.symbol) is not None or behind.symbol in ("am", "pm") or behind.symbol.isdigit()
    cued = any(cue.span[0] == behind.start for cue in message.cues)
    return not unit and (cued or not counts_objects(message.plain, span[1], message.locale))


def change_amounts(message: Message, locale: str) -> list[Span]:
    """Return the numbers of a change: "up the numbers by 5" is not about five o'clock."""
    found = [m.span(1) for m in _RESIZED.finditer(message.plain) if not _CLOCK.match(message.plain, m.end())]
    if not any(token.symbol in ("BY", "OF") for token in message.tokens):
        return found
    for item in find_counts(message.text, locale):
        rest = next((t.symbol for t in message.tokens if t.start >= item.span[1]), "")
        if item.count.is_relative and not _UNIT.fullmatch(rest) and rest not in ("am", "pm"):
            digits = _digits(message, item.span)
            before = [t.symbol for t in message.tokens if t.end <= digits[0]]
            found += [digits] if before[-1:] in (["BY"], ["OF"]) else []
    return found


def _has_number(message: Message, span: Span) -> bool:
    """Return whether a number counts the person: "two of her cousins"."""
    return any(char.isdigit() for char in message.plain[max(0, span[0] - 4) : span[0]])


def _is_bare(message: Message, span: Span, count: Count) -> bool:
    """Return whether nothing states that a number counts people: "make it 5", "for 5", "5"."""
    first = next(token.symbol for token in message.tokens if token.end > span[0])
    plain_total = count.kind == "absolute" and count.noun is None and count.previous is None
    return plain_total and (first in ("MAKEIT", "FOR") or _NUMBER.fullmatch(first) is not None)


def _is_dated(message: Message, span: Span) -> bool:
    """Return whether a number is a day of the month behind a name: "il netball club del 18 non viene"."""
    return _DATED.search(message.plain[: span[0]]) is not None


def _persons(message: Message) -> Iterator[tuple[Span, int]]:
    """Yield the place and number of one or two people, who may come or go: "a kid", "un bambino", "her cousin", "the
    twins"."""
    for left, right in pairwise(message.tokens):
        if left.symbol == "A" and right.symbol == "PEOPLE":
            yield (left.start, right.end), 1
    for cue in message.of_kind("PERSON", "TWO_PERSONS"):
        yield cue.span, 2 if cue.kind == "TWO_PERSONS" else 1


def _put_in_words(message: Message, count: Count, locale: str, values: _Values) -> Count:
    """Return the count with its amount in words: "una trentina di persone" is thirty, "a hundred and twenty people" not
    twenty."""
    for (start, end), value in values:
        if start < count.span[0] < end:
            return replace(count, amount=value)
    if count.kind != "vague":
        return count
    heads = number_phrase_at(message.plain[slice(*count.span)], locale)
    return count if heads is None else Count("absolute", heads, count.span, None, count.noun)


def _turned(message: Message, span: Span, count: Count) -> Count:
    """Return the count with the change that the words around it make: "3 friends as well" adds, "one of them can't make
    it" subtracts."""
    if count.kind != "absolute" or count.previous is not None:
        return count
    if (step := _signed(message, span)) is not None:
        return Count(step, count.amount, span, None, count.noun)
    gone = message.cue_after(span, ("GOING",), 4)
    if gone and _FROM_MORE.match(message.plain, gone.span[1]):
        # In "14 down to 11" the 14 is no reduction.
        gone = None
    if gone and not _another_number(message, span[1], gone.span[0]):
        return Count("subtract", count.amount, span, None, count.noun)
    if _put_down_as(message, span):
        return count
    if message.cue_before(span, ("GOING",), 1) and not message.cue_before(span, ("TO",), 0):
        return Count("subtract", count.amount, span, None, count.noun)
    if _goes_on(message, span):
        index = _digits(message, span)[0]
        whole = _THERE_ARE.search(message.plain[:index]) or _NOT_THAT.match(message.plain, span[1])
        return count if whole else Count("vague", count.amount, span, None, count.noun)
    also = _also(message, span) or message.cue_before(span, ("ALSO",), 1)
    total = message.cue_before(span, ("COMING",), 0) and message.cue_after(span, ("COMING",), 1)
    # "Anche 8 persone invece di 6" is the new total despite the "also".
    in_place = message.cue_after(span, ("INSTEAD_OF",), 1)
    if also and not total and not in_place:
        kind: CountKind = "vague" if _and_also(message, span) else "add"
        return Count(kind, count.amount, span, None, count.noun)
    return _of_them(message, span, count)


_STEPS: tuple[tuple[CountKind, tuple[str, ...]], ...] = (
    ("add", tuple(chain(*in_all("numbers", "MORE_WORDS")))),
    ("subtract", tuple(chain(*in_all("numbers", "FEWER_WORDS")))),
)


def _put_down_as(message: Message, span: Span) -> bool:
    """Return whether a number is the recorded one, not a reduction: "put them down as 11", "were down for 11"."""
    return _PUT_DOWN_AS.search(message.plain[: span[0]]) is not None


def _signed(message: Message, span: Span) -> CountKind | None:
    """Return the step that a sign, or a misspelt word for one, makes of a number: "-3 persone", "+2 kids", "2 mor
    ppl"."""
    figure = _digits(message, span)[0]
    sign = re.search(r"(?:^|\s)([-+])$", message.plain[:figure])
    if sign is not None and message.plain[figure : figure + 1].isdigit():
        return "subtract" if sign[1] == "-" else "add"
    worded = _SIGN_WORD.search(message.plain[:figure])
    if worded is not None:
        return "add" if worded["plus"] else "subtract"
    inside = [w.text for w in message.words if span[0] <= w.start < span[1]]
    slips = (kind for kind, words in _STEPS for one in words for w in inside if w != one and _slipped(w, one))
    return next(slips, None)


def _slipped(word: str, meant: str) -> bool:
    return same_but_a_slip(word, meant) or (len(word) >= _STUMP and meant[:-1] == word)


_STUMP = 3
_ALSO_FIRST = re.compile(rf"^\W*(?:(?:{_of('OPENING')})\W+)*(?:{_of('ALSO_FIRST')})\b\W*(?:[a-z']+\s+){{0,2}}$")
_NOT_THAT = re.compile(rf"\s*,?\s*(?:{_of('NOT_THAT')})\s+(?:(?:{_of('NOT_THAT_OF')})\s+)?\d")
_HAS = re.compile(rf"\s+(?:{_of('HAS')})\b")
_THERE_ARE = re.compile(rf"\b(?:{_of('THERE_ARE')})(?: (?:{_of('ONLY')}))*\s+$")
_DOZEN = re.compile(_of("DOZEN"))
_PART = re.compile(rf"\s+(?:{_of('PART')})\b")
_OPENS = re.compile(rf"(?:^|[.;!?,]\s*)(?:(?:{_of('OH')})\s+)?(?:{_of('JOINS')}|&)\s+(?:[\w']+\s+){{0,4}}$")
_TOO, _ALSO = frozenset[str](chain(*in_all("numbers", "TOO"))), frozenset[str](chain(*in_all("numbers", "ALSO")))


def _tells_of_one(message: Message, count: Count) -> bool:
    """Return whether a count of one only describes a guest, and is no head count: "one child has a peanut allergy"."""
    single = count.kind == "absolute" and count.amount == 1 and count.noun is not None
    return single and _HAS.match(message.plain, count.span[1]) is not None


def _of_things(message: Message, count: Count) -> bool:
    """Return whether a number counts things and no people: "2 more chairs"."""
    return count.noun is None and message.cue_after(count.span, ("THINGS",), 0) is not None


def _goes_on(message: Message, span: Span) -> bool:
    """Return whether the first word joins the message to the last one, so that "also 6 people" is another change or
    more people."""
    return _ALSO_FIRST.search(message.plain[: span[0]]) is not None


def _of_them(message: Message, span: Span, count: Count) -> Count:
    """Return the count as part of the booked guests, never as their total: "four of their number are laid low"."""
    if not _PART.match(message.plain, span[1]) or _all_of_them(message, span):
        return count
    if message.cue_after(span, ("ALSO",), 8):
        return Count("add", count.amount, span, None, count.noun)
    kind: CountKind = "subtract" if message.cue_after(span, ("GOING",), 8) else "vague"
    return Count(kind, count.amount, span, None, count.noun)


def _all_of_them(message: Message, span: Span) -> bool:
    """Return whether "of them" refers to all guests: "there will only be three of them"."""
    return _THERE_ARE.search(message.plain[: span[0]]) is not None and not message.cue_after(span, ("GOING", "ALSO"), 8)


def _and_also(message: Message, span: Span) -> bool:
    """Return whether a number may add to an earlier request or to the guests: "and 18 guests too"."""
    cue = message.cue_after(span, ("ALSO",), 3)
    too = cue is not None and message.plain[slice(*cue.span)] in _TOO
    return too and _OPENS.search(message.plain[: span[0]]) is not None


def _also(message: Message, span: Span) -> bool:
    """Return whether a number adds guests: "two friends as well", but not "was 9, now 13 too" or "13, also push the
    start"."""
    cue = message.cue_after(span, ("ALSO",), 3)
    if cue is None or _another_number(message, span[1], cue.span[0]):
        return False
    rest = message.plain[cue.span[1] :].lstrip()
    goes_on = message.plain[slice(*cue.span)] in _ALSO and rest[:1].isalpha()
    return not goes_on or message.cue_after(cue.span, ("COMING",), 0) is not None


def _another_number(message: Message, start: int, end: int) -> bool:
    return any(char.isdigit() for char in message.plain[start:end])


def _figures(message: Message) -> list[tuple[Span, bool]]:
    """Return each number with whether it belongs to something other than people."""
    found = []
    things = non_head_counts(message)
    tokens = message.tokens
    for index, token in enumerate(tokens):
        symbol = token.symbol
        if symbol == "X":
            found.append(((token.start, token.end), True))
        elif _NUMBER.fullmatch(symbol) or _ORDINAL.fullmatch(symbol):
            rest = tokens[index + 1].symbol if index + 1 < len(tokens) else ""
            span = (token.start, token.end)
            owned = bool(_UNIT.fullmatch(rest)) or span in things
            found.append((span, owned))
    return found


_RANGED = 2
"""The most digits of a number that may begin a range of ages or rooms."""


def non_head_counts(message: Message) -> list[Span]:
    """Return numbers that are an age, a room, an amount or a count of objects: no hour, no day, no head count."""
    tokens = message.tokens
    spans = [(t.start, t.end) for t in tokens if _NUMBER.fullmatch(t.symbol) or _ORDINAL.fullmatch(t.symbol)]
    owned: list[Span] = []
    for span in spans:
        # "Ages 7 to 9", but "booking 8231 to 14": a reference begins no range.
        small = bool(owned) and owned[-1][1] - owned[-1][0] <= _RANGED
        chained = small and _RANGE.fullmatch(message.plain[owned[-1][1] : span[0]])
        if chained or _owned(message, span) or _stands_for_a_noun(message, span):
            owned.append(span)
    return owned


def _owned(message: Message, span: Span) -> bool:
    rest = message.plain[span[1] :]
    if _CLOCK.match(rest):
        return False
    before = message.cue_before(span, ("NUMBERED", "AGE"), 0)
    if before is not None and span[1] - span[0] <= _RANGED and _heads_of_a_booking(message, before.span, span):
        return False
    return before is not None or message.cue_after(span, ("AGED", "THINGS"), 0) is not None


def _heads_of_a_booking(message: Message, before: Span, span: Span) -> bool:
    """Return whether a number counts the guests of a booking and is not its number: "make the booking 6 guests"."""
    if not any(cue.kind == "BOOKING" and cue.span == before for cue in message.cues):
        return False
    return any(f.count.noun and _over(span, [f.span]) for f in find_counts(message.text, message.locale))


def _digits(message: Message, span: Span) -> Span:
    """Return the part of a count's words that holds its digits, or all of them."""
    match = re.search(r"\d+", message.plain[slice(*span)])
    return (span[0] + match.start(), span[0] + match.end()) if match else span


def _over(span: Span, others: Sequence[Span]) -> bool:
    return any(start < span[1] and span[0] < end for start, end in others)


def _count(message: Message, span: Span, count: Count) -> Mention:
    mention = stated(message, MentionKind.COUNT, span, count=count, doubtful=count.kind == "vague")
    return replace(mention, joined=True) if mention.vague and _goes_on(message, span) else mention
