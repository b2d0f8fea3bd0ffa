"""Italian words of conditions on parts of a request, see `language.requests.conditions` and
`condition_words`. Regular expressions hold no bare spaces, because most are read with re.VERBOSE."""

# Connecting words
AND = r"e|ed"
JOIN = r"e"
BUT = r"ma"
HOWEVER = r"ma|però"
OR = r"o|oppure"
THEN = ("allora",)
TRAIL = ("allora", "più")
"""What may follow the condition before the fallback."""

# The words that make a condition
IF = r"se|qualora|caso\s+mai|casomai|nel\s+caso(?:\s+in\s+cui)?"
STRICT = (
    r"(?:non\s+)?appena|una\s+volta\s+che|solo\s+se|soltanto\s+se"
    r"|purch[ée]'?|a\s+patto\s+che|a\s+condizione\s+che|sempre\s+che|a\s+meno\s+che(?:\s+non)?"
)
LOOSE = r"quando|dove"
NO_CONDITION_BEHIND = r"""sapere | vedere | controlla | controllare | sicur[oa] | anche | come | dimmi | so | dire
    | detto | non | scus\w+ | grat[oaie] | gentile"""
ASKS = r"chied\w+ | chiest[oa]"

# Courtesies behind an "if"
POLITE = r"""(?:ti|la|vi)?\s*disturbo
      | (?:non\s+)?(?:ti|le|vi)\s+(?:dispiace|scoccia|va\s+bene)
      | (?:per\s+(?:te|lei|voi)\s+)?va\s+bene(?:\s+per\s+(?:te|lei|voi))?
      | non\s+sbaglio | (?:mi\s+)?ricordo(?:\s+bene)? | serve | necessario | vuole | vuoi"""
POLITE_END = r"e|ma|grazie"
POLITE_ORDER = r"(?:puoi|può|puo['’]?|potete|potessi|potesse|poteste|potreste|riesci\s+a|riesce\s+a)\s+[a-zà-ù]+"
ABLE_ORDER = r"puoi|può|puo['’]?|potete|(?:riesci|riesce|riuscite)\s+a"

# The words of a clause on whether something is possible
FUNCTION = frozenset(
    """qualcuno hanno ha ho abbiamo avete è e' c'è ci sia siano fosse fossero sono
    sarà si lo la li le gli il i un una uno più già ancora tutto tutta tutti per ci vi si ne alle all' alla al a
    ad di del della dei delle da dal in nel su sul che quel quello quella quell' questo questa quell'ora orario
    ora giorno data loro me te noi voi lui lei anche proprio fa fare fatto farlo farla può puo' posso possono
    possiamo riesce riesci riesco riescono poter potere va vanno stare vada mezzogiorno""".split()
)
DAYS = frozenset(
    """lunedì martedì mercoledì giovedì venerdì sabato domenica lunedi martedi mercoledi giovedi venerdi oggi domani
    mattina pomeriggio sera gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre
    dicembre""".split()
)
FEASIBLE = frozenset(
    """posto posti spazio disponibilità disponibilita disponibile disponibili possibile possibili libero libera liberi
    libere fattibile bene fortuna capienza""".split()
)
TAKEN = frozenset(
    """pieno piena pieni piene occupato occupata occupati occupate esaurito esaurita completo completa prenotato
    prenotata preso presa impossibile indisponibile""".split()
)
ROOM = frozenset(
    """posto posti spazio disponibilità disponibilita disponibile disponibili libero libera liberi libere
    capienza""".split()
)
NO_WAY = ("impossibile",)
NOT = frozenset("no non niente nessuno nessun senza".split())
ABLE = frozenset("può puo' posso possono riesci riesce riescono possibile".split())
SOMEBODY = ("qualcuno",)
HAS = ("ha", "preso", "hanno")
DONE = ("fatto", "fare", "va")
CAN = ("può", "puo'", "posso", "possono")
SUITS = r"bene"
FOR = r"per"
GUEST = r"lei|lui|loro"
SUITS_GUEST = r"(?:le|gli)\s+va\s+bene"

