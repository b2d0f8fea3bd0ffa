"""What only tells or asks something: questions, statements of how things are or were, and errands to somebody else.

What is named there is marked as asked or denied, so that nothing sets it; each pass looks at pieces, never at the text.
"""

import re
from collections.abc import Iterable, Sequence

from language import Count
from sandbox.model.kinds import Item, Kind, at, each, first_but, has
from sandbox.model.phrases import phrase_set
from sandbox.model.words import file_key, fold

_WONDERING = phrase_set("is|are|does|did|was|were|has|è|sono|ha|hanno|devo|dobbiamo")
_HAVING = phrase_set("abbiamo|avete|hanno|hai|ho|has|did")
_BEING = phrase_set("is|are|è|sono|is now|are now")


def with_questions(items: Sequence[Item]) -> list[Item]:
    """ "Is Daisy Bell coming today?", "la festa è alle 15?" want to know something: what is named there is not to be
    set. A question with a verb of an order ("can you move …?") stays an order."""
    kept = list(items)
    first = next((n for n, i in enumerate(items) if i.kind is not Kind.STOP), 0)
    if not items or any(fold(i.text) in ("able", "possible", "possibile") for i in items):
        return kept
    marked, ordering = items[-1].sense == "?", has(items, Kind.VERB)
    opener = file_key(items[first].text) if items[first].kind is Kind.FILL else ""
    behind = at(items, first + 1)
    done = marked and behind is not None and behind.kind is Kind.VERB and opener in _HAVING
    wonders = opener in _WONDERING and (marked or (not ordering and opener in ("is", "are", "does", "did")))
    if done or wonders:
        kept[first] = items[first].as_(Kind.ASKING)
    elif marked and not ordering:
        being = next((n for n, i in enumerate(items) if i.kind is Kind.FILL and file_key(i.text) in _BEING), None)
        if being is not None:
            kept[being] = items[being].as_(Kind.ASKING)
        elif not _filler_words(items) & _REQUESTING:
            said = " ".join(i.text for i in items[:-1])
            kept[-1] = Item(Kind.ASKING, said, items[-1].start, items[-1].end)
    return kept


def _filler_words(items: Iterable[Item]) -> set[str]:
    return {w for i in items if i.kind is Kind.FILL for w in fold(i.text).split()}


_REQUESTING = phrase_set("""
    can|could|would|please|pls|plz|possible|how|what|lets|want|wants|need|needs|like|puoi|potresti|potete|possiamo|
    posso|puo|si|riesci|riusciresti|riusciamo|vorrei|vorrebbe|vorrebbero|vuole|vogliono|favore|va|meglio|bisogno|ok
""")


@each
def with_what_was(items: Sequence[Item], n: int) -> Item | None:
    """ "8231 was 12 kids", "era alle 15": what was is denied, so that it is never set; so is "invece delle 15"."""
    item, following = items[n], first_but(items[n + 1 :], Kind.PREP)
    if item.kind is not Kind.FILL or following is None:
        return None
    if following.kind not in (Kind.WHEN, Kind.COUNT, Kind.NUMBER):
        return None
    if file_key(item.text) in _BEING and following.kind is Kind.WHEN and _only_states(items):
        return item.as_(Kind.NEG, sense="states")
    instead = fold(item.text) == "invece" and re.match(r"(?:del|di\b|che\b)", fold(following.text))
    return item.as_(Kind.NEG, sense="was") if instead or fold(item.text) in _BEING_PAST else None


def _only_states(items: Sequence[Item]) -> bool:
    """Whether nothing says that something changes: "the party is on Saturday" may just be so."""
    return not has(items, Kind.VERB) and not _filler_words(items) & _TURNING


_TURNING = phrase_set("now|instead|adesso|ora|invece|should|moving|new|nuovo|nuova|please")
_BEING_PAST = phrase_set("was|were|era|erano")


