"""English words of a request by what they do in it, see `language.requests.parts`. Verbs stand in their base
form."""

VERBS = {
    "move": "move|mv|mov|shift|push|bump|nudge|slide|postpone|delay|defer|reschedule|resched|rschdl|rsch|rebook|retime|"
    "redate|reslot|rejig|rearrange|reorganise|transfer|switch|bring forward|bring back|put back|put off|pull forward|"
    "push back|push out|move back|move up|move forward|move along|carry over|hold over|flick|flip|"
    "chuck|relocate|shuffle|drag|pull|juggle|"
    "bring it|have it at|slot in|fit in|squeeze in|get in|do it at|lock in|lock it in for|stick|plonk|"
    "swap round|swap over|get",
    "cancel": "cancel|cxl|canx|canc|scrap|axe|bin|bin off|ditch|kill|nix|call off|delete|void|get rid of|"
    "scratch|scrub|wipe|erase|abandon|withdraw|strike off|take off the calendar|take off the books|"
    "take off the system|take off the schedule|take off the diary|remove from the system|remove from the calendar|"
    "cancellation|cancelation|cancellation of|cancellation for|pull the plug on|do away with",
    "change": "change|chg|update|upd|set|make|edit|modify|amend|swap|replace|correct|fix|adjust|alter|put|use|give|"
    "mark|enter|save|let|do|have|lift|turn into|rework|revise|tweak|switch to|put down",
    "resize": "resize|bump|bump up|bump down|increase|decrease|reduce|raise|lower|cut|expand|shrink|grow|trim|"
    "scale|lose|"
    "drop|gain|take off|knock off|go up|go down|come down|come up|double|triple|halve|remove|take|take out|whack|tack|"
    "scale back|cut down|cut back|go from|loose|add on",
    "add": "add|write|jot|jot down|attach|leave|record|log|include|append|pop|stick|write down|note down|note|write up|"
    "put down|mention|flag",
    "rename": "rename|re-name|retitle",
    "keep": "keep|stay|remain|leave at|hold at|stick with|stick to",
}
"""Families of verbs; every form of them is known."""

