"""How people say what is wanted instead, and what they can do without, English and Italian."""

import re

_MORE = r"""
    [.;!?](?=\s|\Z) | \n
    | [,\s]\s*(?:and|plus|also|e|ed)\s+(?:also|make|add|put|then|change|note|update|set|give|tell|a\s+note|anche|poi
        |s?he['’]?s?|they['’]?\w*|there|it['’]?s|now|adesso|ora|sono|siamo|aggiungi\w*|metti\w*|cambia\w*|porta\w*|una\s+nota)\b
"""
OTHER = re.compile(rf"\s*(?P<other>(?=\S).+?)(?P<rest>(?:{_MORE}).*)?\Z", re.IGNORECASE | re.VERBOSE | re.DOTALL)
"""What is wanted, up to where something else begins."""

LEAD = re.compile(
    r"""[\s,:]*(?: in\s+which\s+case | (?:then|so|allora|quindi|maybe|just|instead|anche|like|use)\b
      | (?:s?he|they|we|i)(?:['’]d|\s+would)\s+(?:also\s+|quite\s+|very\s+)*be\s+(?:quite\s+|very\s+|just\s+as\s+)?
            (?:happy|fine|ok|okay|content|good)\s+with\b
      | (?:it|that)(?:['’]s|\s+is|\s+could\s+be|\s+can\s+be)\b | (?:is|would\s+be|could\s+be)\b
      | (?:we|they|he|she|i|it)?['’]?(?:ll|d)?\s*(?:make|call)\s+(?:it|that)\b
      | (?:put|move|shift|book|get|squeeze|pop|slot|bump|stick)\s+(?:it|her|him|them|us|me)\b
            (?:\s+(?:down|in|over|back))*(?:\s+(?:for|to))?\b
      | (?:we|they|he|she)['’]?ll\s+(?:do|take|have)\b | (?:do|try|take|go\s+(?:for|with))\b
      | (?:metti|sposta|prova|fai|facciamo|spost|mett|lascia)(?:l[aoie]|a|i)?(?:\s+con)?\b
      | (?:va|vanno|andrebbe(?:ro)?)\s+bene(?:\s+anche)?\b | (?:is|è|sarebbe)\b )""",
    re.IGNORECASE | re.VERBOSE,
)
"""What leads to it."""

TAIL = re.compile(
    r"""[\s,]*(?: (?:would|will|['’]d|['’]ll)\s+(?:also\s+)?(?:suit|do|work|be)\b.* | (?:suits|works)\b.*
      | (?:is|are|['’]s)\s+(?:also\s+)?(?:fine|ok|okay|good|grand|alright|great|possible|an?\s+option)\b.*
      | (?:va|vanno|andrebbe(?:ro)?)\s+bene\b.* | either\s+way
      | (?<!\w)(?:date|day|same\s+day)(?:\s+(?:stays?|unchanged|(?:doesn['’]t|does\s+not)\s+change))?
      | (?:stesso\s+orario|stessa\s+ora)
      | (?:at\s+the\s+)?same\s+(?:time|hour)(?:\s+(?:either\s+way|as\s+now))?
      | please | pls | thanks? (?:\s+you)? | ta | cheers | grazie | per\s+favore )
      [\s.!]*\Z""",
    re.IGNORECASE | re.VERBOSE,
)
"""What follows it."""

ELSE = re.compile(
    r"""(?<!\w)(?: otherwise | or\s+else | failing\s+(?:that|this|which) | alternatively
      | (?<!anyone\s)(?<!anything\s)(?<!something\s)(?<!nothing\s)(?<!what\s)(?<!who\s)(?<!where\s)
        (?<!how\s)(?<!everything\s)(?<!everyone\s)(?<!everybody\s)(?<!somebody\s)(?<!someone\s)(?<!nobody\s)
        (?<!anybody\s)(?<!summat\s)(?<!no\sone\s)(?<!little\s)else
      | plan\s+b
      | (?:our|their|his|her|the|a)?\s*(?:second|next|other|back-?up|fall-?back)\s+(?:choice|option|best|preference)
      | (?:in\s+the\s+|at\s+)?worst(?:\s+case|\s+comes\s+to\s+(?:the\s+)?worst)? | at\s+a\s+(?:pinch|push|stretch)
      | as\s+a\s+(?:fall-?back|back-?up|second\s+choice|last\s+resort) | (?:fall-?back|back-?up)
      | altrimenti | in\s+caso\s+contrario | in\s+alternativa | sennò | senno | se\s+no
      | al\s+limite | al\s+massimo | mal\w*\s+che\s+vada | alla\s+peggio | alle\s+brutte | piano\s+b
      | (?:come\s+)?(?:seconda|altra)\s+(?:scelta|opzione|possibilità) | come\s+(?:ripiego|alternativa) )(?!\w)""",
    re.IGNORECASE | re.VERBOSE,
)
"""Words that say "instead" without saying when."""

