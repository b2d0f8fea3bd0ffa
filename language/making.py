"""Words that ask for a thing to be made anew: "new booking for Saturday", "crea una prenotazione".

The noun is found by who calls; here are the words around it. "The new booking", "move it to a new slot" and "a new
booking time" ask for nothing new.
"""

import re
from collections.abc import Iterable

VAGUE = frozenset(
    "one ones do slot lot group crew mob jump visit name number ref reference record file entry thing "
    "quella quello gruppo comitiva turno visita".split()
)
"""Words for a booking that stand for an hour or for people, too: "a new slot", "a new group of 12"."""
_DEFINITE = frozenset(
    "the that this those these my our your his her their its whose "
    "la il lo l' le i gli quella quello questa questo sua suo mia mio nostra nostro vostra vostro loro "
    "della del dalla dal alla al nella nel sulla sul dell' dall' all' nell' sull'".split()
)
_LEADS_THERE = frozenset(
    "to into onto for of about with from than as like on at by has had have got made was were is are "
    "a in per di da con su come ha hanno aveva avevano era fatto fatta".split()
)
"""Words that lead to a thing which is there, or tell of one."""
_PART = (
    "time|times|date|dates|day|hour|start|name|names|note|notes|number|numbers|no|ref|reference|id|details|email|"
    "e-mail|mail|phone|contact|size|count|total|price|slot|title|request|requests|form|policy|change|changes|"
    "orario|ora|data|giorno|nome|nota|note|numero|codice|dettagli|telefono|contatto|cambio|modifica"
)
_ARTICLE = r"(?:an?|one|another|one more|an extra|a further|una?|uno|un'|un'altra|un altro|un'ulteriore)"
_MAKES = (
    r"(?:create|make|add|enter|open|insert|register|need|needs|want|wants|would like|like|set up|"
    r"put in|put through|write in|"
    r"crea|creare|creami|fai|fammi|fare|aggiungi|aggiungere|inserisci|inserire|apri|aprire|registra|prendi|"
    r"serve|vuole|vogliono|vorrebbe|vorrei|vorrebbero)"
)
_FRESH = re.compile(
    rf"(?:(?P<lead>[\w']+?'?)\s*)?(?<![\w'])(?:(?P<article>{_ARTICLE})\s*)?(?:brand\s+)?(?:new|nuov[oa])\s+$"
)
_MADE = re.compile(rf"(?<![\w']){_MAKES}\s+(?:\w+\s+)?{_ARTICLE}\s*$")
_PUTS = re.compile(r"\b(?:put|book|key|pencil|squeeze|fit|pop|stick)\s+(?:\w+\s+)?(?:in|on|down for)$")
_FRESH_BEHIND = re.compile(r"\s+nuov[oa]\b")
_ANOTHER_BEFORE = re.compile(rf"(?:(?P<lead>[\w']+?'?)\s*)?(?<![\w'])(?:{_ARTICLE}\s*)?$")
_MAKER = re.compile(rf"\b(?:{_MAKES}|new|book|booking of|reserve|nuov[oa]|prenota|prenotare)\b")
_PART_BEHIND = re.compile(rf"(?:'s)?\s+(?:{_PART})\b")

_MET = (
    r"(?:meeting|call|appointment|sync|catch[- ]?up|one[- ]on[- ]one|1:1|chat|"
    r"riunione|incontro|appuntamento|colloquio|chiamata|call)"
)
_ARRANGES = (
    rf"(?:{_MAKES}|schedule|book|arrange|organi[sz]e|plan|fix|get|have|find|put|request|"
    r"fissa|fissare|fissami|organizza|organizzare|programma|programmare|prenota|prenotare|pianifica)"
)
_WITH_SOMEBODY = re.compile(
    rf"^(?:(?P<before>.*?)\s)?(?:{_ARTICLE}\s*)?(?:new\s+|nuov[oa]\s+|quick\s+|short\s+)?"
    rf"(?:[\w-]+\s+(?:minutes?|mins?|hours?)\s+|half[- ]hour\s+|hour[- ]long\s+)?{_MET}\b"
)
_MEETS = re.compile(
    r"\b(?:meet|see|talk (?:to|with)|speak (?:to|with)|catch up with|sit down with|"
    r"incontrare|vedere|vedermi con|parlare con|incontro con)\s+(?:with\s+)?"
    r"(?!at\b|on\b|in\b|if\b|when\b|who\b|what\b)\w"
    r"|\bmeet\s+(?:at|on|in)\b"
)
_WISHES = re.compile(
    r"(?:^|\b(?:want|need|like|love|let's|lets|can|could|may|shall|vorrei|voglio|devo|dovrei|posso|possiamo|puoi)\b.*)$"
)
_PUT_WITH = re.compile(rf"\b(?:{_ARRANGES}|do|grab)\b(?:\W+[\w'-]+){{0,6}}?\W+(?:with|con)\s+\w")
_ASKS_TO = re.compile(
    rf"(?:{_ARRANGES}|{_MET}|i'd|i'll|let's|lets|up|quick|short|brief|new|time|slot|nuov[oa]|veloce|breve|meet|with|incontrare|"
    r"catch|catch-up|1|1:1|calendar|see|talk|speak|grab|do|half|chance|o'clock|diary|agenda|vedere|parlare|"
    r"can|could|please|possible|si puo|puoi|potrei|volevo|we|us|ci|mi)"
)
_LAST_ARTICLE = re.compile(rf"(?:^|\s){_ARTICLE}(?:\s(?:new|quick|short|brief))?$")
_DENIES = re.compile(r"\b(?:not|don't|dont|never|no longer|non)\b")
_ARRANGED = re.compile(rf"\b{_ARRANGES}\b(?:\W+\w+)*$")


