"""Italian synonyms by family; kinds as in `lexicon_it.py`. A misspelt word is never taken for one of them."""

WORDS = """
verb move: traslare|trasla|trasli|muovi|muovere|muovila|differisci|differire|procrastina|procrastinare|proroga|
    prorogare|ripianifica|ripianificare|ripianifichiamo|riprogrammiamo|ricolloca|ricollocare|riposiziona|riposizionare|
    calendarizza|calendarizzare|rischedula|rischedulare|schedula|schedulare|rifissa|rifissare|arretra|arretrare|
    fai slittare|far slittare|facciamo slittare|fate slittare|slittiamo|slittano|fammi slittare|porta avanti|
    porta indietro|tira avanti|tira indietro|manda avanti|rinvio|rinvio di|posticipo|anticipo|spostarla|spostarlo|
    dai un altro orario|rimandiamo|ritardiamo|spostane|traslochiamo|ripiazza|ripiazzare|switcha|switchare|swappa|
    inverti|invertire|slittamento|dirotta|dirottare|reschedula|reschedulare
verb cancel: annullate|depenna|depennare|revoca|revocare|sopprimi|sopprimere|cancellate|far saltare|fai saltare|
    fate saltare|dai disdetta|dare disdetta|ha dato disdetta|hanno dato disdetta|rinuncia|rinunciano|rinunciato|
    ha rinunciato|hanno rinunciato|hanno annullato|ha annullato|ha cancellato|hanno cancellato|ha disdetto|
    hanno disdetto|disdiciamola|lascia perdere la prenotazione|togli di mezzo|stralcia|stralciare|elimini|
    elimina del tutto|chiudi la pratica|butta via|disdite|disdica|disdici pure|cancellami
verb change: varia|variare|rettifica|rettificare|ritocca|ritoccare|adegua|adeguare|revisiona|revisionare|converti|
    convertire|muta|mutare|emenda|emendare|sistemiamo|aggiusta|aggiustare|rivedi|rivedere|rimpiazza|rimpiazzare|
    sovrascrivi|sovrascrivere|ripristina a|colloca|collocare|dare|digita|digitare|carica|caricare|memorizza|memorizzare|
    mettilo|mettila|mettici|mettimi|portala|portalo|portiamo|portiamola|facciamoli|modifiche|imposto|immetti|immettere|
    rifai|rifare|ridefinisci|ridefinire|converta
verb resize: incrementa|incrementare|accresci|accrescere|amplia|ampliare|estendi|estendere|ridimensiona|ridimensionare|
    calare|restringi|restringere|arrotonda|arrotondare|sfoltisci|sfoltire|scalate|riduca|riduce|riducono|aumentiamo|
    diminuiamo|diminuiscono|aumentano|crescono|cresce|crescere|scendere|salire|abbassiamo|alziamo|sottrai|sottrarre|
    detrai|detrarre|tira su|tira giu|porta giu|porta su|triplica|triplicare|e scesa|e salita
verb add: allega|allegare|indica|indicare|precisa|precisare|specifica|specificare|riporta|riportare|segnala|segnalare|
    metti per iscritto|evidenzia|evidenziare|menziona|menzionare|butta giu|scrivici|scrivimi|segnati|annotati|
    ricorda sulla|tieni nota|prendi nota|prendere nota|accludi|accludere|aggiungete|aggiungiamoci
verb rename: ribattezza|ribattezzare|reintesta|reintestare|rinominiamo
topic phone: numero di tel|numero tel|nr di telefono|n di telefono|num di telefono|numero cell|fisso|numero fisso|
    numero cellulare|numero telefonico|contatto telefonico|utenza|cel|telefonino|nuovo cell|nuovo cellulare
topic email: e mail|indirizzo di posta|indirizzo di posta elettronica|casella|mail di contatto|email di contatto|
    mail nuova
topic name: titolare|nome prenotazione|nome della prenotazione|nome sulla prenotazione|capogruppo|contatto principale
topic contact: dati di contatto|recapiti|riferimenti|contatti del cliente|anagrafica
topic count: commensali|bimbe|pargoli|genitori|ragazze|ragazzini|bambini in tutto|presenti|presenze|avventori|
    numero ospiti|numero persone|numero bambini|numero invitati|numero coperti|pax|numero di coperti|
    numero di partecipanti|totale|conteggio|adesioni|gente|ragazzo|bambina|coperto|amichetti
topic date: giornata
topic time: orario di inizio|ora di inizio|orario d inizio|ora d inizio|orario di arrivo|l orario
topic note: segnalazione|avvertenza|richiesta particolare|richiesta speciale|osservazione|promemoria nota
book: pranzo|cena|aperitivo|brunch|merenda|colazione|banchetto|rinfresco|buffet|cerimonia|battesimo|comunione|cresima|
    laurea|matrimonio|anniversario|addio al nubilato|addio al celibato|tavolata|festicciola|festina|compli|comple|
    prenotaz|pren n|prenotazione n|prenotazione nr|prenotazione col numero|codice prenotazione|rif|ordine|pratica|cenone
book many: le prenotazioni|tutti i tavoli|tutte le feste
pron: quelli|quelle|questi|queste|costoro|gli stessi|essi|esse|medesima|medesimo|quel cliente|quella cliente|qualcuno|
    qualcuna|uno che
conj: e anche|e pure|ed anche|e in piu|e già che ci sei|gia che ci sei|e nel frattempo|e contestualmente|oltre a questo|
    oltretutto|e per finire|per finire|per ultimo|dopo di che|e dopo|e per favore|nonche|+|&|e contemporaneamente|
    contestualmente|e quindi|e poi anche
prep: x|presso|verso|entro le|intestata|intestato|a carico di|relativa a|relativo a|riguardo a|circa la|su di
det: quei|questi nostri|vostra|vostro|i nostri|le nostre
fill: devessere|ho bisogno che|abbiamo bisogno che|serve che|mi serve che|ci serve che|bisogna che|occorre che|occorre|
    è meglio che|sarebbe meglio che|facciamo che|fa che|fai che|vediamo di|vedi se puoi|vedi se riesci a|riesci mica a|
    mica|non è che|puoi mica|potresti gentilmente|ti spiace|ti dispiace|le dispiace|ti andrebbe|ti va|mi fai|mi fate|
    mi puoi|mi potresti|mi potete|ci puoi|ci potresti|ti chiedo di|ti chiederei di|le chiedo di|vi chiedo di|
    si prega di|pregasi|prego|cortese|cortesia|a cortesia|pf|pfv|perf|x favore|xfavore|per fav|grz|grazie di cuore|
    grazie in anticipo|tante grazie|gentilissimo|gentilissima|carissimi|raga|collega|colleghi|buona giornata|
    buon lavoro|saluti|un saluto|buon di|dovra essere|dovranno essere|devono essere|deve essere|deve diventare|
    diventera|diventeranno|diventata|diventato|diventati|ora diventa|adesso sono|ora sono|siamo|saremo|saranno in|
    saremo in|siamo in|verrebbe|verrebbero|verra|arrivera|arriveranno|presentarsi|presentano|si presentano|si presenta|
    preferirebbe venire|preferiscono venire|preferirei|preferiremmo|gradirebbe|gradirebbero|gradisce|gradiscono|
    chiedeva di|chiedevano di|chiederebbe di|chiederebbero di|richiede|richiedono|domanda|domandano|avrebbe bisogno di|
    avrebbero bisogno di|ha bisogno di|hanno bisogno di|ha necessita di|necessita|necessitano|intende|intendono|mi dice|
    mi dicono|mi dice che|mi ha detto|mi ha detto che|ci ha detto che|ci hanno detto che|ci ha avvisato che|
    ci hanno avvisato che|ci ha avvisati che|avverte che|fa sapere che|fanno sapere che|comunica|comunica che|
    comunicano|comunicano che|segnala che|ci comunica|ci comunicano|ha comunicato|hanno comunicato|informa che|
    conferma che sono|ha telefonato|hanno telefonato|ha chiamato|hanno chiamato|ha scritto|hanno scritto|ha richiamato|
    hanno richiamato|richiamato|ci ha chiamato|ci ha scritto|ci hanno chiamato|ci hanno scritto|ha cambiato|
    hanno cambiato|cambiato|ha cambiato numero|ha cambiato mail|ha un nuovo|ha una nuova|ha appena cambiato|
    nuovo recapito|piu avanti possibile|nonna|nonno|zia|zio|moglie|marito|sorella|fratello|figlia|figlio|maestra|
    genitore|babbo|festeggiata|festeggiato|sposa|sposo|a causa di un imprevisto|per un imprevisto|imprevisto|
    causa maltempo|per maltempo|per motivi di lavoro|per problemi di lavoro|problema|problemi|un problema|
    c e un problema|urgente|urgentemente|con urgenza|il prima possibile|quanto prima|nel pomeriggio se puoi|a breve|
    se ti è possibile|se le è possibile|se ce la fai|se fattibile|fattibile|è fattibile|sarebbe possibile|
    sarebbe fattibile|si riesce a|si riesce|riuscirebbe|riuscirebbero|riusciremmo|riusciresti a|ce la fai a|
    ce la facciamo a|ce la fate a|posso chiederti di|posso chiedervi di|posso chiederle di|volevo chiederti di|
    volevo chiedere di|volevo chiedere se|vorrei chiedere|vorrei chiederti di|possiamo fare|si puo fare|andiamo con|
    andiamo su|facciamo pure|fai pure|procedi con|procedi a|procedere|procedi|provvedi|provvedere|provvedi a|in pratica|
    in sostanza|insomma|ecco qua|ecco il|ecco la|ecco l|precisamente|esattamente|giusto giusto|in punto|spaccate|
    per l esattezza|in via definitiva|totali|complessivi|complessive|complessivamente|in totale adesso|tutto compreso|
    anziche prima|al posto|da parte del cliente|da parte della cliente|del cliente|della cliente|su richiesta|
    su richiesta del cliente|su richiesta della cliente|come da accordi|come da richiesta|come richiesto|
    come concordato|come d accordo|nel gestionale|sul gestionale|dal gestionale|a gestionale|in archivio|nell archivio|
    sul registro|nel registro|nell elenco|dall elenco|dalla lista|in lista|ti informo che|vi informo che|ti avviso che|
    vi avviso che|ti dico che|sappi che|tieni presente che|tieni conto che|considera che|mi confermano che|
    mi conferma che|ci confermano|ci conferma|mi conferma|mi confermano|reperibile al|raggiungibile al|contattabile|
    contattabile al|lo trovi al|la trovi al|si puo contattare al|il numero giusto è|quello nuovo è|quella nuova è|
    nuovo di zecca|ultima cosa|un altra cosa|un ultima cosa|altra cosa|senti un po|allora senti|scusa il disturbo|
    scusate il disturbo|scusi|mi scusi|gentilmente se puoi|aiutarmi|aiutarci|aiuti|mi aiuti|aiutateci|dare una mano|
    una mano|l orario resta uguale|l orario resta lo stesso|stesso orario|allo stesso orario|l orario non cambia|
    la data non cambia|il resto non cambia|il resto invariato|resto invariato|tutto il resto invariato|
    mantieni lo stesso orario|mantenendo lo stesso orario|tenendo lo stesso orario|comunque sia
neg: nemmeno per|tutto tranne|tranne che|qualsiasi tranne|rifiuta|rifiutano|evita|evitare|eviterebbe|eviterebbero|
    lasciala alle|lasciala a|lascialo|lasciale|resta|restano|rimane|rimangono|tieni a|tieni la|tienila|mantieni|
    mantenere|invariato|invariata|indeciso|indecisa|indecisi|da confermare|da decidere|probabilmente|eventualmente|
    ipoteticamente|potenzialmente|in caso di|casomai|semmai|sta pensando di|stanno pensando di|pensava di|pensavano di|
    pensa di|pensano di|valuta|valutano|sta valutando|stanno valutando|una volta che|fintanto che|prima che|purche|
    ammesso che|compie|compira|compiono|compiva|non occorre|non c e bisogno di|non è necessario
other: cuoci|cucinare|cucina|decora|decorare|addobba|addobbare|calcola|calcolare|consiglia|consigliami|suggerisci|
    fammi vedere|fammi sentire|fammi ascoltare|fammi un preventivo|preventivo|scrivimi una|scrivi una poesia|poesia|
    leggimi|svegliami|imposta una sveglia|assumi|assumere|licenzia|licenziare|abbassa le luci|alza il volume|volume|
    telecamera|telecamere|climatizzatore|condizionatore|aria condizionata|riscaldamenti|lavastoviglie|forno|frigo|
    stampante|computer|sito|recensione|recensioni|volantino|tasse|commercialista|bonifico|affitto|stipendio|stipendi|
    busta paga|farina|vino|birra|tovaglioli|spesa|lista della spesa|idraulico|elettricista|oroscopo|calcio|serie a|
    traffico|treno|autobus|parcheggio libero|indicazioni|ricordarmi|ricordati di comprare|regolamento|rimborsi|
    politica di rimborso|orari di apertura|storia|canta|cantami|cantare|vendete|pioggia|piove|piovera|nevica|
    temperatura|capitale|risultato|mutuo|banca|ci vediamo|a presto|a domani a tutti|il mio turno|di turno|servi|servite|
    servire|accompagna|accompagnare
vague: un po|un pochino|un pochettino|parecchi|parecchie|molti|molte|tanti|tante|altra ora|un altra ora|un altro giorno
title: signori|signore|sigg|avv|ing|prof|professoressa|professor|geom|rag|arch
neg gone: non vuole piu|non vogliono piu|non la vuole piu|non la vogliono piu|non ne vuole piu sapere|non interessa piu|
    non ha piu bisogno di|non hanno piu bisogno di
"""
