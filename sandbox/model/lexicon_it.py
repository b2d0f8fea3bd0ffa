"""Italian words of the offline planner. The kinds are those of `kinds.Kind`."""

from sandbox.model.phrases import phrase_set

ELISION = phrase_set("l|d|un|dell|all|nell|sull|dall|quell|quest|c|s")

WORDS = """
verb move: sposta|spostare|rimanda|rimandare|posticipa|posticipare|anticipa|anticipare|rinvia|rinviare|trasferisci|
    trasferire|riprogramma|riprogrammare|slitta|slittare|ritarda|ritardare|spostamento|spost|rimanda a|anticipata
verb cancel: cancella|cancellare|annulla|annullare|disdici|disdire|elimina|eliminare|disdetta|disdetto|disdice|
    disdicono|disdiciamo|cestina|cestinare|butta|buttare|cancellazione|annullamento|canc|annul|fai fuori
verb change: cambia|cambiare|aggiorna|aggiornare|modifica|modificare|imposta|impostare|metti|mettere|mettiamo|mettete|
    messa|messo|porta|portare|correggi|correggere|corregga|sostituisci|sostituire|fai|fare|falla|fallo|fammi|fate|fa|
    rendi|rendere|passa|passare|facciamo|facciamola|facciamolo|usa|usare|salva|salvare|rimetti|rimettere
verb resize: aumenta|aumentare|riduci|ridurre|riduciamo|diminuisci|diminuire|togli|togliere|leva|levare|rimuovi|
    rimuovere|raddoppia|raddoppiare|dimezza|dimezzare|alza|alzare|abbassa|abbassare|scende|scendono|scendi|scendiamo|
    sale|salgono|sali|cala|calano|ingrandisci|ingrandire|allarga|allargare|taglia|tagliare|scala|scalare
verb add: aggiungi|aggiungere|aggiungiamo|scrivi|scrivere|segna|segnare|annota|annotare|inserisci|inserire|registra|
    registrare|appunta|appuntare|lascia|lasciare
verb rename: rinomina|rinominare
verb look: trova|cerca|cercare|trovare
topic phone: nuovo numero|telefono|cellulare|numero di telefono|numero di cellulare|tel|cell|recapito|
    recapito telefonico
topic email: email|e-mail|mail|posta|indirizzo email|indirizzo e-mail|posta elettronica|indirizzo mail
topic name: nome|nominativo|nome e cognome|intestatario|intestataria|referente|responsabile
topic last_name: cognome
topic first_name: nome di battesimo
topic contact: contatto|contatti|dati|dettagli
topic count: ospiti|ospite|persone|persona|pers|bamb|iscritti|alunni|studenti|compagni|bambini|bambino|invitati|
    invitato|adulti|coperti|partecipanti|ragazzi|numero di ospiti|numero di persone|numero di bambini|
    numero di invitati|bimbi|posti|bambine|amici|numero degli ospiti|numero degli invitati|numero dei bambini|
    numero delle persone
topic date: data|giorno|giorni
topic time: l ora|all ora|dell ora|nuova ora|orario|ore|inizio|orari
topic note: nota|note|commento|commenti|annotazione|appunto
book: prenotazione|festa|compleanno|evento|tavolo|appuntamento|riunione|incontro|visita|festa di compleanno|gruppo|
    codice|riferimento|prenotazione numero|sessione|famiglia|pren|prenot|comitiva
book many: prenotazioni|feste|compleanni|eventi|appuntamenti|riunioni|tutti|tutte|tutto
pron: li|suo|sua|suoi|sue|loro|quella|quello|questa|questo|lei|lui|essa|la stessa|la stessa prenotazione|
    questa prenotazione|quella prenotazione
conj: e|ed|poi|anche|inoltre|e poi|in piu anche|e infine|infine|e inoltre|dopodiche|nel frattempo
prep: a|al|allo|alla|alle|ai|agli|di|del|dello|della|delle|dei|degli|da|dal|dalla|dalle|in|nel|nella|nelle|su|sul|sulla|
    per|con|sotto|all|dell|d|nell|sull|dall|intestata a|intestato a|a nome di|a nome|come|chiamata|fino a|ad|nei|negli|
    dagli|dai|sui|sugli|sulle
det: il|lo|la|gli|le|i|l|mia|mio|nostra|nostro
det a: un|uno|una|altra|altro
neg gone: non puo|non possono|non riesce|non riescono|non viene|non vengono|non verra|non verranno|non si fa|
    non si tiene|non serve|non va bene|non vanno bene|non ce la fa|non ce la fanno|non e disponibile|
    non sono disponibili|non puo venire|non possono venire|non riesce a venire|non riescono a venire|non puo piu|
    non possono piu|non si fa piu|non viene piu|non vengono piu|non serve piu|non ce la fa piu|non riesce piu|
    non riescono piu|non si tiene piu|salta|saltata|saltato|è saltata|è saltato
neg: niente|nessun|nessuna|invece che|invece del|invece della|invece delle|invece dei|invece degli|anziche alle|non|mai|
    senza|tranne|se|o|oppure|forse|invece di|anziche|eccetto|salvo|piuttosto che|magari|no|a meno che|a patto che|
    nel caso|solo se|qualora|nulla|neanche|nemmeno|aspetta a|finche|manca|mancano|al piu tardi|al piu presto|al massimo|
    compresi|compreso|comprese|compresa|inclusi|incluso|inclusa|incluse|di cui
asking: che|cosa|chi|quando|dove|perche|quale|quali|quanto|quanti|quante|quanta|come mai|che tempo|cos|qual|c|ce
other: ordina|ordinare|manda|mandare|invia|inviare|dimmi|racconta|raccontami|suona|spegni|accendi|crea|creare|stampa|
    paga|addebita|fattura|compra|ricordami|apri|chiudi|mostra|mostrami|elenca|chiama|chiamare|rimborsa|rimborsare|
    sconto|sconti|sveglia|promemoria|ricevuta|musica|luci|luce|buono regalo|liberatoria|liberatorie|riscaldamento|
    barzelletta|meteo|pulire|ordinami|mandami|inviami|mandale|mandagli|inviale|inviagli|chiamala|chiamalo|offri|regala|
    vendi|pulisci|spiega|traduci|prenota|prenotare|riserva|duplica|copia|invita|descrivi|avvisa|controlla|verifica|
    prepara|preparare|allestisci|allestire|incassa|incassare|nuova prenotazione|nuova festa|nuovo appuntamento|
    pagamento|caparra|acconto|saldo|conto|menu|turni|turno|personale|password|wifi|taxi|caffe|pizza|pizze|foto|scarica|
    scaricare|esporta|stampare|report|fatturato|incasso|riavvia|ordina ancora|fornitore|consegna|volo|film|canzone|
    ricetta|chiudere|aprire|accendere|spegnere|pacchetto|pacchetti|pagata|pagato|pagate|pagati|gratis|omaggio|magazzino|
    scorte|conferma|confermare|pagare|addebitare|fatturare|comprare|ricordare|mostrare|elencare|vendere|spiegare|
    tradurre|riservare|duplicare|copiare|invitare|descrivere|avvisare|controllare|verificare|suonare|raccontare|sala|
    stanza|pista|riassunto|pubblica|pubblicare|instagram|facebook|novita
vague: piu|meno|diverso|diversa|grande|piccolo|piccola|qualche|alcuni|alcune|presto|tardi|prima possibile|piu tardi|
    piu presto|altri|altre|piu grande|piu piccola|ogni
place first: prima|primo|la prima|il primo
place second: seconda|secondo|la seconda|il secondo
place third: terza|terzo|la terza|il terzo
place fourth: quarta|quarto
place fifth: quinta|quinto
place last: ultima|ultimo|l ultima
title: signor|signora|sig|signorina|dott|dottor|dottoressa|sigra
fill: va|vanno|andrebbe|per favore|per cortesia|perfavore|grazie|ciao|salve|buongiorno|buonasera|puoi|potresti|potete|
    vorrei|vorrebbe|vuole|voglio|devi|deve|dobbiamo|bisogna|serve|e ora|adesso|invece|nuovo|nuova|nuovi|nuove|ha|hanno|
    ho|abbiamo|sono|sia|siano|essere|saranno|sara|ok|va bene|si|sbagliato|sbagliata|stesso|stessa|alla stessa ora|
    stesso giorno|lo stesso giorno|insieme|in totale|in tutto|numero|n|nr|cliente|mi|ci|ti|ne|vengono|verranno|dice|
    dicendo|chiede|piacere|gentilmente|attuale|vecchio|vecchia|entrambe|entrambi|solo|dovrebbe|dovrebbero|diventa|
    diventano|passano|corretto|corretta|giusto|giusta|sempre|subito|arrivano|possibile|è possibile|far|cosi|allora|pure|
    aiutami|aiuto|è|ma|meglio|anzi|preferibilmente|ora|riusciresti|riesci|riuscite|riesce|riusciamo|preferisce|
    preferirebbe|preferiscono|preferirebbero|venire|viene|vieni|arrivare|arriva|iniziare|inizi|inizia|cominciare|
    cominci|comincia|partire|parta|parte|prenotata|prenotato|prenotati|registrata|registrato|fatta|chiamato|telefonato|
    scritto|richiesto|detto|dicono|volevo|volevamo|vorremmo|vogliono|vorrebbero|desidera|desiderano|bisogno|
    ho bisogno di|avrei bisogno di|avremmo bisogno di|mi serve|ci serve|mi servirebbe|per piacere|cortesemente|
    grazie mille|mille grazie|grazie ancora|ehi|scusa|scusami|scusate|purtroppo|in realta|in effetti|quindi|cioe|
    comunque|d ora in poi|da ora in poi|da adesso in poi|da ora|si scrive|risulta|chiede se|chiedono se|ha chiesto se|
    hanno chiesto se|mi chiede se|vuole sapere se|volevo sapere se|chiedeva se|ha chiesto di|chiede di|chiedono di|
    hanno chiesto di|se possibile|se è possibile|se riesci|se puoi|se si puo|se potete|puo|possono|possiamo|posso|
    si puo|si potrebbe|potremmo|potrebbe|potrebbero|può darsi|il resto uguale|resto uguale|tutto il resto uguale|
    per il resto uguale|uguale|mamma|papa|chiesto|cambiato idea|piuttosto|dunque|ciao ragazzi|buondi|tenere|tenersi|
    si tiene|dev essere|quel|il nostro|la nostra|quello giusto|quella giusta|quella corretta|quello corretto|stavolta|
    pero|direi|direi di|sarebbe|sarebbero|meglio se|perfetto|ecco|senti|guarda|mi raccomando|a posto di|sbagliati|
    errato|errata|definitivo|definitiva|definitivi|finale|finali|esatto|esatta|confermato|confermata|confermano|
    hanno confermato|ha confermato|aggiornato|aggiornata|aspetta|un attimo|intendevo|volevo dire|intendo|abbia|abbiano|
    avere|avrà|avranno|in modo che|in modo da|cosi che|penso|credo|crede|ha appena chiamato|mi ha chiamato|
    mi ha scritto|mi hanno chiamato|mi hanno scritto|sentito|parlato con|ho sentito|ho parlato con|dal sistema|
    dal calendario|nel sistema|in calendario|sul calendario|dall agenda|in agenda|a sistema|quando puoi|quando riesci|
    appena puoi|appena riesci|appena possibile|se hai un attimo|scelto|hanno scelto|ha scelto|deciso|hanno deciso|
    ha deciso|preferito|in tutto adesso|in tutto ora|tutti insieme|perfetto grazie|ottimo|bene|benissimo|certo|
    ok grazie|grazie infinite|ti ringrazio|la ringrazio|per noi|per me|che era|che e|che è|si chiama|si chiamano|
    segnato|segnata|occhio|attenzione|nota bene|per la precisione|fissato|fissata|fissa|fissiamo|facendo|starebbe|
    stanno|sta|andrebbe bene|gli va bene|le va bene|a loro va bene|va meglio|sarebbe meglio|gentile|vedi di|era|erano|
    assicurati che|fai in modo che|sembra che|pare che|risulta che|dicono che|dice che|ha detto che|hanno detto che|
    vuole che|vogliono che|vorrei che|vorrebbe che|vorrebbero che|vengano|venga|risponde|rispondono|risponde al|
    che abbiamo|che avevamo|che abbiamo segnato|che ho|reperibile|raggiungibile|si trova|cambio|cambiamento|variazione|
    aggiornamento|c è stato|c è stata|c è un cambio|ci sono state|ci sono stati|c è un|salito|salita|saliti|sceso|scesa|
    scesi|cresciuto|cresciuta|arrivato|arrivati|riusciamo a|amerebbe|amerebbero|piacerebbe|gli piacerebbe|le piacerebbe|
    sarebbe bello|sistemare|sistema|sistemami|organizza|organizzare|devono|dovranno|dovra|diciamo|si aggiungono|
    si aggiunge|si uniscono|aggiungersi|al telefono|per telefono|via mail|per email|via email|ho appena sentito|
    ho appena parlato con|ha appena telefonato|ha appena scritto
neg was: originariamente|attualmente|era alle|era per|era prevista|era previsto|è prevista|è previsto|è fissata|
    è fissato|è prenotata|è prenotato|in origine|adesso è alle|al momento è
"""
