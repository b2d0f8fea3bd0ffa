"""The grammar rules for days, times and counts in Italian."""

_PRE = r"(?:(?:AT|LE|OF LE|FOR LE|FOR AT|Uh|AT Uh) )"

_LAST = r"(?= (?:[,;]|AT|LE|SAMETIME)(?:\Z| )|\Z)"
"""What "dopo" looks back on the booking with: nothing follows that it could come after."""

_NO_HOUR = r"(?!1w)(?!(?:[1-9]|1[01])w? OF P[a-z])"
"""Before the number behind a weekday: "sabato otto di sera" is an hour, "quello di sabato, uno" none of the two."""

RULES = (
    # days
    ("dm", r"(?:(?:ON|OF|THE) )?(?:Ud )?{D}(?: OF)?{S} {M}(?:(?: ,)?(?: OF)? {Y})?"),
    ("dm", r"(?:ON )?{D} Ud OF {M}"),
    ("dm", r"(?:ON )?[Mm](?P<mon>\d{1,2}){S} (?P<day>[0-3]?[0-9])o?(?:{S} {Y})?"),
    ("day", r"(?P<on>ON|OF|FOR ON|ON Ud|Ud) (?P<day>1(?=wo)|[0-3]?[0-9](?!wo))(?P<ord>o|wo|w)?"),
    ("day", r"(?:THE )?{W}{S}(?: ON)? (?P<day>[0-3]?[0-9])(?P<ord>o|wo)"),
    ("day", r"(?:THE )?{W}{S}(?: ON)? " + _NO_HOUR + r"(?P<day>[0-3]?[0-9])w?"),
    ("day", r"(?:ON |OF )?{D} OF (?:(?P<mod>NEXT|THIS) Umo|Umo(?: (?P<mod2>NEXT))?)"),
    ("nth", r"(?:ON |THE )?(?P<nth>[1-5])(?:o|wo) {W} (?:OF|IN)(?: Umo OF)? {M}(?: {Y})?"),
    ("nth", r"(?:ON |THE )?(?P<nth>[1-5])(?:o|wo) {W} OF (?:(?P<mod>NEXT|THIS) Umo|Umo (?P<mod2>NEXT))"),
    ("nth", r"(?:ON |THE )?(?P<last>LAST) {W} (?:OF|IN)(?: Umo OF)? {M}(?: {Y})?"),
    ("nth", r"(?:ON |THE )?(?P<last>LAST) {W} OF (?:(?P<mod>NEXT|THIS) )?Umo(?: (?P<mod2>NEXT))?"),
    ("beside", r"(?:ON |THE )?(?:LAST )?{W} (?P<way>EARLIER OF|BEFORE|AFTER){NAMED}"),
    ("beside", r"(?:ON |THE )?(?P<nth>[1-4])(?:o|wo) {W} (?P<way>AFTER){NAMED}"),
    ("shift", r"{N} U(?P<unit>d|w|mo) (?P<way>EARLIER OF|BEFORE|AFTER){NAMED}"),
    ("shift", r"(?:ON )?U(?P<unit>d) (?P<way>EARLIER OF|BEFORE|AFTER){NAMED}"),
    ("wd", r"(?:(?:ON |THE )?(?P<mod>THIS|NEXT) )?(?:OF )?{W}"),
    ("wd", r"(?:THE |ON )?{W} (?P<mod>NEXT|LAST)"),
    ("wd", r"(?:THE )?{W} P(?P<period>[a-z]) (?P<mod>NEXT)"),
    ("wd", r"(?:THE )?{W} (?:OF )?(?:THE )?(?:(?P<wk>NEXT|THIS) Uw|Uw (?P<wk2>NEXT))"),
    ("wd", r"(?:THE )?(?:(?P<wk>NEXT|THIS) Uw|Uw (?P<wk2>NEXT)){S}(?: OF)? {W}"),
    ("lastday", r"(?:ON |THE )?LAST Ud OF (?:{M}(?: {Y})?|(?:(?P<mod>NEXT|THIS) )?Umo)"),
    ("shift", r"(?:IN )?{N} U(?P<unit>d|w|f|mo|y) (?:FROM|AFTER)(?= (?:[WRHMm0-9]|THE|THIS|NEXT|ON))"),
    ("offset", r"IN {N} {U}(?: HENCE)?"),
    ("offset", r"{N} {U} HENCE"),
    ("offset", r"IN {N} {U}(?: AND| ,)? (?P<n2>[0-9]{1,3}w?|A) U(?P<unit2>mi|h|d)(?: HENCE)?"),
    ("offset", r"IN {N} U(?P<unit>h) AND (?P<n2>[0-5]?[0-9]w?)"),
    ("offset", r"IN (?P<frac>[0-9]/[0-9]|[0-9]{1,2}[.,][0-9]{1,2}) (?:OF )?{U}"),
    ("offset", r"IN (?P<n>[0-9]{1,2})(?P<unit>h)"),
    ("ago", r"{N} {U} AGO"),
    ("week", r"(?:SOMEDAY )?(?:IN |OF |ON )?(?:THE )?(?P<mod>NEXT|THIS|LAST) U(?P<unit>w|mo|y)"),
    ("week", r"(?:SOMEDAY )?(?:IN |OF |ON )?(?:THE )?U(?P<unit>w|mo|y) (?P<mod>NEXT|LAST)"),
    ("week", r"(?:IN|FOR|TO|SOMEDAY) {M}(?: {Y})?"),
    ("weekend", r"(?:ON |IN |THE )?(?:OF )?(?:(?P<mod>NEXT|THIS) )?WE(?: (?P<mod2>NEXT))?"),
    ("weekend", r"(?:ON |IN |THE )?WE (?P<mod>AFTER)" + _LAST),
    # times
    ("time", _PRE + r"{H}{AP}"),
    ("time", _PRE + r"?(?P<h>[0-9]{1,2})w? AND (?P<m>[1-5][0-9])w?(?: Umi)?{AP}"),
    ("time", _PRE + r"(?P<h>[0-9]{1,2})w? AND {MI}(?: Umi)?{AP}"),
    ("time", _PRE + r"(?P<h>[0-9]{1,2})w? (?P<m>[0-5][0-9])w?{AP}"),
    ("time", _PRE + r"?{H}(?: (?P<ap>[ap])m)? AND (?P<half>HALF)(?: (?P<ap2>[ap])m)?"),
    ("time", _PRE + r"?{H}(?: (?P<ap>[ap])m)? AND (?P<past>QUARTER|3QUARTER)(?: (?P<ap2>[ap])m)?"),
    ("time", _PRE + r"?{H} LESS (?P<to>QUARTER|[0-9]{1,2}w?)(?: Umi)?{AP}"),
    ("time", r"(?:MISSING )?(?P<to>QUARTER|[0-9]{1,2}w? Umi) (?:AT|TO) {H}{AP}"),
    ("time", r"(?<![Ww][0-6] )(?<![Ww][0-6] , )(?P<to>(?:5|10|20|25)w) AT {H}{AP}"),
    ("time", r"MISSING (?P<to>[0-9]{1,2}w?) (?:AT|TO) {H}{AP}"),
    ("time", _PRE + r"?(?P<h>[0-9]{1,2})[.,](?P<m>[0-9]{2})(?: Uh)"),
    ("time", r"(?:LE|OF LE|FOR LE|Uh|AT Uh) (?P<h>[0-9]{1,2})[.,](?P<m>[0-9]{2})"),
    ("time", r"(?:LE|OF LE|FOR LE|Uh|AT Uh) (?P<h>[0-9]{1,2})(?P<colon>:)(?P<m>[0-9]{2})"),
    ("time", r"(?:LE |Uh )(?P<hm>[0-9]{4})"),
    ("period", r"(?:(?:OF|IN|AT|ON|TO|FOR|THE) )?(?:(?P<mod>THIS) )?P(?P<period>[a-z])"),
    ("now", r"(?P<now>NOW|now)"),
    # refused by name
    (
        "range",
        r"(?:BETWEEN|IN) (?:LE |ON )?[0-9]{1,2}(?:[:.][0-9]{2})?w? AND (?:LE |ON )?[0-9]{1,2}(?:[:.][0-9]{2})?w?"
        r"(?: {M})?(?! (?:U|PEOPLE))",
    ),
    (
        "range",
        r"FROM (?:LE )?[0-9]{1,2}(?:[:.][0-9]{2})?w? (?:AT|TO|TO ON|ON|UNTIL) [0-9]{1,2}(?:[:.][0-9]{2})?w?"
        r"(?! PEOPLE)",
    ),
    ("recurring", r"EVERY (?:EVERY )?(?:(?:[0-9]{1,2}w?|2wo) )?(?:{W}|U\w+|P[a-z])"),
    ("recurring", r"RECUR"),
    # vague
    ("vague_time", r"(?:A )?(?:VAGUE|LATER)"),
    ("vague_time", r"(?:IN )?FEW U(?:mi|h|s)"),
    ("vague_time", r"IN (?:AROUND|ISH) {N} U(?:mi|h)"),
    ("vague_time", r"IN {N} U(?:mi|h) ISH"),
    ("vague_day", r"SOMEDAY"),
    ("vague_day", r"(?:ON |THE )?[1-5]wo {W}"),
    ("vague_day", r"(?:ON |THE )?{W} AFTER(?:\Z|(?= [,;]))"),
    ("vague_time", r"(?:IN )?(?:(?P<n>30) )?L(?:h|mi)"),
    ("vague_day", r"(?:ANY|FEW|A) {W}"),
    ("vague_day", r"(?:IN )?FEW U(?:d|w|mo)"),
    ("vague_day", r"IN (?:AROUND|ISH) {N} U(?:d|w|mo)"),
    ("vague_day", r"IN {N} U(?:d|w|mo) ISH"),
    ("duration", r"(?:FOR |OF )?{N} U(?P<unit>mi|h)(?: LONG)?"),
    ("duration", r"(?:FOR |OF )?{N} U(?P<unit>h)(?: AND)? (?P<n2>[0-9]{1,2}w?|A) U(?P<unit2>mi)"),
    ("duration", r"(?:FOR |OF )?(?P<frac>[0-9]{1,2}[.,][0-9]{1,2}) U(?P<unit>h|mi|d|w)"),
    ("delta", r"(?:OF )?{N} {U} (?P<way>LATER|EARLIER)"),
    ("delta", r"(?:OF )?{N} {U}(?: AND)? (?P<n2>[0-9]{1,2}w?|A) U(?P<unit2>mi) (?P<way>LATER|EARLIER)"),
    ("delta", r"(?:OF )?(?P<frac>[0-9]{1,2}[.,][0-9]{1,2}) U(?P<unit>h) (?P<way>LATER|EARLIER|AFTER)"),
    ("delta", r"{N} {U} (?P<way>AFTER)"),
    ("delta", r"{N} {U} (?P<way>AFTER|BEFORE) THAT(?: Uh| Ud)?" + _LAST),
    ("delta", r"(?:OF )?{N} {U} (?P<way>ONWARDS|ADVANCE)"),
    ("delta", r"(?:OF )?(?:(?P<n>30) )?L(?P<unit>h|mi) (?P<way>LATER|EARLIER|AFTER)"),
    ("delta", r"OF (?:(?P<n>30) )?L(?P<unit>h|mi)"),
    ("delta", r"(?:ON |THE )*U(?P<unit>d|w) (?P<way>AFTER|EARLIER)" + _LAST),
    ("delta", r"(?:ON |THE )*U(?P<unit>d) (?P<way>NEXT)"),
    ("delta", r"SAMETIME(?: ,)? (?:OF |ON |THE |IN )*U(?P<unit>d|w) (?P<way>NEXT) THEN"),
    ("delta", r"(?:ON |THE )*U(?P<unit>w) (?P<way>NEXT) THEN(?= (?:, )?SAMETIME)"),
    ("delta", r"{N} {U}(?: AND)? (?P<n2>[0-9]{1,2}w?|A) U(?P<unit2>mi) (?P<way>AFTER)"),
    ("delta", r"(?:OF )?{N} U(?P<unit>d|w)"),
    # never a time
    ("count", r"PLACE [0-9]+"),
    ("count", r"[0-9]+w? MONEY"),
)

