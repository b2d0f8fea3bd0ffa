"""English words in which a model judges its own reply or another's, see `reasoning.critique.verdict`,
`reasoning.critique.assessment_parser` and `reasoning.critique.assessment`."""

# `verdict`
ESCALATES = r"\b(?:would|should|must|i'd|better|please) (?:rather )?escalate\b"
HERE_IS = "here (?:is|'s)|this is|sure|ok(?:ay)?|certainly"
MY = "my|the|json|final"
DECISION = "decision|answer|critique|verdict|result|json|output|response|validation|proceed|thanks|thank you"
"""The three parts of a lead-in to an answer."""
DOUBT = (
    r"but|doubt\w*|unsure|unless|however|maybe|perhaps|example|e\.?g|if|wrong|bad|risk\w*|danger\w*|careful\w*|wait|"
    r"stop|ask|odd|refuse\w*|reject\w*|escalat\w*"
)
CHECK = r"check|pass|ok\b|safe|correct|valid|approv|proceed|right|fit|tool"
"""In the name of a check that a model invents."""
FAILED = frozenset(("false", "no", "fail", "failed"))

# `assessment_parser`
CONFIDENCE = "confidence"
MY_CONFIDENCE = "my|overall|self|the assistant's"
"""In front of the word for confidence."""
RATED = "level|score|rating|in (?:this|my)"
"""Behind it."""
WITH_CONFIDENCE = r"with (?:a )?confidence (?:of )?\d"
CONFIDENCE_IS = r"confidence (?:is |of )?\d+(?: ?/ ?10| out of 10| of 10)"
"""A confidence written in words."""

# `assessment`
OUT_OF = "out of"
