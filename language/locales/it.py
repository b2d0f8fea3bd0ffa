"""Italian: words, grammar and labels. Symbols are listed in `language.lexer`, fragments in `language.when.rules`.

"le", "alle" and "ore" before a number mean a time (`LE`, `AT`, `Uh`), "il", "al" and "del" a day (`ON`, `OF`).
"""

from __future__ import annotations

ELISION = True
VAGUE_SUFFIXES = ()

_UNITS = ["zero", "uno", "due", "tre", "quattro", "cinque", "sei", "sette", "otto", "nove"]
_TEENS = [
    "dieci",
    "undici",
    "dodici",
    "tredici",
    "quattordici",
    "quindici",
    "sedici",
    "diciassette",
    "diciotto",
    "diciannove",
]
_TENS = {20: "venti", 30: "trenta", 40: "quaranta", 50: "cinquanta"}
_ORDINALS = ["primo|prima|prim", "secondo|seconda", "terzo|terza", "quarto|quarta", "quinto|quinta"]


def _numbers() -> dict[str, str]:
    words = {f"{value}w": word for value, word in enumerate(_UNITS + _TEENS)}
    for tens, word in _TENS.items():
        words[f"{tens}w"] = word
        for unit in range(1, 10):
            stem = word[:-1] if unit in (1, 8) else word
            words[f"{tens + unit}w"] = f"{stem}{_UNITS[unit]}"
        words[f"{tens + 1}w"] += f"|{word[:-1]}un"
    for value, word in enumerate(_ORDINALS, start=1):
        words[f"{value}wo"] = word
    words["2w"] += "|un paio di|un paio d|paio di|un paio|entrambi|entrambe"
    words["12w"] += "|una dozzina|una dozzina di|dozzina|dozzina di"
    words["6w"] += "|mezza dozzina|mezza dozzina di"
    return words


