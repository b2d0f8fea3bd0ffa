"""Italian: "ho spostato", "è stata annullata", "fatto!", "ora la festa è alle 15"."""

import re

from language.replies.claim_grammar import Grammar, words

_STEM = words(
    "annullat cancellat spostat rimborsat modificat cambiat aggiornat aggiunt rimoss eliminat tolt riprenotat salvat"
    " inviat mandat emess applicat anticipat posticipat ridott aumentat corrett annotat segnat completat"
    " eseguit effettuat sistemat risolt accreditat restituit ripristinat sostituit inserit trasferit rettificat"
    " riprogrammat disdett avvisat informat rinviat accorciat allungat addebitat stornat scontat elaborat abbassat"
    " alzat portat impostat fissat liberat ritoccat"
)
_DONE = rf"{_STEM}[oaie]\b"
_ALSO = words("registrat prenotat confermat fatt mess scritt provvedut procedut pensat dat mandat comunicat")
_SAID = rf"(?:{_STEM}|{_ALSO})[oaie]\b"
_MANNER = words("appena già ora anche subito pure adesso poi correttamente tutto tutti ormai regolarmente")
_THING = words(
    "prenotazione rimborso spostamento modifica operazione cambio nota annullamento cancellazione aggiornamento"
    " richiesta disdetta numero orario data telefono festa"
)
_DOING = words(
    "annullando cancellando spostando rimborsando modificando cambiando aggiornando aggiungendo togliendo eliminando"
    " provvedendo procedendo anticipando posticipando rimandando inserendo"
)
_SHALL = words(
    "annullerò cancellerò sposterò rimborserò modificherò cambierò aggiornerò aggiungerò toglierò eliminerò provvederò"
    " procederò anticiperò posticiperò inserirò"
)

_CERTAIN = rf"""
    (?<!non\ )(?<!non\ l')(?<!se\ )(?<!quando\ )\b(?:ho|abbiamo)(?:\ {_MANNER})*\ {_SAID}(?!\ (?:nulla|niente|nessun))
  | ^\W*(?:ecco\ |tutto\ |già\ |detto\ |perfetto,?\ |ok,?\ |bene,?\ |va\ bene,?\ |è\ |è\ tutto\ )*
    (?:fatto|sistemato|a\ posto|completato|risolto)\b
  | \b(?:sto|stiamo)\ {_DOING}\b
  | \b(?:il\ sistema|il\ gestionale|il\ servizio|roller)\ ha(?:\ {_MANNER})*\ {_SAID}
  | \b(?:provvedo|procedo)\b(?!\?)
  | \b(?:è\ |tutto\ |è\ tutto\ )(?:tutto\ )?(?:sistemato|a\ posto|fatto)\b
"""
_STATED = rf"""
    \b(?:è|sono|era|erano|sia|siano)(?:\ {_MANNER})*\ stat[oaie](?:\ {_MANNER})*\ {_SAID}
  | \b(?:è|sono|viene|vengono|risulta|risultano)(?:\ (?!già){_MANNER})*\ {_DONE}
  | \b(?:è|sono|risulta|risultano)\ (?:ora|adesso)\ \w+
  | \b{_SHALL}\b
  | (?:^|[,;:]\ )\W*{_DONE}
  | (?:^|[,;:]\ )\W*(?:la\ |il\ |lo\ |l')?{_THING}(?:\ \w+){{0,3}}
    \ (?:{_DONE}|fatt[oa]|emess[oa]|(?:è\ )?confermat[oa])(?!\ per)
  | \b(?:a\ buon\ fine|con\ successo|in\ arrivo\ sul|come\ (?:mi\ ha\ |ha\ )?(?:richiesto|chiesto))\b
  | \b(?:ora|adesso|da\ questo\ momento|d'ora\ in\ poi|da\ adesso)(?:\ \w+'?){{0,3}}
    \ (?:è|sono|comincia|inizia|si\ comincia)\b
  | \bsi\ (?:comincia|inizia)\ (?:ora|adesso|alle)\b
  | \bnon\ c'è\ più\b
"""
_UNSETTLED = r"""
    \b(?:non(?!\ c'è\ più)|mai|nulla|niente|nessun[oa]?|se|quando|una\ volta|dopo|prima|finché|appena\ che|qualora|può
    |possono|posso|possiamo|potrebbe|deve|devono|dovrebbe|vuole|desidera|che\ (?:sia|siano))\b
"""
_INNOCENT = r"""
    \bho\ (?:lasciato\ tutto|fatto\ una\ ricerca)\b
  | \bgià\ (?:annullat|pagat|prenotat|cancellat)[oaie]\b
"""
_WISHES = rf"""
    \b(?:{_DOING}|{_SHALL}|annull\w+|cancell\w+|spost\w+|rimbors\w+|modific\w+|cambi\w*|aggiorn\w+|aggiung\w+|togli\w*
    |elimin\w+|anticip\w+|posticip\w+|rimand\w+|rinvi\w+|disd\w+|port\w+|mett\w+|metti\w*|corregg\w+|scriv\w+|aument\w+
    |ridu\w+|sostitu\w+|inseri\w+|prenota\w*|fai\w*|facci\w+|vorrei|voglio|vuole|bisogna|deve|per\ favore|invece)\b
"""


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.VERBOSE)


GRAMMAR = Grammar(*(_compiled(part) for part in (_CERTAIN, _STATED, _UNSETTLED, _INNOCENT, _WISHES)))

FRAGMENT_LEADS = "e|o|ma|allora|no|se si"
"""In front of a single word that asks nothing."""
