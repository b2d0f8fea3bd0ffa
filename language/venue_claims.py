"""Statements about a venue in somebody's words: "dogs are welcome", "we close at 11", "la domenica costa di più".

What a venue goes by is anything at all, so no list has all of it. So it is told the other way round: a statement is one
about the venue unless it is of a kind that a chat about bookings needs: of a booking or its people, of free places, of
what was found or is not possible here, or of what the operator is to say next.
"""

import re

from language.lexer import fold
from language.small_talk import small_talk
from language.venue_terms import before_presumed, presumed, terms_in

_SENTENCE = re.compile(r"(?:[^.!?…\n]|\.(?=\w)|(?<=[apAP])\.(?=[mM]))+[.!?…]*[\"'”’)]*\s*")
_CLAUSE = re.compile(
    r"[;:]\s+|\s[-–—]\s|,\s+(?:and|but|so|because|since|as|for|e|ma|perche|quindi)\s+|,\s+|"
    r"\s(?:because|since|given that|seeing that|now that|knowing that|perche|visto che|dato che|siccome)\s|"
    r"\s(?:and|but|e|ma)\s(?=(?:we|our|the|there|it's|dogs|you|kids|guests|children|noi|il|la|i|gli|le|c'e|ci sono)\b)"
)
_HEAD = re.compile(
    r"^(?:[\s,.!:;()–—-]|(?:well|yes|yep|yeah|yup|nope|sure(?: thing)?|of course|certainly|absolutely|ok|okay|right|"
    r"great|sorry|also|"
    r"and|but|so|then|too|actually|generally|usually|normally|plus|hello|hi|hiya|hey|thanks|thank you|good news|"
    r"by the way|btw|fyi|just so you know|just to let you know|please note(?: that)?|note(?: that)?|remember(?: that)?|"
    r"don't forget(?: that)?|as far as i know|as a rule|in general|don't worry|no worries|no problem|keep in mind that|"
    r"(?:did you know|you (?:may|might|should) know|you know)(?: that)?|"
    r"i (?:can|could|may|should|will|would) (?:tell|confirm to|assure|inform|remind) you(?: that)?|i'm (?:happy|glad|"
    r"pleased|"
    r"sorry|afraid)(?: to (?:say|tell you|confirm|inform you))?(?: that)?|i am (?:happy|glad|pleased|sorry|"
    r"afraid)(?: to "
    r"(?:say|tell you|confirm|inform you))?(?: that)?|i (?:know|think|believe|guess|confirm|understand|see|checked|"
    r"looked|"
    r"can confirm|found|have checked|find)(?: out)? that|i (?:know|think|believe|guess|can confirm)|"
    r"(?:tell|let) (?:him|her|them|the guests?|mum) (?:know )?that|the answer is(?: that)?|"
    r"the venue (?:says|told me|states)(?: that)?|according to \w+(?: \w+)?|"
    r"(?:and )?if you (?:like|want|wish)|"
    r"certo|certamente|assolutamente|allora|dunque|bene|ecco|purtroppo|inoltre|anche|comunque|tra l'altro|"
    r"di solito|in genere|buongiorno|buonasera|ciao|salve|grazie|tenga presente che|ricordi che|le ricordo che|"
    r"sappia che|lo sa che|lo sapeva che|sapeva che|so che|credo che|penso che|le confermo che|posso (?:dirle|"
    r"confermarle) che"
    r")\b)+"
)
_BOOKING = (
    r"booking|reservation|party|session|lesson|meeting|ride|visit|group|appointment|event|invitation|note|plan|change|"
    r"request|total|balance|name|number|phone(?: number)?|email|e-mail|e-mail address|address|contact|date|day|time|"
    r"count|guest count|guest|guests|host|change|step|steps|new \w+|old \w+|other \w+|first|second|one|rest|"
    r"kids|children|family|customer|client|rider|pupil|horse|duration|organiser|organizer|attendees?|"
    r"system|calendar|venue manager|roller|voucher"
)
_PRENOTAZIONE = (
    r"prenotazione|festa|sessione|lezione|riunione|turno|visita|gruppo|appuntamento|evento|nota|piano|modifica|"
    r"richiesta|"
    r"totale|saldo|nome|numero(?: di telefono)?|telefono|email|indirizzo|contatto|data|giorno|ora|orario|ospite|ospiti|"
    r"cliente|famiglia|bambini|prossim[ao] \w+|nuov[ao] \w+|altr[ao] \w+|prima|seconda|passo|passi|sistema|calendario"
)
_PART = r"(?! (?:rooms?|bags?|hosts?|packages?|food|menus?|areas?|hall|wear|centre|center)\b)"
"""A party room is no party."""
_FREE = (
    r"places?|spots?|seats?|spaces?|slots?|sessions?|rooms?|times?|tables?|bookings?|reservations?|parties|lessons?|"
    r"meetings?|"
    r"rides?|options?|matches|guests?|people|results?|nothing|nobody|no \w+|one|two|three|several|more|another|an? \w+ "
    r"(?:booking|party|session|lesson|meeting)"
)
_INNOCENT = re.compile(
    rf"^(?:"
    # Of whoever answers: what it can, found, needs; what becomes of the request.
    r"i(?:'m|'ve|'ll|'d)?\b|let me\b|let's\b|me\b|nothing\b|no(?:body| one| \w+)\b (?:was|were|is|has|matches|matched|"
    r"found|with|"
    r"by|under|needs)|neither\b|none\b|"
    r"(?:non )?(?:ho|posso|sono riuscit\w|riesco|trovo|vedo|capisco|mi|cerco|controllo|guardo|preparo|serve|occorre)\b|"
    r"(?:non )?(?:e|sono) (?:stat[oaie]|gia|prenotat[oaie])\b|niente\b|nulla\b|nessun\w*\b|nessun\w* \w+|"
    r"we(?:'ll|'ve)? (?:can|could|will|need|have to|found|looked|did|must|should)?\s?(?:\w+ )?(?:find|found|look|move|"
    r"change|cancel|add|update|know|need|start|go on|wait|see|book|keep it|leave)\b|"
    # Of what the operator has said, is to say or to do here.
    r"(?:please )?(?:tell|say|give|choose|pick|check|confirm|ask|look|try|use|type|let|have a look|do you|spell|repeat|"
    r"contact|see|reply|answer|press|speak|wait|sign in|call the venue|name|mean|refer|start|go|add|read|just say|"
    r"say it)\b(?! \w+ (?:are|is|can) )|"
    r"you(?:'d|'ll|'ve)? (?:have to|need to|must|can|may|could|should|want|wanted|would like|"
    r"would have to)? ?(?:just )?(?:"
    r"confirm|say|said|tell|told|give|gave|choose|pick|check|ask|asked|mean|meant|want|wanted|typed|wrote|look|try|"
    r"sign in|"
    r"see|undo|cancel (?:it|this|the)|change (?:it|this|the)|still|are welcome\W*$|'re welcome\W*$)\b|"
    r"you're welcome\W*$|"
    r"(?:you )?(?:also )?(?:can |could )?(?:also )?(?:try|made this|cannot be)\b|more than one\b|the venue (?:did|has|"
    r"does)(?: not|n't) "
    r"(?:accept|answer|say|tell)|nobody\b|no (?:\w+ ){1,4}(?:is|was|are|were|has|have|found|for)\b|(?:of|di) (?:which|"
    r"cui)\b|"
    r"[\"“«„']|free in that week|giorni liberi|qui\b|era tutt|potrebbe essere|refresh|retry|"
    r"make (?:the|a) (?:new )?request|"
    r"reading|checking|confronto|cerchi|con un account|or\b|"
    r"with the \w+'s|se (?:non )?(?:e|succede)\b|dal locale non si|per esempio|"
    r"there are at least\b|"
    r"(?:shall|should|would|do|does|did|is|are|was|can|could|may|will|have|has) (?:i|you|we|it|that|this|they|he|"
    r"she)\b|"
    r"(?:vuole|devo|posso|intende|desidera|preferisce)\b|"
    r"(?:mi (?:dica|dia|scriva|indichi|scusi)|ricarichi|faccia|riprovi|avvisi|acceda|chieda|ripeta|lo fa|"
    r"non e previsto|dica|scelga|controlli|confermi|usi|provi|guardi|indichi|prego|deve|puo|vuole|"
    r"desidera|intendeva|intende|ha (?:detto|scritto|chiesto)|lo dica|prima deve)\b|"
    r"(?:per|prima di|before|to|for|in order to|after|once|when|until|unless|se|if)\s(?:it|that|this|them|"
    r"the (?:change|plan|"
    r"booking|price|name)|(?:cambiar|spostar|annullar|modificar|confermar)\w*|change|move|cancel|book|do)\b|"
    # Of a booking, of what was said of it, of somebody.
    rf"[\w-]+'s? (?:\w+ ){{0,2}}?(?:{_BOOKING})s?\b{_PART}|"
    r"(?:questo|questa|quello|quella|cio) (?:va|vanno|e|non|deve|si)\b|"
    r"(?:he|she|they|it|this|that|these|those|both|everything|all)(?:'s|'re|'ve|'ll|'d)?\b|"
    r"(?:his|her|their|its|my)\b|"
    rf"(?:the|this|that|these|those|your|a new) (?:[\w:'-]+ ){{0,3}}?(?:{_BOOKING})s?\b{_PART}|"
    rf"(?:{_BOOKING}) [\w-]*\d|"
    rf"(?:il|lo|la|l'|i|gli|le|quest[aoei]|quell[aoei]|su[ao]|una?) ?(?:[\w:'-]+ ){{0,2}}?(?:{_PRENOTAZIONE})\b|"
    rf"(?:(?:il|la) )?(?:su[ao]|loro)\b|"
    r"(?:vien|veng|arriv|comincia|inizia|finisc)\w+\b|"
    # Of free places.
    rf"(?:there (?:is|are|was|were)|there's)(?: (?:still|only|just|also|no|not|now|currently|any|\d+|an?|one|two|"
    rf"three|four|"
    rf"five|six|several|enough|other|more|free|open|available))* (?:{_FREE})\b(?! (?:rooms?|bags?))|"
    r"(?:alle|dalle|per le|a) \d|(?:non )?c'e (?:ancora |piu |anche )?"
    rf"(?:posto|un'altra (?:prenotazione|festa|riunione)|"
    rf"un posto|una|nulla|niente|nessun\w*|"
    rf"un giorno|libero)|ce ne sono\b|in quella settimana\b|tutti i passi\b|la (?:sede|struttura) non\b|"
    rf"\d[\d:.]*(?:am|pm)? (?:is|has|would|works)|(?:ci )?(?:sono|e) (?:ancora |solo )?(?:\d+|due|tre|altr\w) "
    r"(?:post|turn|prenotazion|lezion|fest|incontr)\w+|(?:at|on|for) \d[\d:.]*(?:am|pm)?\b.* (?:left|free|available|"
    r"full)\b|"
    r"(?:here|ecco)\b|which\b|what\b|who\b|how\b|quale\b|chi\b|che\b"
    r")"
)
_SUBJECT = re.compile(
    rf"^(?:(?:he|she|they|it|this|that|these|those|both|everything|all|everybody|everyone)(?:'s|'re|'ve|'ll|'d)?\b|"
    rf"(?:his|her|their|its)\b|(?:the|this|that|these|those|your|every|each|any) "
    rf"(?:[\w:'-]+ ){{0,3}}?(?:{_BOOKING})s?\b|"
    rf"you (?:may|can) (?:also )?cancel\b|(?:non )?(?:puo|possono|serve|servono|occorre)\b|"
    rf"(?:il|lo|la|l'|i|gli|le|quest[aoei]|ogni) ?(?:[\w:'-]+ ){{0,2}}?(?:{_PRENOTAZIONE})\b)"
)
_OF_ANY = frozenset(
    "this that these those they them their there then than with without from have been will would could should must "
    "what when which your yours here more also just only still very into over booking bookings reservation party "
    "session lesson meeting guest guests group everything everybody everyone "
    "questo questa quello quella sono hanno deve devono possono serve prenotazione festa sessione lezione ospite "
    "ospiti gruppo della delle dello degli nella nelle come quando anche ancora solo".split()
)
"""Words that every statement of a booking may have: they tell nothing of it."""
_BOOKED = re.compile(
    r"\b(?:is|are|was|were|has been|have been|isn't|aren't) (?:not |now |already |still |only )?(?:booked|down for|"
    r"coming|"
    r"due|called|on file|on the list)\b|"
    r"\b(?:is|are|was) (?:full|free on|free at|available (?:on|at)|sold out)\b|\b(?:places|spots|seats|slots|"
    r"spaces) (?:left|"
    r"free|available)\b|\b(?:e|sono) (?:prenotat|al completo|pien|liber)\w*|\bbooking \w*\d"
)
"""Said of a booking or of free places whatever stands before it."""
_RULE = re.compile(
    r"\b(?:refund(?:s|ed|able)?\b(?! (?:it|him|her|them|this|that|the|booking|here|anything|for you))|surcharges?|"
    r"discounts?|"
    r"free of charge|for free|for nothing|no charge|at no cost|"
    r"cancellation fees?|late fees?|deposits? (?:is|are|of|stays?)|per (?:person|head|child|kid|guest|hour)|a head|"
    r"welcome(?! to (?:say|tell|ask))|allowed|permitted|forbidden|prohibited|compulsory|mandatory|obligatory|"
    r"(?:open|close|shut)s?(?: (?:at|until|till|from|on|every|late|early|between|daily|all)\b|\W*$)|closed|"
    r"opening hours|"
    r"expires?|polic(?:y|ies)|entitled|complimentary|on the house|half price|gets? (?:a |their |your )?(?:money|"
    r"cash) back|"
    r"working days|business days|a lead|leash|"
    r"gratis|gratuit[oaie]|supplemento|sconti?|a testa|a persona|ammess[oaie]|consentit[oaie]|permess[oaie]|"
    r"vietat[oaie]|"
    r"obbligatori[oae]|rimborsiamo|rimborsat[oaie]|aperti|chiusi|chiudiamo|apriamo|benvenut[oi]|scad(?:e|ono)|caparra|"
    r"penale)\b"
)
"""Said of what a venue goes by whatever stands before it, unless it is of what happened to a booking."""
_NO_RULE = re.compile(
    r"\bi(?:'m| am| was) (?:not )?(?:allowed|permitted)|(?:you are|you're) (?:most |very )?welcome\W*$|"
    r"non mi e permesso|"
    r"\b(?:i|can|cannot|can't|could|couldn't|to|not|posso|non) (?:\w+ )?(?:refund|discount)\b|"
    r"\b(?:has|have|had|was|were|been|already|be|e|e gia|gia) (?:not |already |fully |stat[oa] )*(?:refunded|closed|"
    r"rimborsat[oa]|chius[oa])\b|\bi cannot|\bi can't|\bcannot help|\bnon posso|\b(?:not|isn't|aren't) (?:something |"
    r"anything )?i\b"
)
_NOT_KNOWN = re.compile(
    r"\b(?:i (?:do not|don't|can't|cannot|could not|couldn't) (?:know|say|tell|find|answer|have|see|help)|"
    r"i'm not (?:sure|able|"
    r"allowed|told)|i am not (?:sure|able|allowed|told)|i have no|no (?:information|idea)|nobody told me|not been told|"
    r"non (?:lo )?so|non ho (?:informazioni|idea)|non (?:posso|saprei|mi risulta|mi e|trovo))\b"
)
_VERB = re.compile(
    r"\b(?:is|are|was|were|isn't|aren't|has|have|had|can|can't|cannot|could|may|must|mustn't|will|won't|would|should|"
    r"do|does|"
    r"don't|doesn't|need|needs|takes?|costs?|pays?|gets?|goes|go|stays?|comes?|hold|holds|fits?|runs?|carry|"
    r"carries|allow|allows|accepts?|offers?|provides?|includes?|requires?|sells?|serves?|starts?|ends?|opens?|closes?|"
    r"lasts?|"
    r"keeps?|jumps?|brings?|wears?|works?|applies|apply|expires?|charges?|close|shut|shuts|"
    r"e|sono|ha|hanno|abbiamo|puo|possono|deve|devono|costa(?:no)?|vale|valgono|apre|aprono|chiude|chiudono|dura|"
    r"durano|"
    r"serve|servono|entra(?:no)?|paga(?:no)?|arriva(?:no)?|basta|bastano|va|vanno|fa|fanno|\w+iamo)\b|'s (?:open|"
    r"closed|free|fine|ok|okay|allowed|a|an|the|in|at|on|not|no|all|always|just|only)\b|'re\b"
)
_SENTENCE_WORDS = 4
_ASKS = re.compile(
    r"^(?:(?:should|shall|would|could|do|does|did) (?:i|you|we|it|he|she|they|the|this|that)|which|what|when|where|"
    r"who|how|quale|quali|quando|dove|come|vuole|devo|posso)\b"
)
_ROW = re.compile(
    r"^(?:\W*\d|(?:mon|tues|wednes|thurs|fri|satur|sun)day|today|tomorrow|tonight|at|on|for|with|from|in|by|to|"
    r"lunedi|martedi|mercoledi|giovedi|venerdi|sabato|domenica|oggi|domani|stasera|alle|dalle|il \d|per|con|da|di|a)\b"
)
_FRAGMENT = re.compile(r"[$€£%]|\b(?:dollars?|euros?|bucks)\b")
_WE = re.compile(
    r"^(?:noi )?(?:non )?(?!possiamo|vediamo|troviamo|spostiamo|cambiamo|facciamo|andiamo|prepariamo)\w+iamo\b"
)
_COURTEOUS = re.compile(
    r"^\W*(?:hello|hi|hiya|hey|g'day|good (?:morning|afternoon|evening)|thanks?|thank you|sure(?: thing)?|ok(?:ay)?|"
    r"all right|"
    r"alright|great|got it|right|no worries|no problem|you're welcome|you are welcome|my pleasure|of course|certainly|"
    r"yes|no|"
    r"sorry|perfect|done|cheers|noted|understood|let me see|by the way|one moment|"
    r"buongiorno|buonasera|ciao|salve|prego(?:, si figuri)?|grazie|certo|va bene|d'accordo|perfetto|subito|si|no|"
    r"capito|"
    r"mi scusi|un attimo)(?: there| again| mate| everyone| love| a lot)?\W*$"
)


