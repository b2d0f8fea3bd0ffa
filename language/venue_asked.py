"""Whether words ask something of the venue itself, and not of a booking, of a free place or of whoever answers."""

import re

from language.lexer import fold
from language.policies import is_question
from language.small_talk import small_talk
from language.venue_topics import topics_in

_ASKED_FOR = re.compile(
    r"\b(?:ask(?:s|ing|ed)? (?:if|whether|about|how|what|when)|wonder\w* (?:if|whether|how|what|when)|"
    r"wants? to know|would like to know|like to know|need to know|tell (?:me|us|them|him|her) (?:about|how|what|when|"
    r"if)|"
    r"any idea|vuol(?:e|gliono)? sapere|vorre\w+ sapere|chied\w+ (?:se|quanto|come|quando|cosa|che)|"
    r"mi dic[ae] (?:se|quanto|come|quando|cosa)|posso sapere)\b"
)
_BOOKING = (
    r"booking|bookings|reservations?|party|parties|session|lesson|meeting|ride|visit|group|appointment|event|invite|"
    r"call|"
    r"prenotazion[ei]|fest[ae]|lezion[ei]|riunion[ei]|appuntament[oi]|turn[oi]|gruppo|incontr[oi]"
)
_OF_ONE = re.compile(
    r"\d{3,}|"
    rf"\b(?:this|that|his|her|my|these|those|quest[aoei]|quell[aoei]|mi[ao]|su[ao]) (?:\w+ )?(?:{_BOOKING})\b|"
    rf"\b(?!(?:what|it|that|how|where|there)'s)\w+'s (?:\w+ )?(?:{_BOOKING}|number|phone|email|e-mail|note|notes)\b|"
    rf"\b(?:{_BOOKING}) (?:of|under|a nome|di|del) (?!a\b|an\b|un\b|una\b)\w+|"
    r"\b(?:who(?! (?:needs? to|has to|have to|must|may|is allowed to|signs?)\b)|"
    r"whose|whom|which (?:bookings?|part(?:y|ies)|meetings?|lessons?|ones?)|"
    r"chi(?! (?:firma|deve|puo|paga|accompagna)\b))\b|"
    r"\b(?:is|are|was|were|has|have|had|did) (?:he|she|they|[a-z]+(?: [a-z]+)?) "
    r"(?:coming|booked|paid|refunded|cancelled|canceled|confirmed|arrived|signed|been|pay|paid|call|called)\b|"
    r"\b(?:did|has|had|was|were|when (?:do|does|is|are)|what time (?:do|does|is|are)) (?:he|she|they|it|"
    r"[a-z]+(?: [a-z]+)?) "
    r"(?:come|comes|coming|arrive|arriving|start|starts|begin|end|ends|finish|booked|due|on|get|got|have|pay)\b|"
    r"\bhow many (?:guests?|kids|people|children|riders|adults|bookings?|parties|are|is|has|have|did|were)\b"
    r"(?! (?:fit|can|does|do|may)\b)|"
    r"\bquant[ie] (?:ospiti|persone|bambini|sono|siamo|prenotazioni)\b|"
    r"\b(?:e|ha|hanno|era|sono|viene|vengono|arriva|arrivano) (?:gia )?(?:pagato|prenotat[oaie]|stat[oaie]|"
    r"venut[oaie])\b|"
    r"\bquando (?:viene|vengono|arriva|arrivano|comincia|e) "
)
_ROOM = re.compile(
    r"\b(?:room (?:for|on|at|in|left|this|next|tomorrow|today)|any room|(?:is|are) there (?:still )?(?:any )?(?:room|"
    r"space|"
    r"places?|spots?|slots?|sessions?|availab\w+|seats?|times?)\b(?! (?:to park|for (?:the )?cars?))|availab\w+|"
    r"free (?:on|at|for|this|next|tomorrow|today|in the|between|after|before)|"
    r"(?:is|are) (?![\w ]*\b(?:nut|gluten|dairy|lactose|"
    r"sugar|smoke|alcohol|parking|entry|entrance|wi-?fi|cancel\w+) free)[\w ]{1,30} free|"
    r"when is \w+ free|"
    r"(?:places|spots|slots|seats|spaces|times) (?:left|open|available|free)|fully booked|sold out|"
    r"(?:have|got) (?:anything|something|any) (?:on|at|for|around|free|left|open|slots?|times?)|"
    r"what(?:'s| is| do we have| have we got)? (?:on|happening|coming up|up) (?:today|tomorrow|tonight|this|next|on|"
    r"mon|tue|"
    r"wed|thu|fri|sat|sun)|"
    r"(?:c'e|ci sono|avete) (?:ancora )?post[io](?! (?:auto|macchina|per (?:l'auto|la macchina|le auto)))|"
    r"disponibil\w+|liber[oaie] )\b"
)
_CHANGE = (
    r"move|cancel|change|reschedule|update|add|remove|delete|shift|switch|push|swap|rebook|refund|book|make|put|set|"
    r"edit|"
    r"rename|extend|note|bump|schedule|undo|confirm|find|look|show|check|list|send|give|help|repeat|explain|"
    r"sposta\w*|annulla\w*|cancella\w*|modifica\w*|cambia\w*|aggiung\w*|togli\w*|prenota\w*|metti\w*|mettere|fissa\w*|"
    r"cerca\w*|trova\w*|mostra\w*|controlla\w*|aiuta\w*|conferma\w*|rimborsa(?:re|mi|lo|la)"
)
_WISH = re.compile(
    rf"\b(?:(?:can|could|will|would) (?:you|u|we|i)|please|pls|puoi|potresti|potete|puo|possiamo|posso|per favore)"
    rf" (?:please |just |maybe |possibly |also |now |anche )?(?:{_CHANGE})\b|"
    rf"^(?:\W|please |ok |and |then |so |can |now )*(?:{_CHANGE})\b(?! (?:polic|fee|charge))"
)
_OF_US = re.compile(
    r"(?:\b|^)(?:what (?:can|could|do|did|else can) (?:you|u) (?:do|help|mean|say|want|need|think)|did (?:you|u|it|"
    r"that)|"
    r"have (?:you|u)(?! got)|are (?:you|u) (?:sure|ready|there|a (?:bot|robot|person|human|machine)|an? ai|ok|serious|"
    r"able)|"
    r"who are you|what happened|what went wrong|why|why not|is (?:it|that|this) (?:done|ok|right|correct|sure|ready)|"
    r"what (?:about|now|next|then)|(?:and|so|e) (?:now|then|ora|adesso|allora)|really|right|"
    r"what do i(?! (?:pay|wear|bring|owe|(?:need|have) to (?:pay|wear|bring|sign)))|"
    r"what should i (?:do|say)|che cosa puoi|cosa (?:puoi|sai|vuoi|intendi)|"
    r"(?:do|must|should) i (?:have to |need to )?(?:confirm|press|tap|sign in)|devo (?:confermare|premere|accedere)|"
    r"perche|sei (?:sicur[oa]|un)|hai|fatto|davvero)\b|"
    r"^\W*(?:yes|yeah|no|nope|ok|okay|si|va bene|d'accordo)\W*$"
)

