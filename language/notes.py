"""The text of a note as an operator dictates it, found before anything else is read so that its words order nothing."""

from __future__ import annotations

import re
from dataclasses import dataclass

from language.counts import counts_a_thing, find_counts
from language.cues import find_cues
from language.locales import get_locale
from language.plain import plain
from language.resolution import Span

_NOUN = {"en": r"(?:notes?|comments?|remarks?|memo)", "it": r"(?:nota|note|commento|annotazione|appunto)"}
_NEXT = {
    "en": r"(?:(?:\s*[,;.]\s*|\s+)(?:and|then|also|and then|and also)\s+|\s*[,;.]\s*)(?:please\s+|can you\s+)?(?:"
    r"(?:move|reschedule|shift|push|make|change|set|bump|update|cancel|bring|put)\s+"
    r"(?:it|them|the|his|her|their|booking|to)\b|"
    r"(?:add|take off|take out|remove|drop|knock off)\s+(?:\d+|an?|one|two|three|four)\b|"
    r"(?:they|there|it|we)(?:['’]re|['’]s|s|re| are| is| will be)\s+(?:now\s+|up to\s+|down to\s+)?\d+\b)",
    "it": r"(?:(?:\s*[,;.]\s*|\s+)(?:e|poi|e poi|e anche)\s+|\s*[,;.]\s*)(?:sposta|cambia|aggiorna|metti|porta|"
    r"cancella|annulla|rimanda)(?:la|lo)?\b|(?:\s*[,;.]\s*|\s+)(?:e|poi|e poi|e anche)\s+(?:togli|togline|aggiungi|"
    r"aggiungine|leva|levane)\s+(?:\d+|un[oa]?|due|tre|quattro)\b|(?:\s*[,;.]\s*|\s+)(?:e|poi|e poi|e anche)\s+"
    r"(?:diventano|sono|saranno|vengono|siamo|saremo)\s+(?:in\s+|ora\s+)?\d+\b",
}
_PATTERNS = {
    "en": (
        r"(?:\b{noun}\b[^:;]*?)(?::|->|=>|\s[-–—]\s)\s*(?P<text>\S.*)",
        r"\b{noun}\b(?:(?!\bthat\b)[^:;])*?\s(?:that|saying|to say|which says|stating|"
        r"reading)\s+(?P<text>(?!down\b)\S.*)",
        r"\bnote\s+(?:down\s+)?(?P<text>(?:they|she|he|there|one|his|her|their|it|we)(?:['’]\w+)?\s.*)",
        r"(?:^\W*(?:#?\d{3,}\W+)?|[,.;]\s*|\b(?:please|also|pls|plz|and|just|could you|can you)\s+)note\s+"
        r"(?P<text>(?!to\b|for\b|on\b|that\b|it\b|this\b|down\b|about\b|in\b|against\b|saying\b)[^\W\d]\S*\s+\S.*)",
        r"\b(?:add|put|write|log|record|leave)\s+[\"“](?P<text>[^\"”]+)[\"”]",
        r"\b(?:put down|write down|note down|jot down|record|log)\s+(?P<text>(?!that\b|the\s+(?:new|number|email)\b|"
        r"as\b|for\b)"
        r"[^\W\d][^,.;:]*?\s[^,.;:]*?)\s+(?:for|on|against|to)\s+(?=(?:the\s+)?[a-z#\d])",
        r"\b{noun}\b[^\"“]*[\"“](?P<text>[^\"”]+)[\"”]",
        r"\b(?:{noun}|add|put|"
        r"write)\b[^'‘]*(?:['’]s\b[^'‘]*)?(?<!\w)['‘](?P<text>[^'‘’]+(?:['’]\w[^'‘’]*)*)['’](?!\w)",
        r"\b(?:jot down|write down|write|mention|note down|put down|record|flag|flag up|make a note)\s+"
        r"(?:(?:on|for|against)\s+.+?\s+)?that\s+(?P<text>(?!down\b)\S.*)",
        r"^\W*(?:booking\s+|ref\s+)?(?:#?\d{3,}\W+)?(?!.*\b(?:mov\w+|shift\w*|come|comes|start\w*|later|earlier|"
        r"instead)\b)"
        r"(?P<text>(?!note\b).{6,}?)[\s,;.–-]+(?:please\s+|can you\s+|"
        r"could you\s+|so\s+)?"
        r"(?:pop|put|stick|write|jot|note|add|log|chuck|record|bung)\s+(?:it|that|this|them|those)\s+(?:down\s+)?"
        r"(?:(?:in|on|to|into|under|against)\s+(?:the|his|her|their|its|a)\s+(?:{noun}|booking|file)|down)\b",
        r"\b(?:add|put|leave|stick|pop|log|write)\s+(?:down\s+)?(?:on|to|against|in)\s+"
        r"(?:.*?\b(?:booking|party|reservation|birthday|file)\b|\S*\d{3,}).*?\s+that\s+(?P<text>\S.*)",
        r"\b(?:add|put|leave|stick|pop|log|write|jot)\s+(?:down\s+)?(?:on|to|"
        r"against)\s+[^,.;:]{2,45}?(?:\s+that\s+|:\s+)(?P<text>\S.*)",
        r"\b{noun}\s+(?:for|on|to)\s+(?:booking\s+|ref\s+)?#?(?:[A-Za-z]{1,5}-)?\d{3,}\s+"
        r"(?P<text>(?!to\b|and\b|then\b|please\b|pls\b|is\b|that\b|from\b|at\b)[^\W\d].*)",
        r"\b(?:add|put|stick|pop|leave|make|chuck|write)\s+(?:an?\s+|another\s+)?{noun}"
        r"(?:\s+(?:on|to|for|against|in)\s+[^,:;]{1,45}?)?,\s+(?P<text>(?!(?:and|then|also|please|pls|plz|move|make|change|shift|push|cancel|thanks|ta|"
        r"cheers|"
        r"but|he|she|when|if)\b)[^\W\d]\S*\s+\S.*)",
        r"^\W*(?:please\s+|pls\s+)?note\s+(?:on|for|to|against)\s+[^,:;]{1,40}?,\s+"
        r"(?P<text>(?!(?:and|then|also|please|pls|thanks|ta|cheers)\b)[^\W\d]\S*\s+\S.*)",
        r"\b{noun}\b[^:;,]{0,40}?\s(?:(?:should|must|needs? to|to)\s+)?(?:say|read)\s+(?P<text>[^\W\d].*)",
        r"\b{noun}\s+(?:for|on|to)\s+(?>(?-i:[A-Z][\w-]*(?:['’](?!s\b)\w+)*(?:\s[A-Z][\w-]*(?:['’](?!s\b)\w+)*)*))"
        r"(?:['’]s\s+\w+)?+\s+"
        r"(?P<text>(?!to\b|and\b|then\b|please\b|pls\b|is\b|from\b|at\b|for\b)[\w].*)",
        r"\b(?:add|put|pop|leave|write|log|stick|chuck|make)\s+(?:a|an|another)?\s*(?:\w+\s+)?note\s+(?P<text>"
        r"(?!to\b|for\b|on\b|that\b|about\b|and\b|please\b|pls\b|in\b|saying\b|"
        r"against\b)\w.*?)\s+(?:to|on|for)\s+#?\d{3,}",
        r"\b(?:add|put|pop|leave|write|log|stick|chuck|make)\s+(?:a|an|another)\s+note\s+(?:then\s+|too\s+)?(?P<text>"
        r"(?!to\b|for\b|on\b|that\b|about\b|and\b|please\b|pls\b|in\b|saying\b|against\b|as\b|there\b|"
        r"then\b|too\b|at\b)\w.*)",
        r"(?:^|[.;:]\s+|,\s+(?:and\s+)?|\band\s+)(?P<text>(?![^,.;:]*\b(?:mov\w+|shift\w*|chang\w+|cancel\w*|make|"
        r"start\w*)\b)"
        r"[^,.;:]{6,}?)[\s,;–-]+(?:so\s+|and\s+)?(?:please\s+|pls\s+|can you\s+|could you\s+)*"
        r"(?:(?:note|write|jot|log|record)\s+(?:that|it|this)(?:\s+down)?|"
        r"(?:add|put|pop|stick)\s+(?:(?:that|it|this)\s+)?(?:down\s+)?(?:as|in|on|to)\s+(?:an?\s+|the\s+|his\s+|her\s+|"
        r"their\s+)?{noun})"
        r"(?=\W*$|\s*[,.;])",
        r"\b(?:add|put|leave|stick|pop)\s+an?\s+(?!new\b|quick\b|short\b|little\b)(?P<text>[^,.;:]{3,40}?)\s+{noun}\s+"
        r"(?:on|to|for|against|in)\b",
        r"^\W*(?!(?:add|put|can|could|please|pls|change|edit|delete|remove|update|scrap|drop|cancel|show|read|find|"
        r"is|any|see|"
        r"check|the|a|an|new|leave|what|whats|make|my|this|that|his|her|their|forget|no|not|and|also)\b)"
        r"(?![^,.;:]*\b(?:add|put|leave|write|make|stick|pop|log|need|want|like|an?|another)\s+{noun}\b)"
        r"(?P<text>[^\W\d][^,.;:]{3,50}?)\s+note\s+(?:for|on|to)\s",
        r"\b{noun}\b[^:;]{0,60}?\s(?:there|it|this|one|them|that one)\s+that\s+(?P<text>\S.*)",
        r"^\s*(?:booking\s+)?(?:#?\d{3,}|[A-Za-z]{1,5}-\d+|[^\W\d]+(?:\s[^\W\d]+)?)\s*[:,–-]\s*(?:please\s+|pls\s+)?"
        r"(?:add|put|leave|write)\s+(?:a\s+)?{noun}\s+(?P<text>(?!to\b|for\b|on\b|that\b|about\b)[^\W\d].*)",
        r"\b(?:add|put|write|record|log)\s+(?P<text>(?!an?\b|the\s+(?:following\s+)?{noun}|this|that\b|it\b|"
        r"another\b|new\b).+?)\s+(?:to|in|into|on|as)\s+(?:the\s+|their\s+|his\s+|her\s+|its\s+|"
        r"a\s+)?(?:booking\s+)?{noun}\b",
    ),
    "it": (
        r"(?:\b{noun}\b[^:;]*?)(?::|->|=>|\s[-–—]\s)\s*(?P<text>\S.*)",
        r"\b{noun}\b(?:(?!\bche\b)[^:;])*?\s(?:che|dicendo che|con scritto)\s+(?P<text>\S.*)",
        r"\b(?:annot|segn|scriv|appunt)\w+\s+(?:su|sulla|sul|nella|nel|alla|al|per|a)\s+[^:;]*?:\s+(?P<text>\S.*)",
        r"^\W*(?:#?\d{3,}\W+)?(?!.*\b(?:spost\w+|venire|viene|vengono|anticip\w+|posticip\w+|prima|dopo|alle|ore|"
        r"persone)\b)"
        r"(?P<text>.{8,}?)[\s,;.–-]+(?:per favore\s+)?(?:segna|scrivi|annota|appunta|segni|"
        r"scriva|annoti)"
        r"(?:lo|telo|melo|tela|la)?(?:\s+(?:nelle|nella|sulla|sulle|in)\s+(?:{noun}|prenotazione|"
        r"scheda))?(?:\s+(?:pls|per favore|grazie|pf))?\W*$",
        r"\b(?:segna|scrivi|annota|aggiungi|appunta|metti|registra|lascia scritto)(?:ti|mi|ci|lo|telo|melo)?\s+"
        r"(?:(?:su|sulla|sul|nella|nel|alla|al|per|a)\s+.+?\s+)?che\s+(?P<text>\S.*)",
        r"\b(?:aggiungi|metti|scrivi|inserisci)\s+(?:alla|sulla|nella|per la)\s+.+?\s+(?:la|una)\s+{noun}\s+"
        r"(?P<text>(?!a\b|al\b|alla\b|alle\b|sulla\b|per\b|su\b|che\b|di\b|della\b|e\b)[^\W\d].*)",
        r"\b(?:segnare|scrivere|annotare|aggiungere)\s+(?:(?:su|sulla|sul|nella|nel|alla|al|per|a)\s+.+?\s+)?che\s+"
        r"(?P<text>\S.*)",
        r"\b(?:{noun}|aggiungi|metti|scrivi|segna)\b[^'‘]*?(?<!\w)['‘](?P<text>[^'‘’]+(?:['’]\w[^'‘’]*)*)['’](?!\w)",
        r"\b{noun}\s+(?:per|su|sulla|sul|alla|a)\s+(?:la\s+)?(?:prenotazione\s+)?#?(?:[A-Za-z]{1,5}-)?\d{3,}\s+"
        r"(?P<text>(?!a\b|al\b|alle\b|e\b|poi\b|che\b|è\b|per favore\b|con\b)[^\W\d].*)",
        r"\b(?:aggiungi|metti|scrivi|segna)\s+[\"“«](?P<text>[^\"”»]+)[\"”»]",
        r"(?:^\W*|[,.;]\s*|\b(?:anche|e|poi|per favore)\s+)(?:annota|appunta|annotare)\s+(?:anche\s+|pure\s+)?"
        r"(?P<text>(?!su\b|sul\b|sulla\b|a\b|al\b|alla\b|nella\b|nel\b|per\b|che\b|la nota\b|"
        r"una nota\b)[^\W\d]\S*\s+\S.*)",
        r"\b{noun}\b[^\"“«]*[\"“«](?P<text>[^\"”»]+)[\"”»]",
        r"\b(?:aggiungi|metti|segna|scrivi|inserisci|lascia)(?:ci|mi|gli)?\s+(?:pure\s+|anche\s+|"
        r"per favore\s+)*(?:una\s+|la\s+)?nota\s+"
        r"(?P<text>(?!a\b|al\b|alla\b|alle\b|ai\b|sulla\b|sul\b|per\b|su\b|che\b|di\b|della\b|dei\b|"
        r"del\b|e\b|nella\b|con\b|è\b|dicendo\b)\w.*)",
        r"\b(?:aggiungi|metti|lascia|scrivi|inserisci)\s+(?:una\s+|la\s+|questa\s+)?{noun}"
        r"(?:\s+(?:a|al|alla|su|sul|sulla|per|nella)\s+[^,:;]{1,45}?)?\s*,\s*(?P<text>(?!(?:e|poi|anche|per favore|"
        r"grazie)\b)[^\W\d].*)",
        r"\b{noun}\b[^:;]{0,40}?\s(?:deve|dovrebbe)\s+(?:dire|essere)\s+(?P<text>[^\W\d].*)",
        r"^\s*(?:prenotazione\s+)?(?:#?\d{3,}|[A-Za-z]{1,5}-\d+|[^\W\d]+(?:\s[^\W\d]+)?)\s*[:,–-]\s*"
        r"(?:aggiungi|metti|lascia|scrivi)\s+(?:una\s+)?{noun}\s+(?P<text>(?!a\b|al\b|alla\b|per\b|su\b|"
        r"che\b)[^\W\d].*)",
        r"\b(?:aggiungi|metti|scrivi|segna|annota)\s+(?P<text>(?!un[oa']?\b|la\s+{noun}|questa|questo).+?)"
        r"\s+(?:nella|nelle|alle|tra le|alla|come)\s+{noun}\b",
    ),
}


