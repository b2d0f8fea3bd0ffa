"""Italian words of a request by what they do in it, see `language.requests.parts`. Verbs stand in the
infinitive."""

VERBS = {
    "move": "spostare|anticipare|posticipare|rimandare|rinviare|slittare|far slittare|riprogrammare|muovere|traslare|"
    "portare|mettere|fare|ritardare|trasferire|avanzare|"
    "ripianificare|spostamento",
    "cancel": "annullare|cancellare|disdire|eliminare|disdetta|dare disdetta|togliere dal calendario|cestinare|"
    "annullamento|cancellazione|disdico|disdici|disdice|disdica|disdicono|disdiciamo|disdicila|disdetto|"
    "togliere la prenotazione|togliamola|toglila|togliamolo|toglilo|toglierla|levala|leviamola|eliminarla",
    "change": "cambiare|modificare|aggiornare|correggere|impostare|sostituire|rendere|mettere|fare|segnare|usare|"
    "portare|sistemare|variare",
    "resize": "diventare|aumentare|ridurre|riduci|diminuire|togliere|aggiungere|salire|scendere|calare|raddoppiare|"
    "dimezzare|alzare|"
    "abbassare|incrementare|ampliare|allargare|levare|perdere",
    "add": "aggiungere|scrivere|annotare|segnare|inserire|registrare|appuntare|lasciare|mettere",
    "rename": "rinominare",
    "keep": "tenere|restare|rimanere|mantenere|lasciare",
}
"""Families of verbs; every form of them is known."""

