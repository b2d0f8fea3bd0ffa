"""A sentence as a row of marked pieces: values first, each by its own reader, then words by the closed lists.

What has been read is masked before the next reader looks, so that a booking's number is never a head count and a
note's words are never an order.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from language import Resolution, When, find_counts, find_emails, find_phones, find_when, resolve
from language.locales import get_locale
from sandbox.model.kinds import Item, Kind, at, first_but
from sandbox.model.notes import find_note
from sandbox.model.phrases import phrase_set
from sandbox.model.prompt import Brief
from sandbox.model.tidy import tidied
from sandbox.model.tools import Toolbox
from sandbox.model.words import Entry, Lexicon, file_key, fold, stem

_TOKEN = re.compile(r"->|=>|→|[^\W\d_]+(?:['’ʼ`\-][^\W\d_]+)*['’]?|[£$€]?\d[\d.,:/]*\d|[£$€]?\d\w*|[,;.:!?]|[^\s\w]")
_CODE = re.compile(
    r"(?<![\w@.-])(?:[A-Za-z]{1,5}-\d{2,}|[A-Z]{1,5}\d{3,}|[A-Za-z]{1,5}-[A-Za-z0-9]*\d[A-Za-z0-9-]*)(?![\w@-])"
)
_HASH = re.compile(r"#\s?([A-Za-z0-9][\w-]*)")
_BARE = re.compile(r"(?<![\w£$€.,:/+@-])\d{3,8}(?![\w@/-]|[.,:]\d)")
_AT = re.compile(r"[\w.+-]*@[\w.-]*")
_POSSESSIVE = re.compile(r"['’]s\b")
_PUNCTUATION = {c: c for c in ",;.:?"} | {"!": "."} | dict.fromkeys(("->", "=>", "→"), ":") | dict.fromkeys("-–—", "-")


@dataclass(frozen=True, slots=True)
class Marked:
    """A sentence, piece by piece, in order."""

    text: str
    items: tuple[Item, ...]
    words: Lexicon


def mark(text: str, brief: Brief, toolbox: Toolbox, words: Lexicon) -> Marked:
    """Every piece of `text`, each with its kind."""
    note = find_note(text, words.code)
    found = [] if note is None else [note]
    rest = _mask(text, found, " ")
    if note is not None and (lead := re.search(r"\b(?:che|that)\s*$", rest[: note.start], re.IGNORECASE)):
        rest = rest[: lead.start()] + " " * len(lead[0]) + rest[lead.end() :]
    readers: tuple[tuple[Callable[[str], list[Item]], str], ...] = (
        (lambda rest: [Item(Kind.FILL, m[0], *m.span()) for m in _GREETING.finditer(rest)], " "),
        (lambda rest: _contacts(rest, brief), "x"),
        (lambda rest: _sure_references(rest, words), "x"),
        (lambda rest: _whens(rest, brief, words), "x"),
        (lambda rest: _bare_references(rest, words), "x"),
        (lambda rest: _counts(rest, words), " "),
    )
    for read, by in readers:
        pieces = read(rest)
        found += pieces
        rest = _mask(rest, pieces, by)
    found += _words(rest, text, [f for f in found if f.kind is not Kind.NOTE], toolbox, words)
    ordered = _with_clock(sorted(found, key=lambda i: i.start), brief)
    return Marked(text, tuple(tidied(ordered)), words)


def _with_clock(items: list[Item], brief: Brief) -> list[Item]:
    """ "new time 10", "orario: 16": a bare figure that follows the word for a time is one."""
    kept = list(items)
    for n, item in enumerate(items):
        before = first_but(reversed(items[:n]), Kind.FILL, Kind.PREP, Kind.STOP)
        timed = before is not None and before.is_a(Kind.TOPIC, "time")
        if timed and item.kind is Kind.NUMBER and re.fullmatch(r"\d{1,2}", item.text):
            read = read_when(item.text, brief, expect="time")
            kept[n] = item.as_(Kind.WHEN, value=When(item.text, (item.start, item.end), read))
    return kept


def read_when(text: str, brief: Brief, expect: Literal["any", "time"] = "any") -> Resolution:
    """What a phrase about a day or a time means by the venue's clock."""
    return resolve(
        text, now=brief.now, tz=brief.zone, locale=brief.locale, policy=brief.policy, expect=expect, any_day=True
    )