def sentences_in(text: str) -> list[str]:
    """The sentences of a text, each with its marks and the space behind it."""
    return [found.group() for found in _SENTENCE.finditer(text) if found.group().strip()]


def courteous(sentence: str) -> bool:
    """Whether a sentence is a courtesy and nothing else."""
    return bool(_COURTEOUS.match(_plain(sentence))) or small_talk(sentence) is not None


def states_of_venue(sentence: str, names: frozenset[str] = frozenset()) -> bool:
    """Whether a sentence states something that holds of the venue. `names` are words, in small letters, of bookings
    and people that the chat is about: what is said of those is none. A question states only what stands in it as
    known: "did you know that dogs are welcome?", "dogs are welcome, so which booking?"."""
    if courteous(sentence):
        return False
    said = _plain(sentence)
    clauses = [clause.strip() for clause in _CLAUSE.split(said) if clause and clause.strip()]
    if said.rstrip("\"'”’) ").endswith("?"):
        if _presuming(sentence, names):
            return True
        stated = [clause for clause in clauses[:-1] if not _ASKS.match(clause)]
        clauses = stated + ([clauses[-1]] if re.match(r"^\W*(?:did you know|lo sa(?:peva)? che)\b", said) else [])
    return any(_states(clause, names) for clause in clauses)


