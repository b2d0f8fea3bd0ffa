"""Italian words of questions that a model asks, see `language.replies.questions`."""

JOINS = "e|ma|allora|quindi"
OR = "o"
"""In front of a question."""
ASKING = (
    "quale|quali|qual|che|cosa|chi|quando|dove|come|quant[oiae]|perche|a che|a quale|di quale|in quale|per quale|"
    "con chi|vuole|vuoi|devo|posso|puo|puoi|intende|intendeva|desidera|preferisce|e|sono|ha|si tratta"
)
"""How a question begins."""
TAGS = "va bene|d'accordo|giusto|vero|no|si|bene|corretto|e corretto|e giusto|ok"
"""Questions that only ask for approval."""
ANNOUNCES = r"\b(?:ho|abbiamo) \w+t[oaie]\b|\bfatto\b"
"""Words of an announcement, not of a question."""
CONFIRMS = (
    r"confermi|conferma|confermare|confermo|(?:sei|e) sicur[oa]|vuoi (?:davvero |proprio )|procedo|procedere|"
    r"devo procedere|non si puo annullare"
)
OPEN = "quale|quali|cosa|che ora|quando|chi|dove|come|quant[oaie]|oppure|o"
"""Words of a question that asks for a value or a choice."""
RETELLS = "stai per|hai chiesto|sto per|questo"
"""Words that repeat what is about to be done."""
OBJECTS = "invece|altr[oaie]|divers[oaie]|anche|ma|pero|gia"
"""Words of a fact that the operator should know first."""
