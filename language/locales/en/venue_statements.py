"""English words of statements about a venue, a booking or the assistant, see `language.venue_facts.statements`."""

# where a clause begins
AND = "and"
BUT = "but"
JOINS = "and|but|so|because|since|as|for"
"""Behind a comma."""
BECAUSE = "because|since|given that|seeing that|now that|knowing that"
SUBJECTS = "we|our|the|there|it's|dogs|you|kids|guests|children"
"""Behind an "and" that begins a clause."""
HEADS = (
    r"well|yes|yep|yeah|yup|nope|sure(?: thing)?|of course|certainly|absolutely|ok|okay|right|great|sorry|also|"
    r"and|but|so|then|too|actually|generally|usually|normally|plus|hello|hi|hiya|hey|thanks|thank you|good news|"
    r"by the way|btw|fyi|just so you know|just to let you know|please note(?: that)?|note(?: that)?|remember(?: that)?|"
    r"don't forget(?: that)?|as far as i know|as a rule|in general|don't worry|no worries|no problem|keep in mind that|"
    r"(?:did you know|you (?:may|might|should) know|you know)(?: that)?|"
    r"i (?:can|could|may|should|will|would) (?:tell|confirm to|assure|inform|remind) you(?: that)?|"
    r"i'm (?:happy|glad|pleased|sorry|afraid)(?: to (?:say|tell you|confirm|inform you))?(?: that)?|"
    r"i am (?:happy|glad|pleased|sorry|afraid)(?: to (?:say|tell you|confirm|inform you))?(?: that)?|"
    r"i (?:know|think|believe|guess|confirm|understand|see|checked|looked|can confirm|found|have checked|find)"
    r"(?: out)? that|i (?:know|think|believe|guess|can confirm)|"
    r"(?:tell|let) (?:him|her|them|the guests?|mum) (?:know )?that|the answer is(?: that)?|"
    r"the venue (?:says|told me|states)(?: that)?|according to \w+(?: \w+)?|(?:and )?if you (?:like|want|wish)"
)
"""What may stand in front of a statement."""

