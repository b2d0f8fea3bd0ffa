"""Italian words of plain answers, see `language.replies.polarity`, `language.replies.stop_request` and
`language.replies.choosing`: without apostrophes and capitals, and for a stop request without accents."""

# polarity
NOT = "no non mai senza ne niente nessun nessuna nessuno tranne".split()
YES = "si certo esatto ok".split()
NO = "no mai".split()
FILLERS = (
    "ok con per il la lo un una era stato stata e ha hanno pagato rimborsato grazie favore si tramite del della al "
    "alla".split()
)
"""Words around a value that leave it what it is."""

# stop_request
ASSENTS = """
    si|procedi|fallo|confermo|conferma|va bene|perfetto|certo|certamente|d accordo|daccordo|esatto|giusto|corretto|
    ottimo|benissimo|fai pure|vai|vai pure|ok|okay
"""
STOPS = "stop|lascia stare|lascia perdere|annulla tutto|fermati"
REFUSALS = "no|n|non farlo|non confermare|non procedere|niente"
POLITE = "grazie|grazie mille|per favore|per piacere"

# choosing
PICKS = "numero nr n riferimento di con id a".split()
"""Words of an answer that only picks."""