WORDS = {
    "move": "iniziare|cominciare|venire|arrivare|partire|inizi alle|cominci alle|passala|passalo|passali|"
    "passiamola|passiamolo|passiamo",
    "old": "vecchio|vecchia|precedente",
    "keep": "tieni|tengo|tiene|tengono|teniamo|resta|rimane|mantieni|lascia",
    "cancelled": "non se ne fa piu niente|non se ne fa piu nulla|non se ne fa piu|non se ne fa niente|"
    "non se ne fa nulla|non si fa piu|non vengono piu|non viene piu|non vogliono piu|non vuole piu|e saltata|"
    "e saltato|salta|"
    "non si tiene piu|e annullata|e cancellata|e disdetta|e annullato|e cancellato|non si fa|hanno rinunciato|"
    "ha rinunciato|rinunciano|rinuncia",
    "absent": "mancano|manca|non puo|non possono|non possono piu|non riescono|non riesce|non viene|non vengono|"
    "non ce la fa|"
    "non ce la fanno|ha la febbre|hanno la febbre|sta male",
    "want": "se si puo|se si potesse|se e possibile|se fosse possibile|se riusciamo a|se si riesce a|si puo|vuole|"
    "vogliono|vorrebbe|vorrebbero|vorrei|voglio|deve|devono|dovrebbe|dovrebbero|va|vanno|andrebbe|"
    "preferisce|preferiscono|preferirebbe|bisogna|chiede di|chiedono di|ha chiesto di|hanno chiesto di|se puo|"
    "se possono|puo venire|possono venire|ho bisogno che|e da mettere|e da|dev essere|deve essere|servono|"
    "abbiamo bisogno|vuol|facciamo|facciamola|facciamolo|mi chiede|ci chiede|assicurati che|da mettere",
    "now": "ora|adesso|invece|nuovo|nuova|nuovi|nuove|diventa|diventano|saranno|sara|saremo|sono in|siamo "
    "in|sono|arrivano a|"
    "in tutto|in totale|al posto|anziche|e ora|piuttosto|diciamo|passano|sale|salgono|scende|scendono|definitivo|"
    "c e stato un cambio|cambio|sia per",
    "state": "cominciano|iniziano|partono|inizieranno|cominceranno|iniziera|comincera|cominciamo|iniziamo|e|era|"
    "erano|ha|hanno|arriva|arrivano|viene|vengono|comincia|inizia|parte|finisce|finiscono|compie|"
    "compiono|prenotato|prenotata|passa|ci vediamo|ha chiesto|fissata|fissato|c e|e prenotato|inizia|sta|stanno|"
    "voleva|pensa|pensando|siamo|sono|sia|fa",
    "report": "cambiato idea|hanno cambiato idea|ha cambiato idea|ha chiamato|ha telefonato|mi ha chiamato|ha "
    "scritto|ha detto|dice|dicono|chiamato|telefonato|mamma|papa|"
    "perche|siccome|dato che|visto che|hanno chiamato|hanno trovato|la mamma|il papa|mi richiama|"
    "che la|chi",
    "hedge": "massimo|forse|se|magari|a meno che|nel caso|qualora|dipende|non so|potrebbe|potrebbero|almeno|"
    "massimo|al massimo|"
    "minimo|non lo sanno|indecisi|pensando|valutando|probabilmente|circa|verso|intorno|oppure|sta pensando|"
    "possibilmente|finche|prima o poi|eventualmente",
    "vague": "piu avanti|piu tardi|piu presto|un po|un altro giorno|qualche|alcuni|alcune|presto|tardi|prima possibile|"
    "piu in la|un po di|un paio di|in settimana|qualcuno in piu|qualcuno in meno",
    "shift": "piu tardi|piu presto|piu avanti|un po piu tardi|un po prima|un po dopo|un po piu avanti|piu in la",
    "refuse": "non vuole|non vogliono|non puo essere|non vorrei|non voglio|non serve|non serve piu",
    "look": "apri|aprimi|apra|mi apra|tira fuori|richiama|richiamami|"
    "fammi vedere|mi fai vedere|mostrami|mostra|mostrare|trova|trovami|cerca|cercami|chi|chi e|chi c "
    "e|chi viene|"
    "che ora|a che ora|che giorno|quando|quanti|quante|quanto|quali|quale|dimmi|elenca|dammi|controlla|verifica|vedi|"
    "c e|ci sono|abbiamo|che cosa|cosa|dove|come mai|perche|conferma|confermi",
    "room": "posto|posti|spazio|libero|libera|liberi|libere|disponibile|disponibili|disponibilita|buco|buchi",
    "polite": "nah|inoltre|altrimenti|comunque|ancora|proprio|tanto|infine|dunque|perciò|percio|intendevo|"
    "volevo dire|per favore|perfavore|per cortesia|per piacere|grazie|grazie mille|"
    "ciao|salve|buongiorno|buonasera|puoi|"
    "potresti|puo|potrebbe|riesci|riesci a|ok|okay|allora|senti|senta|scusa|scusi|scusate|dai|ecco|"
    "vabbe|va bene|bene|si|"
    "gentilmente|cortesemente|pure|anche|poi|la ringrazio|ti ringrazio|ringrazio|lei|mi|ti|ci|ne|aspetta|no|"
    "e possibile|possibile|se possibile|se puoi|se riesci|se puo|anzi|cosi|tipo|insomma|beh|eh|ah|oh|guarda|guardi|"
    "procedi a|procedi|prego|appena puoi|subito|mi raccomando|purtroppo|quindi|infatti|certo|perfetto|ottimo|piacere",
    "pronoun": "la|lo|li|le|suo|sua|loro|quella|quello|questa|questo|la prenotazione|quella prenotazione|la festa|gli|"
    "la stessa|questa prenotazione|la cliente|il cliente",
    "function": "a|ad|al|allo|alla|alle|ai|agli|di|del|dello|della|delle|dei|degli|da|dal|dalla|dalle|in|nel|"
    "nella|nelle|"
    "su|sul|sulla|per|con|sotto|e|ed|o|il|lo|la|gli|le|i|l|un|uno|una|che|ma|non|piu|meno|solo|solamente|d|all|dell|"
    "dall|nell|sull|si|se|x|c|ore|ora|h|giorno|data|orario|come|stesso|stessa|tutti|tutto|entrambe|entrambi|sia|"
    "persone|persona|ospiti|bambini|bambino|bimbi|bimbo|adulti|invitati|ragazzi|pers|coperti|partecipanti|allievi|allieve|cavalieri|mio|mia|"
    "nostro|nostra|altri|altre|altro|intestata a|a nome di|a nome|numero|stavolta|invece|fino|quel|quell",
    "booking": "la prenotazione|la festa|prenotazione|prenotazioni|pren|prenot|codice|riferimento|rif|numero|"
    "numero di prenotazione|quella|quello|"
    "prenotazione numero",
    "event": "festa|festicciola|compleanno|compl|gruppo|evento|sessione|comitiva|gita|visita|famiglia|"
    "battesimo|comunione|"
    "cena|pranzo|riunione|appuntamento|matrimonio|squadra|classe|cresima|laurea|ingresso|cosa|"
    "lezione|lezioni|passeggiata|laboratorio|tour",
    "phone": "telefono|cellulare|cell|tel|numero|numero di telefono|recapito|recapito telefonico|nuovo numero|"
    "numero di cellulare",
    "email": "email|e-mail|mail|posta|indirizzo email|indirizzo mail|posta elettronica|indirizzo e-mail|indirizzo",
    "surname": "cognome",
    "first": "nome di battesimo",
    "name": "nome|nominativo|intestatario|intestataria|referente|contatto|nome e cognome|a nome di|a nome|l "
    "intestatario",
    "contact": "contatti|dati|recapiti",
    "goes": "passa|passano|va|vanno|slitta|slittano",
    "count": "portali|mettili|falli|portateli|numero|numero di ospiti|numero di persone|numero di bambini|"
    "numero di invitati|persone|ospiti|bambini|"
    "invitati|coperti|bimbi|partecipanti|numero degli invitati|numero degli ospiti",
    "time": "orario|ora|ore|inizio|spostamento",
    "day": "giorno|data",
    "note": "nota|note|commento|annotazione|appunto",
    "foreign": "sconto|sconti|rimborso|rimborsa|rimborsare|prezzo|pagamento|caparra|acconto|fattura|ricevuta|sms|"
    "messaggio|meteo|tempo fa|barzelletta|ordina|ordinare|pizza|pizze|torta|torte|palloncini|pacchetto|sveglia|"
    "promemoria|musica|luci|turni|turno|personale|buono|manda|mandare|mandagli|mandale|inviale|invia|inviare|stampa|"
    "stampare|compra|vendi|addebita|far pagare|fai pagare|chiama|chiamare|spegni|accendi|nuova prenotazione|"
    "prenotazione nuova|una nuova prenotazione|prenota|prenotare|prenotami|invito|inviti|sala|sale|tavoli|tavolo|"
    "farina|partita|storia|racconta|raccontami|avvisa|avvisare|menu|scrivigli|scrivile|avvisali|"
    "avvisala|avvisalo|di a|dille|digli|per cento di sconto|aggiungi tavoli|segnala|chilo|kg|pulire|"
    "imposta una sveglia|whatsapp|lista d attesa|tariffa|costo|costa",
    "many": "tutte le prenotazioni|tutte le feste|tutte|tutto di|le prenotazioni|ogni prenotazione|l annullamento|"
    "la cancellazione",
    "same_day": "stesso giorno|stessa data|quel giorno|lo stesso giorno",
    "same_hour": "stessi orari|stesse ore|stessa ora|stesso orario|alla stessa ora|l orario resta quello|orario "
    "invariato|quell ora|"
    "l orario resta uguale|medesimo orario",
}
"""Other words of a request, by what they do in it; one word may do several things."""

