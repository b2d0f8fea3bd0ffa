"""The text of a note as the operator said it, found before anything else is read so that its words order nothing."""

import re

from sandbox.model.kinds import Item, Kind

_NOUN = {"en": r"(?:notes?|comments?|remarks?|memo)", "it": r"(?:nota|note|commento|annotazione|appunto)"}
_NEXT = {
    "en": r"(?:\s*[,;.]\s*|\s+)(?:and|then|also|and then|and also)\s+(?:please\s+)?(?:"
          r"(?:move|reschedule|shift|push|make|change|set|bump|update|cancel|bring|put)\s+"
          r"(?:it|them|the|his|her|their|booking|to)\b)",
    "it": r"(?:\s*[,;.]\s*|\s+)(?:e|poi|e poi)\s+(?:sposta|cambia|aggiorna|metti|porta|cancella|annulla|rimanda)"
          r"(?:la|lo)?\b",
}  # fmt: skip
_PATTERNS = {
    "en": (
        r"(?:\b{noun}\b[^:;]*?)(?::|->|=>|\s[-–—]\s)\s*(?P<text>\S.*)",
        r"\b{noun}\b(?:(?!\bthat\b)[^:;])*?\s(?:that|saying|to say|which says|stating|reading)\s+"
        r"(?P<text>\S.*)",
        r"\b(?:add|put|write|log|record|leave)\s+[\"“](?P<text>[^\"”]+)[\"”]",
        r"\b{noun}\b[^\"“]*[\"“](?P<text>[^\"”]+)[\"”]",
        r"\b(?:jot down|write down|write|mention|note down|put down|record)\s+(?:on\s+.+?\s+)?that\s+(?P<text>\S.*)",
        r"\b(?:add|put|write|record|log)\s+(?P<text>(?!an?\b|the\s+(?:following\s+)?{noun}|this|that\b|it\b|another\b|new\b).+?)"
        r"\s+(?:to|in|into|on|as)\s+(?:the\s+|their\s+|his\s+|her\s+|its\s+|a\s+)?(?:booking\s+)?{noun}\b",
    ),
    "it": (
        r"(?:\b{noun}\b[^:;]*?)(?::|->|=>|\s[-–—]\s)\s*(?P<text>\S.*)",
        r"\b{noun}\b(?:(?!\bche\b)[^:;])*?\s(?:che|dicendo che|con scritto)\s+(?P<text>\S.*)",
        r"\b(?:segna|scrivi|annota|aggiungi)\s+(?:(?:sulla|nella|alla)\s+.+?\s+)?che\s+(?P<text>\S.*)",
        r"\b(?:aggiungi|metti|scrivi|segna)\s+[\"“«](?P<text>[^\"”»]+)[\"”»]",
        r"\b{noun}\b[^\"“«]*[\"“«](?P<text>[^\"”»]+)[\"”»]",
        r"\b(?:aggiungi|metti|scrivi|segna|annota)\s+(?P<text>(?!un[oa']?\b|la\s+{noun}|questa|questo).+?)"
        r"\s+(?:nella|nelle|alle|tra le|alla|come)\s+{noun}\b",
    ),
}  # fmt: skip


def find_note(text: str, code: str) -> Item | None:
    """The words to write down, ending where the next order begins; None when no note is dictated."""
    for pattern in _PATTERNS[code]:
        match = re.search(pattern.replace("{noun}", _NOUN[code]), text, re.IGNORECASE | re.DOTALL)
        if match is None:
            continue
        start, end = match.span("text")
        cut = re.search(_NEXT[code], text[start:end], re.IGNORECASE)
        if cut is not None:
            end = start + cut.start()
        said = text[start:end].strip().strip("\"“”«»'").rstrip(" ,;")
        if re.search(r"\w", said):
            return Item(Kind.NOTE, said, start, end, value=said)
    return None