# statements that are not on the venue
_BOOKING = (
    r"booking|reservation|party|session|lesson|meeting|ride|visit|group|appointment|event|invitation|note|plan|change|"
    r"request|total|balance|name|number|phone(?: number)?|email|e-mail|e-mail address|address|contact|date|day|time|"
    r"count|guest count|guest|guests|host|change|step|steps|new \w+|old \w+|other \w+|first|second|one|rest|"
    r"kids|children|family|customer|client|rider|pupil|horse|duration|organiser|organizer|attendees?|"
    r"system|calendar|venue manager|roller|voucher"
)
_PART = r"(?! (?:rooms?|bags?|hosts?|packages?|food|menus?|areas?|hall|wear|centre|center)\b)"
"""A party room is no party."""
_FREE = (
    r"places?|spots?|seats?|spaces?|slots?|sessions?|rooms?|times?|tables?|bookings?|reservations?|parties|lessons?|"
    r"meetings?|rides?|options?|matches|guests?|people|results?|nothing|nobody|no \w+|one|two|three|several|more|"
    r"another|an? \w+ (?:booking|party|session|lesson|meeting)"
)
INNOCENT = (
    # On the assistant: what it can do, found or needs; the outcome of the request.
    r"i(?:'m|'ve|'ll|'d)?\b|let me\b|let's\b|me\b|nothing\b|"
    r"no(?:body| one| \w+)\b (?:was|were|is|has|matches|matched|found|with|by|under|needs)|neither\b|none\b|"
    r"we(?:'ll|'ve)? (?:can|could|will|need|have to|found|looked|did|must|should)?\s?(?:\w+ )?(?:find|found|look|move|"
    r"change|cancel|add|update|know|need|start|go on|wait|see|book|keep it|leave)\b|"
    # On what the operator wrote, is to write or to do here.
    r"(?:please )?(?:tell|say|give|choose|pick|check|confirm|ask|look|try|use|type|let|have a look|do you|spell|repeat|"
    r"contact|see|reply|answer|press|speak|wait|sign in|call the venue|name|mean|refer|start|go|add|read|just say|"
    r"say it)\b(?! \w+ (?:are|is|can) )|"
    r"you(?:'d|'ll|'ve)? (?:have to|need to|must|can|may|could|should|want|wanted|would like|would have to)? ?"
    r"(?:just )?(?:confirm|say|said|tell|told|give|gave|choose|pick|check|ask|asked|mean|meant|want|wanted|typed|wrote|"
    r"look|try|sign in|"
    r"see|undo|cancel (?:it|this|the)|change (?:it|this|the)|still|are welcome\W*$|'re welcome\W*$)\b|"
    r"you're welcome\W*$|"
    r"(?:you )?(?:also )?(?:can |could )?(?:also )?(?:try|made this|cannot be)\b|more than one\b|"
    r"the venue (?:did|has|does)(?: not|n't) (?:accept|answer|say|tell)|"
    r"nobody\b|no (?:\w+ ){1,4}(?:is|was|are|were|has|have|found|for)\b|of which\b|free in that week|refresh|retry|"
    r"make (?:the|a) (?:new )?request|reading|checking|or\b|with the \w+'s|there are at least\b|"
    r"(?:shall|should|would|do|does|did|is|are|was|can|could|may|will|have|has) "
    r"(?:i|you|we|it|that|this|they|he|she)\b|"
    r"(?:before|to|for|in order to|after|once|when|until|unless|if)\s"
    r"(?:it|that|this|them|the (?:change|plan|booking|price|name)|change|move|cancel|book|do)\b|"
    # On a booking, on statements about it, on a person.
    rf"[\w-]+'s? (?:\w+ ){{0,2}}?(?:{_BOOKING})s?\b{_PART}|"
    r"(?:he|she|they|it|this|that|these|those|both|everything|all)(?:'s|'re|'ve|'ll|'d)?\b|"
    r"(?:his|her|their|its|my)\b|"
    rf"(?:the|this|that|these|those|your|a new) (?:[\w:'-]+ ){{0,3}}?(?:{_BOOKING})s?\b{_PART}|"
    rf"(?:{_BOOKING}) [\w-]*\d|"
    # Of free places.
    r"(?:there (?:is|are|was|were)|there's)(?: (?:still|only|just|also|no|not|now|currently|any|\d+|an?|one|two|three|"
    rf"four|five|six|several|enough|other|more|free|open|available))* (?:{_FREE})\b(?! (?:rooms?|bags?))|"
    r"\d[\d:.]*(?:am|pm)? (?:is|has|would|works)|"
    r"(?:at|on|for) \d[\d:.]*(?:am|pm)?\b.* (?:left|free|available|full)\b|"
    r"here\b|which\b|what\b|who\b|how\b"
)
"""How a statement begins that is not on the venue."""
SUBJECT = (
    r"(?:he|she|they|it|this|that|these|those|both|everything|all|everybody|everyone)(?:'s|'re|'ve|'ll|'d)?\b|"
    r"(?:his|her|their|its)\b|"
    rf"(?:the|this|that|these|those|your|every|each|any) (?:[\w:'-]+ ){{0,3}}?(?:{_BOOKING})s?\b|"
    r"you (?:may|can) (?:also )?cancel\b"
)
"""How a statement on a booking or a person begins."""
OF_ANY = (
    "this that these those they them their there then than with without from have been will would could should must "
    "what when which your yours here more also just only still very into over booking bookings reservation party "
    "session lesson meeting guest guests group everything everybody everyone".split()
)
"""Words that every statement of a booking may have: they tell nothing of it."""
BOOKED = (
    r"\b(?:is|are|was|were|has been|have been|isn't|aren't) (?:not |now |already |still |only )?"
    r"(?:booked|down for|coming|due|called|on file|on the list)\b|"
    r"\b(?:is|are|was) (?:full|free on|free at|available (?:on|at)|sold out)\b|"
    r"\b(?:places|spots|seats|slots|spaces) (?:left|free|available)\b|\bbooking \w*\d"
)
"""Words that mark a statement on a booking or availability, whatever precedes them."""
NOT_KNOWN = (
    r"i (?:do not|don't|can't|cannot|could not|couldn't) (?:know|say|tell|find|answer|have|see|help)|"
    r"i'm not (?:sure|able|allowed|told)|i am not (?:sure|able|allowed|told)|i have no|no (?:information|idea)|"
    r"nobody told me|not been told"
)
ASKS = (
    r"(?:should|shall|would|could|do|does|did) (?:i|you|we|it|he|she|they|the|this|that)|which|what|when|where|who|how"
)
DID_YOU_KNOW = "did you know"
"""How a question begins that states what follows."""
NO_ANSWER = "please |let me|one moment|tell me|say "
"""How words begin that answer no question."""
ROW = "(?:mon|tues|wednes|thurs|fri|satur|sun)day|today|tomorrow|tonight|at|on|for|with|from|in|by|to"
"""How a row of a list begins."""
COURTEOUS = (
    r"hello|hi|hiya|hey|g'day|good (?:morning|afternoon|evening)|thanks?|thank you|sure(?: thing)?|ok(?:ay)?|"
    r"all right|alright|great|got it|right|no worries|no problem|you're welcome|you are welcome|my pleasure|of course|"
    r"certainly|yes|no|sorry|perfect|done|cheers|noted|understood|let me see|by the way|one moment"
)
COURTEOUS_TO = "there|again|mate|everyone|love|a lot"
"""Behind a courtesy."""

