"""Italian words of questions about a venue, or about a booking, see `language.venue_facts.questions`."""

ASKED_FOR = (
    r"vuol(?:e|gliono)? sapere|vorre\w+ sapere|chied\w+ (?:se|quanto|come|quando|cosa|che)|"
    r"mi dic[ae] (?:se|quanto|come|quando|cosa)|posso sapere"
)
"""Asks without a question mark."""

# what is no question about the venue
THIS = "quest[aoei]|quell[aoei]|mi[ao]|su[ao]"
BOOKING = "prenotazion[ei]|fest[ae]|lezion[ei]|riunion[ei]|appuntament[oi]|turn[oi]|gruppo|incontr[oi]"
OF = "a nome|di|del"
A = "una?"
OF_ONE = (
    r"\bchi(?! (?:firma|deve|puo|paga|accompagna)\b)\b|"
    r"\bquant[ie] (?:ospiti|persone|bambini|sono|siamo|prenotazioni)\b|"
    r"\b(?:e|ha|hanno|era|sono|viene|vengono|arriva|arrivano) (?:gia )?"
    r"(?:pagato|prenotat[oaie]|stat[oaie]|venut[oaie])\b|"
    r"\bquando (?:viene|vengono|arriva|arrivano|comincia|e) "
)
"""Asks about one booking."""
ROOM = (
    r"(?:c'e|ci sono|avete) (?:ancora )?post[io](?! (?:auto|macchina|per (?:l'auto|la macchina|le auto)))|"
    r"disponibil\w+|liber[oaie] "
)
"""Asks for a free place."""
CHANGE = (
    r"sposta\w*|annulla\w*|cancella\w*|modifica\w*|cambia\w*|aggiung\w*|togli\w*|prenota\w*|metti\w*|mettere|fissa\w*|"
    r"cerca\w*|trova\w*|mostra\w*|controlla\w*|aiuta\w*|conferma\w*|rimborsa(?:re|mi|lo|la)"
)
WISH = "puoi|potresti|potete|puo|possiamo|posso|per favore"
SOFTENED = "anche"
"""Between a wish and its change."""
OF_US = (
    r"e (?:ora|adesso|allora)|che cosa puoi|cosa (?:puoi|sai|vuoi|intendi)|devo (?:confermare|premere|accedere)|"
    r"perche|sei (?:sicur[oa]|un)|hai|fatto|davvero"
)
"""Asks about the assistant or its plan."""
BARE = "si|no|ok|va bene|d'accordo"

# bringing something, or moving a booking
BRINGS = (
    r"(?:posso|possiamo|si puo|si possono|potrei|potremmo|puo|possono|e possibile|va bene(?: se)?|dobbiamo|devo|"
    r"bisogna) (?:anche |pure )?port(?:are|arci|armi|arsi|arvi|o|iamo)"
)
BROUGHT_BOOKING = "prenotazion[ei]|appuntament[oi]"
BROUGHT_TABLE = "tavol[oi]|fest[ae]|party|lezion[ei]"
"""A booking if it is somebody's."""
BROUGHT_OF = r"di|del\w*|a nome"
THE = "il"
TO = "a|ad|al|alle"
TO_THE = "le"
TO_WHEN = (
    r"una?\b|due|tre|quattro|cinque|sei|sette|otto|nove|dieci|dodici|"
    r"domani|dopodomani|luned|marted|mercoled|gioved|venerd|sabato|domenica"
)

# a rule for a booking of any guest
MAY_ONE = "(?:(?:e|ma) )?(?:posso|possiamo) "
REFUND = "rimbors"
NAMED = r"\b(?:quell\w|quest\w) "

# policies
RULES = "privacy|politic(?:a|he)|regolament[oi]|termini|condizioni|garanzi[ae]|rimborsabil[ei]"
POLICIES = {
    "returns": r"rimbors\w+|res[oi]",
    "shipping": r"spedizion[ei]|spedit\w+|consegn\w+",
    "privacy": "privacy|gdpr|dati personali",
    "terms": "termini|condizioni|liberatori[ae]",
    "weather": "se piove|con la pioggia",
}
"""By the commonest names of policies, what people say for them."""
QUESTION_LEADS = "ciao|ok|e"
QUESTION = (
    "che|cosa|come|si puo|posso|possiamo|e possibile|quale|quali|qual|quando|dove|avete|c'e|ci sono|fate|accettate|"
    "dimmi"
)
"""How a question begins."""
REQUEST = "puoi|potresti|potete|puo (?:darmi|farmi)|per favore"
STATES = (
    r"rimbors\w+ (?:e|sono|entro|completo|totale|solo)|viene rimborsat\w|vengono rimborsat\w|non rimborsabil\w|"
    r"caparra (?:e|non)|penale|spedizione (?:e|costa)|consegn\w+ (?:e|entro)"
)
OUR = "nostr[ae]|la"
POLICY = "policy"
SMALL = (
    "che chi ci come con cosa da dei del di e gli ha ho i il in io la le lo ma mi nei nel noi non o per qual quale si "
    "siamo sono su un una vi voi".split()
)
"""Words that make no difference between two questions."""