NO_OTHER = re.compile(
    r"""[\s,:]*(?:(?:it['’]?s|all|everything|the\s+rest)\s+)*
        (?: same | the\s+same | unchanged | as\s+(?:it\s+)?is | all\s+good | fine | no\s+change | great | good | perfect
          | (?:leave|keep)\b.*\b(?:alone|as\s+(?:it|they)\s+(?:is|are)|how\s+(?:it|they)\s+(?:is|are)|be)
          | tutto | uguale | invariat\w+ | lasci\w+\b.*\b(?:stare|così|com['’]è) )\b""",
    re.IGNORECASE | re.VERBOSE,
)
"""What is no wish for something else."""

_SETTLES = r"""(?:live\s+with|do|manage|take|accept|settle\s+for|cope\s+with|make
    |(?:be|is|are)\s+(?:also\s+)?(?:fine|ok|okay|happy|good)\s+with)"""
RATHER = re.compile(
    rf"""(?<!\w)(?:but|though|ma|però)\s+
      (?: (?:(?:he|she|they|it|we|i)(?:['’](?:d|ll))?\s+)?(?:(?:can|could|would|will|might)\s+)?(?:also\s+)?
            {_SETTLES}\s+(?P<one>[^,.;!?\n]+)
        | (?:al\s+limite\s+)?(?:si\s+accontent\w+\s+(?:di|del|delle|dell['’])|(?:va|vanno|andrebbero)\s+bene\s+anche
            |(?:può|possono|potrebbe(?:ro)?|accett\w+)\s+anche(?:\s+venire)?)\s*(?P<due>[^,.;!?\n]+)
        | (?P<three>[^,.;!?\n]{{1,40}}?)
            (?:['’]s|\s+(?:is|are|would\s+be|works|would\s+do|will\s+do|va\s+bene|vanno\s+bene))
            \s*(?:also\s+)?(?:fine|ok|okay|good|grand|alright)?\s*(?:too|as\s+well|lo\s+stesso|comunque)?
            (?=\s*(?:[.,;!?]|\Z)) )""",
    re.IGNORECASE | re.VERBOSE,
)
""" "but he can live with 6", "but 6 is fine"."""

WHEN = re.compile(
    r"""\d|\b(?: noon | midday | mezzogiorno | tomorrow | domani | (?:mon|tues|wednes|thurs|fri|satur|sun)day
        | (?:luned|marted|mercoled|gioved|venerd)[ìi] | sabato | domenica )\b""",
    re.IGNORECASE | re.VERBOSE,
)
"""A day, an hour or a number."""

PREFERRED = re.compile(
    r"\b(?:first|top|prima)\s+(?:choice|option|scelta)(?:\s+(?:is|would\s+be|è))?\s*:?\s*|\bideally\s*,?\s*",
    re.IGNORECASE,
)
"""What only says that it is wanted first."""

NO_WISH = re.compile(r"[\s,]*(?:please|pls|thanks|grazie|tell|let|ask|call|ring|avvis\w+|dimm\w+)\b", re.IGNORECASE)
"""Behind a condition: nothing to plan."""

WOULD_BE_NICE = re.compile(
    r"""\b(?: would\s+be\s+(?:nice|great|lovely|good|ideal|brilliant|amazing|handy|a\s+bonus|cool)
      | not\s+essential | no\s+biggie | not\s+the\s+end\s+of\s+the\s+world
      | non\s+è\s+(?:indispensabile|essenziale) | sarebbe\s+(?:bello|carino|il\s+massimo|perfetto|l['’]ideale)
      | if\s+at\s+all\s+possible | se\s+riesci | se\s+riesce )\b""",
    re.IGNORECASE | re.VERBOSE,
)
"""What somebody can do without, said without an "if"."""