_ALONE = re.compile(r"\d{1,3}[.!]?")
"""A number and nothing else answers a question; it is no day by itself."""


_GREETING = re.compile(
    r"\b(?:the )?one(?= (?:on|at|for|with|from)\b)|"
    r"\bgood (?:morning|afternoon|evening|day)\b|\bbuona (?:sera|giornata)\b|\bbuon pomeriggio\b",
    re.IGNORECASE,
)


def _mask(text: str, items: Sequence[Item], by: str = "x") -> str:
    for item in items:
        text = text[: item.start] + by * (item.end - item.start) + text[item.end :]
    return text


def _contacts(text: str, brief: Brief) -> list[Item]:
    emails = [Item(Kind.EMAIL, e.text, *e.span, value=e.text) for e in find_emails(text)]
    phones = [Item(Kind.PHONE, p.text, *p.span, value=p.phone) for p in find_phones(text, brief.country)]
    broken = [Item(Kind.NUMBER, m[0], *m.span()) for m in _AT.finditer(_mask(text, emails)) if len(m[0]) > 1]
    return emails + phones + broken


def _sure_references(text: str, words: Lexicon) -> list[Item]:
    """Codes, #numbers, and numbers that follow the word for a booking."""
    found = [Item(Kind.REF, m[0], *m.span(), value=m[1]) for m in _HASH.finditer(text)]
    found += [Item(Kind.REF, m[0], *m.span(), value=m[0]) for m in _CODE.finditer(text) if not _is_day(m[0], words)]
    for match in _BARE.finditer(text):
        before = [fold(w) for w in re.findall(r"[^\W\d_]+", text[: match.start()])[-2:]]
        nouns = [w for w in before if (e := words.words.get(w)) and e.kind is Kind.BOOK]
        if (
            nouns
            and not re.search(r"[,;]\s*$", text[: match.start()])
            and not _people_follow(text[match.end() :], words)
        ):
            found.append(Item(Kind.REF, match[0], *match.span(), value=match[0]))
    return _apart(found)


def _bare_references(text: str, words: Lexicon) -> list[Item]:
    """Numbers of four figures and more that nothing else has claimed and that are not said to be a quantity."""
    found = []
    for match in _BARE.finditer(text):
        owned = re.match(r"['’]s\b", text[match.end() :])
        if owned is not None or _is_bare_reference(text, match, words):
            end = match.end() + (owned.end() if owned else 0)
            found.append(Item(Kind.REF, match[0], match.start(), end, value=match[0]))
    return found


def _is_bare_reference(text: str, number: re.Match[str], words: Lexicon) -> bool:
    front, behind = text[: number.start()], text[number.end() :]
    last = fold((re.findall(r"[^\W\d_]+|[^\s\w]", front) or [""])[-1])
    entry = words.words.get(last)
    enough = len(number[0]) >= 4 or not last or (entry is not None and entry.kind is Kind.VERB)
    for_note = re.search(_NOTE_TO, front, re.IGNORECASE)
    taken_from = last == "from" and not re.match(r"\s*(?:to|until|-)\b", behind)
    towards = last in _TOWARDS and not for_note and not taken_from
    return enough and not towards and not _people_follow(behind, words)


_NOTE_TO = r"\b(?:notes?|comments?|remarks?|nota|commento) (?:to|a|al|alla) $"
_TOWARDS = phrase_set("to|at|is|be|are|now|=|than|from")
_NAMING = phrase_set("for|under|of|4|di|per")


def _people_follow(text: str, words: Lexicon) -> bool:
    after = re.match(r"\s*([^\W\d_]+)", text)
    entry = words.words.get(fold(after[1])) if after else None
    return entry == Entry(Kind.TOPIC, "count")


def _is_day(code: str, words: Lexicon) -> bool:
    """ "Dec-12" is a day."""
    letters = fold(re.split(r"[-\d]", code)[0])
    return get_locale(words.code).words.get(letters, "")[:1] in ("M", "m", "W", "w")


def _apart(items: list[Item]) -> list[Item]:
    kept: list[Item] = []
    for item in sorted(items, key=lambda i: (i.start, -i.end)):
        if not kept or item.start >= kept[-1].end:
            kept.append(item)
    return kept