_WHOSE = re.compile(
    r"\s+(?:on|for|to|in|sulla|alla|per la|nella)\s+(?:booking\s+|prenotazione\s+|ref\s+)?#?"
    r"(?:[A-Za-z]{1,5}-)?\d{3,}\s*[.!]?$",
    re.IGNORECASE,
)
"""The booking at the very end ("… saying no candles on 6034") is no part of the note, where none is named before."""


@dataclass(frozen=True, slots=True)
class Dictated:
    """What to write down, and its place."""

    text: str
    span: Span


_CONTACT = re.compile(
    r"\b(?:e-?mail|mail|phone|mobile|number|cell\w*|telefono|numero)\b.*\s(?:is|è|e'|:)\s+(?:\S+@\S+|\+?[\d ]{8,})\s*$",
    re.IGNORECASE,
)
"""A new address or number, which is a contact detail however it is dictated, unless a note is asked for by its name."""


_JOINER = re.compile(
    r"(?:\s*[,;&+]|\s+(?:and|plus|also|e|più|poi)\b)+(?:\s+(?:and|also|anche|add))*\s*$", re.IGNORECASE
)


_QUOTES = "\"“«'‘"
_LED = re.compile(r"(?:(?:and|plus|also|e|più|poi)\s+)+", re.IGNORECASE)


