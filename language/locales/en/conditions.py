"""English words of conditions on parts of a request, see `language.requests.conditions` and
`condition_words`. Regular expressions hold no bare spaces, because most are read with re.VERBOSE."""

# Connecting words
AND = r"and|plus|also"
JOIN = r"and"
BUT = r"but"
HOWEVER = r"but|though"
OR = r"or"
ELSE_OR = r"else"
THEN = ("then",)
TRAIL = frozenset("then left either anymore more out up at that it this them day time".split())
"""What may follow the condition before the fallback."""

# The words that make a condition
IF = r"if|unless|in\s+case|in\s+the\s+event(?:\s+that)?"
STRICT = (
    r"only\s+if|as\s+soon\s+as|the\s+moment|whenever|once(?=\s+(?:someone|somebody|he|she|they|the|we)\b)"
    r"|(?:as|so)\s+long\s+as|on\s+(?:the\s+)?condition(?:\s+that)?|assuming(?:\s+that)?"
    r"|provid(?:ed|ing)(?:\s+that|(?=\s+(?:he|she|they|it|the|you|there|his|her|their)\b))"
)
LOOSE = r"should|were|when|where"
NO_CONDITION_BEHIND = r"""know | knows | see | sure | check | checked | tell | told | me | dunno | remember | say | says
    | said | what | even | as | like | if | grateful | kind | kindness | thankful | obliged | appreciated? (?:\s+it)?
    | (?:be|so|is|was)\s+(?:nice|great|lovely|good|wonderful|helpful|brilliant|amazing|fab) | so"""
ASKS = r"ask\w* | wonder\w*"

# Courtesies behind an "if"
POLITE = r"""(?:that['’]?s|it['’]?s|that\s+is|it\s+is|that)?\s*
          (?:ok|okay|alright|all\s+right|fine|cool|easier|convenient|good)
          (?:\s+(?:with|for|by)\s+(?:you|u|everyone|the\s+team))?
      | you\s+(?:would|could)(?:\s+be\s+so\s+kind)?
      | (?:that|it|this|they|she|he)\s+(?:could|can|might)\s+be
          \s+(?!done|fitted|managed|squeezed)\w+(?:\s+(?:down|in))?
      | (?:it['’]?s|it\s+is|that['’]?s|that\s+is)?\s*not\s+(?:too\s+)?(?:much\s+|a\s+|an\s+)?(?:\w+\s+)?
          (?:trouble|bother|problem|hassle|inconvenien\w+)
      | you\s+(?:don['’]?t|do\s+not|wouldn['’]?t)\s+mind | you\s+(?:like|please|wish|prefer)
      | it['’]?s\s+no\s+(?:trouble|bother)
      | i['’]?m\s+not\s+mistaken | i\s+(?:remember|recall)\w*(?:\s+\w+)? | memory\s+serves(?:\s+me)? | anything | so
      | (?:need(?:ed|\s+be)?|necessary|required|any|not\s+already) | it\s+(?:helps|matters)"""
POLITE_END = r"and|but|then|please|thanks"
POLITE_LEAD = (
    r"(?:you|u|we|i)\s+(?:could|can|would|will|might|wouldn['’]?t\s+mind)\s+(?:just\s+|please\s+|possibly\s+|kindly\s+)*"
    r"(?!not\b|do\s+(?:it|that|so)\b|manage\b|fit\b|squeeze\b)"
)
"""In front of a verb that orders."""
ABLE_ORDER = r"(?:you|u|we)\s+(?:can|manage\s+to)"

