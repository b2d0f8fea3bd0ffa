"""The grammar rules for days, times and counts in English."""

_LAST = r"(?= (?:[,;]|AT|SAMETIME)(?:\Z| )|\Z)"
"""What "after" looks back on the booking with: nothing follows that it could come after."""

_NO_HOUR = r"(?!1w)(?!(?:[1-9]|1[01])w? (?:IN THE|AT) P[a-z])(?!12w? (?:NOON|MIDNIGHT))"
"""Before the number behind a weekday: "saturday eight in the evening" is an hour, "the saturday one" no number."""

RULES = (
    # days
    ("dm", r"(?:THE )?{D}(?: Ud)?(?: OF)?{S} {M}{YEAR}"),
    ("dm", r"{M}{S}(?: THE)? (?P<day>[0-3]?[0-9])(?:o|w|wo)?{YEAR}"),
    ("day", r"(?P<on>ON|THE|ON THE|AT|FOR THE|AT THE) (?P<day>[0-3]?[0-9])(?P<ord>o|wo)"),
    ("day", r"(?P<on>ON)(?: THE)? (?P<day>[0-3]?[0-9])(?P<ord>w)?"),
    ("day", r"(?P<day>[0-3]?[0-9])(?P<ord>o)"),
    ("day", r"{W}{S}(?: THE)? (?P<day>[0-3]?[0-9])(?P<ord>o|wo)"),
    ("day", r"{W}(?P<plain>{S}) " + _NO_HOUR + r"(?P<day>[0-3]?[0-9])w?(?! (?:OCLOCK|Uh|-))"),
    ("day", r"{W}{S} THE " + _NO_HOUR + r"(?P<day>[0-3]?[0-9])w?(?! (?:OCLOCK|Uh|-))"),
    ("day", r"(?:THE )?(?P<day>[0-3]?[0-9])(?:o|w|wo)?(?: Ud)? OF (?:THE )?(?:(?P<mod>NEXT|THIS) )?Umo"),
    ("nth", r"(?:THE )?(?P<nth>[1-5])(?:o|wo) {W} (?:OF|IN) (?:{M}(?: {Y})?|(?P<mod>NEXT|THIS) Umo)"),
    ("nth", r"(?P<last>LAST) {W} (?:OF|IN) (?:{M}(?: {Y})?|(?P<mod>NEXT|THIS|THE) Umo)"),
    ("closest", r"(?:THE )?(?:(?P<nth>[2-4])(?:o|wo) )?CLOSEST {W} TO"),
    ("beside", r"(?:ON )?(?:THE )?(?:LAST )?{W} (?P<way>BEFORE|AFTER){NAMED}"),
    ("beside", r"(?:ON )?(?:THE )?(?P<nth>[1-4])(?:o|wo) {W} (?P<way>AFTER){NAMED}"),
    ("shift", r"{N} U(?P<unit>d|w|f|mo) (?P<way>BEFORE|AFTER){NAMED}"),
    ("shift", r"(?:ON )?(?:THE )?U(?P<unit>d) (?P<way>BEFORE|AFTER){NAMED}"),
    ("wd", r"(?:(?P<mod>THIS|NEXT|LAST) )?{W}"),
    ("wd", r"(?:THE )?{W}(?P<mod> AFTERNEXT)"),
    ("wd", r"{W} (?P<mod>NEXT)"),
    ("wd", r"(?P<count>[1-9])w? (?:EVERY )?{W} HENCE"),
    ("lastday", r"(?:THE )?LAST Ud (?:OF|IN) (?:{M}(?: {Y})?|(?P<mod>NEXT|THIS|THE) Umo)"),
    ("wd", r"{W}{S}(?: OF)?(?: THE)? (?P<wk>NEXT|THIS) Uw"),
    ("wd", r"(?P<wk>NEXT|THIS) Uw{S}(?: ON)? {W}"),
    ("wd", r"{W} (?P<mod>Uw|Uf)"),
    (
        "shift",
        r"(?:IN )?{N} U(?P<unit>d|w|f|mo|y)(?: TIME)? (?:FROM|AFTER|(?<=U[wf] )ON)"
        r"(?= (?:[WRHMmw0-9]|THE|THIS|NEXT|ON))",
    ),
    ("rel", r"(?P<mod>THIS) Ud"),
    ("delta", r"(?:ON )?(?P<way>NEXT) U(?P<unit>d)"),
    ("delta", r"SAMETIME(?: ,)?(?: ON| IN)? THEN (?P<way>NEXT) U(?P<unit>d|w|f)"),
    ("delta", r"THEN (?P<way>NEXT) U(?P<unit>w|f)(?= (?:, )?SAMETIME)"),
    ("delta", r"(?:ON )?THE U(?P<unit>d|w|f) (?P<way>AFTER|BEFORE)" + _LAST),
    ("delta", r"{N} {U} (?P<way>AFTER|BEFORE)(?: THAT| IT)?" + _LAST),
    (
        "delta",
        r"{N} U(?P<unit>d|w|f)(?: LATER)? (?P<way>ON)(?: FROM(?! (?:(?:THE|THIS|NEXT) )?[WRHMmw0-9])|" + _LAST + ")",
    ),
    ("delta", r"{N} U(?P<unit>h)(?: AND)? {N2} (?P<way>AFTER|BEFORE)(?: THAT| IT)?" + _LAST),
    ("delta", r"{N} {U} (?P<way>POSTPONE|ADVANCE)(?! [0-9])"),
    ("shift", r"(?:IN )?{N} U(?P<unit>w|f|mo|y)(?= R[0-9])"),
    ("offset", r"(?:IN|WITHIN) {N} {U}(?: TIME)?"),
    ("offset", r"(?:IN|WITHIN) (?P<n>[0-9]{1,2})(?P<unit>h)"),
    ("offset", r"(?:IN )?{N} {U}(?: TIME)?(?: HENCE| FROM NOW| FROM R0)"),
    ("offset", r"IN {N} {U}(?: AND| ,)? (?P<n2>[0-9]{1,3}w?|A) U(?P<unit2>mi|h|d)"),
    ("offset", r"{N} {U}(?: AND| ,)? (?P<n2>[0-9]{1,3}w?|A) U(?P<unit2>mi|h|d) HENCE"),
    ("offset", r"IN (?P<frac>[0-9]/[0-9]|[0-9]{1,2}[.,][0-9]{1,2}) (?:OF )?(?:A )?{U}"),
    ("offset", r"(?P<frac>[0-9]{1,2}[.,][0-9]{1,2}) U(?P<unit>h)(?: TIME)? HENCE"),
    ("offset", r"IN {N} MORE {U}"),
    ("offset", r"IN {N} w0"),
    ("offset", r"IN (?P<n>[0-9]{1,2}) (?P<unit>W0)"),
    ("ago", r"{N} {U} AGO"),
    ("week", r"(?:SOMEDAY )?(?:IN |OF |ON )?(?:THE )?(?P<mod>NEXT|THIS|LAST) U(?P<unit>w|mo|y|f)"),
    ("week", r"(?:SOMEDAY )?(?:IN |OF |ON )?(?:THE )?U(?P<unit>w) (?P<mod>AFTERNEXT)"),
    ("week", r"(?:IN|FOR) {M}(?: {Y})?"),
    ("week", r"(?P<mod>NEXT|THIS) {M}"),
    ("weekend", r"(?:ON |AT |OVER )?(?:THE )?(?:(?P<mod>NEXT|THIS) )?WE"),
    ("weekend", r"(?:ON |AT |OVER )?(?:THE )?WE (?P<mod>AFTERNEXT)"),
    ("weekend", r"(?:ON |AT |OVER )?(?:THE )?WE (?P<mod>AFTER)" + _LAST),
    # times
    ("time", r"AT {H}{AP}"),
    ("time", r"{H} OCLOCK{AP}"),
    ("time", r"OCLOCK(?: (?:,|AT|FOR))? {H}{AP}"),
    ("time", r"(?P<h>[0-9]{1,2})w(?: -)? (?P<m>[0-5][0-9])w{AP}"),
    ("time", r"AT (?P<h>[0-9]{1,2})w? (?P<m>[0-5][0-9])w?{AP}"),
    ("time", r"(?:FOR|AT) (?P<h>[0-9]{1,2})w (?P<m>[0-5][0-9])w{AP}"),
    ("time", r"(?P<h>[0-9]{1,2})w 0w (?P<m>[1-9])w{AP}"),
    ("time", r"(?:AT )?(?P<half>HALF)(?: PAST)? {H}{AP}"),
    ("time", r"(?:(?:AT|FOR) )?(?P<past>QUARTER|3QUARTER) (?:PAST|AFTER) {H}{AP}"),
    ("time", r"(?:(?:AT|FOR) )?(?P<to>QUARTER) (?:TO|BEFORE|OF|UNTIL) {H}{AP}"),
    ("time", r"(?:(?:AT|FOR) )?(?P<past>[0-9]{1,2}w?)(?: Umi)? PAST {H}{AP}"),
    ("time", r"(?:(?:AT|FOR) )?(?P<past>[0-9]{1,2}w?) Umi AFTER {H}{AP}"),
    ("time", r"(?:(?:AT|FOR) )?(?P<past>(?:5|10|20|25)w?) AFTER {H}{AP}"),
    ("time", r"(?:(?:AT|FOR) )?(?P<to>[0-9]{1,2}w?) Umi (?:TO|BEFORE) {H}{AP}"),
    ("time", r"(?:AT )?(?P<to>(?:5|10|20|25)w) (?:TO|BEFORE) {H}{AP}"),
    ("time", r"(?:AT )?(?P<to>(?:5|10|15|20|25)w?) (?:TO|BEFORE) (?P<named>NOON|MIDNIGHT)"),
    ("time", r"(?P<h>[0-9]{1,2})w? IN THE (?P<ap>[ap])m"),
    ("period", r"(?:(?:IN|AT|ON|FOR|DURING|OVER) )?(?:THE )?(?:(?P<mod>THIS|NEXT) )?(?:EARLY )?P(?P<period>[a-z])"),
    ("period", r"(?P<eat>A )?P(?P<period>[ldb])"),
    ("now", r"(?P<now>NOW|now)"),
    # refused by name
    (
        "range",
        r"BETWEEN (?:AT )?(?:THE )?[0-9]{1,2}(?:[:.][0-9]{2})?[wo]?(?: [ap]m)? (?:AND|TO|-) (?:THE )?"
        r"[0-9]{1,2}(?:[:.][0-9]{2})?[wo]?(?: OCLOCK)?(?: [ap]m)?",
    ),
    (
        "range",
        r"FROM (?:AT )?(?:THE )?[0-9]{1,2}(?:[:.][0-9]{2})?[wo]?(?: [ap]m)? (?:TO|UNTIL|-) (?:THE )?"
        r"[0-9]{1,2}(?:[:.][0-9]{2})?[wo]?(?: [ap]m)?",
    ),
    ("range", r"(?:[0-9]{1,2})(?:[:.][0-9]{2})?w? (?:TO|UNTIL) [0-9]{1,2}(?:[:.][0-9]{2})?w?(?: [ap]m)?"),
    ("recurring", r"(?:ON )?EVERY (?:(?:2o|2wo|_|[0-9]{1,2}w?) )?(?:{W}|U\w+|P[a-z])"),
    ("recurring", r"RECUR"),
    # vague
    ("vague_time", r"VAGUE|LATER"),
    ("vague_time", r"(?:IN )?FEW U(?:mi|h|s)"),
    ("vague_time", r"(?:IN )?(?:ABOUT|AROUND) {N} U(?:mi|h)"),
    ("vague_day", r"SOMEDAY"),
    ("vague_day", r"(?:ANY|FEW|A) {W}"),
    ("vague_day", r"(?:IN )?FEW U(?:d|w|mo|f)(?: TIME)?"),
    ("vague_day", r"(?:IN )?(?:ABOUT|AROUND) {N} U(?:d|w|mo)(?: TIME)?"),
    ("duration", r"(?:FOR )?{N} U(?P<unit>mi|h)(?: LONG)?"),
    ("duration", r"FOR (?P<n>[0-9]{1,2})(?P<unit>h)"),
    ("duration", r"(?:FOR )?{N} U(?P<unit>h)(?: AND)? (?P<n2>[0-9]{1,2}w?|A) U(?P<unit2>mi)(?: LONG)?"),
    ("duration", r"(?:FOR |BY )?(?P<frac>[0-9]{1,2}[.,][0-9]{1,2}) U(?P<unit>h|mi|d|w)(?: LONG)?"),
    ("delta", r"(?:BY )?{N} {U} (?P<way>LATER|EARLIER)"),
    ("delta", r"(?:BY )?{N} {U}(?: AND)? (?P<n2>[0-9]{1,2}w?|A) U(?P<unit2>mi) (?P<way>LATER|EARLIER)"),
    ("delta", r"(?:BY )?(?P<frac>[0-9]{1,2}[.,][0-9]{1,2}) U(?P<unit>h) (?P<way>LATER|EARLIER)"),
    ("delta", r"(?P<by>BY) {N} {U}"),
    ("delta", r"(?P<by>BY) {N} {U}(?: AND)? (?P<n2>[0-9]{1,2}w?|A) U(?P<unit2>mi)"),
    ("delta", r"{N} U(?P<unit>d|w|f)"),
    # never a time
    ("count", r"PLACE [0-9]+"),
    ("count", r"[0-9]+w? MONEY"),
)

