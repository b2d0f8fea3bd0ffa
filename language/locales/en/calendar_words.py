"""The words of English and what they stand for."""

UNITS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
TEENS = ["ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"]
_TENS = {20: "twenty", 30: "thirty", 40: "forty", 50: "fifty"}
_ORDINALS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth "
    "fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"
).split()


def numbers() -> dict[str, str]:
    """Symbols of numbers and ordinals, each with its words."""
    words = {f"{value}w": word for value, word in enumerate(UNITS + TEENS)}
    for tens, word in _TENS.items():
        words[f"{tens}w"] = word
        for unit in range(1, 10):
            words[f"{tens + unit}w"] = f"{word} {UNITS[unit]}|{word}{UNITS[unit]}"
    for value, word in enumerate(_ORDINALS, start=1):
        words[f"{value}wo"] = word
    for tens in (20, 30):
        for unit in range(1, 10 if tens == 20 else 2):
            words[f"{tens + unit}wo"] = f"{_TENS[tens]} {_ORDINALS[unit - 1]}"
    words["30wo"] = "thirtieth"
    words["0w"] += "|oh|o"
    words["2w"] += "|a couple of|couple of|a couple|a pair of|pair of"
    words["12w"] += "|a dozen|dozen"
    words["6w"] += "|half a dozen|half dozen"
    return words


