"""Words about what a venue goes by: its policies, and the questions that its guests ask."""

import re
from collections.abc import Collection, Sequence

from language.lexer import fold
from language.plain import plain

_RULES = re.compile(
    r"\b(?:polic(?:y|ies)|house rules|terms|conditions|terms and conditions|privacy|warrant(?:y|ies)|guarantees?|"
    r"refundable|non-refundable|nonrefundable|money back|refund policy|"
    r"politic(?:a|he)|regolament[oi]|termini|condizioni|garanzi[ae]|rimborsabil[ei])\b"
)
_TOPICS = {
    "returns": r"refunds?|refunded|refundable|money back|returns? polic\w+|rimbors\w+|res[oi]",
    "shipping": r"shipping|shipped|ship|deliver(?:y|ed|ies)?|spedizion[ei]|spedit\w+|consegn\w+",
    "privacy": r"privacy|personal data|gdpr|dati personali",
    "terms": r"terms|conditions|waivers?|termini|condizioni|liberatori[ae]",
    "weather": r"if it (?:rains|storms)|when it rains|in (?:the |bad )?(?:rain|weather)|se piove|con la pioggia",
}
"""By the commonest names of policies, what people say for them."""
_QUESTION = re.compile(
    r"^(?:(?:hi|hello|hey|ciao|and|so|ok|please|e)[,!. ]+)*(?:what|how|do|does|did|can|could|is|are|may|when|where|"
    r"which|who|will|would|what's|whats|tell me about|"
    r"che|cosa|come|si puo|posso|possiamo|e possibile|quale|quali|qual|quando|dove|avete|c'e|ci sono|fate|accettate|"
    r"dimmi)\b"
)
_REQUEST = re.compile(
    r"\b(?:(?:can|could|will|would) (?:you|u)|please|pls|puoi|potresti|potete|puo (?:darmi|farmi)|per favore)\b"
)
_STATES = re.compile(
    r"\b(?:refunds? (?:are|is|within|up to|only|if|for)|(?:is|are|be|gets?|always|never|not) (?:fully )?"
    r"(?:refunded|refundable)|non-?refundable|full refunds?|always refund|never refund|"
    r"(?:you|guests?|they|customers?) (?:get|gets|receive|will get|will receive|are entitled to) (?:a |an |your )?"
    r"(?:full )?(?:refund|money)|free of charge|cancellation fee|late fee|deposit is|deposits are|"
    r"shipping (?:is|takes|costs)|delivery (?:is|takes|costs)|deliver(?:s|ed)? (?:within|in)|shipped (?:within|in)|"
    r"rimbors\w+ (?:e|sono|entro|completo|totale|solo)|viene rimborsat\w|vengono rimborsat\w|non rimborsabil\w|"
    r"caparra (?:e|non)|penale|spedizione (?:e|costa)|consegn\w+ (?:e|entro))\b"
)
_SMALL = frozenset(
    "a an and are at be by can could do does for from have how i if in is it may me my of on or our so that the there "
    "this to us was we what when where which who will with would you your please hi hello "
    "che chi ci come con cosa da dei del di e gli ha ho i il in io la le lo ma mi nei nel noi non o per qual quale si "
    "siamo sono su un una vi voi".split()
)
_WORD = re.compile(r"[^\W_]+")
_FITS = 0.6
"""The part of a question's own words that another must share to be the same one."""
_NOTHING_ELSE = 0.8
"""The part of what was said that must be of that question: "how long is my meeting with Aviad?" is another one."""


def is_question(text: str) -> bool:
    """Whether words ask for an answer."""
    said = fold(text).strip()
    return said.endswith("?") or bool(_QUESTION.match(said))


def asks_for_policies(text: str, names: Collection[str]) -> tuple[str, ...]:
    """The names of the policies that a question is about; ("*",) where it is about one that no name tells."""
    said = fold(text)
    ruled = bool(_RULES.search(said))
    if not is_question(text) or (_REQUEST.search(said) and not ruled):
        return ()
    own = [name for name in names if ruled and re.search(rf"\b{re.escape(name.replace('_', ' '))}\b", said)]
    topics = [name for name, words in _TOPICS.items() if re.search(rf"\b(?:{words})\b", said)]
    found = tuple(dict.fromkeys([*own, *(name for name in topics if name in names)]))
    return found or (("*",) if ruled or topics else ())


def states_policy(sentence: str) -> bool:
    """Whether a statement says what the venue goes by."""
    said = fold(sentence)
    return bool(_STATES.search(said)) or bool(
        re.search(r"\b(?:our|the|nostr[ae]|la) [\w ]{0,20}?polic(?:y|ies)\b", said)
    )


def same_question(text: str, questions: Sequence[str]) -> bool:
    """Whether words ask one of these questions."""
    said = _own_words(text)
    return is_question(text) and any(_share(_own_words(question), said) >= _FITS for question in questions)


def _share(asked: frozenset[str], said: frozenset[str]) -> float:
    both = len(asked & said)
    if not asked or both < min(2, len(asked)) or both < len(said) * _NOTHING_ELSE:
        return 0.0
    return both / len(asked)


def _own_words(text: str) -> frozenset[str]:
    return frozenset(_stem(word) for word in _WORD.findall(plain(text)) if word not in _SMALL)


def _stem(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") else word
