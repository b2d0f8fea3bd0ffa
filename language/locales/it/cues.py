"""Italian words that say how another word is meant, see `language.requests.cues`."""

from language.locales.it.calendar_words import LEXICON

_TENS = {60: "sessanta", 70: "settanta", 80: "ottanta", 90: "novanta"}
_UNDER_60 = {int(s[:-1]): words.split("|")[0] for s, words in LEXICON.items() if s.endswith("w") and s[:-1].isdigit()}


def _large_numbers() -> dict[str, int]:
    """Numbers from 60 on, each one word: "sessantacinque", "centoventi"."""
    small = {value: word for value, word in _UNDER_60.items() if 0 < value < 60}
    for tens, word in _TENS.items():
        small |= {tens: word} | {tens + n: (word[:-1] if n in (1, 8) else word) + _UNDER_60[n] for n in range(1, 10)}
    large = {word: value for value, word in small.items() if value >= 60}
    for hundreds, word in ((100, "cento"), (200, "duecento"), (300, "trecento")):
        large |= {word: hundreds} | {word + rest: hundreds + value for value, rest in small.items()}
    return large


_ENDINGS = (("e", "o"), ("e", "a"), ("sono", "i"), ("sono", "e"))
_JOINED_IN = "|".join(
    [f"si {is_} {joined}{ending}" for is_, ending in _ENDINGS for joined in ("aggiunt", "unit", "aggregat")]
    + ["si aggrega", "si aggregano", "si accoda", "si accodano"]
)
_ILLNESSES = (
    "la varicella|l'influenza|la febbre|il covid|la tosse|il raffreddore|il morbillo|la tonsillite|un virus|l'otite|"
    "la gastroenterite|l'asma|il mal di gola|il mal di pancia"
).split("|")
_HAS_FALLEN_ILL = "|".join(
    [f"{has} {illness}" for has in ("ha", "hanno", "con") for illness in _ILLNESSES]
    + [f"si {is_} ammalat{ending}" for is_, ending in _ENDINGS]
    + [f"{stays} a casa" for stays in ("resta", "restano", "rimane", "rimangono", "sta", "stanno", "restera")]
)

_LEAVES = """
    lascia|lasci|lasciate|lascia stare|lasci stare|lascia perdere|lasci perdere|lascia fuori|non toccare|non cambiare|
    non|dimentica|dimentichi|scorda|scordati|ignora|ignori
"""
_LEFT = {
    "LEAVE_DAY": "il giorno|la data",
    "LEAVE_TIME": "l'ora|l'orario",
    "LEAVE_COUNT": "il numero|i bambini|gli ospiti|le persone|i numeri",
    "LEAVE_NOTE": "la nota|le note",
}
"""The parts of a plan that can be left out, by the cue that says so."""