# statements on the venue
RULE = (
    r"refund(?:s|ed|able)?\b(?! (?:it|him|her|them|this|that|the|booking|here|anything|for you))|surcharges?|"
    r"discounts?|free of charge|for free|for nothing|no charge|at no cost|"
    r"cancellation fees?|late fees?|deposits? (?:is|are|of|stays?)|per (?:person|head|child|kid|guest|hour)|a head|"
    r"welcome(?! to (?:say|tell|ask))|allowed|permitted|forbidden|prohibited|compulsory|mandatory|obligatory|"
    r"(?:open|close|shut)s?(?: (?:at|until|till|from|on|every|late|early|between|daily|all)\b|\W*$)|closed|"
    r"opening hours|expires?|polic(?:y|ies)|entitled|complimentary|on the house|half price|"
    r"gets? (?:a |their |your )?(?:money|cash) back|working days|business days|a lead|leash"
)
"""Words that mark a rule of the venue, whatever precedes them, unless the statement is on an event of a booking."""
NO_RULE = (
    r"\bi(?:'m| am| was) (?:not )?(?:allowed|permitted)|(?:you are|you're) (?:most |very )?welcome\W*$|"
    r"\b(?:i|can|cannot|can't|could|couldn't|to|not) (?:\w+ )?(?:refund|discount)\b|"
    r"\b(?:has|have|had|was|were|been|already|be) (?:not |already |fully )*(?:refunded|closed)\b|"
    r"\bi cannot|\bi can't|\bcannot help|\b(?:not|isn't|aren't) (?:something |anything )?i\b"
)
VERB = (
    r"\b(?:is|are|was|were|isn't|aren't|has|have|had|can|can't|cannot|could|may|must|mustn't|will|won't|would|should|"
    r"do|does|don't|doesn't|need|needs|takes?|costs?|pays?|gets?|goes|go|stays?|comes?|hold|holds|fits?|runs?|carry|"
    r"carries|allow|allows|accepts?|offers?|provides?|includes?|requires?|sells?|serves?|starts?|ends?|opens?|closes?|"
    r"lasts?|keeps?|jumps?|brings?|wears?|works?|applies|apply|expires?|charges?|close|shut|shuts)\b|"
    r"'s (?:open|closed|free|fine|ok|okay|allowed|a|an|the|in|at|on|not|no|all|always|just|only)\b|'re\b"
)

# prices, what is free or included, what is given back
MONEY = r"dollars?|euros?|bucks"
EACH = "an?|per|each|extra|every"
COSTS = "costs?"
PERCENT = "percent|per cent"
OFF = "off|discount|back|refund|less|cheaper"
"""Behind a percentage."""
FEES = "refund|discount|fee"
IS = "is"
OF = "of"
THE = "the"
"""Between a fee and its amount."""
TERMS = (
    r"\bget(?:s|ting)? (?:in )?(?:(?:it|that|everything|them) (?:all )?)?(?:free|for nothing|refunded|back)\b|"
    r"\bfree (?:parking|entry|entrance|admission|drinks?|food|wifi|wi-fi|socks|cancellation|refills?|cakes?|of charge|"
    r"until|before|after|for (?:kids|children|adults|parents|under))\b|\bunlimited\b|"
    r"\brefund(?:ed|able) (?:in full|fully|up to|until|till|within|before|if|when|at any|any ?time|half|partly)\b|"
    r"\b(?:bookings?|part(?:y|ies)|sessions?|tickets?|reservations?|lessons?|packages?) (?:also |always )?"
    r"(?:includes?|comes? with|is entitled|are entitled)\b"
)
OWN = r"i (?:can|could|may|do|will) ?(?:not|n't)|i can't|cannot|can't|couldn't|unable"
"""What the assistant cannot do, which is no term."""
SINCE = (
    r"as(?= (?:you|we|it|they|he|she|there|all|the|this|dogs?|guests?|kids|children|refunds?|parties)\b)|"
    r"since(?! when\b)|because|given that|seeing that|considering(?: that)?|now that|knowing that|seeing as|"
    r"given|(?:bearing|keeping) in mind(?: that)?|even though|although|(?<!even )though|even if|"
    r"that(?= (?:gets?|comes? with|costs?|includes?|is free|are free)\b)|"
    r"which(?= (?:gets?|is|are|comes?|costs?|includes?)\b)"
)
"""In front of what a question presumes."""
WITH = "with|for|at|minus|plus"
WITH_ITS = "its|their|his|her|the|an?|your"
WITH_UNIT = "percent|per|dollars?|euros?"
"""Of a price that a question presumes: "with its 20 percent"."""