LEXICON = numbers() | {
    "W0": "monday|mon",
    "W1": "tuesday|tue|tues",
    "W2": "wednesday|weds|wensday",
    "W3": "thursday|thu|thur|thurs",
    "W4": "friday|fri",
    "W5": "saturday",
    "W6": "sunday",
    "w2": "wed",
    "w5": "sat",
    "w6": "sun",
    "EVERY W0": "mondays",
    "EVERY W1": "tuesdays",
    "EVERY W2": "wednesdays",
    "EVERY W3": "thursdays",
    "EVERY W4": "fridays",
    "EVERY W5": "saturdays",
    "EVERY W6": "sundays",
    "m1": "january|jan",
    "M2": "february|feb",
    "m3": "march|mar",
    "m4": "april|apr",
    "m5": "may",
    "m6": "june|jun",
    "M7": "july|jul",
    "m8": "august|aug",
    "M9": "september|sep|sept",
    "M10": "october|oct",
    "M11": "november|nov",
    "M12": "december|dec",
    "R0": "today|todays|tday",
    "R1": "tomorrow|tomorrows|tomoro|tmrw|tmr|tmw|tomoz",
    "R2": "the day after tomorrow|day after tomorrow|overmorrow",
    "R-1": "yesterday",
    "R-2": "the day before yesterday|day before yesterday",
    "R0 Pe": "tonight|tonite|tonights",
    "R7": "today week",
    "R8": "tomorrow week",
    "R1 Pm": "tomorrow morning",
    "R-1 Pe": "last night",
    "Pm": "morning|mornings",
    "Pa": "afternoon|afternoons|arvo|arvos|avo|arv",
    "Pe": "evening|eve|evenings",
    "Pn": "night",
    "Pl": "lunch|lunchtime|lunch time",
    "Pd": "dinner|supper|dinnertime|dinner time",
    "Pb": "breakfast|brunch|brekky|brekkie",
    "NOON": "noon|midday|mid day|noontime",
    "MIDNIGHT": "midnight|mid night",
    "am": "am|a m",
    "pm": "pm|p m",
    "OCLOCK": "oclock|o clock|sharp|on the dot|on the hour",
    "3QUARTER": "three quarters",
    "HALF": "half",
    "QUARTER": "quarter|a quarter",
    "PAST": "past",
    "AFTER": "after",
    "BEFORE": "before|prior to|shy of|short of",
    "TO": "to",
    "UNTIL": "until|till|til|through|thru",
    "FROM": "from|starting from|onwards from",
    "BY": "by|no later than|latest",
    "SINCE": "since|no earlier than|not earlier than|not before|no sooner than|not until",
    "WITHIN": "within",
    "BETWEEN": "between|anywhere between|any time between|anytime between",
    "AND": "and|n",
    "OR": "or",
    "NOT": "not|except|excluding|other than|but not|instead of|rather than|isnt|cant do",
    "AT": "at|starting|starting at",
    "ON": "on",
    "THE": "the",
    "OF": "of",
    "IN": "in",
    "FOR": "for",
    "A": "a|an",
    "TIME": "time|times",
    "SAMEDAY": "same day|the same day|that day|that same day|on the day|the day itself|its own day|that very day",
    "SAMETIME": "same time|the same time|at the same time|same hour|at the same hour|the same hour",
    "NEXT": "next|the next|nxt",
    "THEN NEXT": "the following|following",
    "THIS": "this|the coming|this coming|this very|current|the current",
    "LAST": "last|the last|the final|final",
    "AFTERNEXT": "after next",
    "EVERY": "every|each",
    "RECUR": "daily|weekly|monthly|fortnightly|every day|every week|weekdays|every weekday|every night|every morning",
    "AGO": "ago",
    "HENCE": "hence|from now|from today",
    "LATER": "later|further back",
    "EARLIER": "earlier|sooner",
    "NOW": "right now|just now|atm|at present|straight away|immediately|at once|this instant|at this time|"
    "at the moment",
    "now": "now",
    "ABOUT": "about",
    "AROUND": "around|roughly|approximately|approx|circa|nearly|close to|some time around|shortly before|"
    "shortly after|just before|just after|towards|toward|over",
    "ISH": "or so|or thereabouts|more or less|ish",
    "Us": "seconds|secs|sec",
    "Umi": "minute|minutes|min|mins",
    "Uh": "hour|hours|hr|hrs|h",
    "Ud": "day|days",
    "Uw": "week|weeks|wk|wks",
    "Uf": "fortnight|fortnights",
    "Umo": "month|months",
    "Uy": "year|years",
    "WE": "weekend|week end",
    "30 Umi": "half an hour|half hour|half an hr|half hr|half a hr|half a hour|half of an hour",
    "15 Umi": "quarter of an hour|quarter hour|a quarter of an hour|a quarter hour",
    "45 Umi": "three quarters of an hour|three quarter hour|three quarters hour",
    "Uh AND 30 Umi": "hour and a half|hours and a half|and a half hours|and an half hours|and a half hour|"
    "and half hours",
    "Uh AND 15 Umi": "hour and a quarter|hours and a quarter",
    "Uh AND 45 Umi": "hour and three quarters|hours and three quarters",
    "EARLY": "early|late|mid",
    "CLOSEST": "closest|nearest",
    "WEARE": "we are|were|we will be|well be|well have|we will have|theyll have|they will have|theyve got|"
    "there are|theres|there will be|therell be|theyll be|they will be|they are|theyre|that makes|"
    "party of|group of|table for|booking for|a table for|tables for|reservation for|total of|weve got|"
    "we have|us down as|down for|were now|we are now|theyre now|they are now|expecting|now expecting|"
    "are expecting",
    "MAKEIT": "make it|make that|making it|make them|set it to|change it to|put us down for|put them down for",
    "VAGUE": "end of|the end of|start of|the start of|beginning of|the beginning of|middle of|the middle of|"
    "later on|soon|asap|as soon as possible|in a while|in a bit|a bit later|a little later|sometime|"
    "some time|whenever|any time|anytime|sooner or later|first thing|end of day|eod|shortly|in a moment|"
    "at some point|when you can|when possible|earliest possible|close of business|mid morning|mid afternoon",
    "SOMEDAY": "bank holiday|next bank holiday|half term|school holidays|some day|someday|one day|any day|"
    "long weekend|the long weekend|eid|eid al fitr|eid al adha|ramadan|diwali|deepavali|holi|hanukkah|chanukah|"
    "passover|rosh hashanah|yom kippur|lunar new year|chinese new year|vesak|"
    "another day|one of these days|whichever day|a different day|"
    "some other day|another time",
    "ANY": "any",
    "FEW": "a few|few|several|some|a couple more|a number of|many",
    "Hchristmas": "christmas|xmas|christmas day|xmas day",
    "Hchristmaseve": "christmas eve|xmas eve",
    "Hboxing": "boxing day|st stephens day",
    "Hnewyear": "new years day|new year|new years|nyd",
    "Hnewyeareve": "new years eve|nye|new year eve",
    "Hvalentine": "valentines day|valentines|valentine day|st valentines day",
    "Hhalloween": "halloween",
    "Hpatrick": "st patricks day|saint patricks day",
    "Hmelbournecup": "melbourne cup|melbourne cup day|cup day",
    "Hsovereign": "kings birthday|queens birthday|the kings birthday|the queens birthday|kings birthday holiday|"
    "queens birthday holiday",
    "Hlabourday": "labour day|labour day holiday",
    "Hfathersday": "fathers day|father s day",
    "Haustralia": "australia day",
    "Hanzac": "anzac day",
    "Heaster": "easter sunday|easter|easter day",
    "Hgoodfriday": "good friday",
    "Heastermonday": "easter monday",
    "Hindependence": "independence day",
    "Hguyfawkes": "bonfire night|guy fawkes night",
    "Hmothers": "mothering sunday",
    "Hthanksgiving": "thanksgiving|thanksgiving day",
    "Hblackfriday": "black friday",
    "Hmemorial": "memorial day",
    "Hlabor": "labor day",
    "Hmothersday": "mothers day|mother s day|mum s day|mums day",
    "Hmlk": "martin luther king day|mlk day",
    "Hcinco": "cinco de mayo",
    "Hfools": "april fools|april fools day|april fool s day",
    "Hremembrance": "remembrance day|veterans day|armistice day",
    "Hwomen": "international womens day|womens day",
    "Hallsaints": "all saints day|all saints",
    "Hpalmsunday": "palm sunday",
    "Hshrovetuesday": "shrove tuesday|pancake day|mardi gras",
    "Hashwednesday": "ash wednesday",
    "Hpentecost": "pentecost|whit sunday",
    "Hepiphany": "epiphany|twelfth night",
    "Hides": "ides of march|the ides of march",
    "PEOPLE": "people|persons|person|ppl|pax|guests|guest|guets|kids|kid|children|child|adults|adult|players|player|"
    "skaters|bowlers|drivers|racers|climbers|golfers|swimmers|dancers|riders|rider|campers|diners|"
    "lads|"
    "covers|seats|spots|places|spaces|heads|attendees|participants|visitors|boys|girls|toddlers|teenagers|teens|"
    "folks|of us|"
    "of them|coming|attending|guys|friends|jumpers|babies|infants|pupils|students|grownups|peeps",
    "MORE": "more|extra|additional|further",
    "ANOTHER": "another|one more|one extra|one additional",
    "ADD": "add|adding|added",
    "PLUS": "plus",
    "MINUS": "minus",
    "REMOVE": "remove|take off|take out|take away|drop off|lose|loses|losing|lost|has lost|subtract|deduct",
    "RESIZE": "resize|bring down|bring up",
    "LESSEN": "drop|drops|dropping|dropped|reduce|reduces|reduced|reducing|cut|cut back|cut down|lower|lowered|"
    "shrink|shrunk|"
    "decrease|decreased|trim|knock|knock off|fallen|gone down|went down|going down|goes down|were down|"
    "we are down|theyre down|"
    "they are down|down by|slim",
    "SWELL": "increase|increased|bump|bump up|bumped|raise|raised|grow|grown|grew|gone up|went up|going up|"
    "goes up|risen|up it|"
    "upping|expand|were up|we are up|theyre up|they are up|up by|up",
    "TAKE": "take|taking",
    "CANCEL": "cancel|cancelling|canx|cancels",
    "OFF": "off|away",
    "BOUND": "at least|at most|no more than|not more than|no less than|no fewer than|fewer than|less than|"
    "more than|max|"
    "maximum|maximum of|minimum|minimum of|a minimum of|a maximum of|up to a maximum of",
    "HEADS": "number of|numbers|count|headcount|head count|party size|size|guest count|total|attendance|turnout",
    "DROPPED": "dropped out|cant come|cant make it|cannot come|cancelled|pulled out|bailed|not coming|arent coming|"
    "wont come|less",
    "DOUBLE": "double",
    "TRIPLE": "triple|treble",
    "HALVE": "halve|cut in half",
    "DOUBLE IT": "twice as many|twice the number|double the number|double the numbers",
    "TRIPLE IT": "three times as many",
    "HALVE IT": "half as many",
    "THEM": "them",
    "IT": "it",
    "THAT": "that",
    "Uh LATER": "hour later on|hours later on|hr later on|hrs later on",
    "Umi LATER": "minutes later on|mins later on",
    "Ud LATER": "day later on|days later on",
    "Uw LATER": "week later on|weeks later on",
    "30 Umi LATER": "half an hour later on|half hour later on",
    "1w Ud ON": "one day on",
    "BY 1w Ud": "by one day",
    "ADVANCE 1w Ud": "forward one day",
    "POSTPONE 1w Ud": "back one day",
    "BEFORE THAT": "before then",
    "AFTER THAT": "after then|thereafter",
    "AS": "as",
    "IS": "is|are|be|equals",
    "FEWER": "fewer|less",
    "PLACE": "room|table|booking|reservation|order|lane|court|bay|area|section|field|bookings|ref|reference|id|"
    "number|no|ticket|tickets|invoice|page|option|phone|party room|item",
    "MONEY": "dollars|dollar|pounds|pound|euros|euro|bucks|quid|cents|pence|percent|eur|usd|aud|gbp",
    "ONWARDS": "at the earliest|at the latest|at earliest|at latest|onwards|onward|or later|or after|or earlier|"
    "or before|and after|and later|or so onwards",
    "POSTPONE": "push|push back|pushed back|postpone|delay|back|put back|move back|later by",
    "ADVANCE": "forward|fwd|forwards|bring forward|bring forwards|brought forward|advance|move up|pull forward|"
    "earlier by",
    "ZONE": "utc|gmt|aest|aedt|acst|awst|nzst|nzdt|bst|cet|cest|est|edt|pst|pdt|cst|ist|sgt|jst|zulu|z",
    "_": "next to|at all|last name|next door|last minute|first name",
    "LONG": "long|duration|minute slot",
}