COUNT_RULES = (
    ("absolute", r"(?:(?:WEARE|MAKEIT) )?(?:A )?{C}(?: _)? PEOPLE(?: PEOPLE)?"),
    ("absolute", r"WEARE(?: A)?(?: OF)? {P}"),
    ("absolute", r"MAKEIT(?: A)? {C}"),
    ("absolute", r"FOR {C}"),
    ("vague", r"FOR (?P<n>[0-9]{1,3}w?)(?= (?:R-?[0-9]|P[mean]))"),
    ("absolute", r"{C} OF (?:IT|THAT)"),
    ("from_to", r"FROM (?P<previous>[0-9]{1,4}w?) PEOPLE(?: _)? TO {C}(?: PEOPLE)?"),
    ("from_to", r"FROM (?P<previous>[0-9]{1,4}w?) TO {C} PEOPLE"),
    ("from_to_loose", r"(?:RESIZE|LESSEN|SWELL)(?: (?!FROM)\S+){0,6}? FROM (?P<previous>[0-9]{1,4}w?) TO {C}"),
    ("absolute_loose", r"(?:RESIZE|LESSEN|SWELL)(?: (?!RESIZE|LESSEN|SWELL|AND|FROM)\S+){0,6}? TO {C}(?: PEOPLE)?"),
    ("absolute_loose", r"HEADS(?: (?!HEADS|AND)\S+){0,8}? (?:TO|AS|AT|IS) {C}(?: PEOPLE)?"),
    ("absolute_loose", r"PEOPLE(?: (?!HEADS|AND)\S+){0,6}? TO {C}"),
    ("add", r"(?:ADD |PLUS |AND )?{C} MORE(?: PEOPLE)?"),
    ("add", r"(?:ADD |PLUS |AND )?(?:A |ANOTHER )(?:MORE )?{C}(?: PEOPLE)?"),
    ("add", r"(?:ADD )?A MORE {C}(?: PEOPLE)?"),
    ("add", r"(?:ADD |PLUS |AND )?MORE {C} PEOPLE"),
    ("add", r"(?:ADD|PLUS)(?: ON| IN)? {C}(?: MORE)?(?: PEOPLE)?"),
    ("add", r"(?P<one>(?:ADD |PLUS |AND )?(?:ANOTHER|A MORE) PEOPLE)"),
    ("add", r"(?P<one>(?:ADD|PLUS) A PEOPLE)"),
    ("add_loose", r"(?P<one>(?:ADD |PLUS |AND )?(?:ANOTHER|A MORE))(?=\Z| [,;]| FOR _)"),
    ("subtract", r"{C} (?:FEWER(?: PEOPLE)?|PEOPLE FEWER)"),
    ("subtract", r"(?:MINUS|REMOVE) {C}(?: PEOPLE)?"),
    ("subtract_loose", r"\A- {C}(?: PEOPLE)?"),
    ("subtract", r"(?P<one>(?:MINUS|REMOVE) (?:A|THE) PEOPLE)"),
    ("subtract", r"{C}(?: PEOPLE)? (?:_ )?(?:DROPPED)"),
    ("subtract", r"CANCEL {C} PEOPLE"),
    ("subtract", r"(?:LESSEN|TAKE) {C}(?: PEOPLE)? OFF"),
    ("subtract", r"LESSEN {C} PEOPLE(?! (?:_ )?(?:TO|BY))"),
    ("subtract_loose", r"LESSEN(?: (?!LESSEN|SWELL|AND|TO|FROM)\S+){0,5}? BY (?P<n>[0-9]{1,2}w?)(?: PEOPLE)?"),
    ("subtract", r"LESSEN (?P<n>[0-9]{1,2}w?) PEOPLE(?= FROM)"),
    ("subtract_loose", r"LESSEN {C}(?=\Z| [,;_])"),
    ("add_loose", r"HEADS SWELL {C}(?=\Z| [,;_])"),
    ("add_loose", r"SWELL(?: (?!LESSEN|SWELL|AND|TO|FROM)\S+){0,5}? BY (?P<n>[0-9]{1,2}w?)(?: PEOPLE)?"),
    ("vague_loose", r"SWELL {C} PEOPLE(?! (?:_ )?(?:TO|BY))"),
    ("vague", r"BY {C} PEOPLE"),
    ("multiply", r"(?P<factor>DOUBLE|TRIPLE|HALVE) (?:IT|THAT|THEM|(?:THE |THAT )?(?:HEADS|PEOPLE)(?: OF PEOPLE)?)"),
    ("vague", r"(?:ABOUT|AROUND) {C} PEOPLE"),
    ("vague", r"(?P<n>[0-9]{1,3}w?)(?: ISH| OR [0-9]{1,3}w?| TO [0-9]{1,3}w?| - [0-9]{1,3}w?) PEOPLE"),
    ("absolute_loose", r"\A{C}(?: ;)?\Z"),
    ("not_people_loose", r"PLACE [0-9]+"),
    ("vague", r"(?P<n>[0-9]{1,3})-[0-9]{1,3} PEOPLE"),
    ("vague", r"(?:FEW )(?:MORE |FEWER )?PEOPLE"),
    ("vague", r"(?:FEW )(?:MORE|FEWER)"),
    ("vague", r"(?:MORE|FEWER) PEOPLE"),
)