LEXICON = _numbers() | {
    "W0": "lunedi|lun",
    "W1": "martedi",
    "W2": "mercoledi|mer|merc|mercoldi",
    "W3": "giovedi|gio|giov",
    "W4": "venerdi|ven",
    "W5": "sabato|sab",
    "W6": "domenica|dom",
    "m3w1": "mar",
    "M1": "gennaio|gen|genn",
    "M2": "febbraio|feb|febb",
    "M3": "marzo",
    "M4": "aprile|apr",
    "M5": "maggio|mag",
    "M6": "giugno",
    "m6": "giu",
    "M7": "luglio|lug",
    "M8": "agosto",
    "m8": "ago",
    "M9": "settembre|set|sett",
    "M10": "ottobre|ott",
    "M11": "novembre|nov",
    "M12": "dicembre|dic",
    "R0": "oggi|in giornata|quest oggi|questo giorno|oggi stesso|entro oggi",
    "R1": "domani|l indomani|indomani",
    "R2": "dopodomani|dopo domani|posdomani|domani l altro",
    "R-1": "ieri",
    "R-2": "l altro ieri|altro ieri|avantieri",
    "R0 Pe": "stasera|questa sera|sta sera|stassera",
    "R0 Pm": "stamattina|stamani|stamane|questa mattina|sta mattina",
    "R0 Pn": "stanotte|questa notte",
    "R1 Pm": "domattina|domani mattina|domani mattino|domani in mattinata",
    "R-1 Pe": "ieri sera",
    "R0 Pa": "questo pomeriggio|oggi pomeriggio",
    "Pm": "mattina|mattino|mattinata",
    "Pa": "pomeriggio",
    "Pe": "sera|serata|la sera",
    "Pn": "notte|nottata",
    "Pl": "pranzo|ora di pranzo|all ora di pranzo|ora pranzo",
    "Pd": "cena|ora di cena|all ora di cena",
    "Pb": "colazione|brunch|prima colazione",
    "NOON": "mezzogiorno|mezzodi|mezzo giorno",
    "MIDNIGHT": "mezzanotte|mezza notte",
    "am": "am|a m",
    "pm": "pm|p m",
    "OCLOCK": "in punto|esatte|spaccate",
    "HALF": "mezza|mezzo",
    "QUARTER": "un quarto|quarto|1 quarto",
    "3QUARTER": "tre quarti",
    "LESS": "meno",
    "AFTER": "dopo|dopo le|dopo il|a partire dalle|a partire dal",
    "BEFORE": "prima del|prima di|prima delle|prima dell",
    "BY": "entro|entro le|entro il|entro l|non oltre|non piu tardi delle|al massimo alle",
    "SINCE": "a partire da",
    "UNTIL": "fino|fino a|fino al|fino alle|fino all|sino a|sino al|sino alle",
    "FROM": "da|dal|dall|dalla",
    "TO": "a|ad",
    "BETWEEN": "tra le|fra le|tra l|fra l|tra il|fra il|tra la|fra la|tra gli",
    "AND": "e|ed",
    "OR": "o|oppure|od",
    "NOT": "non|tranne|eccetto|escluso|invece di|invece del|invece che|al posto di|al posto del",
    "AT": "alle|all|alle ore|all ora|per le ore|delle ore",
    "AT 1w": "all una|alla una|all 1",
    "LE 1w": "l una",
    "OF LE 1w": "dell una",
    "FROM LE 1w": "dall una",
    "FROM LE": "dalle",
    "LE": "le|le ore|sulle",
    "OF LE": "delle",
    "ON": "il|al|l|nel giorno",
    "THE": "la|i|gli",
    "OF": "di|del|della|dei|dello|dell|d|degli",
    "IN": "tra|fra|in|nel|nella|nello|nelle|nei|dentro",
    "FOR": "per",
    "A": "un|una",
    "TIME": "tempo",
    "NEXT": "prossimo|prossima|prossimi|prossime|venturo|ventura|che viene|entrante|seguente|successivo|successiva",
    "THIS": "questo|questa|quest|questi|corrente|di questo|di questa",
    "LAST": "scorso|scorsa|passato|passata|ultimo|ultima",
    "EVERY W0": "i lunedi",
    "EVERY W1": "i martedi",
    "EVERY W2": "i mercoledi",
    "EVERY W3": "i giovedi",
    "EVERY W4": "i venerdi",
    "EVERY W5": "i sabati|sabati",
    "EVERY W6": "le domeniche|domeniche",
    "EVERY": "ogni|tutti|tutte|tutti i|tutte le|ciascun|ciascuna",
    "RECUR": "ogni giorno|tutti i giorni|ogni settimana|tutte le sere|tutte le settimane|settimanalmente|"
    "quotidianamente|giornalmente|ogni sera|ogni mattina|ogni mese|nei giorni feriali|nei weekend",
    "AGO": "fa",
    "HENCE": "da adesso|da oggi|da ora|a partire da oggi|a partire da adesso",
    "LATER": "piu tardi|piu avanti",
    "EARLIER": "prima|in anticipo",
    "NOW": "in questo momento|subito|immediatamente|proprio adesso|proprio ora|al momento",
    "now": "adesso",
    "AROUND": "verso|verso le|verso il|verso la|verso l|intorno|intorno a|intorno al|intorno alle|attorno a|"
    "attorno al|attorno alle|circa le|circa alle|indicativamente|piu o meno alle|piu o meno|all incirca|"
    "intorno all|verso all|sul|poco prima|poco dopo|poco prima delle|poco dopo le|quasi",
    "AROUND 1w": "verso l una|intorno all una|attorno all una",
    "ISH": "circa|o giu di li|pressappoco|suppergiu",
    "Us": "secondi",
    "Umi": "minuto|minuti|min",
    "Uh": "ora|ore|h",
    "Ud": "giorno|giorni|gg",
    "Uw": "settimana|settimane",
    "Umo": "mese|mesi",
    "Uy": "anno|anni",
    "WE": "fine settimana|weekend|week end|finesettimana",
    "30 Umi": "mezz ora|mezzora|mezza ora|una mezz ora",
    "15 Umi": "un quarto d ora|quarto d ora|un quarto di ora",
    "45 Umi": "tre quarti d ora|tre quarti di ora|3 quarti d ora",
    "Uh AND 30 Umi": "ora e mezza|ore e mezza|ora e mezzo|ore e mezzo",
    "Uh AND 15 Umi": "ora e un quarto|ore e un quarto",
    "Uh AND 45 Umi": "ora e tre quarti|ore e tre quarti",
    "Ud AND 12 Uh": "giorno e mezzo|giorni e mezzo",
    "MISSING": "mancano|manca|sono|e quando mancano",
    "VAGUE": "fine di|la fine di|alla fine del|alla fine di|a fine|inizio di|all inizio di|a inizio|a meta|"
    "verso fine|"
    "verso la fine di|"
    "presto|appena possibile|quanto prima|il prima possibile|prima possibile|quando volete|quando vuoi|"
    "quando puoi|quando potete|quando vuole|quando preferite|quando capita|in qualsiasi momento|"
    "a qualsiasi ora|a qualunque ora|tra poco|fra poco|tra un po|fra un po|tra un po di tempo|"
    "fra un po di tempo|un po dopo|tra un attimo|fra un attimo|tra non molto|fra non molto|prima o poi|"
    "un po piu tardi|poco piu tardi|in tarda serata|in tarda mattinata|tardo pomeriggio|"
    "nel tardo pomeriggio|tarda sera|prima serata|in prima serata|quando e possibile|qualsiasi ora|"
    "qualunque ora|non appena possibile|a breve|al piu presto",
    "SOMEDAY": "un giorno qualsiasi|un giorno qualunque|un giorno della|un giorno di|un giorno del|"
    "un giorno o l altro|uno di questi giorni|un altro giorno|qualsiasi giorno|qualunque giorno|"
    "un giorno in|nei prossimi giorni|in questi giorni|un altra data|un altra sera|un altra volta",
    "FEW Uh": "un oretta|oretta|un oretta e mezza",
    "FEW Umi": "mezz oretta|una mezz oretta|mezzoretta|una mezzoretta",
    "ANY": "qualsiasi|qualunque",
    "FEW": "qualche|alcuni|alcune|pochi|poche|diversi|diverse|una decina di|una ventina di|una quindicina di|"
    "una trentina di|parecchi|molti|un po di|un altro paio di",
    "Hchristmas": "natale|il giorno di natale|giorno di natale",
    "Hchristmaseve": "vigilia di natale|la vigilia|vigilia|la vigilia di natale|antivigilia di capodanno",
    "Hboxing": "santo stefano|s stefano",
    "Hnewyear": "capodanno|il giorno di capodanno|primo dell anno|il primo dell anno",
    "Hnewyeareve": "cenone di capodanno|cenone di san silvestro|"
    "vigilia di capodanno|san silvestro|la vigilia di capodanno|ultimo dell anno|l ultimo dell anno|"
    "notte di capodanno",
    "Hvalentine": "san valentino|festa degli innamorati",
    "Hhalloween": "halloween",
    "Hepiphany": "epifania|befana|la befana|l epifania",
    "Hjoseph": "san giuseppe|festa del papa|festa del babbo",
    "Hliberation": "anniversario della liberazione|liberazione|festa della liberazione|la liberazione|alla liberazione",
    "Hlabour": "festa dei lavoratori|festa del lavoro",
    "Hrepublic": "festa della repubblica",
    "Hassumption": "ferragosto|assunzione|l assunzione",
    "Hallsaints": "ognissanti|tutti i santi|il giorno dei santi|giorno dei santi|festa di ognissanti",
    "Hallsouls": "giorno dei morti|il giorno dei morti|commemorazione dei defunti|giorno dei defunti|i morti",
    "Himmaculate": "immacolata|immacolata concezione|l immacolata|festa dell immacolata",
    "Hwomen": "festa della donna|festa delle donne",
    "Hmothersday": "festa della mamma",
    "Heaster": "pasqua|domenica di pasqua",
    "Heastermonday": "pasquetta|lunedi dell angelo|lunedi di pasqua",
    "Hgoodfriday": "venerdi santo",
    "Hides": "idi di marzo|le idi di marzo",
    "Hpalmsunday": "domenica delle palme",
    "Hshrovetuesday": "martedi grasso",
    "Hfatthursday": "giovedi grasso",
    "Hpentecost": "pentecoste",
    "Hambrose": "sant ambrogio",
    "Hlucy": "santa lucia",
    "PEOPLE": "persone|persona|ospiti|ospite|bambini|bambino|bambine|bambina|adulti|adulto|invitati|invitato|"
    "ragazzi|ragazze|coperti|coperto|posti|partecipanti|amici|commensali|clienti|pax|bimbi|bimbo|bimba|"
    "neonati|giocatori|posto|piccoli|grandi|ragazzini|seggioloni|pers|bamb|iscritti|alunni|studenti|compagni",
    "MORE": "in piu|aggiuntivi|aggiuntive|extra|ulteriori|piu",
    "FEWER": "in meno",
    "ANOTHER": "altri|altre|un altro|un altra",
    "ADD": "si aggiungono|si uniscono|aggiungine|aggiungici|aggiungi|aggiungere|aggiungete|aggiungiamo|aggiunga",
    "PLUS": "piu altri|piu altre",
    "MINUS": "meno altri",
    "REMOVE": "togline|levane|togli|togliere|togliete|leva|rimuovi|rimuovere|togliamo",
    "IT": "lo",
    "RESIZE": "porta|portare|passa|passare|passiamo|portiamo|portala|portalo|portali|portale|portarla|portarli|"
    "passala|passali",
    "LESSEN": "riduci|ridurre|riduciamo|riducila|riducili|abbassa|abbassare|abbassala|abbassali|diminuisci|"
    "diminuire|scala|"
    "scalare|scendi|scendiamo|scende|scendono|sceso|scesa|scesi|cala|calano|calare|taglia|tagliare",
    "SWELL": "aumenta|aumentare|aumentala|aumentali|alza|alzare|alzala|sali|sale|salgono|salito|salita|saliti|"
    "cresciuto|"
    "cresciuta|cresce|crescono",
    "CANCEL": "cancella|cancellare|annulla|annullare|elimina|eliminare|disdici|disdire",
    "BOUND": "almeno|al massimo|massimo|minimo|al minimo|come minimo|non piu di|meno di|piu di|oltre|"
    "non meno di|un massimo di|"
    "un minimo di",
    "HEADS": "numero di|numero degli|numero dei|numero delle|totale|ospiti totali",
    "DROPPED": "non vengono|non viene|non vengono piu|hanno disdetto|disdicono",
    "DOUBLE IT": "raddoppia|raddoppiare|raddoppiate|raddoppiamo|il doppio|il doppio di|raddoppialo",
    "TRIPLE IT": "triplica|triplicare|il triplo",
    "HALVE IT": "dimezza|dimezzare|la meta",
    "WEARE": "siamo|siamo in|saremo|saremo in|sono in|verremo in|veniamo in|ci saranno|ci sono|saranno|saranno in|"
    "tavolo per|tavolo da|un tavolo per|un tavolo da|per un totale di|gruppo di|un gruppo di|diventiamo|"
    "diventano|vengono in|eravamo",
    "MAKEIT": "fai|facciamo|metti|mettine|mettici|mettiamo|facciamo in",
    "PLACE": "sala|tavolo|prenotazione|prenotazioni|numero|pista|campo|opzione|tavoli|civico|interno|camera|stanza|"
    "biglietto|codice|ordine|fattura|pagina|corsia|area|rif|riferimento|telefono",
    "MONEY": "euro|eur|centesimi|dollari|sterline|per cento",
    "LONG": "di durata",
    "ONWARDS": "al piu tardi|al piu presto|in poi|o dopo|o prima|o piu tardi|in avanti",
    "POSTPONE": "posponi|posporre|posticipa|posticipare|posticipala|posticipalo|posticiparla|posticiparlo|"
    "posticipiamo|posticipiamola|posticipata|posticipato|posticipate|posticipami|rimanda|rimandare|"
    "rimandala|rimandalo|rimandarla|rimandarlo|rimandiamo|rimandiamola|rimandata|rimandato|rimandate|"
    "rimandami|ritarda|ritardare|ritardala|ritardalo|ritardarla|ritardarlo|ritardiamo|ritardiamola|"
    "ritardata|ritardato|ritardate|ritardami|rinvia|rinviare|rinviala|rinvialo|rinviarla|rinviarlo|"
    "rinviamo|rinviamola|rinviata|rinviato|rinviate|rinviami|slitta|slittare|slittala|slittalo|"
    "slittarla|slittarlo|slittiamo|slittiamola|slittata|slittato|slittate|slittami|proroga|prorogare|"
    "prorogala|prorogalo|prorogarla|prorogarlo|proroghiamo|proroghiamola|prorogata|prorogato|prorogate|"
    "prorogami|trasla|traslare|traslala|traslalo|traslarla|traslarlo|trasliamo|trasliamola|traslata|"
    "traslato|traslate|traslami",
    "ADVANCE": "anticipa|anticipare|anticipala|anticipalo|anticiparla|anticiparlo|anticipiamo|anticipiamola|"
    "anticipata|anticipato|anticipate|anticipami",
}