COUNT_RULES = (
    ("absolute", r"(?:(?:WEARE|MAKEIT) )?(?:A )?{C}(?: _)? PEOPLE(?: PEOPLE)?"),
    ("absolute", r"WEARE(?: A)?(?: IN)? {P}"),
    ("absolute", r"MAKEIT {C}"),
    ("absolute", r"FOR {C}"),
    ("vague", r"FOR (?P<n>[0-9]{1,3}w?)(?= (?:R-?[0-9]|P[mean]))"),
    ("from_to", r"FROM (?P<previous>[0-9]{1,4}w?) PEOPLE TO {C}(?: PEOPLE)?"),
    ("from_to", r"FROM (?P<previous>[0-9]{1,4}w?) TO {C} PEOPLE"),
    ("from_to_loose", r"(?:RESIZE|LESSEN|SWELL|HEADS)(?: (?!FROM)\S+){0,6}? FROM (?P<previous>[0-9]{1,4}w?) TO {C}"),
    ("absolute_loose", r"(?:RESIZE|LESSEN|SWELL)(?: (?!RESIZE|LESSEN|SWELL|AND|FROM)\S+){0,7}? TO {C}(?: PEOPLE)?"),
    ("absolute_loose", r"HEADS(?: (?!HEADS|AND)\S+){0,8}? TO {C}(?: PEOPLE)?"),
    ("absolute_loose", r"PEOPLE(?: (?!HEADS|AND)\S+){0,6}? TO {C}"),
    ("add", r"(?:ADD |PLUS |AND )?{C}(?: PEOPLE)? MORE(?! [0-9])"),
    ("add", r"(?:ADD |PLUS |AND )?ANOTHER {C}(?: PEOPLE)?"),
    ("add", r"(?:ADD|PLUS) {C}(?: PEOPLE)?"),
    ("add", r"(?P<one>(?:ADD |PLUS |AND )?ANOTHER PEOPLE)"),
    ("add", r"(?P<one>(?:ADD |PLUS )?A PEOPLE MORE)"),
    ("add", r"(?P<one>(?:ADD|PLUS) A PEOPLE)"),
    ("add_loose", r"(?P<one>(?:ADD |PLUS |AND )?ANOTHER)(?=\Z| [,;])"),
    ("add", r"MORE {C} PEOPLE"),
    ("subtract", r"{C}(?: PEOPLE)? FEWER"),
    ("subtract", r"(?P<one>A PEOPLE FEWER)"),
    ("subtract", r"(?:MINUS|REMOVE) {C}(?: PEOPLE)?"),
    ("subtract_loose", r"\A- {C}(?: PEOPLE)?"),
    ("subtract", r"(?P<one>REMOVE A PEOPLE)"),
    ("subtract", r"{C}(?: PEOPLE)? (?:_ )?DROPPED"),
    ("subtract", r"CANCEL {C} PEOPLE"),
    ("subtract", r"LESSEN(?: OF)? {C} PEOPLE(?! TO)"),
    ("subtract_loose", r"LESSEN(?: OF)? {C}(?=\Z| [,;_])"),
    ("subtract_loose", r"LESSEN(?: (?!LESSEN|SWELL|AND|TO|FROM)\S+){0,5}? OF (?P<n>[0-9]{1,2}w?)(?: PEOPLE)?(?! TO)"),
    ("add_loose", r"SWELL(?: (?!LESSEN|SWELL|AND|TO|FROM)\S+){0,5}? OF (?P<n>[0-9]{1,2}w?)(?: PEOPLE)?(?! TO)"),
    ("vague_loose", r"SWELL {C} PEOPLE(?! TO)"),
    ("multiply", r"(?P<factor>DOUBLE|TRIPLE|HALVE) IT(?: (?:ON|THE))?(?: (?:HEADS|PEOPLE))?(?: PEOPLE)?"),
    ("vague", r"(?P<n>[0-9]{1,3}w?)(?: ISH| OR [0-9]{1,3}w?| - [0-9]{1,3}w?) PEOPLE"),
    ("vague", r"(?P<n>[0-9]{1,3})-[0-9]{1,3} PEOPLE"),
    ("vague", r"(?:FEW|MORE|FEWER) (?:MORE |FEWER )?PEOPLE"),
    ("vague", r"FEW PEOPLE MORE"),
    ("absolute_loose", r"\A{C}(?: ;)?\Z"),
    ("not_people_loose", r"PLACE [0-9]+"),
)