HURRIED = (
    (r"\b(?:e+h+m*|u+h+m*|h+m+|m+h+m*|mm+|boh+|mah+)\b", "allora"),
    (r"\btutt([ie]) e (?:due|tre|quattro)\b|\bentramb[ie]\b(?! [ig]l?i?\b)", ""),
)
"""Figures typed for words."""
SHORT = {
    "nn": "non", "x": "per", "xke": "perche", "xche": "perche", "cmq": "comunque", "ke": "che", "pome": "pomeriggio",
    "qnd": "quando", "dom": "domenica", "anke": "anche", "grz": "grazie", "pf": "per favore", "pls": "per favore",
}  # fmt: skip
"""How words are typed in a hurry."""

COMMON = (
    "sono non con quando questo tutti grazie bambini domani dopo prima sempre messaggio numero ragazzi sabato persone "
    "sposta metti compleanno festa posto pomeriggio mattina settimana minuti come cosa dove perche prenotazione "
    "martedi mercoledi giovedi venerdi domenica"
)
"""Words that are typed without their vowels."""
ABBREVIATIONS = "sr dr sig gg hh mm km kg cm st tv nb pc dj ps spa srl"
"""What looks like one of them, and is not."""

COURTESY = (
    r"\bnon (?:dimenticare|dimenticarti|si dimentichi|scordare|scordarti) di\b|\b(?:ricordati|si ricordi|ricorda) di\b|"
    r"\b(?:scusa(?:mi|te|temi)?|mi scusi|scusi)(?: (?:se (?:ti|la|vi) disturb\w+|(?:per )?il disturbo|ancora|"
    r"tanto))?\b|"
    r"\b(?:volevo|vorrei|volevamo|vorremmo|devo|dovrei) (?:solo |anche )?(?:dirti|dirle|dirvi|chiederti|chiederle|"
    r"chiedervi|avvisarti|"
    r"avvisarla|avvisare|segnalarle|segnalarti|informarla)(?: (?:che|di|se|una cosa))?(?: può| puo| puoi| potrebbe|"
    r" potresti)?\b|"
    r"\b(?:le|ti|vi|la|mi) (?:comunico|informo|segnalo|chiedo|dico|avviso|chiederei|pregherei|prego|dicono|hanno detto)"
    r"(?: (?:che|di|se|gentilmente|cortesemente))*\b|"
    r"\b(?:chied(?:e|ono)|ha chiesto|hanno chiesto|voleva sapere|vorrebbe sapere) se\b|\b(?:è )?al telefono\b|"
    r"\b(?:e |ma )?(?:tutto )?il resto (?:resta|rimane|va bene|tutto)?(?: (?:uguale|così|com['’]è|invariato))?\b|"
    r"\b(?:sarebbe|è|e) (?:così |molto |tanto )?(?:gentile|cortese|possibile|carin[oa]|un amore)(?: (?:da|se|che|a|"
    r"di))?\b|"
    r"(?:^|[,.;:!?]\s+|\b(?:ciao|scusi|scusa|buongiorno|senti|mi|ci) )(?:potrebbe|potresti|potreste|può|puo|puoi|"
    r"riesce|riesci|riusciresti|riuscirebbe)(?: (?:a|gentilmente|cortesemente|per favore|"
    r"per cortesia|anche|pure|poi))* (?=\w*(?:are|ere|ire|arre|orre|[aei]r(?:la|lo|li|le|mi|ci|gli|mela|melo|cela))\b)|"
    r"\b(?:abbia|abbi) la (?:cortesia|gentilezza) di\b|\bse (?:non )?(?:le|ti|vi) (?:dispiace|va|è possibile|"
    r"va bene)\b|"
    r"\b(?:mi|ci) (?:faccia|fai|fa) (?:la cortesia|il favore|il piacere)(?: di)?\b|\bmi raccomando(?: a)?\b|"
    r"\bprocedere con (?:l['’]|la |il |lo )|\bquando (?:puoi|può|riesci|hai (?:un )?\w+)\b|\bbeat[oai] \w+\b|"
    r"\b(?:che non succeda niente|povera stella|poverin[oa]|pazienza|tesoro)\b|^\W*(?:(?:buongiorno|ciao|senti|"
    r"ascolta|allora|guarda)\W+)?car[oa]\b"
)
"""Ways of asking nicely, and asides: none of their words is part of what is asked."""