WORDS = {
    "move": "bring|brought|start|start at|begin|begin at|come in at|come at|kick off at|kick off",
    "old": "old|previous|former|outdated",
    "keep": "leave",
    "cancelled": "will not be going ahead|not be going ahead|wont be going ahead after all|will not go ahead|"
    "wont go ahead|isnt happening|is not happening|not happening|isnt going ahead|is not going ahead|wont be going "
    "ahead|"
    "not going ahead|is off|is all off|no longer happening|not coming any more|not coming anymore|"
    "wont be coming anymore|wont be coming any more|arent coming any more|arent coming anymore|no longer wants|"
    "no longer want|no longer needs|no longer need|has fallen through|fell through|fallen through|is called off|"
    "has been called off|called it off|calling it off|"
    "called them off|isnt coming any more|isnt coming anymore|are not coming any more|doesnt want it anymore|"
    "isnt on anymore|isnt on any more|is a no go",
    "absent": "cant make it|cant come|cannot make it|cannot come|wont make it|not coming|isnt coming|arent coming|"
    "wont be coming|are sick|is sick|pulled out|pulling out|bailed|backed out|dropped out",
    "want": "d love|d love to|love to|loves to|d rather|d prefer|d sooner|keen to|keen on|hopes to|hoping to|asks to|"
    "asking to|asking for|begs|reckons|suits better|works better|is better|be better|better for them|want|wants|"
    "wanna|wanted|needs|need|should|must|ought|would like|d like|id like|like|prefer|prefers|rather|"
    "has to|have to|needs to|need to|has to be|have to be|ought to be|should be|needs to be|shd|wants to|want to|"
    "would rather|would prefer|can only do|can only make|only do|suits|asked for|asked to|asks for|asks to|hoping for|"
    "wishes|would love|is to be|is after|are after|can do|can make|could do|prefer to|can start|could start|could come|"
    "can come|can kick off|can begin|could begin|if he can|if she can|if they can|if we can|if you can|"
    "supposed to be|meant to be|goes to|go to|goes|"
    "shud|wld like|have asked to|has asked to|would now like|be at",
    "now": "bringing|brings|now|instead|new|becomes|become|becoming|will be|ll be|gonna be|going to be|actually|"
    "grown to|gone up to|"
    "gone down to|up to|down to|there are|there is|its|it is|weve got|we have got|got|we have|total|final number|"
    "final numbers|headcount|head count|all up|make it|correct to|shd be|different|rather than|"
    "change of plan|been a change|shrunk to|swelled to|risen to|dropped to|insted",
    "state": "held|kick|kicks off|kicked off|comes in|starts at|are|was|were|be|been|being|has|have|had|"
    "arrives|arrive|arriving|arrived|comes|come|coming|comin|starts|"
    "ends|end|finishes|finish|turns|turn|turning|lasts|kicks|rocks|rocking|shows|showing|am|re|s|m|booked|works|work|"
    "left|enquired|said|says|gets|wrote|begins|playing|plays|runs|running|doing|does|did|r|gets|late",
    "report": "changed their mind|changed her mind|changed his mind|rang|called|phoned|rung|texted|emailed|"
    "messaged|telephoned|spoke|wrote in|got in touch|"
    "popped in|just rang|has rung|asks|asked|told|tells|mum|mums|mum's|dad|dads|dad's|mother|father|"
    "who|because|cos|coz|"
    "cause|since|as she|as he|as they|hes|shes|theyre running|hes running",
    "hedge": "thinks|think|maximum|max|minimum|maybe|perhaps|might|possibly|if|unless|depends|depending|not "
    "sure|unsure|undecided|thinking about|"
    "thinking of|thinking|considering|what if|either|provisionally|tentatively|tbc|tba|whichever|until|once|"
    "havent decided|hasnt decided|in case|at least|at most|or so|at the latest|at the earliest|wait till|"
    "could maybe|around|about|roughly|or later|or earlier|toying|might need|may need|subject to|ideally|hopefully",
    "vague": "later|earlier|bigger|smaller|later in the week|sometime|some time|soon|a few more|a few less|more|less|"
    "fewer|another day|another time|a bit|later on|a few|several|asap|next available|some|somewhat|early|late",
    "shift": "late|later|earlier|later on|a bit later|a bit earlier|forward a bit|back a bit",
    "refuse": "shouldnt be|doesnt want|does not want|dont want|do not want|cant do|refuses|anything but|not keen on|"
    "no need to|dont need to|doesnt need|wont|wouldnt",
    "look": "expected|who is expected|who is due|is due|"
    "whats happening|what is happening|whats going on|what is going on|anyone|anybody|could i see|can i see|"
    "may i see|let me see|"
    "show me|show|find|look up|pull up|search for|search|locate|bring up|what time is|what time|what day is|"
    "what day|when is|whens|when|how many|whos|who|who is|who have|whats|what is|what|which|list|"
    "tell me|check|details of|details for|where|is there|are there|do we have|any|got any|have we "
    "got|have you got|how much|why|"
    "did|whose|remind me",
    "room": "room|space|spaces|free|availability|available|vacancy|vacancies|slot free|slots|openings|fully "
    "booked|gaps",
    "polite": "of course|one moment|one sec|one second|one minute|just a sec|on second thought|on second thoughts|"
    "oh dear|dear me|i beg your pardon|beg your pardon|if you would|if you please|if you wouldnt mind|if you dont mind|"
    "would you be so kind as to|be so kind as to|so kind as to|would you be so good as to|so good as to|might i ask|"
    "may i ask|forgive me|how foolish of me|in that case|on reflection|good day|i see|accordingly|would you mind|"
    "please|pls|plz|thanks|thank you|thankyou|thx|ta|ty|cheers|mate|sorry|soz|hi|hello|hey|good morning|"
    "good afternoon|good evening|morning|gday|ok|okay|k|kk|right|so|well|um|uh|oh|lol|yo|haha|yeah|yep|hiya|btw|just|"
    "anyway|would you|could you|can you|can we|could we|would you kindly|kindly|will you|team|dear|"
    "nah|nope|no|meant|ment|i meant|i mean|my bad|wrong|idk|ill|wont be long|ah|er|hmm|"
    "damn|fine|alright|listen|look|quick one|quick|also|too|then|first|second thought|guys|legend|love|comma|full stop|"
    "still|omg|argh|ugh|oof|yikes|gosh|blimey|heaps|lovely|great|perfect|cool|sweet|yes|you|me|for me|for us|asap|"
    "when you can|if you can|if possible|possible|"
    "is it ok to|is it okay to|is it possible to|any chance|would it be possible to|do you mind|see to it|sort it|arvo|"
    "cld|sharp|it turns out|turns out|i am told|fyi|apparently|unfortunately|im afraid|let me know|"
    "no worries|easy|oops",
    "pronoun": "it|them|him|her|their|his|they|she|he|that one|this one|this booking|that booking|its|theirs|hers|"
    "the booking|the party|the same one|em|this|the customer|the client|the guest",
    "function": "tho|though|read|reads|a|an|the|and|or|to|for|of|on|in|at|by|with|from|as|into|onto|up|down|out|off|"
    "back|over|"
    "along|around|"
    "round|through|via|per|than|but|that|these|those|there|here|i|we|our|my|us|your|not|no|do|be|will|would|could|"
    "can|may|shall|ll|ve|d|t|only|both|all up|in total|altogether|same|day|date|time|both to|under|x|whose|which is|"
    "number|no longer|people|ppl|pax|guests|guest|kids|kid|children|child|adults|adult|heads|players|friends|jumpers|"
    "riders|rider|pupils|pupil|students|participants",
    "booking": "the booking|the party|booking|bookings|bkg|bkng|bking|reservation|ref|reference|booking ref|"
    "number|appointment|slot|one|name|"
    "booking number|record|file|entry|thing",
    "event": "party|prty|fam|parties|birthday|bday|b'day|session|family|group|lot|do|bash|event|visit|outing|excursion|"
    "class|function|celebration|lunch|dinner|reunion|crew|mob|gathering|meeting|camp|hens|christening|baptism|"
    "graduation|get together|team|squad|crowd|wedding|playdate|clan|household|lesson|lessons|ride|workshop|tour",
    "phone": "phone|mobile|mob|cell|telephone|tel|ph|phone number|mobile number|contact number|number|handset|landline|"
    "cellphone|phone no|mobile no|new number|cell phone",
    "email": "email|e-mail|mail|email address|e-mail address|mail address|email addy|emails",
    "surname": "surname|last name|family name|second name",
    "first": "first name|given name|forename",
    "name": "name|contact name|guest name|full name|contact person|booker|lead name|organiser|organizer|contact|"
    "in the name of|under the name|under the name of|name on the booking|party name|main contact",
    "contact": "contact details|details|contact info|contact information|contacts",
    "count": "headcount|head count|numbers|guest count|number of guests|number of kids|number of people|party size|"
    "group size|number of children|count|people|guests|kids|children|heads|attendance|size|final number|final numbers",
    "time": "time|start time|start|hour|arrival time|later start|earlier start|timing|the move|move",
    "day": "day|date|dates",
    "note": "note|notes|comment|comments|remark|remarks|memo|message on",
    "foreign": "great job|good job|well done|tell|inform|notify|the party room|refund|refunds|discount|price|"
    "pay|payment|deposit|invoice|receipt|charge|sms|text|"
    "weather|joke|order|pizza|pizzas|cake|balloons|package|waiver|waivers|alarm|reminder|music|lights|shift roster|"
    "roster|voucher|gift card|coupon|upgrade|print|send|buy|sell|charge|bill|play|turn on|turn off|"
    "call|phone up|remind|translate|clean|fridge|boiler|wifi|password|opening hours|product|products|"
    "new booking|new bookin|make a booking|make a new booking|book in a new|create a booking|create "
    "a new booking|another booking for|"
    "new reservation|new party|policy|chairs|tables|table|invite|invites|invitation|invitations|percent off|"
    "knock off the price|menu|food|drinks|milk|bake|waiting list|waitlist|see you|party room|set up|"
    "merch|apply|complain|review|news|flour|enquiry|catering|"
    "unlock|lock up|hire|bouncer|heating|aircon|air con|photo|photos|report|export|taxi|parking|"
    "credit|compensation",
    "many": "all bookings|all of|every booking|everything|all the bookings|all parties|everybody|two bookings|"
    "bookings|all the parties|each booking|everyone|all of them|cancel all|the cancellation",
    "same_day": "same day|same date|that day|the same day|that date",
    "same_hour": "same times|same time|the same time|time stays|same hour|that time|the time stays|same slot",
}
"""Other words of a request, by what they do in it; one word may do several things."""