def _whens(text: str, brief: Brief, words: Lexicon) -> list[Item]:
    if _ALONE.fullmatch(text.strip()):
        return []
    # "Tuesday's 3pm party" is one Tuesday; the resolver would read the plural as every Tuesday.
    plain = _POSSESSIVE.sub(lambda m: " " * len(m[0]), text)
    whens = find_when(plain, now=brief.now, tz=brief.zone, locale=brief.locale, policy=brief.policy, any_day=True)
    # "riduci la 8231 di 3" takes three guests off; "di 3" would otherwise be the third.
    changes = [c.span for c in find_counts(text, words.code) if c.count.is_relative]
    return [
        Item(Kind.WHEN, when.text, *when.span, sense=when.marker or "", value=when)
        for when in whens
        if not _ORDINAL_ONE.fullmatch(when.text.strip())
        and not _is_name(text, when.text, when.span)
        and not any(when.span[0] < end and start < when.span[1] for start, end in changes)
    ]


_ORDINAL_ONE = re.compile(
    r"(?:the )?(?:first|second|third|fourth|fifth|last|1st|2nd|3rd|4th|5th) one|now|adesso|ora"
    r"|(?:the )?(?:second|third|fourth|fifth)|(?:la |il )?(?:prim|second|terz|quart|quint)[ao]",
    re.IGNORECASE,
)


def _is_name(text: str, said: str, span: tuple[int, int]) -> bool:
    """ "April Jones", "May's party": a month without a number, written like a name and followed like one."""
    if not re.fullmatch(r"(?:for |in |on )?[A-Z][a-z]+", said.strip()):
        return False
    return re.match(r"['’]s\b|\s+[A-Z][a-z]", text[span[1] :]) is not None


def _counts(text: str, words: Lexicon) -> list[Item]:
    """Head counts. Only the figures and words of no list are taken: "bump it to 14 guests" keeps its verb."""
    found = []
    # "the Lowe one to 15 guests" is no range from one.
    text = re.sub(r"\bone(?= (?:to|at|on|for|has|is|should|needs)\b)", "xxx", text)
    for count in find_counts(text, words.code):
        start, end = count.span
        numbers = [m for m in _TOKEN.finditer(text[start:end]) if m[0].isdigit() or fold(m[0]) not in words.words]
        span = (start + numbers[0].start(), start + numbers[-1].end()) if numbers else (start, start)
        found.append(Item(Kind.COUNT, count.text, *span, value=count.count))
    return found


@dataclass(frozen=True, slots=True)
class _Tokens:
    """The words of a sentence that no reader has taken, and how each is filed."""

    items: list[Item]
    keys: list[str]
    toolbox: Toolbox
    words: Lexicon

    def entry(self, n: int) -> Entry | None:
        """What the word there is listed as, None beyond either end."""
        return self.words.words.get(self.keys[n]) if 0 <= n < len(self.keys) else None

    def opens(self, n: int) -> bool:
        """Whether it begins a sentence, where a capital says nothing."""
        return n == 0 or self.items[n - 1].text in (".", "!", "?")


def _words(text: str, original: str, taken: Sequence[Item], toolbox: Toolbox, words: Lexicon) -> list[Item]:
    free = [t for t in _tokens(text, words) if not any(t.start < i.end and i.start < t.end for i in taken)]
    tokens = _Tokens(free, [_key(t.text) for t in free], toolbox, words)
    found: list[Item] = []
    position = 0
    while position < len(free):
        length, entry = _listed(tokens, position)
        if entry is not None:
            run = free[position : position + length]
            whole = replace(run[0], end=run[-1].end, text=original[run[0].start : run[-1].end])
            kind = entry.kind if length > 1 and position == 0 else _in_place(entry, tokens, position)
            found.append(whole.as_(kind, sense=entry.sense))
        else:
            found.append(_unlisted(tokens, position))
        position += length
    return found


def _says_when_or_number(token: Item, words: Lexicon) -> bool:
    """A day, month or number word that no reader could place: never a name, so it is asked about."""
    symbol = get_locale(words.code).words.get(fold(token.text), "")
    return bool(re.fullmatch(r"\d+w?o?|[WR]-?\d+|M\d+", symbol)) and "'" not in token.text


def _key(text: str) -> str:
    """How a word is filed. A possessive keeps its mark: "Doe's" is not "does", but "what's" is "whats"."""
    return text.lower() if re.search(r"['’]s$", text) and fold(text) not in _CONTRACTIONS else file_key(text)


_CONTRACTIONS = phrase_set("its|whats|whos|thats|hows|wheres|whens|theres|lets|shes|hes")


