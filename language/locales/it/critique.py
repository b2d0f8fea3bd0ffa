"""Italian words in which a model judges its own reply, see `reasoning.critique.assessment_parser` and
`reasoning.critique.assessment`."""

# `assessment_parser`
CONFIDENCE = "confidenza"
MY_CONFIDENCE = "la mia"
"""In front of the word for confidence."""

# `assessment`
OUT_OF = "su|di"
