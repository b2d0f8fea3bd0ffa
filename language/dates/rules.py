"""Grammar rules: patterns over a row of symbols, and the choice of those that explain most of it.

A pattern is a regular expression over symbols (see `language.text.lexer`) with these fragments
    {D} a day number  {W} a weekday  {M} a month  {Y} a year  {YEAR} the same, if any  {N} a quantity (A is one)
    {P} a number of people  {C} the same where a time is as likely
    {N2} minutes after hours  {U} a unit  {H} an hour or NOON/MIDNIGHT
    {NAMED} ahead, a day that has a date or a name
    {MI} minutes  {AP} optional am/pm and o'clock  {S} optional , - /
Named groups are what the rule read. The kinds are those of `language.dates.days` and `language.dates.times`
plus the refusals (`range`, `recurring`, `vague_day`, `vague_time`) and `count`, which is never a time.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import count

from language.locales import Locale
from language.text.lexer import Lexed

Needs = tuple[tuple[str, ...], ...]
"""Every match holds at least one word of each tuple."""

_WEEKDAY_OR_MONTH = re.compile(r"\[(Ww|Mm)\]")
_CLASS = re.compile(r"\[[^\]]*\]|\\.")
_GROUP = re.compile(r"\((?P<open>\?(?:P<\w+>|:|=|!|<=|<!))?(?P<body>[^()]*)\)(?P<again>[?*]|\{0?,?[0-9]*\}\??)?")
_LITERAL = re.compile(r"[A-Z]+(?![a-zA-Z?*])")
_FOLDED = re.compile(r"<(\d+)>")


def required_symbols(pattern: str) -> Needs:
    """Return the words that stand in every match; none if the pattern has alternatives on its outermost level."""
    folded: list[tuple[str, ...]] = [("W", "w"), ("M", "m")]
    bare = _CLASS.sub("", _WEEKDAY_OR_MONTH.sub(lambda found: "<0>" if found[1] == "Ww" else "<1>", pattern))

    def fold(found: re.Match[str]) -> str:
        if found["again"] or (found["open"] or "").strip("?")[:1] in ("=", "!", "<"):
            return ""
        words: set[str] = set()
        for option in found["body"].split("|"):
            inner = _words(option, folded)
            if not inner:
                return ""
            words.update(inner[0])
        folded.append(tuple(sorted(words)))
        return f"<{len(folded) - 1}>"

    before = ""
    while bare != before:
        before, bare = bare, _GROUP.sub(fold, bare)
    return () if "|" in bare else _words(bare, folded)


_numbers = count()
_BITS: dict[tuple[str, ...], int] = {}
"""Every tuple of words that some rule needs, with its bit."""


def bitmask(needs: Needs) -> int:
    """Needs as bits, to be held against those that a row lacks."""
    mask = 0
    for words in needs:
        mask |= _BITS.setdefault(words, 1 << next(_numbers))
    return mask


def missing_mask(line: str) -> int:
    """Return the bits of all needs that a row of symbols does not meet."""
    lacking = 0
    for words, bit in tuple(_BITS.items()):
        for word in words:
            if word in line:
                break
        else:
            lacking |= bit
    return lacking


def _words(text: str, folded: list[tuple[str, ...]]) -> Needs:
    literal = [(word,) for word in dict.fromkeys(_LITERAL.findall(text))]
    return (*literal, *(folded[int(number)] for number in dict.fromkeys(_FOLDED.findall(text))))


FRAGMENTS = {
    "{D}": r"(?P<day>[0-3]?[0-9])(?:o|wo|w)?",
    "{W}": r"(?:m\d+)?[Ww](?P<wd>\d)",
    "{M}": r"[Mm](?P<mon>\d{1,2})(?:w\d)?",
    "{Y}": r"(?P<year>(?:19|20)[0-9]{2})",
    "{YEAR}": r"(?:(?: [,/-])?(?: OF)? (?P<year>(?:19|20)[0-9]{2})(?: Uy)?)?",
    "{N}": r"(?P<n>[0-9]{1,3}w?|A)",
    "{N2}": r"(?P<n2>[0-9]{1,3}w?|A) U(?P<unit2>mi)",
    "{U}": r"U(?P<unit>mi|h|d|w|f|mo|y|s)",
    "{H}": r"(?:(?P<h>[0-9]{1,2})[wh]?|(?P<named>NOON|MIDNIGHT))",
    "{NAMED}": r"(?= (?:(?:THE|ON) )?(?:H[a-z]+|[0-9]{1,2}w?o?(?: OF)? [Mm][0-9]|[Mm][0-9]{1,2} [0-9]|[0-9]{1,2}w?o|"
    r"[0-9]{1,2}/[0-9]{1,2}|R[0-9]))",
    "{MI}": r"(?P<m>[0-5]?[0-9])w?",
    "{AP}": r"(?: OCLOCK)?(?:(?: IN THE)? (?P<ap>[ap])m)?(?: OCLOCK)?",
    "{S}": r"(?: [,/-])?",
    "{P}": r"(?P<n>[0-9]{1,4}w?)(?! (?:[ap]m|OCLOCK|U[a-z]+|MONEY|[0-9]|[Mm][0-9]|PAST|AFTER|ISH|HALF|QUARTER|LESS"
    r"|- [0-9]|AND (?:[0-9]+w? (?!PEOPLE)|HALF|QUARTER|3QUARTER)))",
    "{C}": r"(?P<n>[0-9]{1,4}w?)(?! (?:[ap]m|OCLOCK|U[a-z]+|MONEY|R-?[0-9]|P[mean]|[0-9]|[Mm][0-9]|PAST|AFTER|ISH|HALF|"
    r"QUARTER|- [0-9]))",
}

_BEFORE_TIME = r"(?= (?:(?:AT|LE|THE) )?(?:[0-9]|NOON|MIDNIGHT|HALF|QUARTER))"

SHARED_RULES: Sequence[tuple[str, str]] = (
    ("ymd", r"(?P<year>[0-9]{4})[-/.](?P<mon>[0-9]{1,2})[-/.](?P<day>[0-9]{1,2})"),
    ("ymd", r"{Y} [/-] {M} [/-] {D}"),
    ("numeric", r"(?P<a>[0-9]{1,2})[-/.](?P<b>[0-9]{1,2})[-/.](?P<year>[0-9]{4}|[0-9]{2})"),
    ("numeric", r"(?P<a>[0-9]{1,2})/(?P<b>[0-9]{1,2})"),
    ("numeric", r"(?P<a>[0-9]{1,2}) (?P<sep>[/-]) (?P<b>[0-9]{1,2})"),
    ("numeric", r"(?P<a>[0-9]{1,2})(?P<sep>-)(?P<b>[0-9]{1,2})"),
    ("dotted", r"(?P<a>[0-9]{1,2})\.(?P<b>[0-9]{1,2})"),
    ("time", r"(?P<h>[0-9]{1,2})(?P<colon>:)(?P<m>[0-9]{2})(?::[0-9]{2})?(?: OCLOCK)?(?: (?:IN THE )?(?P<ap>[ap])m)?"),
    ("time", r"(?P<h>[0-9]{1,2})\.(?P<m>[0-9]{2})(?:(?: (?P<ap>[ap])m)| OCLOCK| Uh)"),
    ("time", r"AT (?P<h>[0-9]{1,2})[.,](?P<m>[0-9]{2})(?: (?P<ap>[ap])m)?"),
    ("time", r"(?P<h>[0-9]{1,2})w? (?:OCLOCK )?(?:IN THE )?(?P<ap>[ap])m"),
    ("time", r"(?P<hm>[0-9]{3,4}) (?P<ap>[ap])m"),
    ("time", r"AT (?P<hm>[0-9]{4})"),
    ("time", r"AT (?P<hm>[1-9][0-5][0-9])"),
    ("time", r"(?:AT )?(?P<hm>[0-9]{4}) (?:Uh|OCLOCK)"),
    ("time", r"(?:12w? )?(?P<named>NOON|MIDNIGHT)"),
    ("time", r"(?:AT (?P<h>[0-9]{1,2})|(?P<h24>1[3-9]|2[0-3]))h"),
    ("bare", r"(?P<h>[0-9]{1,2})w?"),
    ("time", r"(?:(?<=[WwR][0-6] )|(?<=[WwR][0-6] , ))(?P<hm>(?:0[6-9]|1[0-9]|2[0-3])[0-5][05])"),
    ("adjust", r"(?P<sign>PLUS|MINUS|LESS|FEWER|MORE) {N} U(?P<unit>mi|h)"),
    ("adjust", r"(?P<sign>PLUS|MINUS|LESS|FEWER|MORE) {N} U(?P<unit>h)(?: AND)? {N2}"),
    ("adjust", r"(?P<sign>LESS) (?P<n>(?:5|10|20|25)w?)(?! U)"),
    ("adjust", r"(?:AT )?{N} U(?P<unit>mi|h) (?P<sign>BEFORE|AFTER)" + _BEFORE_TIME),
    ("adjust", r"(?:AT )?{N} U(?P<unit>h)(?: AND)? {N2} (?P<sign>BEFORE|AFTER)" + _BEFORE_TIME),
    ("range", r"(?P<a>[0-9]{1,2})[-.](?P<b>[0-9]{1,2}) (?P<ap>[ap])m"),
    ("range", r"(?:BETWEEN|FROM|AT)?(?: ?AT)?(?: ?THE)? ?(?P<a>[0-9]{1,2}) ?- ?(?P<b>[0-9]{1,2}) (?P<ap>[ap])m"),
    ("range", r"(?P<a>[0-9]{1,2})[-/](?P<b>[0-9]{1,2}) (?:OF )?{M}"),
    ("holiday", r"(?:THE )?H(?P<hol>[a-z]+)(?:(?: OF)? {Y})?"),
    ("rel", r"R(?P<rel>-?\d)"),
    ("count", r"X"),
)

_ALIASES = frozenset(("mod2", "wk2", "ap2"))
"""A group that a pattern needs twice, because the word may stand before or after."""

_COVER, _PART, _SOFT = 10, 3, 1


_COSTS = {"bare": 6, "count": -2, "time": -1, "vague": 2, "numeric": 1, "dotted": 1, "day": 1}
"""Head counts and plain times win over a day that ends in the same number ("Sarah May 5 guests")."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One pattern ready to match; `cost` makes a reading of last resort lose to any other.

    A row without what it `needs` cannot match, so that most rules cost no search; `mask` are the needs as bits.
    """

    kind: str
    pattern: re.Pattern[str]
    cost: int
    needs: Needs
    mask: int


@dataclass(slots=True)
class DatePart:
    """What one rule read: tokens `first` up to `last` (exclusive) and the groups that took part."""

    kind: str
    first: int
    last: int
    values: dict[str, str]

    @property
    def number(self) -> int:
        """Return the quantity of an offset; an article counts as one."""
        read = self.values.get("n", "A")
        return 1 if read == "A" else int(read.rstrip("w"))


def compile_rule(kind: str, pattern: str) -> Rule:
    """Expand the fragments and pin the pattern to symbol boundaries."""
    for name, fragment in FRAGMENTS.items():
        pattern = pattern.replace(name, fragment)
    needs = required_symbols(pattern)
    return Rule(kind, re.compile(rf"(?<!\S)(?:{pattern})(?!\S)"), _COSTS.get(kind, 0), needs, bitmask(needs))


@cache
def when_rules(locale: Locale) -> tuple[Rule, ...]:
    """Return every rule about days and times of a locale, head counts included so that they are not read as times."""
    counts = (("count", pattern) for kind, pattern in locale.count_rules if not kind.endswith("_loose"))
    pairs = [*SHARED_RULES, *locale.rules, *counts]
    return tuple(compile_rule(kind, pattern) for kind, pattern in pairs)


def matches(lexed: Lexed, rules: Sequence[Rule]) -> list[tuple[int, DatePart]]:
    """Return every place where a rule reads something, with what the reading is worth."""
    found: list[tuple[int, DatePart]] = []
    line, index, tokens = lexed.line, lexed.index, lexed.tokens
    lacking = missing_mask(line)
    for rule in rules:
        if rule.mask & lacking:
            continue
        for match in rule.pattern.finditer(line):
            start = match.start()
            if line[start : start + 1] == " ":
                start += 1
            if match.end() <= start:
                continue
            first = index[start]
            last = first + line.count(" ", start, match.end()) + 1
            worth = sum(_COVER if _is_hard(tokens[i].symbol) else _SOFT for i in range(first, last))
            values = {
                key.rstrip("2") if key in _ALIASES else key: value
                for key, value in match.groupdict().items()
                if value is not None
            }
            found.append((worth * 4 - _PART * 4 - rule.cost * 4, DatePart(rule.kind, first, last, values)))
    return found


def choose(found: list[tuple[int, DatePart]], length: int) -> list[DatePart]:
    """Return the readings that do not overlap and together explain most of the row (earlier rules win ties)."""
    ending: list[list[tuple[int, DatePart]]] = [[] for _ in range(length + 1)]
    for worth, part in found:
        ending[part.last].append((worth, part))
    best = [0] * (length + 1)
    taken: list[DatePart | None] = [None] * (length + 1)
    for position in range(1, length + 1):
        best[position] = best[position - 1]
        for worth, part in ending[position]:
            if best[part.first] + worth > best[position]:
                best[position], taken[position] = best[part.first] + worth, part
    parts: list[DatePart] = []
    position = length
    while position > 0:
        part_here = taken[position]
        if part_here is None:
            position -= 1
        else:
            parts.append(part_here)
            position = part_here.first
    parts.reverse()
    return parts


@cache
def _is_hard(symbol: str) -> bool:
    """Return whether a symbol carries meaning that a reading should account for."""
    return symbol[0] in "0123456789" or symbol in _HARD or _DATED.fullmatch(symbol) is not None


_HARD = frozenset(
    "W? NOON MIDNIGHT HALF QUARTER am pm NEXT THIS EVERY VAGUE SOMEDAY NOW now RECUR BETWEEN LAST DOUBLE TRIPLE "
    "HALVE MORE FEWER ANOTHER WE LATER EARLIER CLOSEST X PEOPLE".split()
)
_DATED = re.compile(r"[WwMm]\d+(?:w\d)?|R-?\d|H[a-z_]+|P[a-z]|[UL][a-z]+")
_UNMISTAKABLE = re.compile(
    r"[WM]\d+(?:w\d)?|W\?|R-?\d|H[a-z_]+|NOON|MIDNIGHT|pm|EVERY|RECUR|"
    r"NEXT|LAST|AFTERNEXT|U[wfy]|Umo|HALF|ZONE|VAGUE|SOMEDAY|LATER"
)
_MOSTLY_OTHER = frozenset(("1w", "1wo", "2wo"))


@cache
def is_leftover(symbol: str) -> bool:
    """Return whether this symbol, unread, means that the phrase was not understood: any digit or date word.

    Words that are mostly something else ("sat", "may", "second", "one") do not count.
    """
    if symbol[0] in "0123456789":
        return symbol not in _MOSTLY_OTHER
    return _UNMISTAKABLE.fullmatch(symbol) is not None
