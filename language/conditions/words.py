"""The words of a clause that tells whether something can be had, English and Italian: it is read by what it is made of,
not looked up whole. A clause with a word of any other kind ("if he has paid") is about something else."""

import re

IF = r"if|se|unless|qualora|caso\s+mai|casomai|nel\s+caso(?:\s+in\s+cui)?|in\s+case|in\s+the\s+event(?:\s+that)?"
"""What makes a condition of any clause."""

STRICT = (
    r"only\s+if|as\s+soon\s+as|the\s+moment|whenever|once(?=\s+(?:someone|somebody|he|she|they|the|we)\b)"
    r"|(?:non\s+)?appena|una\s+volta\s+che|solo\s+se|soltanto\s+se|(?:as|so)\s+long\s+as|on\s+(?:the\s+)?condition(?:\s+that)?|assuming(?:\s+that)?"
    r"|provid(?:ed|ing)(?:\s+that|(?=\s+(?:he|she|they|it|the|you|there|his|her|their)\b))"
    r"|purch[ée]'?|a\s+patto\s+che|a\s+condizione\s+che|sempre\s+che|a\s+meno\s+che(?:\s+non)?"
)
"""The same, said so that nothing else is meant."""

LOOSE = r"should|were|when|where|quando|dove"
"""What makes one only before words that something cannot be had."""

NOT_ONE = re.compile(
    r"""\b(?: (?: know | knows | see | sure | check | checked | tell | told | me | dunno | remember | say | says | said
            | what | even | as | like | if | grateful | kind | kindness | thankful | obliged | appreciated? (?:\s+it)?
            | (?:be|so|is|was)\s+(?:nice|great|lovely|good|wonderful|helpful|brilliant|amazing|fab)
            | sapere | vedere | controlla | controllare | sicur[oa] | anche | come | dimmi | so | dire | detto | non
            | scus\w+ | grat[oaie] | gentile )
        | (?:ask\w* | wonder\w* | chied\w+ | chiest[oa]) (?:\s+(?!.*\b(?:and|e)\b)[\w'’]+){0,4} )\s+\Z""",
    re.IGNORECASE | re.VERBOSE,
)
"""Before it, an "if" asks or compares."""

POLITE = re.compile(
    r"""(?: (?:that['’]?s|it['’]?s|that\s+is|it\s+is|that)?\s*
              (?:ok|okay|alright|all\s+right|fine|cool|easier|convenient|good)
              (?:\s+(?:with|for|by)\s+(?:you|u|everyone|the\s+team))?
          | you\s+(?:would|could)(?:\s+be\s+so\s+kind)? | (?:ti|la|vi)?\s*disturbo
          | (?:that|it|this|they|she|he)\s+(?:could|can|might)\s+be
              \s+(?!done|fitted|managed|squeezed)\w+(?:\s+(?:down|in))?
          | (?:it['’]?s|it\s+is|that['’]?s|that\s+is)?\s*not\s+(?:too\s+)?(?:much\s+|a\s+|an\s+)?(?:\w+\s+)?
              (?:trouble|bother|problem|hassle|inconvenien\w+)
          | you\s+(?:don['’]?t|do\s+not|wouldn['’]?t)\s+mind | you\s+(?:like|please|wish|prefer)
          | it['’]?s\s+no\s+(?:trouble|bother)
          | i['’]?m\s+not\s+mistaken | i\s+(?:remember|recall)\w*(?:\s+\w+)? | memory\s+serves(?:\s+me)? | anything | so
          | (?:need(?:ed|\s+be)?|necessary|required|any|not\s+already) | it\s+(?:helps|matters)
          | (?:non\s+)?(?:ti|le|vi)\s+(?:dispiace|scoccia|va\s+bene)
          | (?:per\s+(?:te|lei|voi)\s+)?va\s+bene(?:\s+per\s+(?:te|lei|voi))?
          | non\s+sbaglio | (?:mi\s+)?ricordo(?:\s+bene)? | serve | necessario | vuole | vuoi )
        (?=\s*(?:[,.;!?]|$|\b(?:and|but|then|e|ma|please|thanks|grazie)\b))""",
    re.IGNORECASE | re.VERBOSE,
)
"""Behind an "if": courtesy."""

