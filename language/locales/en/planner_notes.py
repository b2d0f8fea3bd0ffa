"""English words around the text of a note, see `offline_planner.orders.notes`."""

NOUN = r"(?:notes?|comments?|remarks?|memo)"
"""What a note is called; it stands for {noun} in `PATTERNS`."""
NEXT_ORDER = (
    r"(?:(?:\s*[,;.]\s*|\s+)(?:and|then|also|and then|and also)\s+|\s*[,;.]\s*)(?:please\s+|can you\s+)?(?:"
    r"(?:move|reschedule|shift|push|make|change|set|bump|update|cancel|bring|put)\s+"
    r"(?:it|them|the|his|her|their|booking|to)\b|"
    r"(?:add|take off|take out|remove|drop|knock off)\s+(?:\d+|an?|one|two|three|four)\b|"
    r"(?:they|there|it|we)(?:['’]re|['’]s|s|re| are| is| will be)\s+(?:now\s+|up to\s+|down to\s+)?\d+\b)"
)
"""Where the next order begins behind a note."""
PATTERNS = (
    r"(?:\b{noun}\b[^:;]*?)(?::|->|=>|\s[-–—]\s)\s*(?P<text>\S.*)",
    r"\b{noun}\b(?:(?!\bthat\b)[^:;])*?\s(?:that|saying|to say|which says|stating|"
    r"reading)\s+(?P<text>(?!down\b)\S.*)",
    r"\bnote\s+(?:down\s+)?(?P<text>(?:they|she|he|there|one|his|her|their|it|we)(?:['’]\w+)?\s.*)",
    r"(?:^\W*(?:#?\d{3,}\W+)?|[,.;]\s*|\b(?:please|also|pls|plz|and|just|could you|can you)\s+)note\s+"
    r"(?P<text>(?!to\b|for\b|on\b|that\b|it\b|this\b|down\b|about\b|in\b|against\b|saying\b)[^\W\d]\S*\s+\S.*)",
    r"\b(?:add|put|write|log|record|leave)\s+[\"“](?P<text>[^\"”]+)[\"”]",
    r"\b(?:put down|write down|note down|jot down|record|log)\s+(?P<text>(?!that\b|the\s+(?:new|number|email)\b|"
    r"as\b|for\b)"
    r"[^\W\d][^,.;:]*?\s[^,.;:]*?)\s+(?:for|on|against|to)\s+(?=(?:the\s+)?[a-z#\d])",
    r"\b{noun}\b[^\"“]*[\"“](?P<text>[^\"”]+)[\"”]",
    r"\b(?:{noun}|add|put|"
    r"write)\b[^'‘]*(?:['’]s\b[^'‘]*)?(?<!\w)['‘](?P<text>[^'‘’]+(?:['’]\w[^'‘’]*)*)['’](?!\w)",
    r"\b(?:jot down|write down|write|mention|note down|put down|record|flag|flag up|make a note)\s+"
    r"(?:(?:on|for|against)\s+.+?\s+)?that\s+(?P<text>(?!down\b)\S.*)",
    r"^\W*(?:booking\s+|ref\s+)?(?:#?\d{3,}\W+)?(?!.*\b(?:mov\w+|shift\w*|come|comes|start\w*|later|earlier|"
    r"instead)\b)"
    r"(?P<text>(?!note\b).{6,}?)[\s,;.–-]+(?:please\s+|can you\s+|"
    r"could you\s+|so\s+)?"
    r"(?:pop|put|stick|write|jot|note|add|log|chuck|record|bung)\s+(?:it|that|this|them|those)\s+(?:down\s+)?"
    r"(?:(?:in|on|to|into|under|against)\s+(?:the|his|her|their|its|a)\s+(?:{noun}|booking|file)|down)\b",
    r"\b(?:add|put|leave|stick|pop|log|write)\s+(?:down\s+)?(?:on|to|against|in)\s+"
    r"(?:.*?\b(?:booking|party|reservation|birthday|file)\b|\S*\d{3,}).*?\s+that\s+(?P<text>\S.*)",
    r"\b(?:add|put|leave|stick|pop|log|write|jot)\s+(?:down\s+)?(?:on|to|"
    r"against)\s+[^,.;:]{2,45}?(?:\s+that\s+|:\s+)(?P<text>\S.*)",
    r"\b{noun}\s+(?:for|on|to)\s+(?:booking\s+|ref\s+)?#?(?:[A-Za-z]{1,5}-)?\d{3,}\s+"
    r"(?P<text>(?!to\b|and\b|then\b|please\b|pls\b|is\b|that\b|from\b|at\b)[^\W\d].*)",
    r"\b(?:add|put|stick|pop|leave|make|chuck|write)\s+(?:an?\s+|another\s+)?{noun}"
    r"(?:\s+(?:on|to|for|against|in)\s+[^,:;]{1,45}?)?,\s+(?P<text>(?!(?:and|then|also|please|pls|plz|move|make|change|shift|push|cancel|thanks|ta|"
    r"cheers|"
    r"but|he|she|when|if)\b)[^\W\d]\S*\s+\S.*)",
    r"^\W*(?:please\s+|pls\s+)?note\s+(?:on|for|to|against)\s+[^,:;]{1,40}?,\s+"
    r"(?P<text>(?!(?:and|then|also|please|pls|thanks|ta|cheers)\b)[^\W\d]\S*\s+\S.*)",
    r"\b{noun}\b[^:;,]{0,40}?\s(?:(?:should|must|needs? to|to)\s+)?(?:say|read)\s+(?P<text>[^\W\d].*)",
    r"\b{noun}\s+(?:for|on|to)\s+(?>(?-i:[A-Z][\w-]*(?:['’](?!s\b)\w+)*(?:\s[A-Z][\w-]*(?:['’](?!s\b)\w+)*)*))"
    r"(?:['’]s\s+\w+)?+\s+"
    r"(?P<text>(?!to\b|and\b|then\b|please\b|pls\b|is\b|from\b|at\b|for\b)[\w].*)",
    r"\b(?:add|put|pop|leave|write|log|stick|chuck|make)\s+(?:a|an|another)?\s*(?:\w+\s+)?note\s+(?P<text>"
    r"(?!to\b|for\b|on\b|that\b|about\b|and\b|please\b|pls\b|in\b|saying\b|"
    r"against\b)\w.*?)\s+(?:to|on|for)\s+#?\d{3,}",
    r"\b(?:add|put|pop|leave|write|log|stick|chuck|make)\s+(?:a|an|another)\s+note\s+(?:then\s+|too\s+)?(?P<text>"
    r"(?!to\b|for\b|on\b|that\b|about\b|and\b|please\b|pls\b|in\b|saying\b|against\b|as\b|there\b|"
    r"then\b|too\b|at\b)\w.*)",
    r"(?:^|[.;:]\s+|,\s+(?:and\s+)?|\band\s+)(?P<text>(?![^,.;:]*\b(?:mov\w+|shift\w*|chang\w+|cancel\w*|make|"
    r"start\w*)\b)"
    r"[^,.;:]{6,}?)[\s,;–-]+(?:so\s+|and\s+)?(?:please\s+|pls\s+|can you\s+|could you\s+)*"
    r"(?:(?:note|write|jot|log|record)\s+(?:that|it|this)(?:\s+down)?|"
    r"(?:add|put|pop|stick)\s+(?:(?:that|it|this)\s+)?(?:down\s+)?(?:as|in|on|to)\s+(?:an?\s+|the\s+|his\s+|her\s+|"
    r"their\s+)?{noun})"
    r"(?=\W*$|\s*[,.;])",
    r"\b(?:add|put|leave|stick|pop)\s+an?\s+(?!new\b|quick\b|short\b|little\b)(?P<text>[^,.;:]{3,40}?)\s+{noun}\s+"
    r"(?:on|to|for|against|in)\b",
    r"^\W*(?!(?:add|put|can|could|please|pls|change|edit|delete|remove|update|scrap|drop|cancel|show|read|find|"
    r"is|any|see|"
    r"check|the|a|an|new|leave|what|whats|make|my|this|that|his|her|their|forget|no|not|and|also)\b)"
    r"(?![^,.;:]*\b(?:add|put|leave|write|make|stick|pop|log|need|want|like|an?|another)\s+{noun}\b)"
    r"(?P<text>[^\W\d][^,.;:]{3,50}?)\s+note\s+(?:for|on|to)\s",
    r"\b{noun}\b[^:;]{0,60}?\s(?:there|it|this|one|them|that one)\s+that\s+(?P<text>\S.*)",
    r"^\s*(?:booking\s+)?(?:#?\d{3,}|[A-Za-z]{1,5}-\d+|[^\W\d]+(?:\s[^\W\d]+)?)\s*[:,–-]\s*(?:please\s+|pls\s+)?"
    r"(?:add|put|leave|write)\s+(?:a\s+)?{noun}\s+(?P<text>(?!to\b|for\b|on\b|that\b|about\b)[^\W\d].*)",
    r"\b(?:add|put|write|record|log)\s+(?P<text>(?!an?\b|the\s+(?:following\s+)?{noun}|this|that\b|it\b|"
    r"another\b|new\b).+?)\s+(?:to|in|into|on|as)\s+(?:the\s+|their\s+|his\s+|her\s+|its\s+|"
    r"a\s+)?(?:booking\s+)?{noun}\b",
)
"""How the text of a note is dictated, the likeliest way first."""
TYPED_AS = (("that", "tht"),)
"""How a word of the patterns is typed in a hurry."""
ON = r"on|for|to|in"
BOOKING = r"booking|ref"
"""In front of a booking's number at the end of a note."""
CONTACT = r"e-?mail|mail|phone|mobile|number|cell\w*"
IS = "is"
"""Between a contact detail's name and its value."""
AND = "and|plus|also"
AND_ALSO = "and|also|add"
"""What joins a step to a note, and what may stand behind that."""
