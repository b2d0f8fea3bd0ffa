"""Short replies that code understands by itself, whatever the model: yes, no, wait, undo, cancel, what was changed.

A message is read phrase by phrase from closed lists, in both languages at once. Only a message that is nothing else is
a short reply; a "no" may be followed by its reason, since dropping a plan changes nothing. A question is none, but for
those that ask for an undo or for what was changed.
"""

import re
from functools import cache

from contracts.enums import ShortReply
from language.counts import find_counts
from language.effects import asks_for_change
from language.lexer import fold, lex
from language.locales import SUPPORTED, get_locale

_PHRASES = {
    "yes": """
        yes|y|yep|yeah|yup|ye|yeh|ya|yea|aye|sure|sure thing|absolutely|definitely|of course|for sure|do it|
        do that|do both|please do|go ahead|go for it|go on|lets do it|lets go|lock it in|lock that in|send it|
        ship it|make it so|put it on|put it in|put it through|put that through|book it in|run it|confirm|
        confirmed|confirm it|confirm that|confirm plan|confirm the plan|approve|approved|approve it|proceed|
        correct|thats correct|thats right|that is right|that is correct|thats it|thats the one|spot on|exactly|
        good to go|im happy with that|happy with that|looks good|looks right|looks great|sounds good|sounds great|
        all good|all gd|all g|all correct|both|yes to both|si|procedi|proceda|fallo|lo faccia|confermo|conferma|
        confermato|confermi|va bene|va bene cosi|certo|certamente|d accordo|daccordo|esatto|giusto|corretto|
        ottimo|benissimo|fai pure|faccia pure|vai|vai pure|vada|vada pure|perfetto|perfect|save|save it|salva|
        salvalo|salvala|sisi|please do that|do that please|do them|ora e giusto|fammi questo|mandalo|tutto giusto|
        tutto ok|tutto bene|assolutamente""",
    "weak": """
        ok|okay|k|kk|right|great|fine|thats fine|good|cool|nice|lovely|sweet|awesome|brilliant|bene|grande|bravo|
        okk""",
    "no": "no|n|nope|nah|na|dont|do not|niente|not now|not yet|non ancora",
    "drop": """
        dont do it|do not do it|dont do that|dont bother|dont worry|dont worry about it|no need|never mind|
        nevermind|nvm|forget it|forget that|forget about it|forget the whole thing|scrap it|scrap that|
        scrap the plan|scrap the lot|discard|discard it|discard plan|discard the plan|drop it|drop that|
        drop the plan|leave it|leave it as is|leave it as it is|leave it alone|leave it where it is|
        leave it how it is|keep it|keep it as it is|keep it as is|ditch it|ditch that|bin that|actually no|
        changed my mind|lascia stare|lasci stare|lascia perdere|lasci perdere|lascia|non farlo|non lo faccia|
        non confermare|non procedere|non importa|non serve|non serve piu|fa niente|fa nulla|non fa niente|
        lascia tutto com e|lasciala com e|lascialo com e|lascia com e|annulla tutto|ci ho ripensato""",
    "stop": "stop|stop it|stop that|stop there|fermati|si fermi|ferma|ferma tutto|fermalo|stoppa|alt|abort|abort it",
    "wait": """
        wait|wait a sec|wait a minute|wait a moment|hold on|hang on|hold up|one sec|one moment|just a sec|aspetta|
        aspetti|un attimo|un momento|attendi|attenda|frena""",
    "undo": """
        undo|undo it|undo that|undo this|undo the change|undo the changes|undo that change|undo the last change|
        undo my last change|undo the last one|undo what you did|reverse it|reverse that|reverse the change|revert|
        revert it|revert that|revert the change|roll it back|roll that back|roll back|rollback|take that back|
        take it back|put it back|put that back|put them back|put everything back|put it all back|change it back|
        change that back|switch it back|move it back|set it back|go back to how it was|back to how it was|
        back to the way it was|how it was|how it was before|the way it was|the way it was before|as it was|
        as it was before|to how it was|annulla la modifica|annulla le modifiche|annulla l ultima modifica|
        annulla quella modifica|annulla questa modifica|annulli la modifica|annulli l ultima modifica|disfa|
        disfa la modifica|ripristina|ripristina tutto|ripristini|torna indietro|torna come prima|rimetti com era|
        rimetti com era prima|rimetti come prima|rimettila com era|rimettila com era prima|rimettila come prima|
        rimettilo com era|rimettilo com era prima|rimettilo come prima|rimetti tutto com era|
        rimetti tutto com era prima|rimetti tutto come prima|rimetta com era|rimetta com era prima|
        rimetta come prima|riportala com era|riportalo com era|riporta tutto com era|com era prima|come era prima""",
    "cancel": """
        cancel|cancel it|cancel that|cancel this|cancel that one|cancel the lot|cancella|cancellala|cancellalo|
        cancelli|annulla|annullala|annullalo|annulli|annullare|disdici|disdicila|disdica""",
    "retry": """
        try again|try it again|try that again|retry|have another go|give it another go|one more time|riprova|
        riprovaci|riprovi|ritenta|prova ancora|prova di nuovo|provaci ancora|ancora una volta""",
    "polite": """
        please|pls|plz|thanks|thank you|thank you very much|thankyou|thx|ty|ta|cheers|mate|love|sorry|soz|oops|
        whoops|my bad|grazie|grazie mille|per favore|per piacere|per cortesia|scusa|scusi|prego""",
    "filler": """
        can you|could you|can u|could u|would you|will you|can we|puoi|puo|potresti|potrebbe|possiamo|that|thats|
        this|it|its|them|them all|all|so|just|now|then|oh|ah|well|hmm|um|uh|actually|the|and|with that|to that|on|
        one|ones|for real|sick|legend|my end|from me|again|too|everything|both of them|for now|plan|the plan|
        the booking|ecco|dai|su|allora|dunque|eh|ah|oddio|beh|vabbe|anzi|pure|adesso|ora|cosi|quello|quella|
        questa|questo|tutto|e|lo|la|li|le|senti|guarda|mi|perfavore""",
}
_FIRST = frozenset("undo undone undoing change first former modifica prima primo annullare annulla".split())
_SECOND = frozenset("booking party reservation second latter prenotazione festa seconda secondo both".split())
"""Words for either answer to a question with two."""
_LONGEST = 7
"""Words of the longest phrase."""
_PART = frozenset("the that those il lo la le i gli quel quella l".split())
"""What stands before a thing: "forget the note"."""
_MOST = 12
"""Words of the longest reply that is nothing but phrases."""
_ASKS_FOR_CHANGES = re.compile(
    r"\bwhat (?:exactly )?(?:did|have|ve|do) (?:you|u|we) (?:just |actually )?(?:chang|do\b|done|alter|edit)|"
    r"\bwhat(?:s| is| was| has| have)? (?:just |been )+(?:chang|happen|done)|\bwhat did (?:that|it) (?:just )?change\b|"
    r"\bwhat (?:changed|was changed|got changed|has changed)\b|"
    r"\b(?:che )?cosa (?:hai|ha|avete|abbiamo|e stato|e) (?:appena )?(?:cambiat|modificat|fatto|successo)|"
    r"\bche (?:cosa )?(?:hai|ha|modifiche hai|modifiche ha) (?:appena )?(?:cambiat|modificat|fatto)"
)