def wanted_anew(letters: str) -> bool:
    """Whether a plain text asks to meet somebody: "a meeting with Aviad", "schedule a call", "fissa una riunione"; "my
    meeting" is one that is there."""
    found = _WITH_SOMEBODY.search(letters)
    if found is None:
        met = _MEETS.search(letters)
        if met is not None and not _DENIES.search(letters[: met.start()]):
            return _WISHES.search(letters[: met.start()].strip()) is not None
        put = _PUT_WITH.search(letters)
        return put is not None and not _DENIES.search(letters[: put.start()])
    before = _LAST_ARTICLE.sub("", (found["before"] or "").strip())
    if _DENIES.search(before):
        return False
    last = before.rsplit(" ", 1)[-1]
    if last in _DEFINITE or last.endswith(("'s", "s'")):
        return False
    return not before or _ARRANGED.search(before) is not None or before.endswith((" do", " grab"))


_BOOKS = re.compile(
    r"(?:^|[,;.:!?]|\b(?:to|and|please|pls|you|we|i|i'd|id|like|want|need|can|could|let's|lets|must|e|ed|ciao|"
    r"per favore|buongiorno|buonasera|vorrei|voglio|vorrebbe|posso|possiamo|puoi|puo|"
    r"potrei|potrebbe|devo|deve|da|mi|ci|gli|le|hi|hello|ok|okay|si|yes|allora|anche|also))\s*"
    r"(?:book|reserve|prenota(?:re|mi|ci|gli|le|te)?|prenoti(?:amo|no)?|prenoto|prenoterei|riserva(?:re|mi)?)\b"
    r"(?!\s+(?:in|up)\b)"
)
_TAKES = (
    r"(?:^|[,;.:!?]\s*|\b(?:want|wants|need|needs|like|likes|have|get|give|find|fix|make|take|add|create|vorrei|voglio|"
    r"vuole|vogliono|vorrebbe|vorrebbero|serve|servirebbe|fai|fammi|fare|fissa|fissare|fissami|dammi|avere|prendi|"
    r"aggiungi|crea|segna|segnami|me|us|mi)\s+)"
)


def books_anew(letters: str, things: Iterable[str]) -> bool:
    """Whether a plain text asks to book one of these things: "book a table", "un tavolo per 4 domani"; "the table of
    Rossi" is one that is there."""
    books = _BOOKS.search(letters)
    if books is not None and not _DENIES.search(letters[: books.end()]):
        return True
    named = "|".join(re.escape(thing) for thing in (*things, "booking", "reservation", "prenotazione"))
    taken = re.search(
        rf"{_TAKES}(?:{_ARTICLE}\s*)?(?:new\s+|nuov[oa]\s+)?(?:{named})(?:\s+nuov[oa])?(?=\s+(?:for|per|da|on|at|tomorrow|"
        rf"tonight|today|this|next|il|alle|domani|stasera|oggi|lunedi|martedi|mercoledi|giovedi|venerdi|sabato|domenica|"
        rf"a nome|under)\b|\s*$|[,.])",
        letters,
    )
    return taken is not None and not _DENIES.search(letters[: taken.end()])


def says_to_make(word: str) -> bool:
    """Whether a plain word only asks for something new: "schedule", "a call", "could"."""
    return _ASKS_TO.fullmatch(word) is not None


def asked_anew(letters: str, nouns: Iterable[tuple[int, int]]) -> tuple[int, int] | None:
    """The place, in a plain text, of the first of these nouns that is asked for anew, with the word that says so."""
    for start, end in nouns:
        if _PART_BEHIND.match(letters, end):
            continue
        fresh = _FRESH.search(letters, 0, start)
        if fresh and (_free(fresh["lead"]) or _PUTS.search(letters, 0, fresh.end("lead"))):
            return fresh.start("article") if fresh["article"] else _word_before(letters, start), end
        if made := _MADE.search(letters, 0, start):
            return made.start(), end
        behind = _FRESH_BEHIND.match(letters, end)
        led = _ANOTHER_BEFORE.search(letters, 0, start)
        if behind and (led is None or _free(led["lead"])):
            return start, behind.end()
    return None


def makes(title: str) -> bool:
    """Whether a plain title is that of making something: "Book a lesson", "Crea prenotazione"."""
    return _MAKER.search(title) is not None


def _free(lead: str | None) -> bool:
    """Whether what stands in front leaves a thing new: no article that knows it, nobody whose it is."""
    return lead is None or not (lead in _DEFINITE or lead in _LEADS_THERE or lead.endswith(("'s", "s'")))


def _word_before(letters: str, place: int) -> int:
    return letters.rstrip()[:place].rstrip().rfind(" ") + 1