def _hurried(pattern: str) -> str:
    """The pattern with "that" and "che" as they are typed in a hurry, too."""
    return pattern.replace("that", "(?:that|tht)").replace("che", "(?:che|ke)")


def _before_a_step(text: str, locale: str) -> int:
    """Where a note ends before so many more or fewer, joined to it: "egg allergy and 1 extra kid"."""
    for step in find_counts(text, locale):
        led = _LED.match(step.text)
        joiner = _JOINER.search(text[: step.span[0] + (led.end() if led else 0)])
        if counts_a_thing(text, step.span[1], locale):
            continue
        if step.count.is_relative and joiner is not None and joiner.start():
            return joiner.start()
    return len(text)


def _only_a_booking(said: str, code: str) -> bool:
    """Whether the words are no more than a word for a booking: "a note on Sophie's party" dictates nothing yet."""
    return any(cue.kind == "BOOKING" and cue.span == (0, len(said)) for cue in find_cues(plain(said), code))


def find_note(text: str, locale: str) -> Dictated | None:
    """The words to write down, ending where the next order begins; None when no note is dictated."""
    code = get_locale(locale).code
    for pattern in _PATTERNS[code]:
        match = re.search(_hurried(pattern.replace("{noun}", _NOUN[code])), text, re.IGNORECASE | re.DOTALL)
        if match is None:
            continue
        start, end = match.span("text")
        cut = re.search(_NEXT[code], text[start:end], re.IGNORECASE)
        if cut is not None:
            end = start + cut.start()
        if text[max(0, start - 1)] not in _QUOTES:
            end = start + _before_a_step(text[start:end], locale)
        if (tail := _WHOSE.search(text, start, end)) and not re.search(r"\d{3}", text[:start]):
            end = tail.start()
        said = text[start:end].strip().strip("\"“”«»'").rstrip(" ,;")
        if _only_a_booking(said, code):
            continue
        if re.search(r"\w", said) and not (_CONTACT.search(said) and not re.search(_NOUN[code], text[:start], re.I)):
            return Dictated(said, (start, end))
    return None