_HAPPENING = phrase_set("""
    coming|comes|come along|comes along|arrives|arriving|starts|starting|begins|beginning|turns up|turning up|kicks|
    kicking|kicks off|kicking off|takes place|happens|is happening|finishes|ends|viene|vengono|verra|verranno|arriva|
    arrivano|arrivera|arriveranno|inizia|iniziano|comincia|cominciano|parte|partono|si tiene|si svolge|finisce
""")
_WISHING = phrase_set("""
    want|wants|wanted|wanting|need|needs|needed|like|prefer|prefers|rather|can|could|would|should|must|shall|let|lets|
    asks|asked|asking|wondering|make|sure|better|love|hoping|happy|keen|if|please|pls|plz|vuole|vogliono|vorrebbe|
    vorrebbero|vorrei|vorremmo|voglio|preferisce|preferiscono|preferirebbe|preferirebbero|puo|possono|puoi|potresti|
    potrebbe|potrebbero|possiamo|deve|devono|dovrebbe|dovrebbero|bisogna|chiede|chiedono|chiesto|chiedeva|desidera|
    desiderano|meglio|favore|riesce|riescono|riusciamo|che
""")


_REPORTING = phrase_set("""
    has|have|had|got|gets|thinks|think|believes|said|says|mentioned|rang|called|phoned|emailed|texted|messaged|enquired|
    wrote|drops|picks|lands|rocking|rocks|shows|showing|turning|turns|wished|thought|loves|played|works|due|ha|hanno|
    aveva|avevano|voleva|volevano|pensa|pensano|dice|dicono|detto|chiamato|telefonato|scritto|crede|credono|presenta|
    presentano
""")


def with_statements(items: Sequence[Item]) -> list[Item]:
    """ "Leo is coming at 3pm", "la mamma di Leo arriva alle 15": how it is, unless something says that it changes."""
    kept = list(items)
    bound = any(re.match(r"(?:has|have|had|got) to\b", fold(i.text)) for i in items)
    if not _only_states(items) or bound or _filler_words(items) & _WISHING:
        return kept
    for n, item in enumerate(items):
        behind = first_but(items[n + 1 :], Kind.PREP, Kind.FILL, Kind.DET, Kind.PRON)
        if _filler_words([item]) & (_HAPPENING | _REPORTING) and behind is not None and behind.kind is Kind.WHEN:
            kept[n] = item.as_(Kind.NEG, sense="states")
    return kept


@each
def with_remarks(items: Sequence[Item], n: int) -> Item | None:
    """What is said about some of the guests, of an old number, or of what stays: nothing that is to be set."""
    item, word = items[n], fold(items[n].text)
    reached = n == 0 and word == "reach" and not has(items[1:], Kind.PHONE, Kind.EMAIL)
    before = at(items, n - 1)
    shift = item.kind is Kind.VERB and word == "shift" and before is not None and before.kind in (Kind.WHEN, Kind.DET)
    if reached or shift:
        return item.as_(Kind.OTHER)
    return item.as_(Kind.NEG, sense="states") if _remarks(items, n) or _is_old_detail(items, n) else None


def _remarks(items: Sequence[Item], n: int) -> bool:
    """Whether a count, verb, day or time there only tells something."""
    item, word, before, behind = items[n], fold(items[n].text), at(items, n - 1), at(items, n + 1)
    valued = has(items[n + 1 :], Kind.COUNT, Kind.WHEN)
    timed = behind is not None and behind.kind is Kind.WHEN
    if n == 0 and word in ("would", "does", "will") and timed:
        return True
    match item.kind:
        case Kind.COUNT:
            tables = behind is not None and behind.kind is Kind.BOOK and fold(behind.text) in _TABLES
            return tables or bool(set(word.split()) & _SOME)
        case Kind.VERB:
            noted = any(i.kind is Kind.NOTE or i.sense == "note" for i in items)
            return (word in _STAYING and valued and not noted) or _points_elsewhere(items, n)
        case Kind.VAGUE:
            late = before is not None and file_key(before.text) in _BEING and has(items[:n], Kind.WHEN)
            return late and not valued
        case _:
            return item.kind is Kind.FILL and word == "off" and timed


