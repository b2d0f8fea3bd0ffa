"""What only tells or asks something: questions, statements of how things are or were, and errands to somebody else.

What is named there is marked as asked or denied, so that nothing sets it; each pass looks at pieces, never at the text.
"""

import re
from collections.abc import Sequence

from language import Count
from sandbox.model.kinds import Item, Kind
from sandbox.model.phrases import phrase_set
from sandbox.model.words import file_key, fold

_WONDERING = phrase_set("is|are|does|did|was|were|has|è|sono|ha|hanno|devo|dobbiamo")
_HAVING = phrase_set("abbiamo|avete|hanno|hai|ho|has|did")
_BEING = phrase_set("is|are|è|sono|is now|are now")


def with_questions(items: list[Item]) -> list[Item]:
    """ "Is Daisy Bell coming today?", "la festa è alle 15?" want to know something: what is named there is not to be
    set. A question that orders ("can you move …?") has its verb."""
    marked = bool(items) and items[-1].sense == "?"
    if not items or any(fold(i.text) in ("able", "possible", "possibile") for i in items):
        return items
    ordering = any(i.kind is Kind.VERB for i in items)
    first = next((n for n, i in enumerate(items) if i.kind is not Kind.STOP), 0)
    kept = list(items)
    opener = file_key(items[first].text) if items[first].kind is Kind.FILL else ""
    done = first + 1 < len(items) and items[first + 1].kind is Kind.VERB and opener in _HAVING
    if marked and done:
        kept[first] = items[first].as_(Kind.ASKING)
        return kept
    if opener in _WONDERING and (marked or (not ordering and opener in ("is", "are", "does", "did"))):
        kept[first] = items[first].as_(Kind.ASKING)
    elif marked and not ordering:
        being = [n for n, i in enumerate(items) if i.kind is Kind.FILL and file_key(i.text) in _BEING]
        for n in being[:1]:
            kept[n] = items[n].as_(Kind.ASKING)
        polite = any(set(fold(i.text).split()) & _REQUESTING for i in items if i.kind is Kind.FILL)
        if not being and not polite:
            said = " ".join(i.text for i in items[:-1])
            kept[-1] = Item(Kind.ASKING, said, items[-1].start, items[-1].end)
    return kept


_REQUESTING = phrase_set("""
    can|could|would|please|pls|plz|possible|how|what|lets|want|wants|need|needs|like|puoi|potresti|potete|possiamo|
    posso|puo|si|riesci|riusciresti|riusciamo|vorrei|vorrebbe|vorrebbero|vuole|vogliono|favore|va|meglio|bisogno|ok
""")


def with_what_was(items: list[Item]) -> list[Item]:
    """ "8231 was 12 kids", "era alle 15": what was is denied, so that it is never set; so is "invece delle 15"."""
    kept = list(items)
    values = (Kind.WHEN, Kind.COUNT, Kind.NUMBER)
    for n, item in enumerate(items):
        following = next((i for i in items[n + 1 :] if i.kind is not Kind.PREP), None)
        if following is None or following.kind not in values or item.kind is not Kind.FILL:
            continue
        past = fold(item.text) in _BEING_PAST
        stated = file_key(item.text) in _BEING and following.kind is Kind.WHEN and _only_states(items)
        instead = fold(item.text) == "invece" and re.match(r"(?:del|di\b|che\b)", fold(following.text))
        if past or stated or instead:
            kept[n] = item.as_(Kind.NEG, sense="states" if stated else "was")
    return kept


def _only_states(items: Sequence[Item]) -> bool:
    """Whether nothing says that something changes: "the party is on Saturday" may just be so."""
    changing = any(i.kind is Kind.VERB for i in items)
    return not changing and not any(set(fold(i.text).split()) & _TURNING for i in items if i.kind is Kind.FILL)


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


def with_statements(items: list[Item]) -> list[Item]:
    """ "Leo is coming at 3pm", "la mamma di Leo arriva alle 15": how it is, unless something says that it changes."""
    spoken = {w for i in items if i.kind is Kind.FILL for w in fold(i.text).split()}
    bound = any(re.match(r"(?:has|have|had|got) to\b", fold(i.text)) for i in items)
    if not _only_states(items) or spoken & _WISHING or bound:
        return items
    kept = list(items)
    for n, item in enumerate(items):
        if item.kind is not Kind.FILL or not set(fold(item.text).split()) & (_HAPPENING | _REPORTING):
            continue
        behind = next((i for i in items[n + 1 :] if i.kind not in _LITTLE), None)
        if behind is not None and behind.kind is Kind.WHEN:
            kept[n] = item.as_(Kind.NEG, sense="states")
    return kept


_LITTLE = (Kind.PREP, Kind.FILL, Kind.DET, Kind.PRON)