HURRIED = (
    (
        r"((?:['’]s|\b(?:the|that|this|other))\s(?:[a-z0-9]+\s)?)one\b(?!['’]?\s*(?:hour|more|less|fewer|"
        r"o['’]clock|kid|guest|person|adult|child|of|day|week))",
        r"\1booking",
    ),
    (r"\b(?:e+r+m+|u+h+m*|h+m+|u+m+|e+h+m*|m+h+m*)\b", "hmm"),
    (r"\b(e-?mail|mobile|phone|number|note|party|booking|cell)\s+4\s+(?=[a-z])", r"\1 for "),
)
"""Figures typed for words."""
SHORT = {
    "u": "you", "wat": "what", "wot": "what", "fwd": "forward", "r": "are", "ur": "your", "n": "&", "yr": "year",
    "em": "them", "thru": "through",
    "shd": "should", "cld": "could", "wld": "would", "pls": "please", "plz": "please", "tmrw": "tomorrow",
    "teh": "the", "y": "why", "comma": ",", "insted": "instead", "bday": "birthday", "gunna": "gonna",
    "b4": "before", "w": "with",
}  # fmt: skip
"""How words are typed in a hurry."""

COMMON = (
    "people please thanks tomorrow that the this with from next just what want when move change cancel booking booked "
    "party kids guests birthday could should would sorry number phone message group start weekend half later minutes "
    "family children confirm make back book still because before have need party would like monday tuesday wednesday "
    "thursday friday saturday sunday morning reschedule"
)
"""Words that are typed without their vowels."""
ABBREVIATIONS = "mr mrs ms dr st nd rd th pm hr hrs min mins wk wks tv dj ph xl kg km cm mm bc nb nr ft ps pc dvd hq py"
"""What looks like one of them, and is not."""

