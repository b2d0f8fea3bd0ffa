"""Extraction: what an operator's messages mention, and whether each mention is asserted.

mention                   one value, with its kind, its assertion status and its booking
extraction                the entry point (`extract`)
message                   one message with its cues and clauses
dates, numbers, contacts  mentions of each kind
assertion                 asserted, negated, corrected, past or reported
quotes                    text that quotes somebody else
booking_references        the booking that a clause is about
"""

from language.extraction.dates import week_named
from language.extraction.extraction import Extraction, change_target, extract, is_addition
from language.extraction.mention import Assertion, Mention, MentionKind
from language.extraction.message import policy_of

__all__ = [
    "Assertion",
    "Extraction",
    "Mention",
    "MentionKind",
    "change_target",
    "extract",
    "is_addition",
    "policy_of",
    "week_named",
]
