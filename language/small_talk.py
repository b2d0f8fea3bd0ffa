"""Words that ask for nothing: a greeting, thanks, and "what can you do?". No plan comes of them, and no look-up."""

import re
from typing import Literal

from language.lexer import fold

Talk = Literal["hello", "thanks", "help"]

_HELLO = frozenset(
    "hello hi hey hiya yo gday howdy morning afternoon evening good day there how are you going hows it goin goin ya "
    "whats up sup ciao salve buongiorno buonasera buon giorno pomeriggio buona sera giornata come va tutto bene team "
    "all mate everyone anyone you alive is anybody c qualcuno".split()
)
_HELLO_CORE = frozenset(
    "hello hi hey hiya yo gday howdy morning afternoon evening ciao salve buongiorno buonasera giorno sera hows sup "
    "pomeriggio".split()
)
_THANKS = frozenset(
    "thanks thank you thx ty ta cheers very much so a lot heaps tons mate legend great perfect lovely awesome all good "
    "g ok okay no worries bye goodbye see ya later for that the help your thats done nice one "
    "grazie mille tante molte gentile gentilissimo gentilissima perfetto ottimo arrivederci buona giornata a presto "
    "di tutto va bene".split()
)
_THANKS_CORE = frozenset("thanks thank thx ty ta cheers grazie bye goodbye arrivederci legend".split())
_HELP = re.compile(
    r"^(?:help|help me|help please|aiuto|aiutami|mi aiuti|mi serve aiuto|i need help|can you help(?: me)?|"
    r"what (?:sort of |kind of |kinds of )?(?:things|stuff|else) (?:can|do|could) (?:you|u)(?: do| help(?: me)? with)?|"
    r"what (?:can|do|could) (?:you|u)(?: do| help(?: me)? with)?(?: for me)?|"
    r"how (?:does this|do you|do i use (?:this|you)) ?(?:work)?|what are you(?: for)?|who are you|"
    r"(?:aiuto )?(?:che )?cosa (?:posso (?:chiederti|chiederle|chiedere|fare)|(?:puoi|puo|sai|sa) fare)(?: per me)?|"
    r"come funzioni?|chi sei|a cosa servi)$"
)
_PRAISE = re.compile(
    r"\b(?:you(?:re| are)?|ur) (?:a |an |the |so |very |too )?"
    r"(?!(?:can|could|will|would|should|shall|may|might|must|do|did|have|had|need|want|put|move|cancel|change|set)\b)\w+|"
    r"\b(?:sei|siete) (?:un |una |molto |troppo |proprio |davvero |dei |degli )\w+"
)
"""What thanks say of whoever is thanked: "you rock", "sei un angelo"."""


def small_talk(text: str) -> Talk | None:
    """What kind of talk a message is, if it is nothing else."""
    words = re.findall(r"[^\W_]+", re.sub(r"(?<=\w)['’`](?=\w)", "", fold(text)))
    if not words or len(words) > 12:
        return None
    plain = " ".join(words)
    if _HELP.match(re.sub(r"^(?:(?:hi|hello|hey|ciao|so|ok) )+|(?: (?:please|pls|then|here))+$", "", plain)):
        return "help"
    beside = set(_PRAISE.sub(" ", plain).split())
    if _THANKS_CORE & set(words) and _THANKS.issuperset(beside) and not re.search(r"\d", plain):
        return "thanks"
    return "hello" if _HELLO_CORE & set(words) and _HELLO.issuperset(words) else None
