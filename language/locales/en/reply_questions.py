"""English words of questions that a model asks, see `language.replies.questions`."""

JOINS = "and|so|but|then"
OR = "or"
"""In front of a question."""
ASKING = (
    "which|what|who|whom|whose|when|where|why|how|in which|on which|at what|at which|for which|for whom|by when|"
    "shall|should|do|does|did|is|are|was|were|can|could|would|will|may|have|has|any"
)
"""How a question begins."""
TAGS = (
    r"(?:is|are|was|were|do|does|did|has|have|will|would|can|should|isn't|aren't|wasn't|don't|doesn't|didn't|hasn't|"
    r"haven't|won't|wouldn't|can't) (?:it|that|this|they|you|i|we|he|she)(?: not)?"
    r"(?: (?:ok|okay|fine|right|all right|alright|correct|good))?|"
    r"(?:all )?right|ok|okay|alright|fine|yes|no|sure|correct|good|agreed|deal|yeah"
)
"""Questions that only ask for approval."""
ANNOUNCES = (
    r"\b(?:i|we)(?:'ll|'ve|'d|'m| will| have| had| am| are going| shall now| just)\b|"
    r"\b(?:done|sorted|completed|refunded|cancelled|canceled|moved|booked|changed|confirmed)\W*$"
)
"""Words of an announcement, not of a question."""
CONFIRMS = (
    r"confirm|confirming|confirmed|confirmation|are you sure|sure you want|sure that you want|"
    r"(?:do|would) you (?:really |still )?(?:want|like) (?:me )?to|you want to|shall i|should i|go ahead|proceed|"
    r"cannot be undone|can't be undone"
)
OPEN = "which|what|when|who|whom|whose|where|how|or"
"""Words of a question that asks for a value or a choice."""
RETELLS = (
    r"(?:just to |to )?(?:you (?:are about|asked|said|want)|you're about|you've asked|i am about|i'm about|i will|i'll|"
    r"(?:this|that|it) (?:will|would|cancels|deletes|removes))"
)
"""Words that repeat what is about to be done."""
OBJECTS = "instead|another|other|others|different|also|but|however|though|already"
"""Words of a fact that the operator should know first."""