def with_remarks(items: list[Item]) -> list[Item]:
    """What is said about some of the guests, of an old number, or of what stays: nothing that is to be set."""
    kept = list(items)
    news = {"new", "now", "nuovo", "nuova", "ora", "adesso"}
    said = {w for i in items for w in fold(i.text).split()}
    for n, item in enumerate(items):
        before, rest = items[n - 1] if n else None, items[n + 1 :]
        behind = rest[0] if rest else None
        valued = any(i.kind in (Kind.COUNT, Kind.WHEN) for i in rest)
        writes = any(i.kind is Kind.NOTE or i.sense == "note" for i in items)
        stays = item.kind is Kind.VERB and fold(item.text) in _STAYING and valued and not writes
        away = item.kind is Kind.FILL and fold(item.text) == "off" and behind is not None and behind.kind is Kind.WHEN
        old = fold(item.text) in _OLD and behind is not None and not said & news and _number_word(behind)
        free = item.kind is Kind.COUNT and bool(set(fold(item.text).split()) & _SOME)
        wonders = n == 0 and fold(item.text) in ("would", "does", "will") and _is(behind, Kind.WHEN)
        things = (
            item.kind is Kind.COUNT and _is(behind, Kind.BOOK) and behind is not None and fold(behind.text) in _THINGS
        )
        if (
            things
            or stays
            or away
            or (old and any(i.kind in (Kind.PHONE, Kind.EMAIL) for i in rest))
            or free
            or wonders
        ):
            kept[n] = item.as_(Kind.NEG, sense="states")
        elsewhere = item.kind is Kind.VERB and _points_elsewhere(items, n)
        late = item.kind is Kind.VAGUE and before is not None and file_key(before.text) in _BEING and not valued
        if elsewhere or (late and any(i.kind is Kind.WHEN for i in items[:n])):
            kept[n] = item.as_(Kind.NEG, sense="states")
        reached = n == 0 and fold(item.text) == "reach" and not any(i.kind in (Kind.PHONE, Kind.EMAIL) for i in rest)
        if reached:
            kept[n] = item.as_(Kind.OTHER)
        if item.kind is Kind.VERB and fold(item.text) == "shift" and _is(before, Kind.WHEN, Kind.DET):
            kept[n] = item.as_(Kind.OTHER)
    return _with_some_of(kept)


_THINGS = phrase_set("table|tables|tavolo|tavoli")
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
    if not any(i.kind is Kind.WHEN for i in rest):
        return False
    if verb in _NOTING:
        return not any(i.kind in (Kind.NOTE, Kind.COUNT) or i.sense == "note" for i in items)
    calls_by = len(rest) > 1 and fold(rest[0].text) == "da" and rest[1].kind is Kind.UNKNOWN and rest[1].capital
    family = any(fold(i.text) in _FAMILY for i in items[:n])
    return verb in ("passa", "passano") and (calls_by or family)


_STAYING = phrase_set("leave|lascia|lasciare|lasciala|lascialo")
_OLD = phrase_set("old|previous|former|vecchio|vecchia|precedente")
_OF = phrase_set("from|of|in|della|dei|delle|dalla|nella|di|del")


def _is(item: Item | None, *kinds: Kind) -> bool:
    return item is not None and item.kind in kinds


def _number_word(item: Item) -> bool:
    return item.kind is Kind.TOPIC or fold(item.text) in ("number", "numero")


def _with_some_of(items: list[Item]) -> list[Item]:
    """ "3 kids from 8231 are sick": some of the guests, not how many there are; "can Leo cancel?" is up to Leo."""
    kept = list(items)
    counts = [n for n, i in enumerate(items) if i.kind is Kind.COUNT]
    solid = [n for n, i in enumerate(items) if i.kind not in (Kind.STOP, Kind.FILL, Kind.DET)]
    if counts and solid and counts[0] == solid[0]:
        n = counts[0]
        behind = [i for i in items[n + 1 :] if i.kind is not Kind.TOPIC]
        some = len(behind) > 2 and behind[0].kind is Kind.PREP and fold(behind[0].text) in _OF
        told = any(i.kind is Kind.FILL and _tells(i) for i in behind[1:]) or any(i.kind is Kind.VAGUE for i in behind)
        value = items[n].value
        relative = isinstance(value, Count) and value.is_relative
        if some and told and not relative:
            kept[n] = items[n].as_(Kind.NEG, sense="states")
    for n, item in enumerate(items):
        cancels = item.kind is Kind.VERB and item.sense == "cancel"
        front = [i for i in items[:n] if i.kind is not Kind.STOP]
        allowed = cancels and front and _may(front) and front[-1].kind in (Kind.UNKNOWN, Kind.FILL)
        named = allowed and any(i.kind is Kind.UNKNOWN and i.capital for i in front)
        if (
            named
            and all(i.kind in (Kind.UNKNOWN, Kind.FILL, Kind.DET) for i in front)
            and n == len(items) - 1 - (items[-1].kind is Kind.STOP or items[-1].kind is Kind.ASKING)
        ):
            kept[n] = item.as_(Kind.NEG, sense="states")
    return kept


def _may(items: Sequence[Item]) -> bool:
    modal = {"can", "could", "may", "puo", "potrebbe", "possono", "potrebbero"}
    return any(i.kind is Kind.FILL and set(fold(i.text).split()) & modal for i in items)


_AGEING = phrase_set("turn|turns|turning|turned")


def with_ages(items: list[Item]) -> list[Item]:
    """ "Molly is turning 8", "Molly turns 7 on Sunday": how old somebody is counts no guests and sets no time."""
    kept = list(items)
    for n, item in enumerate(items[:-1]):
        aged = items[n + 1].kind in (Kind.NUMBER, Kind.COUNT, Kind.WHEN) and re.match(r"\d", items[n + 1].text)
        if item.kind is Kind.OTHER and fold(item.text) in _AGEING and aged:
            kept[n] = item.as_(Kind.NEG, sense="states")
    return kept


_ERRAND = phrase_set("di|dì|digli|dille|dite|dica")


def with_errands(items: list[Item]) -> list[Item]:
    """ "di' a Leo che è alle 15" has somebody told something."""
    first = next((n for n, i in enumerate(items) if i.kind not in (Kind.STOP, Kind.FILL)), None)
    if first is None or fold(items[first].text) not in _ERRAND:
        return items
    behind = items[first + 1] if first + 1 < len(items) else None
    told = behind is not None and fold(behind.text) in ("a", "ad", "al", "alla", "ai", "che")
    if fold(items[first].text) == "di" and not told:
        return items
    kept = list(items)
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