# The fallback
MORE = r"anche|poi|adesso|ora|sono|siamo|aggiungi\w*|metti\w*|cambia\w*|porta\w*|una\s+nota"
"""What follows an "e" that begins something else."""
LEAD = r"""(?:allora|quindi|anche)\b
      | (?:metti|sposta|prova|fai|facciamo|spost|mett|lascia)(?:l[aoie]|a|i)?(?:\s+con)?\b
      | (?:va|vanno|andrebbe(?:ro)?)\s+bene(?:\s+anche)?\b | (?:è|sarebbe)\b"""
TAIL = r"""(?:va|vanno|andrebbe(?:ro)?)\s+bene\b.*
      | (?:stesso\s+orario|stessa\s+ora) | grazie | per\s+favore"""
ELSE = r"""altrimenti | in\s+caso\s+contrario | in\s+alternativa | sennò | senno | se\s+no
      | al\s+limite | al\s+massimo | mal\w*\s+che\s+vada | alla\s+peggio | alle\s+brutte | piano\s+b
      | (?:come\s+)?(?:seconda|altra)\s+(?:scelta|opzione|possibilità) | come\s+(?:ripiego|alternativa)"""
UNCHANGED = r"tutto | uguale | invariat\w+ | lasci\w+\b.*\b(?:stare|così|com['’]è)"
LIVES_WITH = r"""(?:al\s+limite\s+)?
      (?:si\s+accontent\w+\s+(?:di|del|delle|dell['’])|(?:va|vanno|andrebbero)\s+bene\s+anche
      |(?:può|possono|potrebbe(?:ro)?|accett\w+)\s+anche(?:\s+venire)?)\s*"""
WORKS = r"\s+(?:va\s+bene|vanno\s+bene)"
TOO = r"lo\s+stesso|comunque"
WHEN = r"mezzogiorno | domani | (?:luned|marted|mercoled|gioved|venerd)[ìi] | sabato | domenica"
FIRST = r"prima"
CHOICE = r"scelta"
IS = r"è"
NO_WISH = r"grazie|avvis\w+|dimm\w+"

# The optional part
WOULD_BE_NICE = r"""non\s+è\s+(?:indispensabile|essenziale)
      | sarebbe\s+(?:bello|carino|il\s+massimo|perfetto|l['’]ideale) | se\s+riesci | se\s+riesce"""

# What another person has yet to decide, pay or allow
_DICE = r"""(?:conferm(?:a|ano|erà)|accett(?:a|ano|erà)|approv(?:a|ano)|rispond(?:e|ono)|richiam(?:a|ano)|pag(?:a|ano)
    |d(?:ice|icono)\s+(?:di\s+)?(?:sì|si|ok)|(?:è|sono|sia|siano)\s+d['’]accordo
    |ha(?:nno)?\s+(?:confermato|pagato|accettato|risposto))"""
UNSEEN = rf"""(?:dopo\s+che|quando|finch[ée]'?|fino\s+a\s+quando|prima\s+che|appena)\s+
            (?:[\w'’]+\s+){{0,4}}?{_DICE}(?!\w)[^,.;!?\n]*
      | con\s+il\s+(?:permesso|consenso|benestare|via\s+libera)(?!\w)
      | aspett\w+\s+(?:[\w'’]+\s*){{0,3}}?(?:conferma|ok|risposta|pagamento|caparra)(?!\w)
      | (?:chied\w+|senti|sentiamo)\s+prima(?!\w)[^,.;!?\n]* | prima\s+(?:chied\w+|senti|sentiamo)(?!\w)[^,.;!?\n]*
      | dev(?:e|ono)\s+(?:prima\s+)?(?:confermare|accettare|pagare|approvare)(?!\w)"""
