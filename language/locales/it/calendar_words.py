"""The words of Italian and what they stand for."""

_UNITS = ["zero", "uno", "due", "tre", "quattro", "cinque", "sei", "sette", "otto", "nove"]
_TEENS = "dieci undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove".split()
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


_ARE_ENDINGS = "a are ala alo arla arlo ata ato ate ami asse assero i iamo iamola iamolo".split()


def _verbs(*stems: str) -> str:
    """Return the forms of verbs in -are that occur in requests, polite ones included: "anticipi", "se anticipasse"."""
    soft = {stem: stem + "h" if stem.endswith(("c", "g")) else stem for stem in stems}
    forms = ((soft[stem] if ending.startswith("i") else stem) + ending for stem in stems for ending in _ARE_ENDINGS)
    return "|".join(form.replace("ii", "i") for form in forms)


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
    "Pa": "pomeriggio|pome|pomer",
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
    "AFTER": "dopo|dopo le|dopo il|dopo la|dopo l|a partire dalle|a partire dal",
    "BEFORE": "prima del|prima di|prima delle|prima dell|prima della|prima dei|prima dello",
    "BEFORE THAT": "prima di quella|prima di quello|prima di quell|prima di quel",
    "AFTER THAT": "dopo quella|dopo quello|dopo quell|dopo di quella|dopo quel",
    "BEFORE 1w": "prima dell una",
    "AFTER 1w": "dopo l una",
    "BY": "entro|entro le|entro il|entro l|non oltre|non piu tardi delle|al massimo alle",
    "SINCE": "a partire da",
    "UNTIL": "fino|fino a|fino al|fino alle|fino all|sino a|sino al|sino alle",
    "FROM": "da|dal|dall|dalla",
    "TO": "a|ad|alla|allo",
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
    "ON": "il|l|nel giorno",
    "TO ON": "al",
    "TO THE": "ai|agli",
    "THE": "la|i|gli",
    "OF": "di|del|della|dei|dello|dell|d|degli",
    "IN": "tra|fra|in|nel|nella|nello|nelle|nei|dentro",
    "FOR": "per",
    "A": "un|una",
    "TIME": "tempo",
    "SAMEDAY": "stesso giorno|lo stesso giorno|allo stesso giorno|quel giorno",
    "SAMETIME": "stessa ora|alla stessa ora|la stessa ora|stesso orario|allo stesso orario|lo stesso orario|"
    "medesima ora|alla medesima ora",
    "NEXT": "prossimo|prossima|prossimi|prossime|venturo|ventura|che viene|entrante",
    "_": "primo dei due|prima delle due|secondo dei due|seconda delle due|prima dei due|prima dei tre|ultimo dei due|"
    "ultima delle due|primo dei tre|prima delle tre|seconda delle tre|terza delle tre",
    "NEXT THEN": "seguente|successivo|successiva",
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
    "carnevale|il ponte|ponte|eid|ramadan|diwali|hanukkah|yom kippur|rosh hashanah|capodanno cinese|"
    "altra settimana|l altra settimana|un giorno in|nei prossimi giorni|in questi giorni|un altra data|un altra sera|"
    "un altra volta",
    "A Ud ONWARDS": "un giorno in avanti",
    "Lh": "un oretta|oretta",
    "FEW Uh": "un oretta e mezza",
    "30 Lmi": "mezz oretta|una mezz oretta|mezzoretta|una mezzoretta",
    "ANY": "qualsiasi|qualunque",
    "FEW": "qualche|alcuni|alcune|pochi|poche|diversi|diverse|una decina di|una ventina di|una quindicina di|"
    "una trentina di|parecchi|molti|un po di|un altro paio di",
    "Hchristmas": "natale|il giorno di natale|giorno di natale",
    "Hchristmaseve": "vigilia di natale|la vigilia|vigilia|alla vigilia|la vigilia di natale|antivigilia di capodanno",
    "Hboxing": "santo stefano|s stefano",
    "Hnewyear": "capodanno|il giorno di capodanno|primo dell anno|il primo dell anno",
    "Hnewyeareve": "cenone di capodanno|cenone di san silvestro|"
    "vigilia di capodanno|san silvestro|la vigilia di capodanno|ultimo dell anno|l ultimo dell anno|"
    "notte di capodanno",
    "Hvalentine": "san valentino|festa degli innamorati",
    "Hhalloween": "halloween",
    "Hepiphany": "epifania|befana|la befana|l epifania",
    "Hjoseph": "san giuseppe|festa del papa|la festa del papa|alla festa del papa|festa del babbo",
    "Hliberation": "anniversario della liberazione|liberazione|festa della liberazione|la liberazione|alla liberazione",
    "Hlabour": "festa dei lavoratori|festa del lavoro",
    "Hrepublic": "festa della repubblica",
    "Hassumption": "ferragosto|assunzione|l assunzione",
    "Hallsaints": "ognissanti|tutti i santi|il giorno dei santi|giorno dei santi|festa di ognissanti",
    "Hallsouls": "giorno dei morti|il giorno dei morti|commemorazione dei defunti|giorno dei defunti|"
    "i morti|ai morti|per i morti|dei morti|i defunti|ai defunti",
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
    "presenze|teste|neonati|giocatori|posto|piccoli|grandi|ragazzini|seggioloni|pers|bamb|iscritti|alunni|studenti|compagni|"
    "allievi|allieve|allievo|allieva|partecipante",
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
    "POSTPONE": "avanti|posponi|posporre|"
    + _verbs("posticip", "rimand", "ritard", "rinvi", "slitt", "prorog", "trasl"),
    "ADVANCE": f"{_verbs('anticip')}|indietro|all indietro",
}