_KIND = (
    r"(?:kind|good|nice|great|lovely|grand|helpful|brilliant|super|amazing|grateful|glad|obliged|happy|thankful|"
    r"a \w+ \w+)"
)
COURTESY = (
    r"\b(?:(?:please )?(?:don['’]?t|do not) forget|remember|be sure|make sure) to\b|"
    r"\b(?:it|that) (?:would|['’]d|wd) be (?:(?:so|very|most|really|a|an|of) )*\w+(?: \w+)? (?:if|to)\b|"
    r"\b(?:i|we)(?:['’]d| would| should) (?:be|appreciate)(?: it)? ?(?:(?:so|very|most|really|ever so) )*"
    + _KIND
    + r"? ?if\b|"
    r"\b(?:might|may|could|can) (?:i|we) (?:trouble|bother|ask|request|beg|get)(?: you)?(?: to)?\b(?! (?:it|the|a)\b)|"
    r"\b(?:i|we) (?:wonder|was wondering|were wondering|wondered)(?: if| whether)?\b|"
    r"\b(?:would|could|can|will) (?:you|ye|ya|yous?) be (?:(?:so|very|a|an) )*\w+(?: (?:as|enough))?(?: to| and)?\b|"
    r"\bif (?:(?:it|that)(?:['’]s| is| were|['’]d be| would be)? )?(?:not )?(?:at all )?(?:too much trouble|"
    r"no trouble|any trouble|"
    r"possible|convenient|ok(?:ay)?|alright|all right|easy)(?: with you)?\b|"
    r"\bif (?:you|ye) (?:would|could|can|please|wouldn['’]?t|don['’]?t|get|have|wld)"
    r"(?: be so \w+| mind| a \w+| the \w+| \w+ \w+)?(?=\W*$|\s*[,.;!?])|"
    r"\b(?:when|whenever) (?:you|ye) (?:get|have) (?:a|the) \w+\b|\b(?:do you|would you) (?:think|reckon) (?:you|"
    r"we) could\b|"
    r"\b(?:asked|asking|asks|wants? to know|wondering|enquired|enquiring|was wondering) (?:if|whether)\b|"
    r"\b(?:is )?on the (?:line|phone|blower)(?: now)?\b|"
    r"(?:\b(?:and|but) )?\b(?:everything|all|nothing) else\b(?: (?:stays?|remains?|is|as|changes|to change|unchanged|"
    r"(?:the )?same|(?:it )?(?:is|was)|put))*|\bthe rest (?:stays?|remains?|is)(?: (?:as (?:it )?is|the same|"
    r"unchanged))?\b|"
    r"\b(?:i|we) (?:tell|told) a lie\b|\btell you what\b|\b(?:to tell|truth be) (?:you )?(?:the truth|told)\b|"
    r"\b(?:i['’]?m|i am|we['’]?re|we are) (?:so |very |really |terribly |most )*(?:sorry|afraid|pleased|happy|glad)"
    r"(?: (?:to|for|about) (?:say|trouble|bother|tell you|report|hear|be a \w+|\w+ you))?(?: that)?\b|"
    r"\b(?:please )?(?:forgive|excuse|pardon) (?:me|my|us|an? \w+ \w+['’]s \w+|the \w+)\b|"
    r"\bbless (?:her|him|them|you)\b|\bthanks (?:a million|so much|heaps|a lot|very much|a mill)\b|"
    r"(?<!could )(?<!can )(?<!may )\b(?:i|we) (?:promise|swear|gather|hear|believe|understand|see)(?: that)?\b"
)
"""Ways of asking nicely, and asides: none of their words is part of what is asked."""