# Days that count from the booking's own, in plain letters: `language.dates.relative_to_booking`
_DAY = r"(?P<day>mon|tue|wed|thu|fri|sat|sun)(?:s|rs?|nes|urs?)?(?:day|sday|nesday|rsday|urday)?\b"
_ENDS = r"(?=\s*(?:$|[,.;!?)]|(?:at|pls|please|instead|same|and|but|with|for)\b))"
_RIGHT = r"(?:straight\s+|right\s+|just\s+|immediately\s+|directly\s+)"
WEEKDAYS = tuple("mon tue wed thu fri sat sun".split())
FROM_BOOKING = (
    (rf"(?:the\s+)?(?:following|subsequent)\s+{_DAY}", 0, 1),
    (rf"(?:the\s+)?(?:preceding|previous|prior)\s+{_DAY}", 0, -1),
    (rf"(?:the\s+)?{_DAY}\s+(?:the\s+)?(?:wk|week)\s+after{_ENDS}", 1, 0),
    (rf"(?:the\s+)?{_DAY}\s+(?:the\s+)?(?:wk|week)\s+before{_ENDS}", -1, 0),
    (rf"(?:the\s+)?{_DAY}\s+{_RIGHT}?after{_ENDS}", 0, 1),
    (rf"(?:the\s+)?{_DAY}\s+{_RIGHT}?before{_ENDS}", 0, -1),
    (rf"(?:the\s+)?{_DAY}\s+(?:of\s+)?(?:that|the\s+same)\s+(?:wk|week){_ENDS}", 0, 0),
)
"""Patterns of weekdays that count from the booking's own (`day` is one of WEEKDAYS), with the `weeks` and the `step` of
their anchor."""

# recurrence
EVERY = r"every|each"
EVERY_OTHER = r"other|second"
AGAIN = (
    r"(?:once|twice)\s+a\s+\w+|(?:bi)?weekly|daily|fortnightly|(?:bi)?monthly|recurring|repeating|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)days"
)
NOT_AGAIN = r"(?:every|each)\s+(?:one|thing|body|time|reason|chance)"

# disambiguation
WISHES = (
    r"wants?|wanted|prefers?|preferred|make it|made it|say|says|suits|meant|means|not|instead of|rather than|than|"
    r"it['’]?s|do"
)
"""In front of a day that is wished."""
GIVES_WAY = r"instead|not|rather|please|pls|works|suits|same"
"""Behind a day that is wished or gives way."""
