"""Italian words of statements about a venue, a booking or the assistant, see `language.venue_facts.statements`."""

# where a clause begins
AND = "e"
BUT = "ma"
JOINS = "e|ma|perche|quindi"
"""Behind a comma."""
BECAUSE = "perche|visto che|dato che|siccome"
SUBJECTS = "noi|il|la|i|gli|le|c'e|ci sono"
"""Behind an "e" that begins a clause."""
HEADS = (
    r"ok|certo|certamente|assolutamente|allora|dunque|bene|ecco|purtroppo|inoltre|anche|comunque|tra l'altro|"
    r"di solito|in genere|buongiorno|buonasera|ciao|salve|grazie|tenga presente che|ricordi che|le ricordo che|"
    r"sappia che|lo sa che|lo sapeva che|sapeva che|so che|credo che|penso che|le confermo che|"
    r"posso (?:dirle|confermarle) che"
)
"""What may stand in front of a statement."""

# statements that are not on the venue
_BOOKING = (
    r"prenotazione|festa|sessione|lezione|riunione|turno|visita|gruppo|appuntamento|evento|nota|piano|modifica|"
    r"richiesta|"
    r"totale|saldo|nome|numero(?: di telefono)?|telefono|email|indirizzo|contatto|data|giorno|ora|orario|ospite|ospiti|"
    r"cliente|famiglia|bambini|prossim[ao] \w+|nuov[ao] \w+|altr[ao] \w+|prima|seconda|passo|passi|sistema|calendario"
)
INNOCENT = (
    # On the assistant: what it can do, found or needs; the outcome of the request.
    r"(?:non )?(?:ho|posso|sono riuscit\w|riesco|trovo|vedo|capisco|mi|cerco|controllo|guardo|preparo|serve|occorre)\b|"
    r"(?:non )?(?:e|sono) (?:stat[oaie]|gia|prenotat[oaie])\b|niente\b|nulla\b|nessun\w*\b|"
    # On what the operator wrote, is to write or to do here.
    r"di cui\b|giorni liberi|qui\b|era tutt|potrebbe essere|confronto|cerchi|con un account|"
    r"se (?:non )?(?:e|succede)\b|dal locale non si|per esempio|"
    r"(?:vuole|devo|posso|intende|desidera|preferisce)\b|"
    r"(?:mi (?:dica|dia|scriva|indichi|scusi)|ricarichi|faccia|riprovi|avvisi|acceda|chieda|ripeta|lo fa|"
    r"non e previsto|dica|scelga|controlli|confermi|usi|provi|guardi|indichi|prego|deve|puo|vuole|"
    r"desidera|intendeva|intende|ha (?:detto|scritto|chiesto)|lo dica|prima deve)\b|"
    r"(?:per|prima di|se)\s(?:(?:cambiar|spostar|annullar|modificar|confermar)\w*|do\b)|"
    # On a booking, on statements about it, on a person.
    r"(?:questo|questa|quello|quella|cio) (?:va|vanno|e|non|deve|si)\b|"
    rf"(?:il|lo|la|l'|i|gli|le|quest[aoei]|quell[aoei]|su[ao]|una?) ?(?:[\w:'-]+ ){{0,2}}?(?:{_BOOKING})\b|"
    r"(?:(?:il|la) )?(?:su[ao]|loro)\b|"
    r"(?:vien|veng|arriv|comincia|inizia|finisc)\w+\b|"
    # Of free places.
    r"(?:alle|dalle|per le|a) \d|"
    r"(?:non )?c'e (?:ancora |piu |anche )?(?:posto|un'altra (?:prenotazione|festa|riunione)|"
    r"un posto|una|nulla|niente|nessun\w*|un giorno|libero)|"
    r"ce ne sono\b|in quella settimana\b|tutti i passi\b|la (?:sede|struttura) non\b|"
    r"(?:ci )?(?:sono|e) (?:ancora |solo )?(?:\d+|due|tre|altr\w) (?:post|turn|prenotazion|lezion|fest|incontr)\w+|"
    r"ecco\b|quale\b|chi\b|che\b"
)
"""How a statement begins that is not on the venue."""
SUBJECT = (
    r"(?:non )?(?:puo|possono|serve|servono|occorre)\b|"
    rf"(?:il|lo|la|l'|i|gli|le|quest[aoei]|ogni) ?(?:[\w:'-]+ ){{0,2}}?(?:{_BOOKING})\b"
)
"""How a statement on a booking or a person begins."""
OF_ANY = (
    "questo questa quello quella sono hanno deve devono possono serve prenotazione festa sessione lezione ospite "
    "ospiti gruppo della delle dello degli nella nelle come quando anche ancora solo".split()
)
"""Words that every statement of a booking may have: they tell nothing of it."""
BOOKED = r"\b(?:e|sono) (?:prenotat|al completo|pien|liber)\w*"
"""Words that mark a statement on a booking or availability, whatever precedes them."""
NOT_KNOWN = r"non (?:lo )?so|non ho (?:informazioni|idea)|non (?:posso|saprei|mi risulta|mi e|trovo)"
ASKS = "quale|quali|quando|dove|come|vuole|devo|posso"
DID_YOU_KNOW = "lo sa(?:peva)? che"
"""How a question begins that states what follows."""
ROW = (
    r"lunedi|martedi|mercoledi|giovedi|venerdi|sabato|domenica|oggi|domani|stasera|alle|dalle|il \d|per|con|da|di|in|a"
)
"""How a row of a list begins."""
COURTEOUS = (
    r"buongiorno|buonasera|ciao|salve|prego(?:, si figuri)?|grazie|certo|va bene|d'accordo|perfetto|subito|si|no|ok|"
    r"capito|mi scusi|un attimo"
)

