"""Italian words of a request for a person, see `language.replies.asks_for_person`."""

COURTESY = (
    "scusi|scusa|scusate|senta|senti|salve|ciao|buongiorno|buonasera|per favore|per cortesia|grazie|va bene|allora|"
    "guardi|mi scusi|ok|no"
)
"""In front of the request."""
_SOMEBODY = (
    r"(?:(?:un|una|un'|il|la|lo|l'|vostro|vostra|il vostro|la vostra|qualche|con)\s*)*(?:vera?o?\s+)?"
    r"(?:persona|persone|umano|operatore|operatrice|collega|responsabile|addetto|addetta|essere umano|qualcuno|"
    r"direttore|direttrice|impiegato|impiegata)"
    r"(?:\s+(?:vera|vero|reale|umana|umano|in carne e ossa|del (?:personale|ristorante)|dello staff|di voi))*"
)
ASKS = "|".join(
    (
        r"(?:(?:vorrei|voglio|desidero|preferisco|preferirei|posso|potrei|possiamo|devo|ho bisogno di|avrei bisogno di|"
        r"mi fa|mi faccia|mi fai|fammi|mi farebbe|mi puo far|puo farmi|puoi farmi|e possibile|si puo|volevo)\s+)?"
        r"(?:parlare|comunicare|sentire)\s+(?:con\s+)?" + _SOMEBODY,
        r"(?:mi puo |puo |puoi |mi puoi |potrebbe |mi )*(?:passi|passa|passare|passami|passarmi|passate|passatemi|"
        r"chiami|chiama|chiamami|chiamarmi|dammi|mandami|mi dia)\s+(?:a\s+)?" + _SOMEBODY,
        r"(?:un|una)\s+(?:operatore|operatrice|umano|persona (?:vera|reale|umana))(?:\s+umano)?",
        r"(?:fai|faccia|fate|fa)\s+(?:rispondere|decidere|guardare)\s+(?:a |da )?" + _SOMEBODY,
        r"(?:chieda|chiedi|lo chieda|chiedilo)\s+(?:lei\s+)?a\s+" + _SOMEBODY,
        r"(?:operatore|operatrice)",
    )
)
"""The whole request."""
ENDS = "per favore|grazie|adesso|ora|subito|invece|di|per|su"
"""Where the request ends, and anything may follow."""