CUES = {
    "NOT": "non|mai|senza|tranne|eccetto|escluso|esclusa|ne|neanche|nemmeno|neppure|nessun|nessuna|nessuno|niente|"
    "salvo",
    "NO": "no",
    "NOT_AT_ALL": "non dimenticare|non dimenticate|non solo|perche non|se non|non so se|non prima delle|"
    "non prima del|non piu tardi|non piu di|non meno di|non oltre|nessun problema|niente di che|non vedo l'ora",
    "SPOILT": "non serve|non necessario|non e necessario|non richiesto|non e richiesto|non dovuto|non e dovuto|"
    "non voluto|e sbagliato|e sbagliata|era sbagliato|era sbagliata|e errato|e errata|non va|non va bene|non va piu|"
    "non funziona|non funziona piu|non e piu valido|non e piu valida|non esiste|non esiste piu|e vecchio|e vecchia|"
    "e il vecchio|e la vecchia|e quella vecchia|e quello vecchio|era quella vecchia|era quello vecchio|"
    "non e giusto|non e giusta|non si puo|non possono|non possiamo|e pieno|e piena|e al completo|e saltato|"
    "e saltata|era un errore|e un errore|non e corretto|non e corretta|non e il suo|non e la sua|non e suo|"
    "non e sua|non serve piu|non si usa piu|non e possibile|torna indietro|rimbalza|e troppo presto|e troppo tardi",
    "INSTEAD_OF": "invece di|invece del|invece della|invece dell'|invece delle|invece dei|invece che|"
    "al posto di|al posto del|al posto della|al posto dell'|al posto delle|anziche|piuttosto che|e non|ma non",
    "WAS": "era|erano|dovevano essere|doveva essere|dovevano venire|doveva venire|dovevamo essere|eravamo|era di|"
    "erano in|eravamo in|avevamo|aveva|avevano|prima era|prima erano|attualmente|"
    "finora|inizialmente|originariamente|e prenotato|e prenotata|sono prenotati|"
    "era prenotata|era prenotato|risulta|risultano|prevista|previsto|fissata|fissato|fissata per|era prevista|"
    "era fissata",
    "OLD": "vecchio|vecchia|precedente|attuale|sbagliato|sbagliata|errato|errata|originale|passato",
    "FROM": "da|dal|dalla|dall'|dalle|dai",
    "TO": "a|ad|al|alla|alle|all'|->|=>|→|diventa|diventano|ora|adesso",
    "HENCEFORTH": "deve essere|dovrebbe essere|ora e|adesso e|nuovo|nuova|sara|saranno",
    "CORRECT": "anzi|no aspetta|aspetta|cioe|scusa|scusate|scusi|volevo dire|intendevo|intendo|mi correggo|"
    "ripensandoci|pensandoci|pardon|no no|mi sono sbagliato|mi sono sbagliata|ho sbagliato|o meglio|facciamo meglio|"
    "lascia stare|lascia perdere|no facciamo|no meglio|meglio|correzione|ops|come non detto|errore mio",
    "INSTEAD": "invece",
    "OR": "o|e|ed|oppure|ne",
    "REPORT": "ha chiamato|ha telefonato|ha scritto|ha pagato|ha prenotato|ha mandato|ha inviato|ha versato|"
    "hanno chiamato|hanno telefonato|hanno scritto|hanno pagato|hanno prenotato|chiamato|telefonato|scritto|pagato|"
    "pagata|versato|sentito|sentita|contattato|contattata|e passata|e passato|e venuta|e venuto|mi ha detto|"
    "ci ha detto|ha detto|rimborsato|risposto|ha risposto|ha lasciato un messaggio",
    "RESET": "dice|dicono|dicendo|chiede|chiedendo|chiedono|che|vuole|vogliono|vorrebbe|vorrebbero|per dire|"
    "sposta|spostare|spostala|spostalo|cambia|cambiare|metti|metterla|porta|portare|perfavore|per favore|quindi|"
    "bisogna|preferisce|preferiscono|preferirebbe",
    "SAID_BEFORE": "avevo scritto|avevo detto|ho detto|ho scritto|avevo messo|ho messo|ti avevo detto|vi avevo detto|"
    "le avevo detto|avevo indicato|avevo segnato|avevamo detto|avevamo scritto|avevamo messo|ti ho detto|vi ho detto|"
    "ti ho scritto|vi ho scritto|avevo dato|ho indicato|ho segnato|ho digitato|avevo digitato",
    "WITHDRAWN": "e saltato tutto|e tutto saltato|non se ne fa niente|non se ne fa nulla|non se ne fa piu niente|"
    "non se ne fa piu nulla|e andato a monte|e andato tutto a monte|e saltata|e saltato|e saltata la data|"
    "non e piu cosi|non vale piu|e sfumato|e sfumata",
    "ANOTHER_DAY": "un altro giorno|un'altra data|altro giorno|altra data|un giorno diverso|una data diversa|"
    "un nuovo giorno|una nuova data|cambiare giorno|cambiare data",
    "ANOTHER_TIME": "un altro orario|un'altra ora|altro orario|un orario diverso|un nuovo orario|cambiare orario|"
    "cambiarun po' piu tardi|un po' piu presto|mettila piu tardi|mettila piu presto|"
    "spostala piu tardi|spostala piu presto|la vuole piu tardi|la vuole piu presto|la vogliono piu tardi|"
    "mettila prima|la vuole prima|la vuole dopo|vuole prima|vuole dopo|"
    "la vogliono prima|la vogliono dopo|spostala prima",
    "AFTER_THAT": "dopo di quello|quindi no|quindi dopo|spostala dopo|mettila dopo|non allora|non quel giorno",
    "RETRACT": "lascia perdere|lascia stare|lasciamo perdere|lasciamo stare|come non detto|lasciate perdere|"
    "fai finta di niente",
    "UNSURE": "non si sa|non so|da confermare|da decidere|da definire|fara sapere|faranno sapere|non sono sicuri|"
    "non e sicura|non hanno deciso|non ha deciso",
    "BRINGS": "porta|portano|aggiungi|aggiungere|si aggiungono anche|porta anche",
    "OPENING": "finisce|finiscono|lavora fino|lavora|atterra|e nata|e nato|siamo chiusi|chiude|chiudiamo|chiudono|"
    "apre|apriamo|aprono|chiusura|apertura|chiusura e|apertura e",
    "AS_SAID": "a quello|a quella|mettila cosi|facciamo cosi|fai cosi|mettilo cosi|fallo cosi",
    "LEAVE_DAY": "il giorno resta|la data resta|il giorno va bene|la data va bene|tieni il giorno",
    "LEAVE_TIME": "l'ora resta|l'orario resta|l'orario va bene|l'ora va bene|senza cambiare orario|"
    "senza cambiare l'orario|senza cambio di orario|orario invariato|a orario invariato|tieni l'ora|tieni l'orario",
    "LEAVE_COUNT": "il numero resta|i bambini restano",
    "LEAVE_NOTE": "niente nota|senza nota|senza la nota|togli la nota|tolga la nota|elimina la nota",
    "LATER": "piu tardi|piu avanti|dopo",
    "EARLIER": "prima|piu presto|in anticipo",
    "FAMILY": "bambini|figli",
    "FAMILY_OF": "i|gli|la famiglia|famiglia|la festa dei|la festa degli|la festa di|il gruppo|il gruppo di|"
    "il gruppo dei|"
    "la prenotazione di|la prenotazione dei|la signora|il signor|quelli",
    "NUMBERED": "classe|anno|sala|tavolo|tavoli|aula|stanza|livello|pista|corsia|campo|area|zona|pacchetto|opzione|"
    "squadra|prenotazione|prenotazione numero|riferimento|rif|numero|fattura|ordine|biglietto|codice|sezione|"
    "camera|civico|interno|via|piano|pagina|gate|armadietto",
    "AGE": "compie|compira|compiono|compiuto|compiuti|ha compiuto|di eta|sotto i|under|over|spegne",
    "AGED": "anni|anno|compleanno|candeline|enne|anni di eta",
    "THINGS": "momento|attimo|cosa|domanda|euro|per cento|gradi|km|metri|stelle|sessioni|pizze|pizza|torte|torta|"
    "palloncini|tavoli|sale|bottiglie|"
    "sacchetti|paia|calzini|auto|macchine|piste|biglietti|sedie|partite|giri|prenotazioni|feste",
    "DURATION_OF": "famiglie di|famiglie da|tavoli da|gruppi da|gruppi di|squadre da|squadre di",
    "ALSO": "in piu|anche|ancora|pure|in aggiunta|si aggiungono|si aggiunge|si uniscono|si unisce|extra|oltre|"
    "ulteriori|se ne aggiungono|se ne aggiunge|" + _JOINED_IN,
    "GOING": "non viene|non vengono|non viene piu|non vengono piu|non puo venire|non possono venire|non puo|"
    "non verra|non verranno|ha disdetto|hanno disdetto|disdice|disdicono|si ritira|si ritirano|si e ritirato|"
    "si e ritirata|si sono ritirati|si sono ritirate|e malato|e malata|sono malati|sono malate|sta male|"
    "stanno male|ha la febbre|hanno la febbre|da forfait|danno forfait|ha dato forfait|hanno dato forfait|"
    "e saltato|e saltata|mancano|manca|manchera|mancheranno|non ce la fa|non ce la fanno|assente|assenti|"
    "si tira indietro|si tirano indietro|rinuncia|rinunciano|non partecipa|non partecipano|perdiamo|abbiamo perso|"
    "hanno perso|ne perdiamo|hanno rinunciato|ha rinunciato|non se la sente|non se la sentono|"
    "e influenzato|e influenzata|sono influenzati|sono influenzate|" + _HAS_FALLEN_ILL,
    "COMING": "vengono|verranno|saranno|saremo|siamo|in tutto|in totale|totale|presenti|partecipano",
    "SAME_DAY": "stesso giorno|stessa data|stessa giornata|il giorno resta|medesimo giorno|quel giorno",
    "SAME_TIME": "stessa ora|stesso orario|medesimo orario|stessa fascia|alla stessa|l'orario resta|stesse ore",
    "BOOKING": "prenotazione|festa|compleanno|festicciola|sessione|gruppo|evento|turno|appuntamento|ingresso|"
    "visita|comitiva|gita|quella|quello|serata",
    "DEFINITE": "la|il|lo|l'|quella|quello|sua|suo|loro|questa|questo|le|i",
    "IT": "la|lo|li|le|loro|lei|lui|suo|sua|suoi|la festa|la prenotazione|il gruppo|l'orario|l'ora|la data|il giorno|"
    "spostala|spostalo|anticipala|posticipala|rimandala|mettila|portala|ci|tutti|siamo|saremo|vengono|sono",
    "OTHER": "un'altra festa|un altro gruppo|un'altra comitiva|l'altra|l'altro|l'altra prenotazione|l'altra festa|"
    "un'altra prenotazione|quell'altra|altra prenotazione",
    "ALIKE": "lo stesso per|lo stesso anche per|stessa cosa per|stessa cosa anche per|stessa cosa con|uguale per|"
    "uguale anche per|uguale la|idem|idem per|idem con|idem anche per|stesso discorso per|stesso discorso anche per|"
    "lo stesso con|lo stesso vale per|stessa modifica per|stessa modifica anche per|stessa modifica a",
    "HALF_PAST": "e mezza|alla mezza|la mezza|e mezzo|alla mezz'ora",
    "QUARTER_PAST": "e un quarto",
    "QUARTER_TO": "meno un quarto|e tre quarti",
    "ON_THE_HOUR": "all'ora piena|in punto all'ora",
    "DAY_LATER": "il giorno dopo|giorno dopo|il giorno seguente|giorno seguente|il giorno successivo|"
    "giorno successivo|un giorno dopo|l'indomani|di un giorno piu tardi|un giorno piu tardi|un giorno in la",
    "DAY_EARLIER": "il giorno prima|giorno prima|il giorno precedente|giorno precedente|un giorno prima",
    "WEEK_LATER": "la settimana dopo|settimana dopo|la settimana seguente|settimana seguente|"
    "la settimana successiva|settimana successiva|una settimana dopo|una settimana piu tardi|"
    "una settimana in la|7 giorni dopo|sette giorni dopo",
    "WEEK_EARLIER": "la settimana prima|settimana prima|la settimana precedente|una settimana prima",
    "FORTNIGHT_LATER": "due settimane dopo|2 settimane dopo|quindici giorni dopo|15 giorni dopo|"
    "due settimane piu tardi",
    "HOUR_LATER": "un'oretta dopo|un'oretta piu tardi|di un'oretta|un'ora dopo|oretta dopo|oretta piu tardi",
    "HOUR_EARLIER": "un'oretta prima|oretta prima|un'ora prima",
    "HALF_HOUR_LATER": "mezz'oretta dopo|una mezz'oretta dopo|mezzoretta dopo|una mezzoretta dopo|mezz'ora dopo|"
    "mezz'oretta piu tardi|mezzora dopo|mezzoretta piu tardi",
    "HALF_HOUR_EARLIER": "mezz'oretta prima|una mezz'oretta prima|mezzoretta prima",
    "MOVE": "sposta|spostare|spostala|spostalo|spostiamo|spostiamola|anticipa|anticipare|posticipa|posticipare|"
    "rimanda|rimandare|rinvia|rinviare|inizia|iniziare|cominciare",
    "INTO": "nel|nella|alla|al|prendi|prendiamo|scelgono|vogliono|vuole",
    "PREFER": "preferisce|preferiscono|preferirebbe|preferirebbero|preferiamo",
    "DATED": "il|al|dal|del",
    "PERSON": "sorella|fratello|fratellino|sorellina|cugino|cugina|amico|amica|amichetto|amichetta|mamma|papa|nonno|"
    "nonna|zio|zia|vicino|vicina|compagno|compagna|figlio|figlia|nipote|bambino|bambina|bimbo|bimba|ospite|adulto|"
    "genitore|maestra|tata|marito|moglie|ragazzo|ragazza|invitato|invitata",
    "TWO_PERSONS": "gemelli|gemelle|genitori|nonni",
    # statements of others, and the parts that are asked or decided
    "SAYS": "ha detto|hanno detto|dice|dicono|ha scritto|hanno scritto|scrive|scrivono|ha chiesto|hanno chiesto|"
    "chiede|chiedono|ha risposto|hanno risposto|risponde|rispondono|mi fa|messaggio di|messaggio da|"
    "mail di|mail da|ha chiamato|hanno chiamato|ha telefonato|ha lasciato un messaggio|detto|scritto|"
    "chiesto",
    "ADVICE": "cosa faccio|che faccio|cosa devo fare|che devo fare|cosa dovrei fare|che dovrei fare|cosa facciamo|"
    "che facciamo|cosa dobbiamo fare|che si fa|cosa si fa|che fare|cosa fare|cosa gli dico|cosa le dico|"
    "che gli dico|che le dico|cosa dico|che dico|cosa rispondo|che rispondo|come rispondo|"
    "come mi comporto|come ci comportiamo|cosa mi consigli|che mi consigli|cosa consigli|che ne pensi|"
    "cosa ne pensi|e ora",
    "ENDORSED": "fallo|falla|fai cosi|facciamo cosi|fate cosi|procedi|procediamo|come chiede|come chiedono|come dice|"
    "come dicono|come richiesto|come ha chiesto|accontentala|accontentalo|accontentali|esegui",
    "WHETHER": "ha chiesto se|chiede se|hanno chiesto se|chiedono se|chiedeva se|vuole sapere se|vogliono sapere se|"
    "voleva sapere se|si chiede se|sapere se|sapere come|chiede come|ha chiesto come|come si fa a|"
    "come fare a|cosa succede se|pensa di|pensano di|sta pensando di|stanno pensando di|pensava di|"
    "potrebbe|potrebbero|minaccia di|valuta se|forse",
    "SPEAKS_FOR": "mamma|ospite|madre|papa|padre|nonno|nonna|nonni|genitore|genitori|maestra|tata|marito|moglie",
    "TITLE": "signor|signora|signorina|sig|sigra|dott|dottor|dottoressa|dr|famiglia|avvocato|ingegner",
    "BUT": "ma|pero|quindi|cosi|perche|poi|siccome|poiche|dato che|visto che|mentre",
}
for _cue, _parts in _LEFT.items():
    _leaves = " ".join(_LEAVES.split()).split("|")
    CUES[_cue] += "".join(f"|{leave.strip()} {part}" for leave in _leaves for part in _parts.split("|"))