POLITE_ORDER = re.compile(
    r"(?P<lead>(?:you|u|we|i)\s+(?:could|can|would|will|might|wouldn['’]?t\s+mind)\s+(?:just\s+|please\s+|possibly\s+|kindly\s+)*)"
    r"(?!not\b|do\s+(?:it|that|so)\b|manage\b|fit\b|squeeze\b)[a-z]+"
    r"|(?:puoi|può|puo['’]?|potete|potessi|potesse|poteste|potreste|riesci\s+a|riesce\s+a)\s+[a-zà-ù]+",
    re.IGNORECASE,
)
"""Behind an "if" with an order in it: "if you could bring her forward to 9"."""

ABLE_ORDER = re.compile(
    r"(?:(?:you|u|we)\s+(?:can|manage\s+to)|puoi|può|puo['’]?|potete|(?:riesci|riesce|riuscite)\s+a)(?![\w'’])",
    re.IGNORECASE,
)
"""Behind an "and if" that follows another order: no courtesy, the second can be done without ("4pm, and if you can make
it 12 kids")."""

_FUNCTION = frozenset(
    """somebody someone anybody anyone take host see offer give qualcuno hanno ha ho abbiamo avete
    it its it's its that thats that's this theres there's there they they're you you're we we're i he she is are
    be been was were am has have had got get gets a an the any some enough more left then time times slot slots
    session day date at on in for of by to with all either too already really still just even out up off them her
    him us me those these both one ones will would can could may might do does doing did done make made go goes
    works let lets so still th st nd rd am pm o'clock oclock noon midday è e' c'è ci sia siano fosse fossero sono
    sarà si lo la li le gli il i un una uno più già ancora tutto tutta tutti per ci vi si ne alle all' alla al a
    ad di del della dei delle da dal in nel su sul che quel quello quella quell' questo questa quell'ora orario
    ora giorno data loro me te noi voi lui lei anche proprio fa fare fatto farlo farla può puo' posso possono
    possiamo riesce riesci riesco riescono poter potere va vanno stare vada mezzogiorno""".split()
)
_DAYS = frozenset(
    """monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun today
    tomorrow morning afternoon evening tonight january february march april may june july august september october
    november december jan feb mar apr jun jul aug sep sept oct nov dec lunedì martedì mercoledì giovedì venerdì
    sabato domenica lunedi martedi mercoledi giovedi venerdi oggi domani mattina pomeriggio sera gennaio febbraio
    marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre""".split()
)
_FEASIBLE = frozenset(
    """room rooms space spaces spot spots place places availability available possible feasible doable free open
    capacity work worked working fit fits suit suits suitable manage managed squeeze swing happen sorted option
    good luck joy chance able go ahead accommodate convenient vacancy vacancies opening openings seats seat posto
    posti spazio disponibilità disponibilita disponibile disponibili possibile possibili libero libera liberi
    libere fattibile bene fortuna capienza""".split()
)
_TAKEN = frozenset(
    """full taken gone booked busy occupied unavailable packed rammed chocka blocked sold snapped maxed impossible
    unable filled fully completely solid crowded jammed pieno piena pieni piene occupato occupata occupati
    occupate esaurito esaurita completo completa prenotato prenotata preso presa impossibile indisponibile""".split()
)
_ROOM = frozenset(
    """room rooms space spaces spot spots place places slot slots availability available free open capacity fit fits
    fitting squeeze vacancy vacancies opening openings seat seats accommodate posto posti spazio disponibilità
    disponibilita disponibile disponibili libero libera liberi libere capienza""".split()
)
_NO_WAY = frozenset("impossible unable impossibile".split())
_NOT = frozenset(
    "no not nope non n't cannot cant can't nothing none niente nessuno nessun neither without senza".split()
)
_ABLE = frozenset(
    "can could able possible feasible doable chance può puo' posso possono riesci riesce riescono possibile".split()
)
_SOMEBODY = frozenset("somebody someone anybody anyone qualcuno else".split())
_HAS = frozenset("got has have is took ha preso hanno".split())
_TAKES = frozenset("have take host see offer give get".split())
_CANNOT = re.compile(r"(?:ca|could)n['’]?t$|cannot$", re.IGNORECASE)
_CAN = frozenset("can could può puo' posso possono".split())
_NUMBER = re.compile(r"\d{1,2}(?:[:.]\d\d)?(?:am|pm|th|st|nd|rd|s)?")