def _tokens(text: str, words: Lexicon) -> list[Item]:
    tokens: list[Item] = []
    for match in _TOKEN.finditer(text):
        piece, start = match[0], match.start()
        elided = re.match(r"([^\W\d_]+)['’](?=\w)", piece)
        if elided and fold(elided[1]) in words.elision and (piece[0].islower() or not tokens):
            tokens.append(Item(Kind.UNKNOWN, elided[1], start, start + elided.end()))
            piece, start = piece[elided.end() :], start + elided.end()
        tokens.append(Item(Kind.UNKNOWN, piece, start, match.end(), capital=piece[:1].isupper()))
    return tokens


def _listed(tokens: _Tokens, n: int) -> tuple[int, Entry | None]:
    """The longest listed phrase that begins there, or the word alone: how many words, and what they are."""
    items, keys, words = tokens.items, tokens.keys, tokens.words
    for phrase, entry in words.phrases.get(keys[n], ()):
        end = n + len(phrase)
        if tuple(keys[n:end]) == phrase and all(b.start - a.end <= 2 for a, b in pairwise(items[n:end])):
            return len(phrase), entry
    # "Salvi" and "Conti" are forms of verbs too: with a capital they are names.
    known = words.words if tokens.opens(n) or not items[n].capital else words.common
    return 1, known.get(keys[n])


def _in_place(entry: Entry, tokens: _Tokens, n: int) -> Kind:
    """A listed word by its place: "refund" may say yes to a parameter; "email Sarah" and "call Sarah" are orders."""
    key, after, follows = tokens.keys[n], at(tokens.items, n + 1), tokens.entry(n + 1)
    if key in ("4", "2"):
        named = after is not None and after.text.isalpha() and follows is None
        return Kind.PREP if named and not _is_a_tools(tokens.keys[n + 1], tokens.toolbox) else Kind.NUMBER
    if entry.kind is Kind.OTHER and tokens.toolbox.flagged_by(key):
        return Kind.FLAG
    if n == 0 and key in _ALSO_ORDERS and after is not None:
        named = follows is None and after.text[:1].isalpha()
        reached = tokens.keys[1] in ("at", "about", "that")
        if named or reached or (follows is not None and follows.kind in (Kind.DET, Kind.PRON)):
            return Kind.OTHER
    return entry.kind


_ALSO_ORDERS = phrase_set("call|email|mail|phone|text|ring|mobile")


def _is_a_tools(key: str, toolbox: Toolbox) -> bool:
    return any(stem(key) in t.vocabulary for t in toolbox.writes)


def _unlisted(tokens: _Tokens, n: int) -> Item:
    token = tokens.items[n]
    if token.text in _PUNCTUATION:
        return token.as_(Kind.STOP, sense=_PUNCTUATION[token.text])
    if any(c.isdigit() for c in token.text) or token.text in "£$€%" or _says_when_or_number(token, tokens.words):
        return token.as_(Kind.NUMBER)
    if not re.search(r"\w", token.text):
        return token.as_(Kind.FILL)
    owned = re.fullmatch(r"(.+?)['’]s|(.+s)['’]", token.text)
    if owned:
        bare = owned[1] or owned[2]
        entry = tokens.words.words.get(fold(bare))
        if entry is not None and entry.kind in (Kind.BOOK, Kind.TOPIC, Kind.PRON) and bare.islower():
            return token.as_(entry.kind, sense=entry.sense)
        return replace(token, text=bare, possessive=True)
    return token if token.capital and not tokens.opens(n) else _unlisted_word(tokens, n)


def _unlisted_word(tokens: _Tokens, n: int) -> Item:
    """A word of a tool, a name by its place, or a slip of the keyboard."""
    token, key, precedes, follows = tokens.items[n], tokens.keys[n], tokens.entry(n - 1), tokens.entry(n + 1)
    if tokens.toolbox.flagged_by(key):
        return token.as_(Kind.FLAG)
    if _is_a_tools(key, tokens.toolbox):
        return token.as_(Kind.TOOL)
    if precedes is not None:
        of_booking = precedes.kind is Kind.DET and follows is not None and follows.kind is Kind.BOOK
        if of_booking or (precedes.kind is Kind.PREP and tokens.keys[n - 1] in _NAMING):
            return token
    entry = tokens.words.nearest(key)
    return token.as_(entry.kind, sense=entry.sense) if entry else token
