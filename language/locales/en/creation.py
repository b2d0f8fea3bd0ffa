"""English words that request something new, see `language.requests.creation`."""

VAGUE = frozenset(
    "one ones do slot lot group crew mob jump visit name number ref reference record file entry thing".split()
)
DEFINITE = frozenset("the that this those these my our your his her their its whose".split())
LEADS_THERE = frozenset(
    "to into onto for of about with from than as like on at by has had have got made was were is are".split()
)
PART = (
    r"time|times|date|dates|day|hour|start|name|names|note|notes|number|numbers|no|ref|reference|id|details|email|"
    r"e-mail|mail|phone|contact|size|count|total|price|slot|title|request|requests|form|policy|change|changes"
)
ARTICLE = r"an?|one|another|one more|an extra|a further"
NEW = r"new"
BRAND = r"brand"
MAKES = (
    r"create|make|add|enter|open|insert|register|need|needs|want|wants|would like|like|set up|"
    r"put in|put through|write in"
)
PUTS = r"(?:put|book|key|pencil|squeeze|fit|pop|stick)\s+(?:\w+\s+)?(?:in|on|down for)"
MAKER = r"new|book|booking of|reserve"

# Meetings
MET = r"meeting|call|appointment|sync|catch[- ]?up|one[- ]on[- ]one|1:1|chat"
ARRANGES = r"schedule|book|arrange|organi[sz]e|plan|fix|get|have|find|put|request"
NEW_MEETING = r"new\s+|quick\s+|short\s+"
LASTING = r"[\w-]+\s+(?:minutes?|mins?|hours?)\s+|half[- ]hour\s+|hour[- ]long\s+"
MEETS = r"meet|see|talk (?:to|with)|speak (?:to|with)|catch up with|sit down with"
WITH = r"with"
NOBODY = r"at|on|in|if|when|who|what"
"""Words behind "meet" that are no person."""
MEETS_ALONE = r"meet\s+(?:at|on|in)"
WISHES = r"want|need|like|love|let's|lets|can|could|may|shall"
DOES = r"do|grab"
ASKS_TO = (
    r"i'd|i'll|let's|lets|up|quick|short|brief|new|time|slot|meet|with|catch|catch-up|1|1:1|calendar|see|talk|speak|"
    r"grab|do|half|chance|o'clock|diary|can|could|please|possible|we|us"
)
BEHIND_ARTICLE = r"new|quick|short|brief"
DENIES = r"not|don't|dont|never|no longer"

# Tables and other bookings
BEFORE_BOOKS = r"to|and|please|pls|you|we|i|i'd|id|like|want|need|can|could|let's|lets|must|hi|hello|ok|okay|yes|also"
BOOKS = r"book|reserve"
IN_OR_UP = r"in|up"
TAKES = r"want|wants|need|needs|like|likes|have|get|give|find|fix|make|take|add|create|me|us"
THINGS = ("booking", "reservation")
BEHIND_THING = r"for|on|at|tomorrow|tonight|today|this|next|under"