def asked_before(question: str, names: frozenset[str] = frozenset()) -> str:
    """What a question asks up to where it presumes something of the venue: of "Which one, as dogs are free?" it is
    "Which one?"."""
    return before_presumed(question, _presuming(question, names))


def _presuming(question: str, names: frozenset[str]) -> set[str]:
    return {part for part in presumed(question) if _states(_plain(part), names)}


def of_a_booking(sentence: str) -> tuple[frozenset[str], ...]:
    """For each clause of a statement that is of a booking or of somebody, the words that something known must bear out;
    nothing of a question, of a courtesy, or of what is not known or possible here."""
    said = _plain(sentence)
    if courteous(sentence) or said.rstrip("\"'”’) ").endswith("?"):
        return ()
    bare = [_HEAD.sub("", clause).strip() for clause in _CLAUSE.split(said) if clause and clause.strip()]
    told = [clause for clause in bare if _SUBJECT.match(clause) and not _NOT_KNOWN.search(clause)]
    return tuple(frozenset(w for w in re.findall(r"[^\W\d_]{4,}", clause)) - _OF_ANY for clause in told)


def answers_with(sentence: str, names: frozenset[str] = frozenset()) -> bool:
    """Whether a sentence would answer a question about the venue: "yes", "at 11", "in Brunswick"; not one that says
    that nobody knows or that it cannot be helped with here, and no question."""
    said = _plain(sentence)
    if said.rstrip("\"'”’) ").endswith("?"):
        return states_of_venue(sentence, names)
    return not _NOT_KNOWN.search(said) and not re.match(r"^\W*(?:please |let me|one moment|tell me|say )", said)


def _states(clause: str, names: frozenset[str]) -> bool:
    bare = _HEAD.sub("", clause).strip()
    if not bare or _COURTEOUS.match(bare) or _NOT_KNOWN.search(bare):
        return False
    if terms_in(bare):
        return True
    if _RULE.search(bare) and not _NO_RULE.search(bare):
        return True
    if _FRAGMENT.search(bare) and not _INNOCENT.match(bare) and not _BOOKED.search(bare):
        return True
    if _WE.match(bare):
        return True
    if _BOOKED.search(bare) or _INNOCENT.match(bare) or not (_VERB.search(bare) or _says_something(bare)):
        return False
    return not set(re.findall(r"[^\W_]+", bare)[:4]) & names


def _says_something(clause: str) -> bool:
    """Whether a clause is more than a name, a day or a row of a list: no list has every verb."""
    return len(re.findall(r"[^\W\d_]+", clause)) >= _SENTENCE_WORDS and not _ROW.match(clause)


def _plain(sentence: str) -> str:
    return re.sub(r"\s+", " ", fold(sentence)).replace("’", "'").strip()