# The words of a clause on whether something is possible
FUNCTION = frozenset(
    """somebody someone anybody anyone take host see offer give
    it its it's its that thats that's this theres there's there they they're you you're we we're i he she is are
    be been was were am has have had got get gets a an the any some enough more left then time times slot slots
    session day date at on in for of by to with all either too already really still just even out up off them her
    him us me those these both one ones will would can could may might do does doing did done make made go goes
    works let lets so still th st nd rd am pm o'clock oclock noon midday""".split()
)
DAYS = frozenset(
    """monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun today
    tomorrow morning afternoon evening tonight january february march april may june july august september october
    november december jan feb mar apr jun jul aug sep sept oct nov dec""".split()
)
FEASIBLE = frozenset(
    """room rooms space spaces spot spots place places availability available possible feasible doable free open
    capacity work worked working fit fits suit suits suitable manage managed squeeze swing happen sorted option
    good luck joy chance able go ahead accommodate convenient vacancy vacancies opening openings seats seat""".split()
)
TAKEN = frozenset(
    """full taken gone booked busy occupied unavailable packed rammed chocka blocked sold snapped maxed impossible
    unable filled fully completely solid crowded jammed""".split()
)
ROOM = frozenset(
    """room rooms space spaces spot spots place places slot slots availability available free open capacity fit fits
    fitting squeeze vacancy vacancies opening openings seat seats accommodate""".split()
)
NO_WAY = ("impossible", "unable")
NOT = frozenset("no not nope non n't cannot cant can't nothing none neither without".split())
ABLE = frozenset("can could able possible feasible doable chance".split())
SOMEBODY = frozenset("somebody someone anybody anyone else".split())
HAS = frozenset("got has have is took".split())
TAKES = frozenset("have take host see offer give get".split())
DONE = ("done", "do", "works")
CAN = ("can", "could")
CANNOT = r"(?:ca|could)n['’]?t$|cannot$"
NUMBER_ENDING = r"am|pm|th|st|nd|rd|s"
CONTRACTIONS = (
    (r".+n't|isnt|arent|wont|doesnt|dont|couldnt|wouldnt", ("is", "n't")),
    (r"(.*)'(?:s|re|ll|d|ve)", (r"\1", "is")),
)
"""Patterns of words that are two, with the two."""
SUITS = r"suit|suits|work|works|convenient|good"
FOR = r"for"
GUEST = r"her|him|them|the\s+(?:mum|mom|dad|family|guests?)"

# The fallback
MORE = r"""also|make|add|put|then|change|note|update|set|give|tell|a\s+note
    |s?he['’]?s?|they['’]?\w*|there|it['’]?s|now"""
"""What follows an "and" that begins something else."""
LEAD = r"""in\s+which\s+case | (?:then|so|maybe|just|instead|like|use)\b
      | (?:s?he|they|we|i)(?:['’]d|\s+would)\s+(?:also\s+|quite\s+|very\s+)*be\s+(?:quite\s+|very\s+|just\s+as\s+)?
            (?:happy|fine|ok|okay|content|good)\s+with\b
      | (?:it|that)(?:['’]s|\s+is|\s+could\s+be|\s+can\s+be)\b | (?:is|would\s+be|could\s+be)\b
      | (?:we|they|he|she|i|it)?['’]?(?:ll|d)?\s*(?:make|call)\s+(?:it|that)\b
      | (?:put|move|shift|book|get|squeeze|pop|slot|bump|stick)\s+(?:it|her|him|them|us|me)\b
            (?:\s+(?:down|in|over|back))*(?:\s+(?:for|to))?\b
      | (?:we|they|he|she)['’]?ll\s+(?:do|take|have)\b | (?:do|try|take|go\s+(?:for|with))\b"""
TAIL = r"""(?:would|will|['’]d|['’]ll)\s+(?:also\s+)?(?:suit|do|work|be)\b.* | (?:suits|works)\b.*
      | (?:is|are|['’]s)\s+(?:also\s+)?(?:fine|ok|okay|good|grand|alright|great|possible|an?\s+option)\b.*
      | either\s+way
      | (?<!\w)(?:date|day|same\s+day)(?:\s+(?:stays?|unchanged|(?:doesn['’]t|does\s+not)\s+change))?
      | (?:at\s+the\s+)?same\s+(?:time|hour)(?:\s+(?:either\s+way|as\s+now))?
      | please | pls | thanks? (?:\s+you)? | ta | cheers"""
ELSE = r"""otherwise | or\s+else | failing\s+(?:that|this|which) | alternatively
      | (?<!anyone\s)(?<!anything\s)(?<!something\s)(?<!nothing\s)(?<!what\s)(?<!who\s)(?<!where\s)
        (?<!how\s)(?<!everything\s)(?<!everyone\s)(?<!everybody\s)(?<!somebody\s)(?<!someone\s)(?<!nobody\s)
        (?<!anybody\s)(?<!summat\s)(?<!no\sone\s)(?<!little\s)else
      | plan\s+b
      | (?:our|their|his|her|the|a)?\s*(?:second|next|other|back-?up|fall-?back)\s+(?:choice|option|best|preference)
      | (?:in\s+the\s+|at\s+)?worst(?:\s+case|\s+comes\s+to\s+(?:the\s+)?worst)? | at\s+a\s+(?:pinch|push|stretch)
      | as\s+a\s+(?:fall-?back|back-?up|second\s+choice|last\s+resort) | (?:fall-?back|back-?up)"""
