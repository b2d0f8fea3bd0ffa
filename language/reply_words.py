"""The phrases of short replies (`language.replies`), by what they do, in both languages at once: without apostrophes,
accents and capitals. Patterns of phrases are spelled out when read: each row of words goes with each of the next."""

from collections.abc import Iterator
from functools import cache
from itertools import product

_PHRASES = {
    "yes": """
        yes|y|yep|yeah|yup|yas|yess|yis|ye|yeh|ya|yea|aye|yes sir|yessir|affirmative|roger|roger that|righto|
        righty o|sure|sure thing|certainly|indeed|agreed|by all means|absolutely|definitely|totally|of course|
        for sure|very well|fair enough|do both|both|yes to both|lock it in|lock that in|lock in|lock them in|
        send it|ship it|make it so|put it on|put it in|put it through|put that through|book it in|run it|confirmed|
        approve|approved|approve it|correct|thats it|that is it|thats the one|that is the one|spot on|exactly|
        good to go|all set|all in order|thats all in order|hell yes|heck yes|you bet|you beauty|too right|
        damn right|im happy with that|happy with that|im happy with it|i am happy with that|happy with it|
        fine by me|fine with me|works for me|that works|suits me|suits us|that suits|that will do|thatll do|
        that will do nicely|thatll do nicely|that does it|all good|all gd|all g|all correct|with pleasure|
        my pleasure|volentieri|con piacere|i agree|i approve|we agree|si|certo|certamente|d accordo|daccordo|esatto|
        esattamente|giusto|corretto|ottimo|benissimo|perfetto|perfettamente|perfect|sisi|ora e giusto|fammi questo|
        tutto giusto|tutto ok|tutto bene|tutto a posto|assolutamente|assolutamente si|come no|senz altro|senzaltro|
        ci mancherebbe|va bene|va bene cosi|cosi va bene|mi va bene|per me va bene|va benissimo|va benissimo cosi|
        e giusto|e corretto|e esatto|e perfetto|ci siamo|ci sta|confermato|confermata|approvo|approvato|tutti e due|
        tutte e due|entrambi|entrambe|save|save it|salva|salvalo|salvala|salvi""",
    "go": """
        go ahead and|do it|do that|do so|please do|please do so|please do that|do that please|do them|go ahead|
        go right ahead|go for it|go on|go on then|go ahead then|carry on|crack on|press on|drive on|on you go|
        away you go|have at it|knock yourself out|full steam ahead|get on with it|get it done|get that done|
        make it happen|lets do it|lets do that|lets go|confirm|confirm it|confirm that|confirm them|i confirm|
        i confirm it|we confirm|confirm plan|confirm the plan|proceed|please proceed|you may proceed|
        you can proceed|procedi|procedi pure|procedete|procediamo|proceda|proceda pure|procedere|si proceda|avanti|
        avanti cosi|vai avanti|vada avanti|confermo|confermo tutto|conferma|confermi|confermiamo|confermalo|
        confermala|confermali|confermare|fallo|falla|falli|fallo pure|falla pure|facciamolo|facciamo cosi|fai cosi|
        faccia cosi|lo faccia|la faccia|fai pure|faccia pure|faccia|vai|vai pure|vada|vada pure|mandalo|mandala|
        vai tranquillo|vai tranquilla|dai il via|dia il via|via libera""",
    "weak": """
        ok|okay|okey|oki|okie|okok|k|kk|okk|right|great|fine|thats fine|good|cool|nice|lovely|sweet|awesome|
        brilliant|brill|grand|deadly|ace|fab|fabulous|fantastic|excellent|splendid|marvellous|marvelous|wonderful|
        superb|terrific|delightful|ideal|smashing|magic|super|beauty|ripper|go|goodo|bene|grande|bravo|brava|
        bravissimo|bravissima|fantastico|fantastica|eccellente|splendido|stupendo|meraviglioso|magnifico|fai""",
    "no": "no|n|nope|nah|na|dont|do not|niente|not now|not yet|non ancora",
    "drop": """
        dont do it|do not do it|dont do that|dont do anything|do not do anything|do nothing|dont bother|dont worry|
        dont worry about it|no need|never mind|nevermind|nvm|forget it|forget that|forget about it|forget i asked|
        forget i said anything|forget the whole thing|ignore it|ignore that|disregard it|disregard that|strike that|
        scratch that|scrap it|scrap that|scrap the plan|scrap the lot|discard|
        discard it|discard plan|discard the plan|drop it|drop that|drop the plan|leave it|leave it alone|
        leave it be|leave it so|leave it then|leave it for now|leave it there|leave it at that|keep it|ditch it|
        ditch that|bin that|actually no|changed my mind|i changed my mind|ive changed my mind|
        i have changed my mind|on second thoughts no|dont touch it|do not touch it|dont touch anything|
        do not touch anything|dont touch a thing|touch nothing|dont change it|do not change it|dont change anything|
        do not change anything|change nothing|dont save it|do not save it|dont confirm|do not confirm|dont go ahead|
        do not go ahead|dont proceed|do not proceed|hold off|hold off on that|lascia stare|lasci stare|
        lasciamo stare|lascia perdere|lasci perdere|lasciamo perdere|lascia xdere|lascia|lasci|non farlo|
        non lo faccia|non lo fare|non fare niente|non fare nulla|non faccia niente|non faccia nulla|
        non facciamo niente|non toccare niente|non toccare nulla|non tocchi niente|non tocchi nulla|non toccarla|
        non toccarlo|non cambiare niente|non cambiare nulla|non cambi niente|non cambi nulla|non modificare niente|
        non modificare nulla|non salvare|non confermare|non confermi|non procedere|non proceda|non importa|
        dimentica|dimentichi|dimenticalo|dimentica tutto|scordatelo|scordalo|se lo scordi|ignora|ignoralo|
        come non detto|fai finta di niente|lasciala|lascialo|lasciale|lasciali|la lasci|lo lasci|non serve|
        non serve piu|fa niente|fa nulla|
        non fa niente|annulla tutto|ci ho ripensato|ho cambiato idea""",
    "stop": "stop|stop it|stop that|stop there|fermati|si fermi|ferma|ferma tutto|fermalo|stoppa|alt|abort|abort it",
    "wait": """
        wait|wait a sec|wait a minute|wait a moment|wait up|hold on|hold on a sec|hold on a minute|hang on|
        hang on a sec|hang on a minute|hold up|hold the phone|one sec|one second|one moment|one minute|just a sec|
        just a moment|just a minute|give me a sec|give me a moment|aspetta|aspe|aspetti|aspetta un attimo|
        aspetti un attimo|un attimo|un momento|un secondo|attendi|attenda|attenda un attimo|frena""",
    "undo": """
        undo|undo everything|undo all of it|undo what you did|undo it all|reverse it|reverse that|revert|revert it|
        revert that|roll it back|roll that back|roll back|rollback|take that back|take it back|put it back|
        put that back|put them back|put everything back|put it all back|put it right back|change it back|
        change that back|switch it back|move it back|set it back|go back to how it was|it should be undone|
        that should be undone|i want it undone|i want that undone|back to how it was|back to the way it was|
        how it was|how it was before|the way it was|the way it was before|as it was|as it was before|as they were|
        to how it was|annulla le modifiche|disfa|ripristina|ripristina tutto|ripristini|torna indietro|
        torna come prima|rimetti com era|riportala com era|riportalo com era|riporta tutto com era|com era prima|
        come era prima|rimetti tutto com era|rimetti tutto com era prima|rimetti tutto come prima""",
    "cancel": """
        cancel|cancel it|cancel that|cancel this|cancel that one|cancel the lot|cancella|cancellala|cancellalo|
        cancelli|annulla|annullala|annullalo|annulli|annullare|disdici|disdicila|disdica""",
    "order": "do it again|send it again|do that again|correct it|correct this|right it|fix it|fix that|correggi|"
    "correggilo|correggila|"
    "can you confirm|could you confirm|can u confirm|could u confirm|would you confirm|will you confirm|"
    "puoi confermare|puo confermare|puoi confermarmi|puo confermarmi|mi confermi|mi conferma|mi confermate",
    "retry": """
        try again|try it again|try that again|retry|have another go|give it another go|one more time|riprova|
        riprovaci|riprovi|ritenta|prova ancora|prova di nuovo|provaci ancora|ancora una volta""",
    "polite": """
        omg|gosh|argh|ugh|blimey|sry|please|pls|plz|thanks|thank you|thank you very much|many thanks|with thanks|
        with many thanks|thankyou|thx|
        ty|ta|tks|cheers|mate|love|sorry|soz|oops|whoops|my bad|my mistake|my apologies|thats on me|grazie|
        grazie mille|molte grazie|tante grazie|per favore|per piacere|per cortesia|scusa|scusi|scusami|mi scusi|
        mi scuso|prego|kindly|thank you kindly|if you please|if you would|if you would be so kind|cortesemente|
        gentilmente|la ringrazio|ti ringrazio|my good man|dear|no worries|no problem|no probs|boss|chief|bro|sis|
        darling|darl|hun|hon|sweetie|babe|pal|buddy|bud|champ|gorgeous|star|angel|guys|folks|bella|bello|cara|caro|
        tesoro|gioia|capo|amore|stella|ragazzi""",
    "filler": """
        can you|could you|can u|could u|would you|will you|can we|could we|puoi|puo|potresti|potrebbe|possiamo|that|
        thats|this|it|its|them|them all|all|so|just|now|then|oh|ah|ahh|well|hmm|um|uh|actually|the|and|with that|
        with it|to that|to it|on|one|ones|for real|sick|legend|my end|from me|again|too|everything|all of it|
        all of that|all of them|both of them|both of those|both of these|both changes|both the changes|the change|
        the changes|those changes|these changes|with the change|with the changes|for now|plan|the plan|the booking|
        ecco|dai|su|allora|dunque|eh|oddio|beh|boh|vabbe|anzi|pure|adesso|ora|cosi|quello|quella|questa|questo|
        tutto|e|lo|la|li|le|senti|guarda|mi|perfavore|le modifiche|la modifica|con la modifica|con le modifiche|
        entrambe le modifiche|i cambi|il cambio|no changes|no other changes|no more changes|nothing else|
        nothing more|thats all|that is all|thats everything|that is everything|nient altro|niente altro|
        nessun altra modifica|basta cosi""",
}
_PATTERNS = {
    "no_cancel": (
        ("dont|do not|please dont|no dont", "cancel", "it|that|this|them|anything|the booking"),
        ("dont|do not", "cancel"),
        (
            "non",
            "annullare|annullarla|annullarlo|cancellare|cancellarla|cancellarlo|disdire|disdirla|disdirlo|"
            "la annulli|lo annulli|la cancelli|lo cancelli|la disdica|annulli|cancelli|disdica",
        ),
    ),
    "no_move": (
        ("dont|do not", "move|shift|reschedule|push", "it|that|this|them|anything|the booking"),
        ("non", "spostare|spostarla|spostarlo|spostarli|la sposti|lo sposti|la spostare|lo spostare"),
    ),
    "polite": (("thank you|thanks", "so much|a lot|a million|a bunch|heaps|very much|tons|again"),),
    "yes": (
        (
            "that|it|this|everything|all|both|both of those",
            "is|are|looks|look|sounds|sound|seems",
            "right|correct|fine|good|great|perfect|ok|okay|lovely|grand|brilliant|excellent|ideal|wonderful|fab",
        ),
        (
            "thats|its|everythings|theyre|looks|sounds|looking",
            "right|correct|good|great|perfect|lovely|grand|brilliant|excellent|ideal|wonderful|fab",
        ),
        ("confermo|approvo", "tutto|entrambi|entrambe|le modifiche|la modifica|entrambe le modifiche"),
    ),
    "go": (
        ("proceda|procedi|procedere|vada avanti|vai avanti", "con le modifiche|con la modifica|con tutto|cosi"),
        ("fire|work|type|plough|blaze|steam|bash|hammer", "away|ahead"),
    ),
    "drop": (
        (
            "scrap|drop|discard|forget|forget about|ditch|bin|dump|scratch|never mind|dont worry about|"
            "do not worry about|leave|skip",
            "that one|this one|all that|the plan|the lot|the whole thing|all of it|the change|the changes|"
            "that change|those changes",
        ),
        (
            "forget|ignore|disregard|scrap|scratch|strike|never mind|forget about",
            "what i said|what i just said|what i asked|what i wrote|everything i said|my last message|the last message",
        ),
        (
            "annulla|dimentica|ignora|cancella|scarta|lascia perdere|lascia stare|non considerare",
            "quello che|cio che|quanto|tutto quello che",
            "ho detto|ho scritto|ho chiesto|avevo detto|avevo scritto|avevo chiesto",
        ),
        (
            "leave it|leave that|leave everything|leave things|leave them|keep it|keep that|keep everything|"
            "keep things|let it stay|it stays|it can stay",
            "as is|as it is|as it was|as they are|as they were|how it is|how it was|how they were|the way it is|"
            "the way it was|where it is|where it was|alone|unchanged|untouched|put|the same|just as it is",
        ),
        (
            "lascia|lasci|lasciamo|lascia tutto|lasci tutto|lasciamo tutto|lasciala|lascialo|lasciale|lasciali|"
            "la lasci|lo lasci|lasciatela|resta|resta tutto|rimane tutto",
            "com e|com era|come e|come era|come sta|come prima|dov e|dov era|cosi|cosi com e|cosi come e|stare",
        ),
    ),
    "undo": (
        (
            "undo|revert|reverse|take back|roll back|unwind",
            "it|that|this|the|that last|the last|my last|your last|this last|last",
            "change|changes|chg|chgs|one|edit|update|move|bit",
        ),
        ("undo|revert|reverse", "it|that|this|them|these|those"),
        (
            "it|that|this|the change|that change|the last change",
            "should be|must be|has to be|needs to be|can be|ought to be",
            "undone|reversed|reverted|taken back",
        ),
        (
            "put it|put that|put this|put them|put everything|put things|change it|change that|set it|switch it|"
            "move it|bring it|take it",
            "back as|back to|back|to",
            "it was|it was before|how it was|how it was before|the way it was|how they were|as it was|"
            "as it was before|what it was|what it was before|where it was|where it was before",
        ),
        ("annulla|annulli|disfa|annullare|ripristina", "la|l|quella|questa|quest", "modifica|ultima modifica"),
        (
            "rimetti|rimetta|rimettila|rimettilo|rimettile|rimettili|rimettiamo|rimettiamola|riporta|riportala|"
            "riportalo|torniamo|torna|tutto|falla tornare|fallo tornare",
            "com era|com era prima|come era|come era prima|come prima|dov era|dov era prima",
        ),
    ),
}
"""Rows of a pattern follow each other; "thats" and "looks" need no second row."""
DEGREES = frozenset(
    "very quite really perfectly pretty totally entirely completely truly jolly absolutely most molto proprio davvero "
    "perfettamente".split()
)
"""How much so: with or without them a phrase is the same."""
BARS = frozenset(
    "not no never without but except wait first unless if before after until till once instead other others "
    "another wrong mistake when while though although however still yet than same different next besides "
    "otherwise later earlier second third last alternatively rather half more less fewer she he they her him his "
    "hers their theirs whether or maybe perhaps said says told asked ditto likewise almost nearly partly apart "
    "cept cos because since non ma pero se tranne prima dopo invece altro differently diversamente aspetto "
    "attendo aspettiamo attendiamo manca mancano serve await need altra altri altre sbagliato sbagliata sbagliati "
    "quando mentre finche eccetto salvo stesso stessa diverso poi lei lui loro piu meno forse magari oppure o "
    "seconda terza ultimo ultima mezza mezzo perche siccome dice detto".split()
)
"""Words that may turn a yes, restrict it, or tell somebody else's."""
JOINS = frozenset("and plus also too with only just as anche e ed con solo soltanto inoltre pure again n".split())
"""Words that join something to a yes, or single it out: beside a word of no list they may order more, or less."""
TOWARDS = frozenset("to by past for on in at of from into per di del della dei a al alla da".split())
"""Words that make what follows more than a cheer: "send it to Jane"."""
GLUE = frozenset(
    "i im u you we me us my your our to of in for at with is are am be been a an the that those these so "
    "all there here will would il gli un uno una di del della dei delle per con al alla che ti ci vi "
    "tutta tutti tutte l".split()
)
"""Words that carry nothing beside a yes."""


@cache
def kinds() -> dict[str, str]:
    """What each phrase does, by the phrase."""
    found = {" ".join(p.split()): kind for kind, text in _PHRASES.items() for p in text.split("|") if p.strip()}
    for kind, patterns in _PATTERNS.items():
        for phrase in (one for rows in patterns for one in _spelled(rows)):
            found.setdefault(phrase, kind)
    denied = {f"please {phrase}": kind for phrase, kind in found.items() if phrase.startswith(("do not ", "dont "))}
    return found | denied


def _spelled(rows: tuple[str, ...]) -> Iterator[str]:
    for words in product(*(row.split("|") for row in rows)):
        yield " ".join(" ".join(words).split())
