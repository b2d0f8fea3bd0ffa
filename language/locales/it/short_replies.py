"""Italian words around the phrases of short replies, see `language.replies.short_replies`: without apostrophes, accents
and capitals."""

REFLEXIVE = "si"
REFLEXIVE_BEFORE = ("è", "é")
"""A pronoun that is written like a yes, and words with accents that it is one in front of: "si è pentito"."""

AND = ("e", "ed")
CONFIRMS = ("conferma", "confermi")
NOT = ("non",)
"""Phrases right in front of another that deny it."""
DENIES = ("non",)
DOUBTS = "se oppure quando finche".split()
CONTRASTS = "ma pero solo soltanto invece tranne".split()
PART = "il lo la le i gli quel quella l di del della al alla alle a per".split()
"""Words before a thing: "dimentica la nota"."""
DROPS_IN_FRONT = ("non quello", "non questo", "annulla", "annulli", "cancella")
ENDS_A_BOOKING = ("annulla",)
HOW_IT_WAS = "com come era prima tutto dov".split()
"""Words of phrases that describe the state to restore, without asking for it."""

FIRST = "modifica prima primo annullare annulla".split()
SECOND = "prenotazione festa seconda secondo".split()
"""Words for either answer to "annullo la modifica o la prenotazione?"."""

REASONS = r"cambiat[oa] idea|vuole|vogliono|per favore"
LAST = "la|una|quella"
PLAN = "modifica"
"""Words about others, or about the plan, in a reason."""

RESTORES = (
    r"(?:va ripristinat[oa]|va rimess[oa]|ripristina|ripristini|rimetti|rimetta|riporta|torna a|torniamo a) "
    r"(?:il |la |l )?(?:vecchi[oa] )?"
)
RESTORED = "numero|orario|data|giorno|nota|nome|ora|email"
"""An undo that names what to restore."""

JOINS = "e|ma|solo|soltanto|piuttosto"
"""Between words that drop a request and the request that replaces it."""
LEADS_ON = "e|ma|allora|solo|soltanto|piuttosto|invece|intendevo|volevo dire"
"""In front of the request that replaces one."""

ASKS_FOR_CHANGES = (
    r"^(?:e |ma |allora |ok )*(?:(?:ha|hanno) funzionato|e andat[oa](?: tutto)?(?: bene| a buon fine)?|"
    r"e riuscit[oa]|sono andat[ei](?: tutt[ei])?(?: bene| a buon fine)?)$|"
    r"\b(?:che )?cosa (?:hai|ha|avete|abbiamo|e stato|e) (?:appena )?(?:cambiat|modificat|fatto|successo)|"
    r"\bche (?:cosa )?(?:hai|ha|modifiche hai|modifiche ha) (?:appena )?(?:cambiat|modificat|fatto)"
)