_PRE = r"(?:(?:AT|LE|OF LE|FOR LE|FOR AT|Uh|AT Uh) )"

RULES = (
    # days
    ("dm", r"(?:(?:ON|OF|THE) )?(?:Ud )?{D}(?: OF)?{S} {M}(?:(?: ,)?(?: OF)? {Y})?"),
    ("dm", r"(?:ON )?{D} Ud OF {M}"),
    ("dm", r"(?:ON )?[Mm](?P<mon>\d{1,2}){S} (?P<day>[0-3]?[0-9])o?(?:{S} {Y})?"),
    ("day", r"(?P<on>ON|OF|FOR ON|ON Ud|Ud) (?P<day>1(?=wo)|[0-3]?[0-9](?!wo))(?P<ord>o|wo|w)?"),
    ("day", r"(?:THE )?{W}{S}(?: ON)? (?P<day>[0-3]?[0-9])(?P<ord>o|wo)?"),
    ("day", r"(?:ON |OF )?{D} OF (?:(?P<mod>NEXT|THIS) Umo|Umo(?: (?P<mod2>NEXT))?)"),
    ("nth", r"(?:ON |THE )?(?P<nth>[1-5])(?:o|wo) {W} (?:OF|IN)(?: Umo OF)? {M}(?: {Y})?"),
    ("nth", r"(?:ON |THE )?(?P<nth>[1-5])(?:o|wo) {W} OF (?:(?P<mod>NEXT|THIS) Umo|Umo (?P<mod2>NEXT))"),
    ("nth", r"(?:ON |THE )?(?P<last>LAST) {W} (?:OF|IN)(?: Umo OF)? {M}(?: {Y})?"),
    ("nth", r"(?:ON |THE )?(?P<last>LAST) {W} OF (?:(?P<mod>NEXT|THIS) )?Umo(?: (?P<mod2>NEXT))?"),
    ("wd", r"(?:(?:ON |THE )?(?P<mod>THIS|NEXT) )?(?:OF )?{W}"),
    ("wd", r"(?:THE |ON )?{W} (?P<mod>NEXT|LAST)"),
    ("wd", r"(?:THE )?{W} P(?P<period>[a-z]) (?P<mod>NEXT)"),
    ("wd", r"(?:THE )?{W} (?:OF )?(?:THE )?(?:(?P<wk>NEXT|THIS) Uw|Uw (?P<wk2>NEXT))"),
    ("wd", r"(?:THE )?(?:(?P<wk>NEXT|THIS) Uw|Uw (?P<wk2>NEXT)){S}(?: OF)? {W}"),
    ("lastday", r"(?:ON |THE )?LAST Ud OF (?:{M}(?: {Y})?|(?:(?P<mod>NEXT|THIS) )?Umo)"),
    ("shift", r"(?:IN )?{N} U(?P<unit>d|w|f|mo|y) (?:FROM|AFTER)(?= (?:[WRHMm0-9]|THE|THIS|NEXT|ON))"),
    ("offset", r"IN {N} {U}(?: HENCE)?"),
    ("offset", r"{N} {U} HENCE"),
    ("offset", r"IN {N} {U}(?: AND| ,)? (?P<n2>[0-9]{1,3}w?|A) U(?P<unit2>mi|h|d)(?: HENCE)?"),
    ("offset", r"IN {N} U(?P<unit>h) AND (?P<n2>[0-5]?[0-9]w?)"),
    ("offset", r"IN (?P<frac>[0-9]/[0-9]|[0-9]{1,2}[.,][0-9]{1,2}) (?:OF )?{U}"),
    ("offset", r"IN (?P<n>[0-9]{1,2})(?P<unit>h)"),
    ("ago", r"{N} {U} AGO"),
    ("week", r"(?:SOMEDAY )?(?:IN |OF |ON )?(?:THE )?(?P<mod>NEXT|THIS|LAST) U(?P<unit>w|mo|y)"),
    ("week", r"(?:SOMEDAY )?(?:IN |OF |ON )?(?:THE )?U(?P<unit>w|mo|y) (?P<mod>NEXT|LAST)"),
    ("week", r"(?:IN|FOR|TO|SOMEDAY) {M}(?: {Y})?"),
    ("weekend", r"(?:ON |IN |THE )?(?:OF )?(?:(?P<mod>NEXT|THIS) )?WE(?: (?P<mod2>NEXT))?"),
    # times
    ("time", _PRE + r"{H}{AP}"),
    ("time", _PRE + r"?(?P<h>[0-9]{1,2})w? AND (?P<m>[1-5][0-9])w?(?: Umi)?{AP}"),
    ("time", _PRE + r"(?P<h>[0-9]{1,2})w? AND {MI}(?: Umi)?{AP}"),
    ("time", _PRE + r"(?P<h>[0-9]{1,2})w? (?P<m>[0-5][0-9])w?{AP}"),
    ("time", _PRE + r"?{H}(?: (?P<ap>[ap])m)? AND (?P<half>HALF)(?: (?P<ap2>[ap])m)?"),
    ("time", _PRE + r"?{H}(?: (?P<ap>[ap])m)? AND (?P<past>QUARTER|3QUARTER)(?: (?P<ap2>[ap])m)?"),
    ("time", _PRE + r"?{H} LESS (?P<to>QUARTER|[0-9]{1,2}w?)(?: Umi)?{AP}"),
    ("time", r"(?:MISSING )?(?P<to>QUARTER|[0-9]{1,2}w? Umi) (?:AT|TO) {H}{AP}"),
    ("time", r"(?P<to>(?:5|10|20|25)w) AT {H}{AP}"),
    ("time", r"MISSING (?P<to>[0-9]{1,2}w?) (?:AT|TO) {H}{AP}"),
    ("time", _PRE + r"?(?P<h>[0-9]{1,2})[.,](?P<m>[0-9]{2})(?: Uh)"),
    ("time", r"(?:LE|OF LE|FOR LE|Uh|AT Uh) (?P<h>[0-9]{1,2})[.,](?P<m>[0-9]{2})"),
    ("time", r"(?:LE|OF LE|FOR LE|Uh|AT Uh) (?P<h>[0-9]{1,2})(?P<colon>:)(?P<m>[0-9]{2})"),
    ("time", r"(?:LE |Uh )(?P<hm>[0-9]{4})"),
    ("period", r"(?:(?:OF|IN|AT|ON|TO|FOR|THE) )?(?:(?P<mod>THIS) )?P(?P<period>[a-z])"),
    ("now", r"(?P<now>NOW|now)"),
    # refused by name
    (
        "range",
        r"(?:BETWEEN|IN) (?:LE |ON )?[0-9]{1,2}(?:[:.][0-9]{2})?w? AND (?:LE |ON )?[0-9]{1,2}(?:[:.][0-9]{2})?w?"
        r"(?: {M})?(?! (?:U|PEOPLE))",
    ),
    (
        "range",
        r"FROM (?:LE )?[0-9]{1,2}(?:[:.][0-9]{2})?w? (?:AT|TO|ON|UNTIL) [0-9]{1,2}(?:[:.][0-9]{2})?w?"
        r"(?! PEOPLE)",
    ),
    ("recurring", r"EVERY (?:EVERY )?(?:(?:[0-9]{1,2}w?|2wo) )?(?:{W}|U\w+|P[a-z])"),
    ("recurring", r"RECUR"),
    # vague
    ("vague_time", r"(?:A )?(?:VAGUE|LATER)"),
    ("vague_time", r"(?:IN )?FEW U(?:mi|h|s)"),
    ("vague_time", r"IN (?:AROUND|ISH) {N} U(?:mi|h)"),
    ("vague_time", r"IN {N} U(?:mi|h) ISH"),
    ("vague_day", r"SOMEDAY"),
    ("vague_day", r"(?:ON |THE )?[1-5]wo {W}"),
    ("vague_day", r"(?:ON |THE )?{W} AFTER(?:\Z|(?= [,;]))"),
    ("vague_day", r"(?:ANY|FEW|A) {W}"),
    ("vague_day", r"(?:IN )?FEW U(?:d|w|mo)"),
    ("vague_day", r"IN (?:AROUND|ISH) {N} U(?:d|w|mo)"),
    ("vague_day", r"IN {N} U(?:d|w|mo) ISH"),
    ("duration", r"(?:FOR |OF )?{N} U(?P<unit>mi|h)(?: LONG)?"),
    ("duration", r"(?:FOR |OF )?{N} U(?P<unit>h)(?: AND)? (?P<n2>[0-9]{1,2}w?|A) U(?P<unit2>mi)"),
    ("duration", r"(?:FOR |OF )?(?P<frac>[0-9]{1,2}[.,][0-9]{1,2}) U(?P<unit>h|mi|d|w)"),
    ("delta", r"(?:OF )?{N} {U} (?P<way>LATER|EARLIER)"),
    ("delta", r"(?:OF )?{N} {U}(?: AND)? (?P<n2>[0-9]{1,2}w?|A) U(?P<unit2>mi) (?P<way>LATER|EARLIER)"),
    ("delta", r"(?:OF )?(?P<frac>[0-9]{1,2}[.,][0-9]{1,2}) U(?P<unit>h) (?P<way>LATER|EARLIER|AFTER)"),
    ("delta", r"{N} {U} (?P<way>AFTER)"),
    ("delta", r"{N} {U}(?: AND)? (?P<n2>[0-9]{1,2}w?|A) U(?P<unit2>mi) (?P<way>AFTER)"),
    ("delta", r"(?:OF )?{N} U(?P<unit>d|w)"),
    # never a time
    ("count", r"PLACE [0-9]+"),
    ("count", r"[0-9]+w? MONEY"),
)

