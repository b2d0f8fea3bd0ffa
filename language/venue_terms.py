"""Terms of a venue that no kind of sentence excuses: what something costs, what comes free or with a booking, what is
given back; and where a question presumes such a thing instead of asking it.

"The booking" and "it" open sentences that a chat about bookings needs. With a price, a share or "until an hour before"
they tell what the venue goes by all the same.
"""

import re

from language.lexer import fold

_MONEY = r"(?:dollars?|euros?|bucks|aud|eur|usd)\b"
_EACH = r"(?:an?|per|each|extra|every|l'|all'|a testa|l'un[ao]|in piu|al giorno)(?=\W|\w|$)"
_TERMS = re.compile(
    rf"\bcosts? (?:\w+ ){{0,2}}[$€£]?\d|\bcosta(?:no)? (?:\w+ ){{0,2}}[$€£]?\d|"
    rf"\d+(?:[.,]\d+)? ?(?:[$€£]|{_MONEY}) (?:\w+ )?{_EACH}|[$€£] ?\d+(?:[.,]\d+)? (?:\w+ )?{_EACH}|"
    r"\d+ ?(?:%|percent|per cent|per cento) (?:off|discount|back|refund|less|cheaper|di (?:sconto|rimborso|penale))\b|"
    r"\b(?:rimborso|sconto|penale|caparra|refund|discount|fee) (?:e |is )?(?:del|di|of) (?:the )?\d+|"
    r"\bget(?:s|ting)? (?:in )?(?:(?:it|that|everything|them) (?:all )?)?(?:free|for nothing|refunded|back)\b|"
    r"\bfree (?:parking|entry|entrance|admission|drinks?|food|wifi|wi-fi|socks|cancellation|refills?|cakes?|of charge|"
    r"until|before|after|for (?:kids|children|adults|parents|under))\b|\bunlimited\b|"
    r"\brefund(?:ed|able) (?:in full|fully|up to|until|till|within|before|if|when|at any|any ?time|half|partly)\b|"
    r"\brimborsabil[ei]\b|\brimborsat[oaie] (?:fino|entro|se|per intero|del tutto|a meta)\b|"
    r"\b(?:entra(?:no)?|salta(?:no)?) (?:gratis|gratuitamente)\b|"
    r"\b(?:bookings?|part(?:y|ies)|sessions?|tickets?|reservations?|lessons?|packages?) (?:also |always )?"
    r"(?:includes?|comes? with|is entitled|are entitled)\b|"
    r"\b(?:prenotazion[ei]|fest[ae]|sessioni?|lezion[ei]|bigliett[oi]) (?:comprend(?:e|ono)|includ(?:e|ono)|"
    r"d(?:a|anno) diritto)\b"
)
_OWN = re.compile(
    r"\b(?:i (?:can|could|may|do|will) ?(?:not|n't)|i can't|cannot|can't|couldn't|unable|non posso|non riesco)\b"
)
_SINCE = (
    r"(?:as(?= (?:you|we|it|they|he|she|there|all|the|this|dogs?|guests?|kids|children|refunds?|parties)\b)|"
    r"since(?! when\b)|because|given that|seeing that|considering(?: that)?|now that|knowing that|seeing as|"
    r"given|(?:bearing|keeping) in mind(?: that)?|even though|although|(?<!even )though|even if|"
    r"that(?= (?:gets?|comes? with|costs?|includes?|is free|are free)\b)|"
    r"tenuto conto che|considerando che|anche se|benche|sapendo che|"
    r"which(?= (?:gets?|is|are|comes?|costs?|includes?)\b)|"
    r"visto che|dato che|siccome|perch[eé]|poich[eé]|considerato che|"
    r"(?<!dato )(?<!visto )che(?= (?:costa|comprende|include|e gratis)))"
)
_WITH = (
    r"(?:with|for|at|minus|plus|con|per) (?:(?:its|their|his|her|the|an?|your|il|la|un|una) )?"
    r"\d+ ?(?:%|percent|per|dollars?|euros?)"
)
_PIECES = re.compile(
    rf"\s*[()]\s*|,?\s+(?={_SINCE}\s)|(?<=[:;])\s+|,\s+(?:and\s+|e\s+)?|\s[-–—]\s|\s+(?={_WITH})", re.IGNORECASE
)
_SUBORDINATE = re.compile(rf"^{_SINCE}\s+", re.IGNORECASE)
_CLAIM = 3
"""Words of a part that presumes something: "as agreed" does not."""
_SHARE = re.compile(rf"^{_WITH}")


def terms_in(clause: str) -> bool:
    """Whether words tell a price, what is free or included, or when something is given back."""
    said = _plain(clause)
    return bool(_TERMS.search(said) or _SHARE.match(said)) and not _OWN.search(said)


def presumed(question: str) -> list[str]:
    """What a question has in it as known, each part without the word that joins it on: "… , as it is free"."""
    pieces = [piece for piece in _PIECES.split(question.rstrip("\"'”’) ").rstrip("?")) if piece and piece.strip()]
    joined = [_SUBORDINATE.sub("", piece) for piece in pieces if _SUBORDINATE.match(_plain(piece))]
    found = [piece for piece in joined if terms_in(piece) or len(piece.split()) >= _CLAIM]
    return found + [piece for piece in pieces if terms_in(piece) and not _SUBORDINATE.match(_plain(piece))]


def before_presumed(question: str, holds: set[str]) -> str:
    """A question up to the first part that is among these; "" where that is its beginning."""
    kept = ""
    for piece in _PIECES.split(question.strip().rstrip("\"'”’) ").rstrip("?")):
        if not piece or not piece.strip():
            continue
        if _SUBORDINATE.sub("", piece) in holds:
            break
        place = question.find(piece, len(kept))
        kept = question[: place + len(piece)]
    return f"{kept.rstrip(' ,;:(-–—')}?" if kept.strip() else ""


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", fold(text)).replace("’", "'").strip()
