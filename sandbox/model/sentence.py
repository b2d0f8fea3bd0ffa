"""A sentence as a row of marked pieces: values first, each by its own reader, then words by the closed lists.

What has been read is masked before the next reader looks, so that a booking's number is never a head count and a
note's words are never an order.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from language import When, find_counts, find_emails, find_phones, find_when, resolve
from language.locales import get_locale
from sandbox.model.kinds import Item, Kind
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
_PUNCTUATION = {",": ",", ";": ";", ".": ".", ":": ":", "->": ":", "=>": ":", "→": ":", "!": ".", "?": "?"}


@dataclass(frozen=True, slots=True)
class Marked:
    """A sentence, piece by piece, in order."""

    text: str
    items: tuple[Item, ...]
    words: Lexicon


def mark(text: str, brief: Brief, toolbox: Toolbox, words: Lexicon) -> Marked:
    """Every piece of `text`, each with its kind."""
    found: list[Item] = []
    note = find_note(text, words.code)
    rest = text
    if note is not None:
        found.append(note)
        rest = _mask(rest, [note], " ")
        if lead := re.search(r"\b(?:che|that)\s*$", rest[: note.start], re.IGNORECASE):
            rest = rest[: lead.start()] + " " * len(lead[0]) + rest[lead.end() :]
    found += (greetings := [Item(Kind.FILL, m[0], *m.span()) for m in _GREETING.finditer(rest)])
    rest = _mask(rest, greetings, " ")
    found += (contacts := _contacts(rest, brief))
    rest = _mask(rest, contacts)
    found += (codes := _sure_references(rest, words))
    rest = _mask(rest, codes)
    # "riduci la 8231 di 3" takes three guests off; "di 3" would otherwise be the third.
    changes = [c.span for c in find_counts(rest, words.code) if c.count.is_relative]
    whens = [] if _ALONE.fullmatch(rest.strip()) else _whens(rest, brief)
    found += (whens := [w for w in whens if not any(w.start < end and start < w.end for start, end in changes)])
    rest = _mask(rest, whens)
    found += (numbers := _bare_references(rest, words))
    rest = _mask(rest, numbers)
    found += (counts := _counts(rest, words))
    rest = _mask(rest, counts, " ")
    found += _words(rest, text, [f for f in found if f.kind is not Kind.NOTE], toolbox, words)
    ordered = _with_clock(sorted(found, key=lambda i: i.start), brief)
    return Marked(text, tuple(tidied(ordered)), words)


def _with_clock(items: list[Item], brief: Brief) -> list[Item]:
    """ "new time 10", "orario: 16": a bare figure that follows the word for a time is one."""
    kept = list(items)
    for n, item in enumerate(items):
        before = next((i for i in reversed(items[:n]) if i.kind not in (Kind.FILL, Kind.PREP, Kind.STOP)), None)
        timed = before is not None and before.kind is Kind.TOPIC and before.sense == "time"
        if timed and item.kind is Kind.NUMBER and re.fullmatch(r"\d{1,2}", item.text):
            read = resolve(
                item.text,
                now=brief.now,
                tz=brief.zone,
                locale=brief.locale,
                policy=brief.policy,
                expect="time",
                any_day=True,
            )
            kept[n] = item.as_(Kind.WHEN, value=When(item.text, (item.start, item.end), read))
    return kept


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
        if nouns and not re.search(r"[,;]\s*$", text[: match.start()]) and not _people_follow(text, match.end(), words):
            found.append(Item(Kind.REF, match[0], *match.span(), value=match[0]))
    return _apart(found)


def _bare_references(text: str, words: Lexicon) -> list[Item]:
    """Numbers of four figures and more that nothing else has claimed and that are not said to be a quantity."""
    found = []
    for match in _BARE.finditer(text):
        before = re.findall(r"[^\W\d_]+|[^\s\w]", text[: match.start()])[-1:]
        last = fold(before[0]) if before else ""
        entry = words.words.get(last)
        enough = len(match[0]) >= 4 or not last or (entry is not None and entry.kind is Kind.VERB)
        for_note = re.search(_NOTE_TO, text[: match.start()], re.IGNORECASE)
        taken_from = last == "from" and not re.match(r"\s*(?:to|until|-)\b", text[match.end() :])
        owned = re.match(r"['’]s\b", text[match.end() :])
        if owned is not None:
            found.append(Item(Kind.REF, match[0], match.start(), match.end() + owned.end(), value=match[0]))
        elif (
            enough and (last not in _TOWARDS or for_note or taken_from) and not _people_follow(text, match.end(), words)
        ):
            found.append(Item(Kind.REF, match[0], *match.span(), value=match[0]))
    return found


_NOTE_TO = r"\b(?:notes?|comments?|remarks?|nota|commento) (?:to|a|al|alla) $"
_TOWARDS = phrase_set("to|at|is|be|are|now|=|than|from")
_NAMING = phrase_set("for|under|of|4|di|per")


def _people_follow(text: str, end: int, words: Lexicon) -> bool:
    after = re.match(r"\s*([^\W\d_]+)", text[end:])
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


def _whens(text: str, brief: Brief) -> list[Item]:
    # "Tuesday's 3pm party" is one Tuesday; the resolver would read the plural as every Tuesday.
    plain = _POSSESSIVE.sub(lambda m: " " * len(m[0]), text)
    whens = find_when(plain, now=brief.now, tz=brief.zone, locale=brief.locale, policy=brief.policy, any_day=True)
    found = []
    for when in whens:
        if _ORDINAL_ONE.fullmatch(when.text.strip()) or _is_name(text, when.text, when.span):
            continue
        found.append(Item(Kind.WHEN, when.text, *when.span, sense=when.marker or "", value=when))
    return found


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
        if not numbers:
            found.append(Item(Kind.COUNT, count.text, start, start, value=count.count))
            continue
        first, last = numbers[0], numbers[-1]
        found.append(Item(Kind.COUNT, count.text, start + first.start(), start + last.end(), value=count.count))
    return found


def _words(text: str, original: str, taken: Sequence[Item], toolbox: Toolbox, words: Lexicon) -> list[Item]:
    tokens = [t for t in _tokens(text, words) if not any(t.start < i.end and i.start < t.end for i in taken)]
    keys = [_key(t.text) for t in tokens]
    found: list[Item] = []
    position = 0
    while position < len(tokens):
        length, entry = _listed(tokens, keys, position, words)
        if entry is not None:
            run = tokens[position : position + length]
            whole = replace(run[0], end=run[-1].end, text=original[run[0].start : run[-1].end])
            kind = (
                entry.kind if length > 1 and position == 0 else _in_place(entry, position, tokens, keys, toolbox, words)
            )
            found.append(whole.as_(kind, sense=entry.sense))
        else:
            found.append(_unlisted(tokens, keys, position, toolbox, words))
        position += max(length, 1)
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


def _listed(tokens: list[Item], keys: list[str], position: int, words: Lexicon) -> tuple[int, Entry | None]:
    for phrase, entry in words.phrases.get(keys[position], ()):
        if tuple(keys[position : position + len(phrase)]) == phrase and _adjacent(tokens, position, len(phrase)):
            return len(phrase), entry
    # "Salvi" and "Conti" are forms of verbs too: with a capital they are somebody.
    first = position == 0 or tokens[position - 1].text in (".", "!", "?")
    known = words.words if first or not tokens[position].capital else words.common
    return 1, known.get(keys[position])


def _in_place(
    entry: Entry, position: int, tokens: list[Item], keys: list[str], toolbox: Toolbox, words: Lexicon
) -> Kind:
    """A listed word by its place: "refund" may say yes to a parameter; "email Sarah" and "call Sarah" are orders."""
    if keys[position] in ("4", "2"):
        after = tokens[position + 1] if position + 1 < len(tokens) else None
        named = after is not None and after.text.isalpha() and keys[position + 1] not in words.words
        things = named and any(stem(keys[position + 1]) in t.vocabulary for t in toolbox.writes)
        return Kind.PREP if named and not things else Kind.NUMBER
    if entry.kind is Kind.OTHER and toolbox.flagged_by(keys[position]):
        return Kind.FLAG
    if position == 0 and keys[0] in _ALSO_ORDERS and len(keys) > 1:
        follows = words.words.get(keys[1])
        named = follows is None and tokens[1].text[:1].isalpha()
        reached = keys[1] in ("at", "about", "that")
        if named or reached or (follows is not None and follows.kind in (Kind.DET, Kind.PRON)):
            return Kind.OTHER
    return entry.kind


_ALSO_ORDERS = phrase_set("call|email|mail|phone|text|ring|mobile")


def _adjacent(tokens: list[Item], position: int, length: int) -> bool:
    run = tokens[position : position + length]
    return all(b.start - a.end <= 2 for a, b in pairwise(run))


def _unlisted(  # noqa: PLR0911 - one return a kind
    tokens: list[Item], keys: list[str], position: int, toolbox: Toolbox, words: Lexicon
) -> Item:
    token, key = tokens[position], keys[position]
    if token.text in _PUNCTUATION:
        return token.as_(Kind.STOP, sense=_PUNCTUATION[token.text])
    if token.text in "-–—":
        return token.as_(Kind.STOP, sense="-")
    if any(c.isdigit() for c in token.text) or token.text in "£$€%":
        return token.as_(Kind.NUMBER)
    if not re.search(r"\w", token.text):
        return token.as_(Kind.FILL)
    if _says_when_or_number(token, words):
        return token.as_(Kind.NUMBER)
    owned = re.fullmatch(r"(.+?)['’]s|(.+s)['’]", token.text)
    if owned:
        bare = owned[1] or owned[2]
        entry = words.words.get(fold(bare))
        if entry is not None and entry.kind in (Kind.BOOK, Kind.TOPIC, Kind.PRON) and bare.islower():
            return token.as_(entry.kind, sense=entry.sense)
        return replace(token, text=bare, possessive=True)
    first = position == 0 or tokens[position - 1].text in (".", "!", "?")
    if token.capital and not first:
        return token
    if toolbox.flagged_by(key):
        return token.as_(Kind.FLAG)
    if any(stem(key) in t.vocabulary for t in toolbox.writes):
        return token.as_(Kind.TOOL)
    follows = words.words.get(keys[position + 1]) if position + 1 < len(keys) else None
    precedes = words.words.get(keys[position - 1]) if position else None
    if follows is not None and follows.kind is Kind.BOOK and precedes is not None and precedes.kind is Kind.DET:
        return token
    if precedes is not None and precedes.kind is Kind.PREP and keys[position - 1] in _NAMING:
        return token
    entry = words.nearest(key)
    return token.as_(entry.kind, sense=entry.sense) if entry else token
