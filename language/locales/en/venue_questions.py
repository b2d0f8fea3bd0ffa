"""English words of questions about a venue, or about a booking, see `language.venue_facts.questions`."""

ASKED_FOR = (
    r"ask(?:s|ing|ed)? (?:if|whether|about|how|what|when)|wonder\w* (?:if|whether|how|what|when)|"
    r"wants? to know|would like to know|like to know|need to know|"
    r"tell (?:me|us|them|him|her) (?:about|how|what|when|if)|any idea"
)
"""Asks without a question mark."""

# what is no question about the venue
THIS = "this|that|his|her|my|these|those"
BOOKING = (
    "booking|bookings|reservations?|party|parties|session|lesson|meeting|ride|visit|group|appointment|event|invite|call"
)
OWNER = r"\b(?!(?:what|it|that|how|where|there)'s)\w+'s"
OWNED = "number|phone|email|e-mail|note|notes"
"""Belongs to a person and a booking, and not to the venue."""
OF = "of|under"
A = "an?"
OF_ONE = (
    r"\b(?:who(?! (?:needs? to|has to|have to|must|may|is allowed to|signs?)\b)|"
    r"whose|whom|which (?:bookings?|part(?:y|ies)|meetings?|lessons?|ones?))\b|"
    r"\b(?:is|are|was|were|has|have|had|did) (?:he|she|they|[a-z]+(?: [a-z]+)?) "
    r"(?:coming|booked|paid|refunded|cancelled|canceled|confirmed|arrived|signed|been|pay|paid|call|called)\b|"
    r"\b(?:did|has|had|was|were|when (?:do|does|is|are)|what time (?:do|does|is|are)) "
    r"(?:he|she|they|it|[a-z]+(?: [a-z]+)?) "
    r"(?:come|comes|coming|arrive|arriving|start|starts|begin|end|ends|finish|booked|due|on|get|got|have|pay)\b|"
    r"\bhow many (?:guests?|kids|people|children|riders|adults|bookings?|parties|are|is|has|have|did|were)\b"
    r"(?! (?:fit|can|does|do|may)\b)"
)
"""Asks about one booking."""
ROOM = (
    r"room (?:for|on|at|in|left|this|next|tomorrow|today)|any room|"
    r"(?:is|are) there (?:still )?(?:any )?(?:room|space|places?|spots?|slots?|sessions?|availab\w+|seats?|times?)\b"
    r"(?! (?:to park|for (?:the )?cars?))|availab\w+|"
    r"free (?:on|at|for|this|next|tomorrow|today|in the|between|after|before)|"
    r"(?:is|are) (?![\w ]*\b(?:nut|gluten|dairy|lactose|sugar|smoke|alcohol|parking|entry|entrance|wi-?fi|cancel\w+) "
    r"free)[\w ]{1,30} free|"
    r"when is \w+ free|(?:places|spots|slots|seats|spaces|times) (?:left|open|available|free)|fully booked|sold out|"
    r"(?:have|got) (?:anything|something|any) (?:on|at|for|around|free|left|open|slots?|times?)|"
    r"what(?:'s| is| do we have| have we got)? (?:on|happening|coming up|up) "
    r"(?:today|tomorrow|tonight|this|next|on|mon|tue|wed|thu|fri|sat|sun)"
)
"""Asks for a free place."""
CHANGE = (
    "move|cancel|change|reschedule|update|add|remove|delete|shift|switch|push|swap|rebook|refund|book|make|put|set|"
    "edit|rename|extend|note|bump|schedule|undo|confirm|find|look|show|check|list|send|give|help|repeat|explain"
)
CHANGE_OF = "polic|fee|charge"
"""Behind a change: one that is a thing of the venue's."""
WISH = "(?:can|could|will|would) (?:you|u|we|i)|please|pls"
SOFTENED = "please|just|maybe|possibly|also|now"
"""Between a wish and its change."""
WISH_LEADS = "please|ok|and|then|so|can|now"
"""In front of an order."""
OF_US = (
    r"what (?:can|could|do|did|else can) (?:you|u) (?:do|help|mean|say|want|need|think)|did (?:you|u|it|that)|"
    r"have (?:you|u)(?! got)|"
    r"are (?:you|u) (?:sure|ready|there|a (?:bot|robot|person|human|machine)|an? ai|ok|serious|able)|"
    r"who are you|what happened|what went wrong|why|why not|is (?:it|that|this) (?:done|ok|right|correct|sure|ready)|"
    r"what (?:about|now|next|then)|(?:and|so) (?:now|then)|really|right|"
    r"what do i(?! (?:pay|wear|bring|owe|(?:need|have) to (?:pay|wear|bring|sign)))|what should i (?:do|say)|"
    r"(?:do|must|should) i (?:have to |need to )?(?:confirm|press|tap|sign in)"
)
"""Asks about the assistant or its plan."""
BARE = "yes|yeah|no|nope|ok|okay"

