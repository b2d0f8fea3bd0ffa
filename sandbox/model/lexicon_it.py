"""Italian words of the offline planner. The kinds are those of `kinds.Kind`."""

ELISION = frozenset(["l", "d", "un", "dell", "all", "nell", "sull", "dall", "quell", "quest", "c", "s"])

WORDS = {
    "verb move": (
        "sposta|spostare|spostala|spostalo|spostiamo|rimanda|rimandare|rimandala|rimandalo|posticipa|"
        "posticipare|anticipa|anticipare|anticipala|rinvia|rinviare|trasferisci|riprogramma|riprogrammare|"
        "slitta|posticipala"
    ),
    "verb cancel": (
        "cancella|cancellare|cancellala|cancellalo|annulla|annullare|annullala|annullalo|disdici|disdire|"
        "elimina|eliminare|disdetta"
    ),
    "verb change": (
        "cambia|cambiare|cambiala|cambialo|aggiorna|aggiornare|modifica|modificare|imposta|impostare|metti|"
        "mettere|mettila|mettilo|porta|portare|portala|portalo|correggi|correggere|sostituisci|sostituire|fai|"
        "fare|falla|fallo|rendi|passa|passare|facciamo"
    ),
    "verb resize": "aumenta|aumentare|riduci|ridurre|diminuisci|diminuire|togli|togliere|raddoppia|dimezza|alza|"
    "abbassa",
    "verb add": (
        "aggiungi|aggiungere|scrivi|scrivere|segna|segnare|annota|annotare|inserisci|inserire|registra|"
        "registrare|aggiungici"
    ),
    "verb rename": "rinomina|rinominare",
    "verb look": "trova|cerca|cercare|trovare",
    "topic phone": "telefono|cellulare|numero di telefono|numero di cellulare|tel|cell|recapito|recapito telefonico",
    "topic email": "email|e-mail|mail|posta|indirizzo email|indirizzo e-mail|posta elettronica|indirizzo mail",
    "topic name": "nome|nominativo|nome e cognome|intestatario",
    "topic last_name": "cognome",
    "topic first_name": "nome di battesimo",
    "topic contact": "contatto|contatti|dati|dettagli",
    "topic count": (
        "ospiti|ospite|persone|persona|bambini|bambino|invitati|invitato|adulti|coperti|partecipanti|ragazzi|"
        "numero di ospiti|numero di persone|numero di bambini|numero di invitati|bimbi|posti|bambine|amici|"
        "numero degli ospiti|numero degli invitati|numero dei bambini|numero delle persone"
    ),
    "topic date": "data|giorno|giorni",
    "topic time": "ora|orario|ore|inizio",
    "topic note": "nota|note|commento|commenti|annotazione|appunto",
    "book": (
        "prenotazione|festa|compleanno|evento|tavolo|appuntamento|riunione|incontro|visita|"
        "festa di compleanno|gruppo|codice|riferimento|prenotazione numero|sessione"
    ),
    "book many": "prenotazioni|feste|compleanni|eventi|appuntamenti|riunioni|tutti|tutte|tutto",
    "pron": (
        "li|suo|sua|suoi|sue|loro|quella|quello|questa|questo|lei|lui|essa|la stessa|"
        "la stessa prenotazione|questa prenotazione|quella prenotazione"
    ),
    "conj": "e|ed|poi|anche|inoltre|e poi",
    "prep": (
        "a|al|allo|alla|alle|ai|agli|di|del|dello|della|delle|dei|degli|da|dal|dalla|dalle|in|nel|nella|nelle|"
        "su|sul|sulla|per|con|sotto|all|dell|d|nell|sull|dall|intestata a|intestato a|a nome di|a nome|come|"
        "chiamata|fino a"
    ),
    "det": "il|lo|la|gli|le|i|l|mia|mio|nostra|nostro",
    "det a": "un|uno|una|altra|altro",
    "neg": "non|mai|senza|tranne|se|o|oppure|forse|invece di|anziche|eccetto|salvo|piuttosto che|magari",
    "asking": (
        "che|cosa|chi|quando|dove|perche|quale|quali|quanto|quanti|quante|quanta|come mai|che tempo|cos|qual|c|ce"
    ),
    "other": (
        "ordina|ordinare|manda|mandare|invia|inviare|dimmi|racconta|raccontami|suona|spegni|accendi|crea|"
        "creare|stampa|paga|addebita|fattura|compra|ricordami|apri|chiudi|mostra|mostrami|elenca|chiama|"
        "chiamare|rimborsa|rimborsare|vendi|pulisci|spiega|traduci|prenota|prenotare|riserva|duplica|copia|"
        "invita|descrivi|avvisa|controlla|verifica"
    ),
    "vague": (
        "piu|meno|diverso|diversa|grande|piccolo|piccola|qualche|alcuni|alcune|presto|tardi|prima possibile|"
        "piu tardi|piu presto|altri|altre|piu grande|piu piccola|ogni"
    ),
    "place first": "prima|primo|la prima|il primo",
    "place second": "seconda|secondo|la seconda|il secondo",
    "place third": "terza|terzo|la terza|il terzo",
    "place fourth": "quarta|quarto",
    "place fifth": "quinta|quinto",
    "place last": "ultima|ultimo|l ultima",
    "title": "signor|signora|sig|signorina|dott|dottor|dottoressa|sigra",
    "fill": (
        "va|vanno|andrebbe|"
        "per favore|per cortesia|perfavore|grazie|ciao|salve|buongiorno|buonasera|puoi|potresti|potete|vorrei|"
        "vorrebbe|vuole|voglio|devi|deve|dobbiamo|bisogna|serve|e ora|adesso|invece|nuovo|nuova|nuovi|nuove|"
        "ha|hanno|ho|abbiamo|sono|sia|siano|essere|saranno|sara|ok|va bene|si|sbagliato|sbagliata|stesso|"
        "stessa|alla stessa ora|stesso giorno|lo stesso giorno|insieme|in totale|in tutto|numero|n|nr|cliente|"
        "mi|ci|ti|ne|vengono|verranno|dice|dicendo|chiede|piacere|gentilmente|attuale|vecchio|vecchia|"
        "entrambe|entrambi|solo|dovrebbe|dovrebbero|diventa|diventano|passano|corretto|corretta|giusto|giusta|"
        "sempre|subito|arrivano|possibile|e possibile|far|cosi|allora|pure|aiutami|aiuto"
    ),
}