NUMBERS = _large_numbers() | {
    "un centinaio": 100, "un centinaio di": 100, "una decina": 10, "una decina di": 10,
    "una ventina": 20, "una ventina di": 20, "una trentina": 30, "una trentina di": 30, "una quarantina": 40,
    "una quarantina di": 40, "una cinquantina": 50, "una cinquantina di": 50, "una quindicina": 15,
    "una quindicina di": 15, "una dozzina": 12, "una dozzina di": 12, "mezza dozzina": 6, "mezza dozzina di": 6,
    "un paio": 2, "un paio di": 2, "una sessantina": 60,
    "una sessantina di": 60, "due dozzine": 24, "due dozzine di": 24,
}  # fmt: skip
_TIMES = "due tre quattro cinque sei sette otto nove dieci".split()
NUMBERS |= {
    f"{said} dozzine{of}": 12 * n for n, word in enumerate(_TIMES, 2) for said in (str(n), word) for of in ("", " di")
}

ORDINARY = """
allergico allergica allergici celiaco celiaca celiaci vegano vegana vegani intollerante intolleranti diabetico diabetica
a abbia abbiamo accordo ad adesso adulti adulto affinche aggiungi aggiungere aggiorna aggiornare al alla alle all allora
alle allo altra altre altri altro amica amici amico anche ancora andare andate annulla annullare anticipa anticipare
anziche anzi appena appuntamento aspetta attualmente aumenta avere avete avra avrebbe avremo aveva avevamo avviso basta
bambina bambine bambini bambino bella bello bene bimbi bimbo buongiorno buonasera caffe cambia cambiare cambiato cambio
cancella carta caso causa ce cellulare cena certo che chi chiama chiamata chiamato chiede chiedono ci ciao cioe cliente
clienti cognome col collega come compleanno compie con conferma contanti contatto controlla cosa cosi credo cui
cugini cugino da dai dal dalla dalle dallo data date davanti davvero deve devono di dice dicono dire diventa dopo doppio
dove dovrebbe dovrebbero due durante e ed ecco email era eravamo errore esatto essere facciamo fai fanno far fare fatto
favore festa feste figlia figlio fine fino fissa forse fra fratello gente gentile genitori gia giorni giorno giusto gli
grazie grande gruppo ha hai hanno ho i il in indirizzo infatti ingresso insieme inserisci invece invia invitati io la
lascia lasciare lascio le lei li lo loro lui ma magari mail mamma manca mancano mandare mattina me meglio meno mentre
messo metta mette metti mettere mettiamo mettila mettilo mezza mi mia sig signorina dott dottor dottoressa minuti mio
mobile moglie molto momento nel nella
nessun nessuna niente no noi nome non nostra nostro nota note numero nuova nuovo o oggi ogni ok ora orario ore ospiti
papa pare partecipano partecipanti passa passare paga pagato per perche pero persona persone piacere piu poi pomeriggio
porta portare portala possiamo possibile possono posti posticipa posticipare posto potete potrebbe potrebbero pranzo
preferisce preferiscono preferirebbe prego prenota prenotata prenotato prenotazione prenotazioni presto prima prossima
prossimo puo puoi pure qua qualche qualcuno quale quando quanti quasi quattro quella quelle quelli quello questa queste
questi questo qui quindi ragazzi registra resta resto riceve ricevuto rimanda rimborsa rimborsare rimborsato rimborso
rimuovi rinvia rispetto sa saluti salve sara saranno saremo sbagliato scelto scorsa scrivere scrivi scusa scusate se sei
segna sempre sentito sera serata serve servono sessione settimana si sia siamo signora signor signore solo sono sorella
sopra sotto spiace sposta spostala spostalo spostare spostata spostiamo sta stessa stesso sua subito successivo sulla
suo suoi tardi te telefono tempo togli togliere tra tre troppo tu tutta tutti tutto un una uno utente va vada vai vale
vanno vediamo venire vengono verra verranno verso via viene voglio vogliono voi volta volte vorrebbe vorrebbero vorrei
vostra vuoi vuole zia zio sarebbe sarebbero posticipiamo anticipiamo mezzogiorno mezzanotte stasera domani ieri
"""

DIMINUTIVES = "ett in ucc ell ott icin iciol"
"""Endings that make a person small, before the last letter: "cuginetta"."""

FUNCTION = """
a ad al alla alle ai e ed o di del della dei delle da dal dalla in nel nella con per su il lo la le li gli i l un una
uno che ci si ne mi ti vi suo sua loro e sono era sia ha hanno ho piu anche pure
"""
"""Words that a note may have more or fewer of than the operator's text."""
