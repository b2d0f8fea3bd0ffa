"""Italian phrases of short replies and the words beside them, see `language.replies.phrases` and
`language.replies.qualifiers`: without apostrophes, accents and capitals."""

PHRASES = {
    "yes": """
        volentieri|con piacere|si|certo|certamente|d accordo|daccordo|esatto|esattamente|giusto|corretto|ottimo|
        benissimo|perfetto|perfettamente|sisi|ora e giusto|fammi questo|tutto giusto|tutto ok|tutto bene|
        tutto a posto|assolutamente|assolutamente si|come no|senz altro|senzaltro|ci mancherebbe|va bene|va bene cosi|
        cosi va bene|mi va bene|per me va bene|va benissimo|va benissimo cosi|e giusto|e corretto|e esatto|e perfetto|
        ci siamo|ci sta|confermato|confermata|approvo|approvato|tutti e due|tutte e due|entrambi|entrambe|salva|
        salvalo|salvala|salvi""",
    "go": """
        procedi|procedi pure|procedete|procediamo|proceda|proceda pure|procedere|si proceda|avanti|avanti cosi|
        vai avanti|vada avanti|confermo|confermo tutto|conferma|confermi|confermiamo|confermalo|confermala|confermali|
        confermare|fallo|falla|falli|fallo pure|falla pure|facciamolo|facciamo cosi|fai cosi|faccia cosi|lo faccia|
        la faccia|fai pure|faccia pure|faccia|vai|vai pure|vada|vada pure|mandalo|mandala|vai tranquillo|
        vai tranquilla|dai il via|dia il via|via libera""",
    "weak": """
        ok|okay|bene|grande|bravo|brava|bravissimo|bravissima|fantastico|fantastica|eccellente|splendido|stupendo|
        meraviglioso|magnifico|super|fai""",
    "no": "no|n|niente|non ancora",
    "drop": """
        lascia stare|lasci stare|lasciamo stare|lascia perdere|lasci perdere|lasciamo perdere|lascia xdere|lascia|
        lasci|non farlo|non lo faccia|non lo fare|non fare niente|non fare nulla|non faccia niente|non faccia nulla|
        non facciamo niente|non toccare niente|non toccare nulla|non tocchi niente|non tocchi nulla|non toccarla|
        non toccarlo|non cambiare niente|non cambiare nulla|non cambi niente|non cambi nulla|non modificare niente|
        non modificare nulla|non salvare|non confermare|non confermi|non procedere|non proceda|non importa|
        dimentica|dimentichi|dimenticalo|dimentica tutto|scordatelo|scordalo|se lo scordi|ignora|ignoralo|
        come non detto|fai finta di niente|lasciala|lascialo|lasciale|lasciali|la lasci|lo lasci|non serve|
        non serve piu|fa niente|fa nulla|non fa niente|annulla tutto|ci ho ripensato|ho cambiato idea""",
    "stop": "stop|fermati|si fermi|ferma|ferma tutto|fermalo|stoppa|alt",
    "wait": """
        aspetta|aspe|aspetti|aspetta un attimo|aspetti un attimo|un attimo|un momento|un secondo|attendi|attenda|
        attenda un attimo|frena""",
    "undo": """
        annulla le modifiche|disfa|ripristina|ripristina tutto|ripristini|torna indietro|torna come prima|
        rimetti com era|riportala com era|riportalo com era|riporta tutto com era|com era prima|come era prima|
        rimetti tutto com era|rimetti tutto com era prima|rimetti tutto come prima""",
    "cancel": """
        cancella|cancellala|cancellalo|cancelli|annulla|annullala|annullalo|annulli|annullare|disdici|disdicila|
        disdica""",
    "order": """
        correggi|correggilo|correggila|puoi confermare|puo confermare|puoi confermarmi|puo confermarmi|mi confermi|
        mi conferma|mi confermate""",
    "retry": "riprova|riprovaci|riprovi|ritenta|prova ancora|prova di nuovo|provaci ancora|ancora una volta",
    "polite": """
        grazie|grazie mille|molte grazie|tante grazie|per favore|per piacere|per cortesia|scusa|scusi|scusami|mi scusi|
        mi scuso|prego|cortesemente|gentilmente|la ringrazio|ti ringrazio|bella|bello|cara|caro|tesoro|gioia|capo|
        amore|stella|ragazzi""",
    "filler": """
        puoi|puo|potresti|potrebbe|possiamo|oh|ah|ecco|dai|su|allora|dunque|eh|oddio|beh|boh|vabbe|anzi|pure|adesso|
        ora|cosi|quello|quella|questa|questo|tutto|e|lo|la|li|le|senti|guarda|mi|perfavore|le modifiche|la modifica|
        con la modifica|con le modifiche|entrambe le modifiche|i cambi|il cambio|nient altro|niente altro|
        nessun altra modifica|basta cosi""",
}
PATTERNS = {
    "no_cancel": (
        (
            "non",
            "annullare|annullarla|annullarlo|cancellare|cancellarla|cancellarlo|disdire|disdirla|disdirlo|"
            "la annulli|lo annulli|la cancelli|lo cancelli|la disdica|annulli|cancelli|disdica",
        ),
    ),
    "no_move": (("non", "spostare|spostarla|spostarlo|spostarli|la sposti|lo sposti|la spostare|lo spostare"),),
    "yes": (("confermo|approvo", "tutto|entrambi|entrambe|le modifiche|la modifica|entrambe le modifiche"),),
    "go": (("proceda|procedi|procedere|vada avanti|vai avanti", "con le modifiche|con la modifica|con tutto|cosi"),),
    "drop": (
        (
            "annulla|dimentica|ignora|cancella|scarta|lascia perdere|lascia stare|non considerare",
            "quello che|cio che|quanto|tutto quello che",
            "ho detto|ho scritto|ho chiesto|avevo detto|avevo scritto|avevo chiesto",
        ),
        (
            "lascia|lasci|lasciamo|lascia tutto|lasci tutto|lasciamo tutto|lasciala|lascialo|lasciale|lasciali|"
            "la lasci|lo lasci|lasciatela|resta|resta tutto|rimane tutto",
            "com e|com era|come e|come era|come sta|come prima|dov e|dov era|cosi|cosi com e|cosi come e|stare",
        ),
    ),
    "undo": (
        ("annulla|annulli|disfa|annullare|ripristina", "la|l|quella|questa|quest", "modifica|ultima modifica"),
        (
            "rimetti|rimetta|rimettila|rimettilo|rimettile|rimettili|rimettiamo|rimettiamola|riporta|riportala|"
            "riportalo|torniamo|torna|tutto|falla tornare|fallo tornare",
            "com era|com era prima|come era|come era prima|come prima|dov era|dov era prima",
        ),
    ),
}
"""Rows of a pattern follow each other."""

DEGREES = "molto proprio davvero perfettamente".split()
BARS = (
    "no non ma pero se tranne prima dopo invece altro diversamente aspetto attendo aspettiamo attendiamo manca mancano "
    "serve altra altri altre sbagliato sbagliata sbagliati quando mentre finche eccetto salvo stesso stessa diverso "
    "poi lei lui loro piu meno forse magari oppure o seconda terza ultimo ultima mezza mezzo perche siccome dice "
    "detto".split()
)
JOINS = "anche e ed con solo soltanto inoltre pure".split()
JOINS_BEFORE_A_NAME = ("con",)
"""Of these, words that may join a name to a yes."""
JOINS_UNLESS_LAST = ("pure",)
"""Of these, words that join nothing at the end: "vai pure"."""
TOWARDS = "per di del della dei a al alla da in".split()
GLUE = "il gli un uno una di del della dei delle per con al alla che ti ci vi tutta tutti tutte l i in a".split()
POINTS = "il lo la i gli le quella quello questa questo".split()
UNFINISHED = "anche inoltre e ed".split()
