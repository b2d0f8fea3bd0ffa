"""English words of plain answers, see `language.replies.polarity`, `language.replies.stop_request` and
`language.replies.choosing`: without apostrophes and capitals."""

# polarity
NOT = "not no dont doesnt isnt wasnt never without neither nor except".split()
YES = "yes yep yeah yup sure ok okay".split()
NO = "no nope nah never".split()
FILLERS = (
    "it was were is they she he we i paid refunded gave by in with via as the a an please thanks to on of for that "
    "this yes ok just".split()
)
"""Words around a value that leave it what it is."""
TURNS = "cannot cant wont mustnt arent hasnt havent shouldnt couldnt nothing".split()
"""Words that negate a statement, beside those of NOT."""

# stop_request
ASSENTS = """
    yes|y|yep|yeah|yup|do it|go ahead|please do|confirm|confirmed|confirm it|confirm plan|confirm the plan|ok|okay|
    sure|looks good|sounds good|all good|perfect|great|fine|thats fine|that is right|thats right|thats correct|right|
    correct|approve|approved|proceed|go for it|lets do it|absolutely|of course
"""
STOPS = """
    stop|stop it|never mind|nevermind|forget it|no cancel|discard|discard it|discard plan|discard the plan|drop it
"""
REFUSALS = "no|n|nope|dont|dont do it|do not|do not do it|leave it"
POLITE = "please|thanks|thank you|thank you very much"

# choosing
PICKS = "number no n ref reference code with id a".split()
"""Words of an answer that only picks."""