# bringing something, or moving a booking
BRINGS = (
    r"(?:can|could|may|should|do|must|shall) (?:i|we|they|he|she|you|guests?|people|one|(?:my|our|his|her) \w+) "
    r"(?:also |have to |need to )?bring|(?:ok|okay|fine|allowed|possible) (?:if (?:i|we) |to )bring"
)
BROUGHT_BOOKING = "booking|reservation"
BROUGHT_TABLE = "table|party"
"""A booking if it is somebody's."""
BROUGHT_OF = "of"
THE = "the"
TO = "forward to|to"
TO_WHEN = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|noon"

# a rule for a booking of any guest
MAY_ONE = "(?:(?:and|so|but) )?(?:can|could|may) (?:(?:i|we|they|one) )?"
REFUND = "refund"
NAMED = r"\w's\b|\b(?:his|her|their|that|this) "

# policies
RULES = (
    "polic(?:y|ies)|house rules|terms|conditions|terms and conditions|privacy|warrant(?:y|ies)|guarantees?|"
    "refundable|non-refundable|nonrefundable|money back|refund policy"
)
POLICIES = {
    "returns": r"refunds?|refunded|refundable|money back|returns? polic\w+",
    "shipping": "shipping|shipped|ship|deliver(?:y|ed|ies)?",
    "privacy": "privacy|personal data|gdpr",
    "terms": "terms|conditions|waivers?",
    "weather": "if it (?:rains|storms)|when it rains|in (?:the |bad )?(?:rain|weather)",
}
"""By the commonest names of policies, what people say for them."""
QUESTION_LEADS = "hi|hello|hey|and|so|ok|please"
QUESTION = "what|how|do|does|did|can|could|is|are|may|when|where|which|who|will|would|what's|whats|tell me about"
"""How a question begins."""
REQUEST = "(?:can|could|will|would) (?:you|u)|please|pls"
STATES = (
    r"refunds? (?:are|is|within|up to|only|if|for)|"
    r"(?:is|are|be|gets?|always|never|not) (?:fully )?(?:refunded|refundable)|"
    r"non-?refundable|full refunds?|always refund|never refund|"
    r"(?:you|guests?|they|customers?) (?:get|gets|receive|will get|will receive|are entitled to) (?:a |an |your )?"
    r"(?:full )?(?:refund|money)|free of charge|cancellation fee|late fee|deposit is|deposits are|"
    r"shipping (?:is|takes|costs)|delivery (?:is|takes|costs)|deliver(?:s|ed)? (?:within|in)|shipped (?:within|in)"
)
OUR = "our|the"
POLICY = "polic(?:y|ies)"
SMALL = (
    "a an and are at be by can could do does for from have how i if in is it may me my of on or our so that the there "
    "this to us was we what when where which who will with would you your please hi hello".split()
)
"""Words that make no difference between two questions."""
PLURAL = "s"