_BRINGS = re.compile(
    r"\b(?:(?:posso|possiamo|si puo|si possono|potrei|potremmo|puo|possono|e possibile|va bene(?: se)?|dobbiamo|devo|"
    r"bisogna) (?:anche |pure )?port(?:are|arci|armi|arsi|arvi|o|iamo)|"
    r"(?:can|could|may|should|do|must|shall) (?:i|we|they|he|she|you|guests?|people|one|(?:my|our|his|her) \w+) "
    r"(?:also |have to |need to )?bring|(?:ok|okay|fine|allowed|possible) (?:if (?:i|we) |to )bring)\b(?P<what>.*)"
)
_TO_WHERE = re.compile(
    r"\b(?:prenotazion[ei]|booking|reservation|appuntament[oi]|"
    r"(?:tavol[oi]|table|fest[ae]|party|lezion[ei]) (?:di|del\w*|of|a nome)\b)|"
    r"^ (?:il |the )?(?:tavol[oi]|table|fest[ae]|party|lezion[ei]) |"
    r"\b(?:a|ad|al|alle|to|forward to) (?:le )?(?:\d|una?\b|due|tre|quattro|cinque|sei|sette|otto|nove|dieci|dodici|"
    r"domani|dopodomani|luned|marted|mercoled|gioved|venerd|sabato|domenica|(?:mon|tues|wednes|thurs|fri|satur|sun)day|"
    r"tomorrow|noon)"
)
"""Of a booking, or of the day, the hour or the number it goes to."""
_MAY_ONE = re.compile(
    r"^\W*(?:(?:and|so|but|e|ma) )?(?:can|could|may|posso|possiamo) (?:(?:i|we|they|one) )?"
    r"(?!(?:\w+ )?(?:refund|rimbors))"
)
_NAMED = re.compile(r"\d{3,}|\w's\b|\b(?:his|her|their|that|this|quell\w|quest\w) ")
_OF_RULES = frozenset(("refund", "price"))

_SENTENCE = re.compile(r"[^.!?\n]+[.!?]*")


def asks_of_venue(text: str) -> bool:
    """Whether words ask for something that holds of the venue itself: its hours, its rules, what there is, what it
    costs."""
    return not small_talk(text) and any(_asks(sentence.group()) for sentence in _SENTENCE.finditer(text))


def brings(text: str) -> bool:
    """Whether words ask if somebody may bring something or someone: "posso portare il cane?". The same verb moves a
    booking, which has a name or goes to a day, an hour or so many people: "possiamo portare Rossi a domani?"."""
    said = re.sub(r"\s+", " ", fold(text)).replace("’", "'").strip()
    found = _BRINGS.search(said)
    return found is not None and not _TO_WHERE.search(found["what"])


def _asks(sentence: str) -> bool:
    said = re.sub(r"\s+", " ", fold(sentence)).replace("’", "'").strip()
    if not (is_question(sentence) or _ASKED_FOR.search(said)):
        return False
    # "Could I move my booking without losing the money?" asks what holds, though it speaks of a booking and a change.
    if _MAY_ONE.match(said) and topics_in(sentence) & _OF_RULES and not _NAMED.search(said):
        return True
    return not any(other.search(said) for other in (_OF_ONE, _ROOM, _WISH, _OF_US))
