"""Words by which somebody asks for a person: "vorrei parlare con una persona", "get me a human".

Only a message that says so from its start, and in the first person or as an order: "she wants to talk to somebody" is
told of others, and a note may hold any words.
"""

import re

from language.plain import plain

_COURTESY = (
    r"(?:(?:please|pls|sorry|hi|hello|hey|ok|okay|no|well|look|thanks|thank you|scusi|scusa|scusate|senta|senti|salve|"
    r"ciao|buongiorno|buonasera|per favore|per cortesia|grazie|va bene|allora|guardi|mi scusi)[\s,.!]+)*"
)
_SOMEBODY = (
    r"(?:(?:a|an|any|some|the|another|one of your|your)\s+)?(?:(?:real|actual|live|human|other|proper)\s+)*"
    r"(?:person|people|human|human being|humans|agent|operator|colleagues?|manager|representative|member of staff|"
    r"staff member|someone|somebody|anyone|anybody)(?:\s+(?:real|else|human|from (?:the )?(?:staff|team)))?"
)
_QUALCUNO = (
    r"(?:(?:un|una|un'|il|la|lo|l'|vostro|vostra|il vostro|la vostra|qualche|con)\s*)*(?:vera?o?\s+)?"
    r"(?:persona|persone|umano|operatore|operatrice|collega|responsabile|addetto|addetta|essere umano|qualcuno|"
    r"direttore|direttrice|impiegato|impiegata)"
    r"(?:\s+(?:vera|vero|reale|umana|umano|in carne e ossa|del (?:personale|ristorante)|dello staff|di voi))*"
)
_ENDS = (
    r"(?:[\s,]+(?:please|pls|now|instead|thanks|thank you|about|per favore|grazie|adesso|ora|subito|invece|di|per|su)"
    r"\b.*)?"
)
_ENGLISH = (
    r"(?:(?:i(?:'d| would)? (?:like|love|prefer|want|need|wish)(?: to)?|i(?:'d| would) rather|i want|i need|can i|"
    r"could i|may i|let me|can you let me|i must|is it possible to|how can i|how do i)\s+)?"
    r"(?:(?:please\s+)?(?:speak|talk|chat)\s+(?:to|with)\s+)" + _SOMEBODY,
    r"(?:can you |could you |would you |please )*(?:get|give|fetch|find|call|bring|send)\s+(?:me\s+|us\s+)?"
    + _SOMEBODY,
    r"(?:can you |could you |would you |please )*(?:put|pass|connect|transfer|hand)\s+(?:me|us|this|it)\s+"
    r"(?:through |over )?(?:to|on to|with)\s+" + _SOMEBODY,
    r"(?:a|an|some)\s+(?:real |actual |live )?(?:human|person)(?: being)?",
    r"(?:have|let) "
    + _SOMEBODY
    + r" (?:answer|look at|take|handle|deal with|decide)(?: (?:this|it|that|me))?(?: on| over)?",
    r"ask " + _SOMEBODY + r" (?:else )?(?:to (?:answer|look at|take|decide|help)(?: (?:this|it|me|over))?)",
    r"(?:human|agent|operator|representative)",
)
_ITALIAN = (
    r"(?:(?:vorrei|voglio|desidero|preferisco|preferirei|posso|potrei|possiamo|devo|ho bisogno di|avrei bisogno di|"
    r"mi fa|mi faccia|mi fai|fammi|mi farebbe|mi puo far|puo farmi|puoi farmi|e possibile|si puo|volevo)\s+)?"
    r"(?:parlare|comunicare|sentire)\s+(?:con\s+)?" + _QUALCUNO,
    r"(?:mi puo |puo |puoi |mi puoi |potrebbe |mi )*(?:passi|passa|passare|passami|passarmi|passate|passatemi|chiami|"
    r"chiama|chiamami|chiamarmi|dammi|mandami|mi dia)\s+(?:a\s+)?" + _QUALCUNO,
    r"(?:un|una)\s+(?:operatore|operatrice|umano|persona (?:vera|reale|umana))(?:\s+umano)?",
    r"(?:fai|faccia|fate|fa)\s+(?:rispondere|decidere|guardare)\s+(?:a |da )?" + _QUALCUNO,
    r"(?:chieda|chiedi|lo chieda|chiedilo)\s+(?:lei\s+)?a\s+" + _QUALCUNO,
    r"(?:operatore|operatrice)",
)
_ASKS = re.compile(rf"{_COURTESY}(?:{'|'.join((*_ENGLISH, *_ITALIAN))}){_ENDS}[\s.!?]*")
_LONGEST = 200


def asks_for_a_person(text: str) -> bool:
    """Whether a message asks that a person answers, in either language."""
    letters = plain(" ".join(text[: _LONGEST + 1].split()))
    return len(letters) <= _LONGEST and _ASKS.fullmatch(letters) is not None