# Days that count from the booking's own, in plain letters: `language.dates.relative_to_booking`
_DAY = r"(?P<day>lun|mar|mer|gio|ven|sab|dom)(?:edi|tedi|coledi|vedi|erdi|ato|enica)?\b"
_ENDS = r"(?=\s*(?:$|[,.;!?)]|(?:alle|all|per|stess[ao]|e|ma|invece|grazie|ore)\b))"
_THE = r"(?:il\s+|la\s+|al\s+|alla\s+)"
WEEKDAYS = tuple("lun mar mer gio ven sab dom".split())
FROM_BOOKING = (
    (rf"{_THE}?{_DAY}\s+(?:successiv[oa]|seguente){_ENDS}", 0, 1),
    (rf"{_THE}?{_DAY}\s+precedente{_ENDS}", 0, -1),
    (rf"{_THE}?{_DAY}\s+(?:della|la)\s+settimana\s+(?:dopo|successiva|seguente){_ENDS}", 1, 0),
    (rf"{_THE}{_DAY}\s+(?:subito\s+)?dopo{_ENDS}", 0, 1),
    (rf"{_THE}{_DAY}\s+(?:subito\s+)?prima{_ENDS}", 0, -1),
    (rf"{_THE}?{_DAY}\s+(?:di\s+quella|della\s+stessa)\s+settimana{_ENDS}", 0, 0),
)
"""Patterns of weekdays that count from the booking's own (`day` is one of WEEKDAYS), with the `weeks` and the `step` of
their anchor."""

# recurrence
EVERY = r"ogni"
EVERY_OTHER = r"due"
AGAIN = (
    r"tutti\s+i\s+\w+|(?:una|due)\s+volt[ae]\s+(?:al|alla)\s+\w+|"
    r"settimanal[ei]|quindicinal[ei]|mensil[ei]|giornalier[oaie]|quotidian[oaie]|ricorrent[ei]"
)