def _is_old_detail(items: Sequence[Item], n: int) -> bool:
    """ "the old number was 0412 …": no number to set, unless a new one is spoken of."""
    behind, said = at(items, n + 1), {w for i in items for w in fold(i.text).split()}
    detail = behind is not None and (behind.kind is Kind.TOPIC or fold(behind.text) in ("number", "numero"))
    told = detail and has(items[n + 1 :], Kind.PHONE, Kind.EMAIL) and not said & _NEWS
    return told and fold(items[n].text) in _OLD


_NEWS = phrase_set("new|now|nuovo|nuova|ora|adesso")
_TABLES = phrase_set("table|tables|tavolo|tavoli")
_SOME = phrase_set("""
    free|vegan|vegetarian|coeliac|celiac|allergic|sick|disabled|late|gluten|dairy|gratis|vegani|vegetariani|celiaci|
    allergici|malati|disabili
""")
_NOTING = phrase_set("""
    mention|flag|flag up|log|record|document|highlight|remark|specify|state|segnala|segnalare|indica|indicare|menziona|
    evidenzia|riporta|precisa|specifica
""")
_FAMILY = phrase_set("mamma|papa|nonna|nonno|zia|zio|babbo|moglie|marito|genitori")


def _points_elsewhere(items: Sequence[Item], n: int) -> bool:
    """ "flag 8231 for 3pm", "il papà di Leo passa alle 15": a verb that sets nothing with the day or time it has."""
    verb, rest = fold(items[n].text), items[n + 1 :]
    if not has(rest, Kind.WHEN):
        return False
    if verb in _NOTING:
        return not any(i.kind in (Kind.NOTE, Kind.COUNT) or i.sense == "note" for i in items)
    calls_by = len(rest) > 1 and fold(rest[0].text) == "da" and rest[1].kind is Kind.UNKNOWN and rest[1].capital
    family = any(fold(i.text) in _FAMILY for i in items[:n])
    return verb in ("passa", "passano") and (calls_by or family)


_STAYING = phrase_set("leave|lascia|lasciare|lasciala|lascialo")
_OLD = phrase_set("old|previous|former|vecchio|vecchia|precedente")
_OF = phrase_set("from|of|in|della|dei|delle|dalla|nella|di|del")


def with_some_of(items: Sequence[Item]) -> list[Item]:
    """ "3 kids from 8231 are sick": some of the guests, not how many there are."""
    kept = list(items)
    n = next((n for n, i in enumerate(items) if i.kind not in (Kind.STOP, Kind.FILL, Kind.DET)), None)
    if n is None or items[n].kind is not Kind.COUNT:
        return kept
    behind = [i for i in items[n + 1 :] if i.kind is not Kind.TOPIC]
    some = len(behind) > 2 and behind[0].kind is Kind.PREP and fold(behind[0].text) in _OF
    told = any(i.kind is Kind.FILL and _tells(i) for i in behind[1:]) or has(behind, Kind.VAGUE)
    value = items[n].value
    if some and told and not (isinstance(value, Count) and value.is_relative):
        kept[n] = items[n].as_(Kind.NEG, sense="states")
    return kept


_MAY = phrase_set("can|could|may|puo|potrebbe|possono|potrebbero")


@each
def with_others_wishes(items: Sequence[Item], n: int) -> Item | None:
    """ "can Leo cancel?" asks for nothing to be cancelled."""
    last = len(items) - 1 - (items[-1].kind in (Kind.STOP, Kind.ASKING))
    if n != last or not items[n].is_a(Kind.VERB, "cancel"):
        return None
    front = [i for i in items[:n] if i.kind is not Kind.STOP]
    named = any(i.kind is Kind.UNKNOWN and i.capital for i in front) and front[-1].kind in (Kind.UNKNOWN, Kind.FILL)
    alone = first_but(front, Kind.UNKNOWN, Kind.FILL, Kind.DET) is None
    return items[n].as_(Kind.NEG, sense="states") if named and alone and _filler_words(front) & _MAY else None


