"""What an operator wants instead, should the first not be had: "4pm, if there's no room 5pm", "venerdì, altrimenti
sabato" (multi-step messaging, "Conditional Steps"). Told apart before days and hours are read: both are meant, one
after the other, and neither corrects the other."""

import re
from dataclasses import dataclass

_IF = r"""
      (?:and\s+|but\s+|ma\s+|e\s+)? (?:if|se) \s+
      (?: (?:there\s*(?:is|are|['’]?s)\s+(?:no|not(?:\s+any|\s+enough)?)|there\s+(?:is|are)n['’]?t(?:\s+any|\s+enough)?)
          \s+ (?:more\s+)?
          (?:room|space|places?|availability|spots?|slots?) (?:\s+left|\s+then|\s+at\s+(?:that|this)\s+time)?
        | no \s+ (?:room|space|availability) | not (?:\s+(?:possible|available|free))?
        | (?:that|it|this|they)(?:['’]s|\s+is|\s+are|\s+time\s+is|\s+slot\s+is)? \s+
          (?: not\s+(?:possible|available|free|an?\s+option) | n['’]?t\s+(?:possible|available|free) | unavailable
            | full(?:y\s+booked)? | taken | gone | booked(?:\s+(?:up|out))? | sold\s+out )
        | (?:that|it|this) \s+ isn['’]?t \s+ (?:possible|available|free)
        | (?:that|it|this) \s+ (?:doesn['’]?t|does\s+not|won['’]?t|will\s+not|can['’]?t|cannot)
          \s+ (?:work(?:\s+out)?|fit|be\s+done)
        | (?:they|you|we) \s+ (?:can['’]?t|cannot|are\s+full|['’]re\s+full) (?:\s+(?:do|manage)\s+(?:that|it))?
        | non \s+ (?:c['’]?\s*(?:è|e['’]?) \s+ (?:più\s+)? (?:posto|disponibilità|disponibilita)
            | (?:è|e['’]) \s+ (?:possibile|libero|disponibile)
            | si\s+può | si\s+puo['’]? | va (?:\s+bene)? | ci\s+sono\s+posti | fosse\s+possibile | ci\s+fosse\s+posto)
        | (?:è|e['’]) \s+ (?:pieno|occupato|tutto\s+pieno|al\s+completo)
      )
"""
_ELSE = r"(?:failing\s+that|otherwise|or\s+else|alternatively|altrimenti|in\s+caso\s+contrario|in\s+alternativa)"
_CONNECTOR = rf"(?:{_IF}|{_ELSE})"

_BEHIND = re.compile(
    rf"""[\s,;.–—-]* (?<![\w]) {_CONNECTOR} (?!\w) [\s,:]* (?:then\s+|allora\s+)?
         (?P<other> (?=\S) [^.;!?\n]+? )
         (?P<rest> (?: [.;!?\n] | ,?\s+(?:and\s+(?:also\s+|make|add|put|then)|e\s+(?:anche|poi)\s) ) .* )? \Z""",
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)
_BEFORE = re.compile(
    rf"""[\s,;]* (?<!\w) (?:or|o|oppure) \s+ (?P<other> [^,.;!?\n]+? ) [\s,]+ {_IF} (?!\w) (?P<rest> .* ) \Z""",
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Alternatives:
    """`first` is what is wanted, with everything that goes on behind; `instead` what is wanted in its place."""

    first: str
    instead: str


def alternatives(text: str) -> Alternatives | None:
    """What is wanted first and instead; None where a message names no alternative."""
    match = _BEFORE.search(text) or _BEHIND.search(text)
    if match is None or not text[: match.start()].strip():
        return None
    return Alternatives(f"{text[: match.start()]}{match['rest'] or ''}".strip(), match["other"].strip())


_POSSIBLE = re.compile(
    r"\b(?:if\s+(?:at\s+all\s+)?(?:possible|you\s+can|they\s+can)|se\s+(?:possibile|si\s+può|riesci|riesce))\b",
    re.IGNORECASE,
)


def only_if_possible(text: str) -> bool:
    """Whether somebody can do without what they ask for: "if possible"."""
    return bool(_POSSIBLE.search(text))


def on_a_condition(text: str) -> bool:
    """Whether a message makes a part of itself depend on something."""
    return only_if_possible(text) or alternatives(text) is not None