def short_reply(text: str) -> ShortReply | None:
    """What a message means that code understands by itself; None for every other message."""
    words = _words(text)
    if _ASKS_FOR_CHANGES.search(" ".join(words)):
        return ShortReply.WHAT_CHANGED
    phrases = _phrases(words)
    said = {kind for kind, _ in phrases} - {"polite", "filler"}
    asks = "?" in text
    if not said or len(words) > _MOST or "" in said:
        return ShortReply.NO if not asks and _drops_with_a_reason(text, phrases) else None
    if "undo" in said and not said & {"retry", "drop", "cancel"}:
        return ShortReply.UNDO
    if asks:
        return None
    return _meaning(said)


def chose_undo(text: str) -> bool:
    """Whether an answer to "undo the change, or cancel the booking?" takes the first and not the second."""
    said = set(_words(text))
    return bool(_FIRST & said) and not _SECOND & said


def _meaning(said: set[str]) -> ShortReply | None:
    """What a message of phrases alone comes to."""
    if said <= {"wait"}:
        return ShortReply.WAIT
    if "retry" in said:
        return ShortReply.RETRY if said <= {"retry", "yes", "weak"} else None
    if "cancel" in said:
        if "yes" in said:
            return ShortReply.YES_CANCEL if said <= {"yes", "weak", "cancel"} else None
        return ShortReply.CANCEL if said <= {"cancel", "no", "wait", "weak", "stop"} else None
    if "stop" in said:
        return ShortReply.STOP if "yes" not in said else None
    if "drop" in said:
        return ShortReply.NO if "yes" not in said else None
    if "no" in said:
        return ShortReply.NO if said <= {"no", "wait"} else None
    return ShortReply.YES if said <= {"yes", "weak"} else None


def _drops_with_a_reason(text: str, phrases: list[tuple[str, str]]) -> bool:
    """ "nvm, she's going to think about it": an end, then words without any figure. "Forget the note" and "never mind
    the cake, just do the time" are none: they drop a part."""
    kinds = [kind for kind, _ in phrases]
    if "drop" not in kinds or {"cancel", "undo"} & set(kinds):
        return False
    place = kinds.index("drop")
    calm = set(kinds[:place]) <= {"no", "weak", "wait", "polite", "filler", ""} and kinds[:place].count("") <= 2
    behind = phrases[place + 1][1] if place + 1 < len(phrases) else ""
    return calm and behind not in _PART and not _gives_a_value(text)


def _gives_a_value(text: str) -> bool:
    """Whether a message says what to change to, or that something be changed: then it drops no more than a part."""
    if re.search(r"\d", text) or asks_for_change(text):
        return True
    return any(dated(text, language) or find_counts(text, language) for language in SUPPORTED)


def dated(text: str, language: str) -> bool:
    """Whether a message names a day or a time of day by a word of its own."""
    symbols = {token.symbol for token in lex(text, get_locale(language)).tokens}
    return any(re.fullmatch(r"W\d|M\d+|R-?\d|H\w+|WE|P\w|NOON|MIDNIGHT", symbol) for symbol in symbols)


def _words(text: str) -> list[str]:
    plain = re.sub(r"(?<=\w)['’`](?=s\b|t\b|m\b|re\b|ve\b|ll\b|d\b)", "", fold(text))
    return re.findall(r"[^\W_]+", plain)


def _phrases(words: list[str]) -> list[tuple[str, str]]:
    """(kind, phrase) in order, the longest phrase first; the kind is "" for a word of no list."""
    phrases, place = _by_phrase(), 0
    found: list[tuple[str, str]] = []
    while place < len(words):
        lengths = range(min(_LONGEST, len(words) - place), 0, -1)
        said = [" ".join(words[place : place + length]) for length in lengths]
        known = next((phrase for phrase in said if phrase in phrases), said[-1])
        found.append((phrases.get(known, ""), known))
        place += len(known.split())
    return found


@cache
def _by_phrase() -> dict[str, str]:
    return {" ".join(p.split()): kind for kind, text in _PHRASES.items() for p in text.split("|") if p.strip()}