ALL_ELSE = r"it['’]?s|all|everything|the\s+rest"
UNCHANGED = r"""same | the\s+same | unchanged | as\s+(?:it\s+)?is | all\s+good | fine | no\s+change | great | good
      | perfect | (?:leave|keep)\b.*\b(?:alone|as\s+(?:it|they)\s+(?:is|are)|how\s+(?:it|they)\s+(?:is|are)|be)"""
LIVES_WITH = r"""(?:(?:he|she|they|it|we|i)(?:['’](?:d|ll))?\s+)?(?:(?:can|could|would|will|might)\s+)?(?:also\s+)?
      (?:live\s+with|do|manage|take|accept|settle\s+for|cope\s+with|make
        |(?:be|is|are)\s+(?:also\s+)?(?:fine|ok|okay|happy|good)\s+with)\s+"""
WORKS = r"['’]s|\s+(?:is|are|would\s+be|works|would\s+do|will\s+do)"
ALSO = r"also"
FINE = r"fine|ok|okay|good|grand|alright"
TOO = r"too|as\s+well"
WHEN = r"noon | midday | tomorrow | (?:mon|tues|wednes|thurs|fri|satur|sun)day"
FIRST = r"first|top"
CHOICE = r"choice|option"
IS = r"is|would\s+be"
IDEALLY = r"ideally"
NO_WISH = r"please|pls|thanks|tell|let|ask|call|ring"

# The optional part
IT_IS = r"it['’]?s"
WOULD_BE_NICE = r"""would\s+be\s+(?:nice|great|lovely|good|ideal|brilliant|amazing|handy|a\s+bonus|cool)
      | not\s+essential | no\s+biggie | not\s+the\s+end\s+of\s+the\s+world | if\s+at\s+all\s+possible"""
THAT_WOULD_BE = (
    r"(?:that|it|which)(?:['’]d|\s+would|\s+will|['’]ll)\s+be\s+"
    r"(?:nice|great|lovely|good|ideal|brilliant|amazing|perfect|fab)"
)

# What another person has yet to decide, pay or allow
_SAYS = r"""(?:agrees?|confirms?|approves?|okays?|oks?|accepts?|pays?|repl(?:y|ies)|answers?|decides?|signs?
    |says?\s+(?:yes|so|ok|okay|otherwise|it['’]?s\s+(?:ok|fine))|(?:has|have)\s+(?:agreed|confirmed|paid|approved|said|answered)
    |(?:calls?|rings?|gets?|texts?|writes?|hears?|comes?)\s+back|hear(?:d|s)?\s+(?:from|back))"""
_ASSENT = r"""(?:ok|okay|go-?ahead|permission|blessing|consent|approval|agreement|say-?so|answer|reply|confirmation|yes
    |payment|deposit)"""
UNSEEN = rf"""(?:but\s+)?(?:not\s+)?(?:after|when|until|till|til|before|given(?:\s+that)?|iff|provided)
        \s+(?:[\w'’]+\s+){{1,4}}?{_SAYS}(?!\w)[^,.;!?\n]*
      | (?:lest|iff)\s+\w[^,.;!?\n]* | had\s+(?:[\w'’]+\s+){{1,3}}?(?:agreed|confirmed|paid|approved|said)(?!\w)
      | (?:subject\s+to|pending|depending\s+on|conditional\s+on)\s+(?:[\w'’]+\s+){{0,3}}?{_ASSENT}(?!\w)
      | (?:wait(?:ing)?|hold\s+(?:off|on))\s+(?:for|until|till)\s+(?:[\w'’]+\s+){{0,4}}?
            (?:{_ASSENT}|{_SAYS})(?!\w)(?:\s+first)?
      | with\s+(?:[\w'’]+\s+){{1,2}}?(?:permission|blessing|consent|approval|agreement|say-?so|ok|okay|go-?ahead)(?!\w)
      | (?:check|clear\s+it|speak|talk|confirm)\s+(?:it\s+)?(?:with|to)\s+(?:[\w'’]+\s+){{1,3}}?first(?!\w)
      | ask\s+(?:[\w'’]+\s+){{1,3}}?first(?!\w)
      | (?:must|has\s+to|have\s+to|needs?\s+to)\s+(?:agree|confirm|approve|okay|ok|pay|say\s+yes)(?!\w)(?:\s+first)?"""