QUESTION = (
    r"^(?:\W*(?:ciao|ok|e|scusa|allora|senti|ma)\b\W*)*"
    r"(?:chi|che|cosa|quando|quanti|quante|quanto|quale|quali|dove|come mai|perch[eé]|c'è|c'e|ci sono|abbiamo|c è)\b"
)
"""How a question begins that is no order."""

ORDER = (
    r"\b(?:posso|potrei|possono|puoi|potresti|può|puo|potrebbe|riesci a|potete|possiamo|"
    r"riusciamo a)\s+(?:per favore\s+|gentilmente\s+)*\w+|"
    r"\bè possibile\b|\be' possibile\b|\bmi (?:sposti|cambi|annulli|cancelli|muovi|fai|metti|aggiorni|"
    r"aggiungi|passi)\b|"
    r"\bsi può\b"
)
"""An order in the shape of a question."""

DROP = (
    r"\b(?:togli(?:amo|ere)?|lasc(?:ia|i) (?:perdere|stare|fuori|com'è)|lascia|senza|scarta|niente|elimina|"
    r"dimentic(?:a|hi)|scorda(?:ti)?|ignor[ai]|"
    r"non (?:cambiare|toccare|"
    r"spostar(?:e|la|lo)|mettere)|no)\b"
)
"""Leaves a part of a plan out, with the part behind it."""
ONLY = r"\b(?:solo|soltanto|solamente)\b"
"""Leaves all else out."""
PARTS = {
    "time": r"orario|l'orario|ora|l'ora|inizio",
    "day": r"giorno|data",
    "move": r"spostamento|spostarla|spostarlo|sposta",
    "count": r"numero|numeri|ospiti|bambini|persone|invitati|numero di \w+",
    "email": r"e-?mail|mail|l'email",
    "phone": r"telefono|cellulare|numero di telefono",
    "name": r"nome|cognome",
    "note": r"nota|note|commento",
    "cancel": r"cancellazione|annullamento|disdetta",
}
"""What the parts of a plan are called."""
WRONG_ONE = r"\b(?:prenotazione|festa|persona) sbagliata\b|\bnon (?:quella|questa)\b"
MEANT = (
    r"^\W*(?:era|doveva essere|è) (?:la|il|quella|quello)\b|\b(?:intendevo|volevo dire|intendo|dicevo)\b|"
    r"\b(?:prenotazione|festa|persona) sbagliata\b|"
    r"\bho sbagliato\b|\bmi sono sbagliat[oa]\b"
)
"""That another booking was meant than the one that was taken."""
DENY = r"^\W*(?:(?:oh|ah|aspetta|scusa|anzi|vabbè|vabbe|ma)\W+)*(?:no|nah)\b"
CORRECTS = r"^\W*(?:no|anzi|aspetta|scusa|scusi|ops|cioè|cioe)\b"
ADDS = r"^\W*(?:ok\W+|sì\W+|si\W+|e\b|anche\b|inoltre\b|poi\b)|\b(?:anche|pure|inoltre)\b"
ENDS = r"\b(?:finisce|termina|finale|finiscono) (?:con|per|in)\b|\bultime (?:cifre|due|tre)\b"
WHO = (
    r"\bchi\b|\b(?:che|quali|quante|elenca|mostrami|cosa)\b.*\b(?:prenotazioni|feste|compleanni|gruppi)\b|"
    r"\bcosa (?:abbiamo|c'è)\b"
)
UNDOES = r"\bcom['’ ]?era\b|\bcome prima\b|\bripristin\w+|\bdisfa\w*"
"""Takes something back, in words that are no short reply."""
SAME_FOR = (
    r"\b(?:lo stesso|(?:la )?stessa (?:cosa|modifica)|uguale|idem|stesso discorso) (?:anche |vale )?(?:per|con|a)\b|"
    r"\b(?:idem|uguale)\b"
)
"""Asks for another booking what was asked for one."""
IN_THERE = (
    r"\b(?:lì|là|ci (?:mett|spost|port)\w+|(?:mett|spost|port)\w*ci|in quello (?:slot|spazio)|in quel posto|"
    r"quel giorno e (?:a )?quell'ora|a quell'ora)\b"
)
"""Puts a booking where what was asked about before is."""
IN_THAT_WAY = r"\bquell'ora\b|\ba quell'ora\b|\bstessa ora\b"