QUESTION = (
    r"^(?:\W*(?:hi|hey|hello|ok|okay|so|and|right|wait|oh|um|sorry|hang on|quick question)\b\W*)*"
    r"(?:is|are|was|were|do|does|did|has|have|should(?! (?:be|have been)\b)|shall|who|whos|who's|what|whats|what's|"
    r"when|"
    r"whens|when's|which|why|"
    r"where|how|any|got any|will|would|am)\b"
)
"""How a question begins that is no order."""

ORDER = (
    r"\b(?:can|could|would|will|cld|may|might)\s+(?:you|we|i|ya|someone|somebody|they|she|"
    r"he)\s+(?:please\s+|pls\s+|just\s+|kindly\s+|also\s+)*"
    r"(?!be\b|have\b)\w+|\bis it (?:ok|okay|poss?i?b+le|alright|too late) (?:to|if)\b|\bany (?:chance|"
    r"way)\b|\bdo you mind\b|"
    r"^\W*(?:\w+\W+){0,2}(?:can|could)\s+(?!you\b|i\b|we\b)[\w'’][^,.;?]{1,60}?\s+(?:please\s+)?(?:come|"
    r"start|move|have|go|bring|do|"
    r"shift|switch|swap|arrive)\b|"
    r"^\W*(?:\w+\W+){0,3}(?:can|could|may|might|would)\s+.{2,80}?\s(?:be|get)\s+(?:\w+ed|put|brought|made|set|taken|"
    r"cut|"
    r"given)\b|\bwould you mind\b|\bhow about\b|\bwill you\s*\??$"
)
"""An order in the shape of a question."""