THAT_WOULD_BE = re.compile(
    r"[\s,]*\b(?:that|it|which)(?:['’]d|\s+would|\s+will|['’]ll)\s+be\s+(?:nice|great|lovely|good|ideal|brilliant|amazing|perfect|fab)\b",
    re.IGNORECASE,
)
"""Courtesy behind an order."""

_SAYS = r"""(?:agrees?|confirms?|approves?|okays?|oks?|accepts?|pays?|repl(?:y|ies)|answers?|decides?|signs?
    |says?\s+(?:yes|so|ok|okay|otherwise|it['’]?s\s+(?:ok|fine))|(?:has|have)\s+(?:agreed|confirmed|paid|approved|said|answered)
    |(?:calls?|rings?|gets?|texts?|writes?|hears?|comes?)\s+back|hear(?:d|s)?\s+(?:from|back))"""
_ASSENT = r"""(?:ok|okay|go-?ahead|permission|blessing|consent|approval|agreement|say-?so|answer|reply|confirmation|yes
    |payment|deposit)"""
_DICE = r"""(?:conferm(?:a|ano|erà)|accett(?:a|ano|erà)|approv(?:a|ano)|rispond(?:e|ono)|richiam(?:a|ano)|pag(?:a|ano)
    |d(?:ice|icono)\s+(?:di\s+)?(?:sì|si|ok)|(?:è|sono|sia|siano)\s+d['’]accordo|ha(?:nno)?\s+(?:confermato|pagato|accettato|risposto))"""
UNSEEN = re.compile(
    rf"""(?<!\w)(?:
        (?:but\s+)?(?:not\s+)?(?:after|when|until|till|til|before|given(?:\s+that)?|iff|provided)\s+(?:[\w'’]+\s+){{1,4}}?{_SAYS}(?!\w)[^,.;!?\n]*
      | (?:lest|iff)\s+\w[^,.;!?\n]* | had\s+(?:[\w'’]+\s+){{1,3}}?(?:agreed|confirmed|paid|approved|said)(?!\w)
      | (?:subject\s+to|pending|depending\s+on|conditional\s+on)\s+(?:[\w'’]+\s+){{0,3}}?{_ASSENT}(?!\w)
      | (?:wait(?:ing)?|hold\s+(?:off|on))\s+(?:for|until|till)\s+(?:[\w'’]+\s+){{0,4}}?
            (?:{_ASSENT}|{_SAYS})(?!\w)(?:\s+first)?
      | with\s+(?:[\w'’]+\s+){{1,2}}?(?:permission|blessing|consent|approval|agreement|say-?so|ok|okay|go-?ahead)(?!\w)
      | (?:check|clear\s+it|speak|talk|confirm)\s+(?:it\s+)?(?:with|to)\s+(?:[\w'’]+\s+){{1,3}}?first(?!\w)
      | ask\s+(?:[\w'’]+\s+){{1,3}}?first(?!\w)
      | (?:must|has\s+to|have\s+to|needs?\s+to)\s+(?:agree|confirm|approve|okay|ok|pay|say\s+yes)(?!\w)(?:\s+first)?
      | (?:dopo\s+che|quando|finch[ée]'?|fino\s+a\s+quando|prima\s+che|appena)\s+
            (?:[\w'’]+\s+){{0,4}}?{_DICE}(?!\w)[^,.;!?\n]*
      | con\s+il\s+(?:permesso|consenso|benestare|via\s+libera)(?!\w)
      | aspett\w+\s+(?:[\w'’]+\s*){{0,3}}?(?:conferma|ok|risposta|pagamento|caparra)(?!\w)
      | (?:chied\w+|senti|sentiamo)\s+prima(?!\w)[^,.;!?\n]* | prima\s+(?:chied\w+|senti|sentiamo)(?!\w)[^,.;!?\n]*
      | dev(?:e|ono)\s+(?:prima\s+)?(?:confermare|accettare|pagare|approvare)(?!\w) )""",
    re.IGNORECASE | re.VERBOSE,
)
"""A condition without an "if": on what somebody has yet to say, pay or allow."""