def parts_of(word: str) -> tuple[str, ...]:
    """A word as it counts: "isn't" is a word and a no, "6's" an hour."""
    word = word.casefold().replace("’", "'").strip("\"'“”‘()")
    if word in _NOT or word in _FUNCTION:
        return (word,)
    if word.endswith("n't") and len(word) > 3:
        return ("is", "n't")
    if word in ("isnt", "arent", "wont", "doesnt", "dont", "couldnt", "wouldnt"):
        return ("is", "n't")
    for end in ("'s", "'re", "'ll", "'d", "'ve"):
        if word.endswith(end):
            return (word.removesuffix(end), "is")
    return (word,)


def known(word: str) -> bool:
    """Whether a word may stand in a clause that tells whether something can be had."""
    return all(
        w in _FUNCTION or w in _DAYS or w in _FEASIBLE or w in _TAKEN or w in _NOT or bool(_NUMBER.fullmatch(w))
        for w in parts_of(word)
    )


def cannot_be_had(words: list[str]) -> bool:
    """Whether these words say that something cannot be had: "that is not possible", "the 6th is booked out"."""
    said = [part for word in words for part in parts_of(word)]
    if not said or not all(known(w) for w in words):
        return False
    denied = any(w in _NOT for w in said)
    if any(w in _TAKEN for w in said) or ({*said} & _SOMEBODY and {*said} & _HAS and not denied):
        return not denied
    able = any(w in _FEASIBLE or w in _ABLE for w in said) or bool(
        {"done", "do", "works", "fatto", "fare", "va"} & {*said}
    )
    able = able or (bool(_TAKES & {*said}) and any(_CANNOT.match(word) for word in words))
    return denied and (able or set(said) <= _NOT)


def about_room(words: list[str]) -> bool:
    """Whether what cannot be had is room: "there's no space", "somebody has it"; not "if that's not possible"."""
    said = {part for word in words for part in parts_of(word.strip(",;:.!?"))}
    return bool(said & (_ROOM | _TAKEN - _NO_WAY)) or bool(said & _SOMEBODY and said & _HAS)


_SUITS_SOMEBODY = re.compile(
    r"\b(?:suit|suits|work|works|convenient|good|bene)\s+(?:for\s+|per\s+)?(?:her|him|them|the\s+(?:mum|mom|dad|family|guests?)"
    r"|lei|lui|loro)\b|\b(?:le|gli)\s+va\s+bene\b",
    re.IGNORECASE,
)


def suits_somebody(words: list[str]) -> bool:
    """Whether a clause is about what a guest likes, which no venue refuses: "if that doesn't suit her"."""
    return bool(_SUITS_SOMEBODY.search(" ".join(words)))


def only_no(words: list[str]) -> bool:
    """Whether nothing but a no was said so far."""
    return {part for word in words for part in parts_of(word)} <= _NOT


def can_be_had(words: list[str], *, whole: bool) -> bool:
    """Whether these words say that something can be had: "possible", "there is any chance", "you're able". "They can"
    does where it is `whole`, and more may come that says what."""
    said = [part for word in words for part in parts_of(word)]
    if not said or not all(known(w) for w in words) or any(w in _NOT or w in _TAKEN for w in said):
        return False
    return any(w in _FEASIBLE or (w in _ABLE and (whole or w not in _CAN)) for w in said)