DROP = (
    r"\b(?:scrap|forget(?: about)?|ignore|disregard|drop|skip|leave out|leave off|lose|remove|without|"
    r"never ?mind(?: about)?|don'?t (?:change|touch|do|move|bother (?:with|about)|worry about)|ditch|bin|no|not|cancel|"
    r"take (?:out|off)|leave)\b"
)
"""Leaves a part of a plan out, with the part behind it."""
ONLY = r"\b(?:only|just(?: do| change| the| keep)?)\b"
"""Leaves all else out."""
PARTS = {
    "time": r"time|hour|start|later start|earlier start|new time",
    "day": r"day|date",
    "move": r"move|moving|reschedul\w+|shift|(?:the )?later start|change of (?:day|time|date)",
    "count": r"number|numbers|count|guest count|head ?count|guests|kids|people|how many|extra kids|"
    r"number of \w+|the \d+ kids",
    "email": r"e-?mail(?: address)?",
    "phone": r"phone(?: number)?|mobile(?: number)?",
    "name": r"name|surname",
    "note": r"notes?|comment|remark",
    "cancel": r"cancellation|cancel(?:ling)?",
}
"""What the parts of a plan are called."""
WRONG_ONE = (
    r"\bwrong (?:ref\w*|number|booking number|id|booking|one|party|person|customer|guest|family)\b|"
    r"\bnot that (?:one|booking)\b"
)
MEANT = (
    r"\b(?:i )?(?:meant?|ment)\b|^\W*(?:it['’]?s|that['’]?s)\b.*\bi (?:want\w*|need\w*|mean\w*)\b|^\W*(?:it |that |"
    r"this )?should(?:['’]?ve| have)? be(?:en)?\b|"
    r"\bmy (?:bad|mistake)\b|\bwrong (?:booking|one|party|person|customer|"
    r"guest|family)\b|\bnot that (?:one|booking)\b"
)
"""That another booking was meant than the one that was taken."""
DENY = r"^\W*(?:(?:oh|ah|wait|sorry|actually|oops|hang on|hmm|um)\W+)*(?:no|nah|nope|not that)\b"
CORRECTS = r"^\W*(?:no|nah|nope|wait|sorry|soz|actually|oops|hang on|hold on|my mistake|my bad)\b"
ADDS = r"^\W*(?:ok\W+|yes\W+|and\b|also\b|plus\b)|\b(?:also|as well|too)\b"
ENDS = r"\b(?:ends?|ending|finish(?:es|ing)?) (?:in|with)\b|\blast (?:digits|three|two|four|ones) (?:are|is)\b"
WHO = (
    r"\bwho(?:'?s|s| is| are| have| has)?\b.*\b(?:com\w*|in|on|booked|got|have|visit\w*|there|today)\b|"
    r"\bwho\b|\b(?:anyone|anybody)\b.*\b(?:in|on|coming|booked|due)\b|\b(?:what|which|how many|list|show|"
    r"any)\b.*\b(?:bookings|parties|birthdays|groups)\b|"
    r"\bwhat(?:'?s| is| have we got| do we have) (?:on|booked|happening|going on)\b"
)
UNDOES = r"\bundo\b|\bput (?:it|that|them) ba\w*k?\b|\b(?:how|as|like) (?:it|they) (?:was|were)\b"
"""Takes something back, in words that are no short reply."""
SAME_FOR = (
    r"\b(?:the )?same (?:again |thing |change )?(?:for|with|to|goes for)\b|\b(?:ditto|likewise)\b(?: for\b)?|"
    r"\bdo (?:that|the same) (?:for|to|with)\b"
)
"""Asks for another booking what was asked for one."""
IN_THERE = (
    r"\b(?:to|for|at) then\b|\b(?:in|into|at|to|for) (?:there|that (?:slot|spot|one|space)|that day and (?:time|"
    r"hour)|that date and time)\b|"
    r"\b(?:put|move|stick|pop|slot|bring|shift|squeeze)\b.*\bthere\b"
)
"""Puts a booking where what was asked about before is."""
IN_THAT_WAY = r"\b(?:that|the same) (?:time|hour|slot)\b|\bthen\b$"