# statements on the venue
RULE = (
    r"gratis|gratuit[oaie]|supplemento|sconti?|a testa|a persona|ammess[oaie]|consentit[oaie]|permess[oaie]|"
    r"vietat[oaie]|obbligatori[oae]|rimborsiamo|rimborsat[oaie]|aperti|chiusi|chiudiamo|apriamo|benvenut[oi]|"
    r"scad(?:e|ono)|caparra|penale"
)
"""Words that mark a rule of the venue, whatever precedes them, unless the statement is on an event of a booking."""
NO_RULE = (
    r"non mi e permesso|\b(?:posso|non) (?:\w+ )?(?:refund|discount)\b|"
    r"\b(?:e|e gia|gia) (?:stat[oa] )*(?:rimborsat[oa]|chius[oa])\b|\bnon posso"
)
VERB = (
    r"\b(?:e|sono|ha|hanno|abbiamo|puo|possono|deve|devono|costa(?:no)?|vale|valgono|apre|aprono|chiude|chiudono|dura|"
    r"durano|serve|servono|entra(?:no)?|paga(?:no)?|arriva(?:no)?|basta|bastano|va|vanno|fa|fanno|\w+iamo)\b"
)
WE = r"(?:noi )?(?:non )?(?!possiamo|vediamo|troviamo|spostiamo|cambiamo|facciamo|andiamo|prepariamo)\w+iamo\b"
"""What the venue does, by the ending of the verb."""

# prices, what is free or included, what is given back
MONEY = "euro"
EACH = "per|l'|all'|a testa|l'un[ao]|in piu|al giorno"
COSTS = "costa(?:no)?"
PERCENT = "per cento"
OFF = "di (?:sconto|rimborso|penale)"
"""Behind a percentage."""
FEES = "rimborso|sconto|penale|caparra"
IS = "e"
OF = "del|di"
"""Between a fee and its amount."""
TERMS = (
    r"\brimborsabil[ei]\b|\brimborsat[oaie] (?:fino|entro|se|per intero|del tutto|a meta)\b|"
    r"\b(?:entra(?:no)?|salta(?:no)?) (?:gratis|gratuitamente)\b|"
    r"\b(?:prenotazion[ei]|fest[ae]|sessioni?|lezion[ei]|bigliett[oi]) (?:comprend(?:e|ono)|includ(?:e|ono)|"
    r"d(?:a|anno) diritto)\b"
)
OWN = "non posso|non riesco"
"""What the assistant cannot do, which is no term."""
SINCE = (
    r"tenuto conto che|considerando che|anche se|benche|sapendo che|visto che|dato che|siccome|perch[eé]|poich[eé]|"
    r"considerato che|(?<!dato )(?<!visto )che(?= (?:costa|comprende|include|e gratis))"
)
"""In front of what a question presumes."""
WITH = "con|per"
WITH_ITS = "il|la|un|una"
WITH_UNIT = "per|euro"
"""Of a price that a question presumes: "con il 20 per cento"."""
