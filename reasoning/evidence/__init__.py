"""Evidence: the operator's words, read once into claims that bear a plan's values out.

claims           what is stated, and how it is meant
reading          from words to claims (`read_evidence`)
message          one message with its cues and clauses
days_and_times, numbers, contacts    the claims of each kind
standing         said, denied, taken back, as it is now, or about something else
quotes           words of somebody else, which bear nothing out
subjects         which booking a clause speaks of
"""

from reasoning.evidence.claims import Claim, Kind, Standing
from reasoning.evidence.reading import Evidence, from_what_is, is_addition, read_evidence
from reasoning.evidence.setting import policy_of
from reasoning.evidence.weeks import week_named

__all__ = [
    "Claim",
    "Evidence",
    "Kind",
    "Standing",
    "from_what_is",
    "is_addition",
    "policy_of",
    "read_evidence",
    "week_named",
]