CONNECT = r"\b(?:and|then|also|plus|but|so|while)\b|&"
"""What may join two requests, beside stops."""
BECAUSE = r"\b(?:because|cos|coz|cause|since|as (?:she|he|they)|who|whose)\b"
"""From here to the next stop, reasons."""
NEGATES = (
    r"\b(?:can|may|might|could)\s*$|\b(?:don'?t|do not|not|never|no need to|won'?t|can'?t|cannot|"
    r"shouldn'?t|didn'?t|doesn'?t|isn'?t|without|rather than|instead of)(?:\s+\w+){0,2}\s*$"
)
"""In front of a verb: not that."""
AT = r"(?:\bat|@|\bstart(?:s|ing)?|\bby|\baround|\bfrom|\bin at|\bcome|\block in|\bdo)\s*$"
"""In front of a bare number: an hour."""
OF = r"(?:\bon|\bof|\bat|\bfrom|\bfor)(?:\s+the)?\s*$"
"""In front of a day or an hour behind a booking: which one it is."""
LOSES = (
    r"\b(?:los\w+|loos\w+|drop\w*|minus|remov\w+|cancel\w*|take off|cut|fewer|less|down .{0,30}by|"
    r"(?:reduc|decreas)\w+ .{0,30}by)\s*$"
)
GAINS = r"\b(?:gain\w*|add\w*|increas\w+ .{0,30}by|up .{0,30}by|another|extra|plus)\s*$"
"""In front of a number: so many fewer, or more."""
HEADS = (
    r"(?:\bdown (?:as|for)|\bnow(?: at| up to)?|\bbringing|\bonly bringing|\bgot|\bonly|\bmake (?:it|that|"
    r"them)(?: an?)?|\bdown to|"
    r"\bup to)\s*$"
)
"""In front of a bare number: how many they are."""
RESIZED_TO = (
    r"\b(?:down|up|grow\w*|grew|shr[aiu]nk\w*|swell\w*|swollen|dropp\w+|fall\w*|fell|ris\w+|rose|cut|reduc\w+|"
    r"increas\w+|"
    r"expand\w*) to\s*$"
)
"""In front of the heads that a group has come to."""
COMES_AT = frozenset({"day", "time"})
"""What of a day and an hour it must give to be a wish."""
OLD_BEFORE = r"\b(?:old|previous|former|outdated|not)\b[^,;.]*$"
"""In front of a contact detail that is no longer one."""
COMES = r"\b(?:will (?:now )?(?:come|be coming|arrive)|(?:is|are) now coming)\b"
"""Words on a guest's arrival, which are a request if they give a day and an hour."""
COPULA = (
    r"\bthere(?:['’]ll| will| are|['’]s| is)(?: only| just| now| be)*\s*\||\b(?:is|are|['’]s|['’]re|will be|"
    r"theyll be|['’]ll be|"
    r"gonna be|s|re)\b(?: now| only| just| actually)?\s*\||\|(?:there(?:['’]ll| will| are)|"
    r"(?:they|we)['’]?(?:re|ll)|its)\b"
)
"""Between a booking and its heads."""
BARE_CANCEL = r"(?:please |ok |no |actually )*(?:cancel)(?: (?:it|that|this|please|instead))*"
ARTICLE = r"(?:\s+(?:the|that|this|her|his|their|a|any|new)\b)*\s*"
AS_IT_IS = r"\b(?:keep|leave)\b.*\b(?:as (?:it )?(?:is|was)|alone|unchanged|the same|where it is)\b|\bstays?\b"
"""Says of a part of a plan that it is left alone."""
CLITICS = frozenset("i he she they we you it who".split())
"""Words in front of a verb, where no name is possible."""
ON_THE = r"(?:\bon the|\bthe|\bof the)\s*$"
"""In front of a number: a day of the month."""
OFF = r"\b(?:(?<!kick )off|away from|except|after|before)\s*(?:the\s*)?$"
"""In front of a day or an hour: not then."""
MONEY = r"[0-9]\s?%|[$£€]\s?[0-9]|\b[0-9]+ (?:percent|per cent|dollars|pounds|quid|bucks|euros?)\b"
"""Of money, which is none of ours."""
CANCELS = (
    r"\b(?:take|remove|strike|wipe|get)\b.*\b(?:off|from|out of) (?:the|our) (?:calendar|system|books|"
    r"diary|schedule|list|board|sheet)\b"
)
"""Cancels in several words."""
INSTEAD_OF = r"\b(?:instead of|rather than|in place of)\s*(?:the\s*)?$"
"""In front of what gives way."""
TARGET = r"(?:\bto|\binto)\s*$"
"""In front of a value: it is where to go."""
GENERIC = frozenset(
    "party parties prty birthday bday session event visit function group lot do bash class family "
    "gathering celebration meeting crew team "
    "crowd lunch dinner mob get-together lesson lessons ride workshop tour".split()
)
"""What any booking may be called."""
BOTH = r"\b(?:both|each|all)\b"
"""Of several bookings at once."""
OR = r"\bor\b"
"""Between two values that may be meant."""
OWNER = "'s"
"""The ending of an owner."""
DRAWN = r"(?:'(?:ve|ll|re|d|m|s)|(?<=[a-z]{4})(?:ve|ll|re))$"
"""A verb that is drawn to the word in front: "they've", "theyve"."""
