"""English words that say how another word is meant, see `language.requests.cues`."""

_ILLNESSES = """
    chickenpox flu fever covid cold measles mumps tonsillitis gastro virus bug cough infection asthma migraine
""".split()
_HAS_FALLEN_ILL = "|".join(
    f"{has} {the}{illness}" for has in ("has", "have", "got", "caught", "with") for the in ("", "a ", "the ")
    for illness in _ILLNESSES
)  # fmt: skip

_LEAVES = """
    leave|forget|forget about|never mind|never mind about|scrap|skip|ignore|disregard|not|don't touch|don't change|
    don't bother with|don't bother about|don't worry about
"""
_LEFT = {
    "LEAVE_DAY": "day|date",
    "LEAVE_TIME": "time|hour|start|start time",
    "LEAVE_COUNT": "kids|numbers|number|guests|headcount|count|people",
    "LEAVE_NOTE": "note|notes|comment",
}
"""The parts of a plan that can be left out, by the cue that says so."""

CUES = {
    # what follows is not wanted
    "NOT": "not|nothing to|don't|doesn't|didn't|isn't|aren't|wasn't|won't|wouldn't|can't|cannot|couldn't|shouldn't|"
    "never|"
    "without|except|excluding|anything but|neither|nor|no longer|not any more|instead of saying",
    "NO": "no",
    "NOT_AT_ALL": "don't forget|do not forget|not only|why not|if not|not sure if|don't mind|no problem|no worries|"
    "not just|not before|not until|not later than|not more than|not less than|no more than|no less than|can't wait",
    # the words before are not wanted
    "SPOILT": "not needed|not required|isn't needed|isn't required|not wanted|isn't wanted|not necessary|"
    "isn't necessary|"
    "was declined|declined|is wrong|was wrong|is incorrect|is no good|is out|is full|is off|is old|is outdated|"
    "is out of date|"
    "is dead|is not right|isn't right|isn't hers|isn't his|is not hers|is not his|is not theirs|isn't theirs|"
    "won't work|doesn't work|doesn't suit|won't do|won't suit|is not working|isn't working|no longer works|"
    "not working|no longer in use|is no longer|isn't possible|is not possible|doesn't exist|is bouncing|bounces|"
    "bounced|was a mistake|was a typo|is a typo|is a mistake|didn't work|is too early|is too late|is not valid|"
    "isn't valid|isn't good|is not good|was the old one|is the old one|is gone|not anymore|not any more",
    # what follows is, or was, how things stand
    "INSTEAD_OF": "instead of|rather than|in place of|as opposed to|in lieu of|and not|but not|replacing|replaces",
    "WAS": "was|were|were to be|was to be|were to come|was to come|were meant to be|was meant to be|"
    "were supposed to be|was supposed to be|was going to be|were going to be|was going to have|were going to have|"
    "had planned on|"
    "had planned for|"
    "were planning on|was planning on|used to be|had been|had|has been|originally|currently|at present|presently|"
    "formerly|previously|"
    "is currently|are currently|is now at|is booked|are booked|booked in for|was booked|were booked|"
    "is down for|are down for|was down for|were down for|at the moment|it's currently|it was",
    "OLD": "old|previous|former|existing|current|wrong|outdated|original",
    "FROM": "from",
    "TO": "to|into|->|=>|→|becomes|becoming|now",
    "HENCEFORTH": "should be|is now|are now|new|make it|will be|it's now",
    # what stood before gives way
    "CORRECT": "nah|nope|no wait|wait|hang on|hold on|actually|scratch that|scrap that|sorry|i mean|i meant|make that|"
    "correction|oops|whoops|my mistake|my bad|or rather|on second thought|on second thoughts|come to think of it|"
    "no make it|no sorry|nope|forget that|strike that|let's say|changed my mind|better make it|no no|ignore that",
    "INSTEAD": "instead",
    "OR": "or|and|nor",
    # when something else happened
    "REPORT": "rang|called|phoned|emailed|e-mailed|texted|messaged|wrote|paid|spoke|contacted|visited|dropped in|"
    "popped in|got in touch|came in|signed|booked on|booked it on|refunded|replied|complained|confirmed on|"
    "left a message|left a voicemail|arrived|wrote in|rung|has called|got back|chatted|was in|came by|asked|asks",
    "RESET": "asked for|asks for|has asked for|asked to|can we|could we|can they|could they|can she|can he|lets|"
    "let's|say|saying|said|asking|that|wants|want|"
    "wanted|would like|needs|so|please|can you|could you|move|"
    "can i put|could i put|should i put|shall i put|change|switch|put|push|make|shift|set|update|about|wondering|"
    "hoping|thinking|to move|to change|to swap",
    # the earlier statement
    "SAID_BEFORE": "i typed|i wrote|i said|i put|i told you|i had said|i'd said|i had put|i'd put|i had written|"
    "i gave you|"
    "i entered|i had told you|we said|we told you|i mistyped|i had typed|i keyed in|we put|we wrote|i'd told you",
    # what was planned is off; what is asked for is left open; the venue's own hours; what stays as it is
    "WITHDRAWN": "that's off|that is off|it's off|it is off|that fell through|it fell through|that has fallen through|"
    "that's fallen through|off the table|that's not happening|that isn't happening|that's been scrapped|"
    "not any more|not anymore|no longer the case|took it back|takes it back|taken it back|that's changed|that's out|"
    "not going ahead",
    "ANOTHER_DAY": "another day|another date|a different day|a different date|some other day|some other date|a new day|"
    "a new date|other day|different day|different date",
    "ANOTHER_TIME": "another time|a different time|a later time|an earlier time|some other time|a new time|later slot|"
    "earlier slot|a later slot|an earlier slot|another slot|a different slot|make it later|make it earlier|"
    "a bit later|a bit earlier|a little later|a little earlier|move it later|put it later|something later|"
    "something earlier|should be later|should be earlier|somewhat later",
    "AFTER_THAT": "after that|before that|not then|can't be then|can't do then|not at that time|not that day",
    "RETRACT": "forget that|forget it|scrap that|strike that|ignore that|never mind|nevermind|disregard that",
    "UNSURE": "don't know|not sure|will confirm|to be confirmed|tbc|tbd|will let you know|hasn't decided|"
    "haven't decided|to be decided|still to confirm|yet to confirm|can't say yet|not certain",
    "BRINGS": "bringing|brings|bring|brought|add|adding|plus",
    "OPENING": "we close|closes|closing time|we open|opens|doors open|doors close|opening time|shut|shuts|last entry|"
    "finishes|ends|works till|works until|works to|lands|flies in|knocks off|gets off|was born|we're closed|we're shut|"
    "finishes work",
    "AS_SAID": "to that|make it so|make it that|set it to that|it there|her there|them there|him there|do that then|"
    "go with that",
    "LEAVE_DAY": "the day stays|the date stays|the day is fine|the date is fine|the day's fine|the date's fine|"
    "day stays|date stays",
    "LEAVE_TIME": "no change of time|no change to the time|no change in time|without changing the time|time unchanged|"
    "the time stays|the hour stays|the time is fine|the time's fine|time stays|the start stays|drop the time",
    "LEAVE_COUNT": "numbers stay|the numbers stay|the number stays|leave numbers",
    "LEAVE_NOTE": "no note|without the note|leave the note out|leave out the note|drop the note|ditch the note",
    # which way an amount goes that says none itself
    "LATER": "later",
    "EARLIER": "earlier|sooner",
    # people by name: the words after it, the words in front, questions about them
    "FAMILY": "family|families|party|group|crew|mob|booking|lot|kids|clan|bunch|team",
    "FAMILY_OF": "the",
    "ASKS": "is|are|did|does|do|has|have|will|can|could|was|were|would",
    # what a number is of
    "NUMBERED": "year|class|grade|room|party room|table|level|lane|court|bay|area|zone|field|team|package|option|"
    "booth|studio|hall|door|gate|unit|suite|flat|apartment|bus|route|reference|ref|booking|booking number|invoice|"
    "ticket|number|id|yr|kindy|prep|stage|squad|division|floor|version|page|chapter|locker",
    "AGE": "turns|turning|turned|aged|age|ages|age of|turn|is turning|will be turning|under|over|birthday is her|"
    "birthday is his",
    "AGED": "years old|year old|year olds|yrs old|yr old|yr olds|yo|yos|y/o|years of age|birthday|bday|b'day",
    "THINGS": "moment|mo|tick|thing|question|sec|street|st|road|rd|avenue|ave|lane|drive|crescent|percent|degrees|"
    "km|metres|meters|cm|stars|star|"
    "session|sessions|pizzas|pizza|cakes|cake|platters|platter|balloons|tables|table|rooms|room|"
    "bottles|jugs|bags|pairs|socks|cars|lanes|tickets|chairs|dollars|courts|games|laps|bookings|parties",
    "DURATION_OF": "families of|tables of|groups of|teams of|lots of",
    # counting
    "ALSO": "as well|too|also|extra|on top|in addition|additionally|along|tagging along|joining|joining them|"
    "joining us|join|join in|more|besides|tag along|tags along|tagged along|come along|coming along|comes along|"
    "extras|can come after all|can make it after all|have joined|has joined|joined|joined in|joined us|want to come|"
    "wants to come|want to join|wants to join",
    "GOING": "pull out|drop out|bail|bail out|back out|can't make it|can't come|cannot make it|cannot come|"
    "can no longer make it|can no longer come|"
    "can't attend|won't make it|won't be coming|won't be able to make it|won't be able to come|isn't coming|"
    "aren't coming|is not coming|are not coming|not coming|won't come|dropped out|dropping out|pulled out|"
    "pulling out|backed out|has bailed|have bailed|bailed|cancelled|is out|are out|is sick|are sick|called in sick|"
    "no longer coming|no longer attending|not attending|not going|isn't going|aren't going|won't be there|"
    "stays home|stay home|staying home|staying at home|stays at home|stay at home|came down with|come down with|"
    "is poorly|are poorly|fell ill|fallen ill|fell sick|taken ill|fewer than planned|less than planned|"
    "fewer than booked|less than booked|short|under the weather|not well|unwell|" + _HAS_FALLEN_ILL + "|"
    "has to miss it|have to miss it|is ill|are ill|is unwell|"
    "are unwell|is away|are away|has left|have left|off sick|fell through|down",
    "COMING": "are coming|is coming|coming|will be coming|will be there|attending|all up|in total|altogether|"
    "total|people all up|all together|all in",
    # the booking's own
    "SAME_DAY": "same day|same date|that day|keep the day|keep the date|same dates",
    "SAME_TIME": "same time|same hour|same slot|keep the time|that time|same start",
    "BOOKING": "booking|bookings|party|birthday|birthday party|session|reservation|slot|event|one|ones|lot|group|"
    "class|function|appointment|visit|do|crew|mob|bash|celebration|outing|excursion|camp|playdate|jump|bday",
    "DEFINITE": "the|my|her|his|their|our|that|this|those",
    "IT": "it|them|her|his|hers|their|theirs|they|she|he|its|we|us|the party|the booking|the group|the session|"
    "both|everyone|the date|the day|the time|the numbers",
    "OTHER": "another party|another group|another birthday|the other one|the other booking|the other party|the other|"
    "another booking|the second booking|"
    "the second party|other party|other booking|someone else",
    # a statement about one booking, applied to another
    "ALIKE": "same for|same again for|same goes for|same with|same thing for|same thing with|same change for|"
    "same change to|same to|ditto|ditto for|likewise|likewise for|do that for|do that to|do that with",
    # hours that lean on the booking's own
    "HALF_PAST": "half past|half past instead|half past the hour|at half past|the half hour",
    "QUARTER_PAST": "quarter past|a quarter past|quarter past the hour",
    "QUARTER_TO": "quarter to|a quarter to",
    "ON_THE_HOUR": "on the hour|the full hour",
    # days and hours that lean on the booking's own
    "DAY_LATER": "the next day|next day|the day after|day after|the following day|following day|one day later|"
    "a day later|a day after|day later|back a day|back one day",
    "DAY_EARLIER": "the day before|day before|the previous day|previous day|a day earlier|a day before|"
    "one day earlier|one day before|day earlier|forward a day",
    "WEEK_LATER": "the week after|week after|the following week|a week later|a week after|one week later|"
    "week later|back a week|a week on|the next week",
    "WEEK_EARLIER": "the week before|week before|the previous week|a week earlier|a week before|one week earlier|"
    "week earlier|forward a week",
    "FORTNIGHT_LATER": "a fortnight later|two weeks later|2 weeks later|a fortnight after|back a fortnight|"
    "back two weeks|back 2 weeks",
    "MOVE": "move|moves|moving|moved|shift|push|bring forward|bring|reschedule|rebook|start|starting|switch|slide|"
    "delay",
    "INTO": "in|into|take|takes|pick|choose|want|wants|have|join|onto",
    "PREFER": "prefer|prefers|preferred|favour",
    "DATED": "on|on the",
    "PERSON": "sister|brother|cousin|mate|friend|mum|mom|dad|nan|nanna|gran|grandma|grandpa|grandad|aunt|aunty|auntie|"
    "uncle|neighbour|neighbor|classmate|son|daughter|nephew|niece|stepson|stepdaughter|kid|child|boy|girl|guest|"
    "adult|parent|teacher|nanny|babysitter|partner|husband|wife|toddler|baby|teammate|bestie",
    "TWO_PERSONS": "twins|parents|grandparents",
    # statements of others, and the parts that are asked or decided
    "SAYS": "said|says|say|saying|asked|asks|asking|wrote|writes|wrote in|texted|texts|emailed|emails|messaged|"
    "messages|replied|replies|told me|told us|tells me|tells us|message from|email from|text from|"
    "note from|rang|called|phoned|left a message|left a voicemail",
    "ADVICE": "what should i do|what do i do|what shall i do|what should we do|what do we do|what shall we do|"
    "what now|what can i do|what can we do|what do i say|what do i tell|what should i say|"
    "what should i tell|what shall i say|what shall i tell|what would you do|what do you suggest|"
    "what do you think|what would you suggest|how should i respond|how do i respond|how do i reply|"
    "how should i reply|how do i handle|how should i handle|how do we handle|any advice|"
    "what are my options|what are our options|"
    ""
    "do we have to|do i have to",
    "ENDORSED": "do that|do it|do so|do as|please do|go ahead|go for it|as asked|as requested|as she asks|as he asks|"
    "as they ask|as she asked|as he asked|as they asked|as she says|as he says|as they say|"
    "so please cancel|let's do it|lets do it|sort it",
    "WHETHER": "asked if she|asked if he|asked if they|asked if it|asks if she|asks if he|asks if they|"
    "asking if she|asking if he|asking if they|asked whether|asks whether|asking whether|"
    "wondering if she|wondering if he|wondering if they|wondering whether|wonders if|wonders whether|"
    "wondered if|wants to know if|wants to know whether|wanted to know if|wanted to know whether|"
    "want to know if|know if|know whether|know how|asked how|asks how|asking how|how to|how she can|"
    "how he can|how they can|what happens if|thinking of|thinking about|considering|might|may have to|"
    "may need to|tempted to|threatening to|threatens to|threatened to",
    "SPEAKS_FOR": "mum|guest|mom|mother|dad|father|nan|nanna|gran|grandma|grandpa|grandad|parent|parents|grandparents|"
    "teacher|nanny|partner|husband|wife",
    "TITLE": "mr|mrs|ms|miss|mx|dr|sir|madam|lady|prof|professor",
    "BUT": "but|so|then|though|because|since|while|however|cos|cause|coz|as she|as he|as they",
}
for _cue, _parts in _LEFT.items():
    _leaves = " ".join(_LEAVES.split()).split("|")
    CUES[_cue] += "".join(f"|{leave.strip()} the {part}" for leave in _leaves for part in _parts.split("|"))

