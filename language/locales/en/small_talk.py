"""English words of small talk, see `language.replies.small_talk`."""

GREETINGS = "hello hi hey hiya yo gday howdy morning afternoon evening hows sup".split()
"""A greeting has one of these, and beside them only words of HELLO."""
HELLO = (
    "hello hi hey hiya yo gday howdy morning afternoon evening good day there how are you going hows it goin goin ya "
    "whats up sup team all mate everyone anyone you alive is anybody".split()
)
THANKING = "thanks thank thx ty ta cheers bye goodbye legend".split()
"""Thanks have one of these, and beside them only words of THANKS."""
THANKS = (
    "thanks thank you thx ty ta cheers very much so a lot heaps tons mate legend great perfect lovely awesome all good "
    "g ok okay no worries bye goodbye see ya later for that the help your thats done nice one".split()
)
HELP = (
    r"help|help me|help please|i need help|can you help(?: me)?|"
    r"what (?:sort of |kind of |kinds of )?(?:things|stuff|else) (?:can|do|could) (?:you|u)(?: do| help(?: me)? with)?|"
    r"what (?:can|do|could) (?:you|u)(?: do| help(?: me)? with)?(?: for me)?|"
    r"how (?:does this|do you|do i use (?:this|you)) ?(?:work)?|what are you(?: for)?|who are you"
)
HELP_LEADS = "hi|hello|hey|so|ok"
HELP_ENDS = "please|pls|then|here"
PRAISE = (
    r"\b(?:you(?:re| are)?|ur) (?:a |an |the |so |very |too )?"
    r"(?!(?:can|could|will|would|should|shall|may|might|must|do|did|have|had|need|want|put|move|cancel|change|set)\b)"
    r"\w+"
)
"""Compliments to the assistant: "you rock"."""