COUNT_RULES = (
    ("absolute", r"(?:(?:WEARE|MAKEIT) )?(?:A )?{C}(?: _)? PEOPLE(?: PEOPLE)?"),
    ("absolute", r"WEARE(?: A)?(?: IN)? {P}"),
    ("absolute", r"MAKEIT {C}"),
    ("absolute", r"FOR {C}"),
    ("vague", r"FOR (?P<n>[0-9]{1,3}w?)(?= (?:R-?[0-9]|P[mean]))"),
    ("from_to", r"FROM (?P<previous>[0-9]{1,4}w?) PEOPLE TO {C}(?: PEOPLE)?"),
    ("from_to", r"FROM (?P<previous>[0-9]{1,4}w?) TO {C} PEOPLE"),
    ("from_to_loose", r"(?:RESIZE|LESSEN|SWELL|HEADS)(?: (?!FROM)\S+){0,6}? FROM (?P<previous>[0-9]{1,4}w?) TO {C}"),
    ("absolute_loose", r"(?:RESIZE|LESSEN|SWELL)(?: (?!RESIZE|LESSEN|SWELL|AND|FROM)\S+){0,7}? TO {C}(?: PEOPLE)?"),
    ("absolute_loose", r"HEADS(?: (?!HEADS|AND)\S+){0,8}? TO {C}(?: PEOPLE)?"),
    ("absolute_loose", r"PEOPLE(?: (?!HEADS|AND)\S+){0,6}? TO {C}"),
    ("add", r"(?:ADD |PLUS |AND )?{C}(?: PEOPLE)? MORE(?! [0-9])"),
    ("add", r"(?:ADD |PLUS |AND )?ANOTHER {C}(?: PEOPLE)?"),
    ("add", r"(?:ADD|PLUS) {C}(?: PEOPLE)?"),
    ("add", r"(?P<one>(?:ADD |PLUS |AND )?ANOTHER PEOPLE)"),
    ("add", r"(?P<one>(?:ADD |PLUS )?A PEOPLE MORE)"),
    ("add", r"(?P<one>(?:ADD|PLUS) A PEOPLE)"),
    ("add", r"MORE {C} PEOPLE"),
    ("subtract", r"{C}(?: PEOPLE)? FEWER"),
    ("subtract", r"(?P<one>A PEOPLE FEWER)"),
    ("subtract", r"(?:MINUS|REMOVE) {C}(?: PEOPLE)?"),
    ("subtract_loose", r"\A- {C}(?: PEOPLE)?"),
    ("subtract", r"(?P<one>REMOVE A PEOPLE)"),
    ("subtract", r"{C}(?: PEOPLE)? (?:_ )?DROPPED"),
    ("subtract", r"CANCEL {C} PEOPLE"),
    ("subtract", r"LESSEN(?: OF)? {C} PEOPLE(?! TO)"),
    ("subtract_loose", r"LESSEN(?: (?!LESSEN|SWELL|AND|TO|FROM)\S+){0,5}? OF (?P<n>[0-9]{1,2}w?)(?: PEOPLE)?(?! TO)"),
    ("add_loose", r"SWELL(?: (?!LESSEN|SWELL|AND|TO|FROM)\S+){0,5}? OF (?P<n>[0-9]{1,2}w?)(?: PEOPLE)?(?! TO)"),
    ("vague_loose", r"SWELL {C} PEOPLE(?! TO)"),
    ("multiply", r"(?P<factor>DOUBLE|TRIPLE|HALVE) IT(?: (?:ON|THE))?(?: (?:HEADS|PEOPLE))?(?: PEOPLE)?"),
    ("vague", r"(?P<n>[0-9]{1,3}w?)(?: ISH| OR [0-9]{1,3}w?| - [0-9]{1,3}w?) PEOPLE"),
    ("vague", r"(?P<n>[0-9]{1,3})-[0-9]{1,3} PEOPLE"),
    ("vague", r"(?:FEW|MORE|FEWER) (?:MORE |FEWER )?PEOPLE"),
    ("vague", r"FEW PEOPLE MORE"),
    ("absolute_loose", r"\A{C}(?: ;)?\Z"),
    ("not_people_loose", r"PLACE [0-9]+"),
)