_AGEING = phrase_set("turn|turns|turning|turned")


@each
def with_ages(items: Sequence[Item], n: int) -> Item | None:
    """ "Molly is turning 8", "Molly turns 7 on Sunday": how old somebody is counts no guests and sets no time."""
    item, behind = items[n], at(items, n + 1)
    ageing = item.kind is Kind.OTHER and fold(item.text) in _AGEING
    aged = behind is not None and behind.kind in (Kind.NUMBER, Kind.COUNT, Kind.WHEN) and behind.text[:1].isdecimal()
    return item.as_(Kind.NEG, sense="states") if ageing and aged else None


_ERRAND = phrase_set("di|dì|digli|dille|dite|dica")


def with_errands(items: Sequence[Item]) -> list[Item]:
    """ "di' a Leo che è alle 15" has somebody told something."""
    kept = list(items)
    first = next((n for n, i in enumerate(items) if i.kind not in (Kind.STOP, Kind.FILL)), None)
    if first is not None and fold(items[first].text) in _ERRAND:
        behind = at(items, first + 1)
        told = behind is not None and fold(behind.text) in ("a", "ad", "al", "alla", "ai", "che")
        if told or fold(items[first].text) != "di":
            kept[first] = items[first].as_(Kind.OTHER)
    return kept


_GUESTS = phrase_set("""
    mum|mums|dad|dads|mom|parent|customer|client|guest|lady|family|number|numbers|mamma|papa|cliente|ospite|signora|
    signore|famiglia|numero
""")
_TELLING = phrase_set("""
    is|are|has|have|was|were|says|said|wants|needs|rang|called|asked|would|can|will|got|just|now|might|may|wont|cant|
    isnt|arent|doesnt|havent|hasnt|turns|turned|arrive|arrivano|è|ha|hanno|sono|vuole|vogliono|dice|dicono|chiede|
    vorrebbe|vorrebbero|deve|non|forse|viene|vengono|arriva|compie
""")


def tells_of_guest(items: Sequence[Item]) -> bool:
    """Whether a booking, a guest or a detail of theirs is spoken of, so that a question is better than a refusal."""
    for n, item in enumerate(items):
        if item.kind in (Kind.BOOK, Kind.TOPIC, Kind.REF, Kind.TITLE) and item.sense != "many":
            return True
        if item.kind is Kind.FILL and set(fold(item.text).split()) & _GUESTS:
            return True
        if item.kind is Kind.PRON and fold(item.text) in _PEOPLE:
            return True
        if item.kind in (Kind.UNKNOWN, Kind.NAME) and item.capital and _is_subject(items, n):
            return True
    return False


def _is_subject(items: Sequence[Item], n: int) -> bool:
    """ "Molly is turning 8", "the Bakers aren't sure": a name in front of a finite verb."""
    name = (Kind.UNKNOWN, Kind.NAME)
    end = next((m for m in range(n, len(items)) if items[m].kind not in name or not items[m].capital), len(items))
    opens = all(i.kind in (Kind.FILL, Kind.STOP, Kind.DET, Kind.UNKNOWN, Kind.NAME) for i in items[:n])
    behind = items[end] if end < len(items) else None
    return opens and ((behind is not None and _tells(behind)) or items[end - 1].possessive)


_PEOPLE = phrase_set("she|he|they|theyre|their|them|her|his|him|loro|lei|lui")


def _tells(item: Item) -> bool:
    """Whether a finite verb stands there, as in a sentence about somebody."""
    return bool(set(file_key(item.text).split()) & _TELLING) or fold(item.text) in _HAPPENING