CONNECT = r"\b(?:e|ed|poi|inoltre|ma|quindi|però)\b(?!')"
"""What may join two requests, beside stops."""
BECAUSE = r"\b(?:perch[eé]|siccome|dato che|visto che|che (?:la|il|lo|si|ha|hanno|mi)|poich[eé])\b"
"""From here to the next stop, reasons."""
NEGATES = r"\b(?:non|senza|mai|invece di|anziché)(?:\s+\w+){0,2}\s*$"
"""In front of a verb: not that."""
AT = r"(?:\balle|\ball'|\bore|\bh|@|\bdalle|\bper le|\balle ore)\s*$"
"""In front of a bare number: an hour."""
OF = r"(?:\bdel|\bdell'|\bdella|\bdelle|\bdi|\bdal)\s*$"
"""In front of a day or an hour behind a booking: which one it is."""
LOSES = (
    r"\b(?:perd\w+|meno|togli\w*|leva\w*|annull\w+|cancell\w+|riduc\w+ di|riduci .{0,20} di|cal\w+ di|scend\w+ di)\s*$"
)
GAINS = r"\b(?:aggiung\w+|aument\w+ di|incrementa\w* di|sal\w+ di|altri|altre)\s*$"
"""In front of a number: so many fewer, or more."""
HEADS = (
    r"(?:\b(?:sono|siamo|saranno|saremo|vengono|verranno|verrebbero|diventano|ora|adesso)(?: \w+)? in|"
    r"(?<!alle )(?:\w{3,}|^) in|\bfalli|\bportali a)\s*$"
)
"""In front of a bare number: how many they are."""
RESIZED_TO = r"\b(?:scend\w+|sces\w+|salit\w+|salgono|cal\w+|aument\w+|ridott\w+|cresciut\w+|arrivat\w+) a\s*$"
"""In front of the heads that a group has come to."""
OLD_BEFORE = r"\b(?:vecchi[oa]|precedente|non)\b[^,;.]*$"
"""In front of a contact detail that is no longer one."""
COMES = (
    r"\b(?:viene|vengono|verr(?:à|a|anno)|arriver(?:à|a|anno)|arriva|arrivano|comincia|cominciano|inizia|iniziano|"
    r"parte|"
    r"partono|(?:iniz|cominc)er(?:à|anno))\b"
)
"""Words on a guest's arrival, a usual form of a request."""
COMES_AT = frozenset({"time"})
"""What of a day and an hour it must give to be a wish."""
COPULA = (
    r"\b(?:sono|siamo|saranno|saremo|è|vengono|verranno|arrivano|diventati|diventate)"
    r"(?: in| ora| adesso| piu| più)*\s*\||\|(?:sono|siamo|saranno|vengono|verranno) in"
)
"""Between a booking and its heads."""
BARE_CANCEL = r"(?:per favore |ok |no |anzi )*(?:annulla|cancella|disdici)(?:l[ao])?(?: (?:tutto|per favore|invece))*"
ARTICLE = r"(?:\s+(?:il|lo|la|le|gli|i|nuovo|nuova|di)\b|\s*l')*\s*"
AS_IT_IS = r"\b(?:tieni|lascia|mantieni)\b.*\b(?:com'(?:è|era)|uguale|così)|\b(?:resta|rimane)\b"
"""Says of a part of a plan that it is left alone."""
CLITICS = frozenset("mi ti si ci vi ne non io lei lui loro noi chi".split())
"""Words in front of a verb, where no name is possible."""
ON_THE = r"(?:\bdel|\bil|\bdell')\s*$"
"""In front of a number: a day of the month."""
OFF = r"\b(?:via da|via dal|tranne|dopo|prima di|prima del|dopo il|dopo le|prima delle)\s*$"
"""In front of a day or an hour: not then."""
MONEY = r"[0-9]\s?%|[$£€]\s?[0-9]|[0-9]\s?€|\bpassa da (?![0-9])|\bper cento\b|\b[0-9]+ euro\b"
"""Of money, or of a visit, which are none of ours."""
CANCELS = r"\b(?:togli|leva|rimuovi|elimina)\w*\b.*\bda(?:l|ll'|lla) ?(?:calendario|sistema|agenda|lista)\b"
"""Cancels in several words."""
INSTEAD_OF = r"\b(?:invece (?:che|di|del|delle|della)|anzich[eé]|al posto (?:di|del|delle))(?: alle| le)?\s*$"
"""In front of what gives way."""
TARGET = r"(?:\ba|\balle|\bin|\bad|\bal)\s*$"
"""In front of a value: it is where to go."""
GENERIC = frozenset(
    "festa festicciola compleanno gruppo evento sessione visita famiglia appuntamento cosa classe ingresso lezione "
    "lezioni passeggiata laboratorio tour".split()
)
"""What any booking may be called."""
BOTH = r"\b(?:entramb[ie]|ambedue|tutt[ie] e due|tutt[ie])\b"
OR = r"\bo(?:ppure)?\b"
"""Between two values that may be meant."""
WISH = r"[a-z]{2,}(?:rebbe|rebbero|remmo)"
"""A conditional: "verrebbero" says what is wished."""