LABELS: dict[str, object] = {
    "weekdays": ("lunedì", "martedì", "mercoledì", "giovedì", "venerdì", "sabato", "domenica"),
    "months": (
        "gennaio",
        "febbraio",
        "marzo",
        "aprile",
        "maggio",
        "giugno",
        "luglio",
        "agosto",
        "settembre",
        "ottobre",
        "novembre",
        "dicembre",
    ),
    "day": "{weekday} {day} {month}",
    "day_with_year": "{weekday} {day} {month} {year}",
    "first": "primo",
    "written_first": "1",
    "relative": {-1: "ieri", 0: "oggi", 1: "domani", 2: "dopodomani"},
    "day_at": "{day} alle {time}",
    "day_at_one": "{day} all’{time}",
    "noon": "mezzogiorno",
    "midnight": "mezzanotte",
    "and": "e",
    "or": "o",
    "thousands": ".",
    "decimal": ",",
    "clock": "24",
    "hours": (),
    "spoken": {0: "{hour}"},
    "spoken_other": "{hour} e {minute}",
    "nouns": {
        "guest": ("ospite", "ospiti"),
        "child": ("bambino", "bambini"),
        "adult": ("adulto", "adulti"),
        "booking": ("prenotazione", "prenotazioni"),
        "day": ("giorno", "giorni"),
        "minute": ("minuto", "minuti"),
        "hour": ("ora", "ore"),
        "action": ("azione", "azioni"),
        "note": ("nota", "note"),
    },
}

SUGGESTIONS: dict[str, tuple[str, ...]] = {
    "not_found": ("sabato alle 15", "28 novembre alle 14:30"),
    "unexplained": ("sabato alle 15", "28 novembre alle 14:30"),
    "vague_time": ("alle 20", "alle otto e mezza"),
    "vague_day": ("sabato", "28 novembre"),
    "range_not_supported": ("sabato alle 15",),
    "recurring_not_supported": ("sabato 28 novembre alle 15",),
}