NUMBERS = {
    "a hundred": 100, "one hundred": 100, "hundred": 100, "two hundred": 200, "a score": 20, "a score of": 20,
    "a half dozen": 6, "half a dozen": 6, "a dozen": 12, "dozen": 12, "two dozen": 24, "a couple dozen": 24,
    "a baker's dozen": 13, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90, "a pair": 2, "a trio": 3,
    "a couple": 2, "an even ten": 10, "three dozen": 36, "a hundred and ten": 110, "a hundred and twenty": 120,
}  # fmt: skip
_TIMES = "two three four five six seven eight nine ten".split()
NUMBERS |= {f"{said} dozen": 12 * n for n, word in enumerate(_TIMES, 2) for said in (str(n), word)}

ORDINARY = """
allergic coeliac celiac vegan vegetarian diabetic intolerant asthmatic gluten lactose dairy halal kosher
a able about above accept across actually add added adding adult adults after afternoon again against age ages all
allergy allow almost alone along already alright also although always am amend an and another answer any anybody
anymore anyone anything anyway appear appreciate are area arrange arrive arriving as ask asked asking asks at attend
attending attention available away back bad balloon balloons be because become been before being best better between
big birthday bit book booked booking bookings both bounce boy boys bring bringing brings brother but buy by cake call
called calling calls came can cancel cancelled cancelling cant card care carry case cash catch certain chance change
changed changes changing charge check child children choose class clear close code come comes coming confirm confirmed
contact cool correct correction cost could count couple cousin crew customer cut dad dads date dates daughter day days
deal dear decide decided delay deposit did different do does doing done dont double down drop dropped dropping due each
earlier early easier either else email end enough even evening event ever every everybody everyone everything exactly
excellent except expect extra fair families family far few fewer final finally find fine first five fix follow for
forget forward found four free friend friends from full fully further game gave get gets getting girl girls give given
gives go goes going gone good got grand great group groups guest guests guy guys had half hand happen happy has have
having he head hear hello help her here hers hey hi him his hold hope hoping hour hours how however husband if ill
important in included including increase inform instead into invite is issue it item its ive join joining jump jumper
jumpers just keep kid kids kind kindly know known last late later latest lead least leave less let lets like likely
list little load long longer look looking looks lose lost lot lots love lunch made mail make makes making man many mate
matter may maybe me mean means meant meet mention message mid might mind mine minute minutes missing mob mobile moment
monday month more morning most mother move moved moving much mum mums must my name named names near need needed needs
never new next nice night no nobody none noon not note notes nothing notice now number numbers nut of off ok okay old
on once one ones only onto open option or order original other others our out outing over own owner package paid parent
parents part party parties pay paying payment people per perhaps person phone phoned pick place plan please plus point
possible postpone prefer preferred preferably probably problem public pull push put quarter quick quickly quite rang
rather reach read ready real really reason received record reduce refund refunded refunds regarding remain remember
remove replace request require reschedule rescheduled reservation rest right ring room rooms round run said same save
saw say saying says scheduled school scout scouts second see seem send sent session sessions set several shall she shift
shifted short should show sick side since single sister size slot small so some somebody someone something son soon
sorry sort sound sounds space spare speak spoke spot start started starting starts stay staying stays still stop street
stuff such suit suits sure surname swap switch table take taken takes taking talk team teens tell ten text than thank
thanks that thats the their them then there these they theyd theyll theyre thing things think thinking this those
though three through ticket tickets tidy till time times to today together told tomorrow tonight too took total toward
try trying turn turned turning turns two typo under unfortunately until up update updated upgrade us use used usual
venue very via visit wait waiting want wanted wants was way we wed week weekend weeks well went were weve what when
where whether which while who whole why wife will wish with within without wonder wondering wont word work works worse
worth would wrong yeah year years yep yes yet yesterday you your youre possibly ideally okay arvo oclock sharp
spelled mr mrs ms miss dr spelt surnamed spelling written instead
mins hrs hr min am pm noon midday midnight slide slid bump bumped book-in reschedule pls plz ta cheers thx
"""

DIMINUTIVES = ""
"""Endings that make a person small, before the last letter."""

FUNCTION = """
a an the and or of to for from in on at by with is are was were be been am it its they them their he she his her we our
us you your i my me that this these those there as so do does did has have had will would can could should please just
also too
"""
"""Words that a note may have more or fewer of than the operator's text."""
