"""English words of the offline planner. The kinds are those of `kinds.Kind`."""

WORDS = {
    "verb move": (
        "move|mv|mov|resch|rsch|moved|moving|reschedule|resched|rescheduled|rescheduling|shift|push|bring|postpone|delay|"
        "rearrange|transfer|relocate|switch|slide|defer|shunt|bump back|bump forward|push back|put back|"
        "bring forward|pull forward|move up|move forward|move back"
    ),
    "verb cancel": "cancel|cancelled|canceled|cancelling|scrap|axe|call off|delete|bin|cxl|canx|void",
    "verb change": (
        "change|chg|changed|changing|update|updated|updating|upd|set|make|edit|modify|amend|swap|replace|"
        "correct|fix|adjust|alter|put|turn into|amended|making|give"
    ),
    "verb resize": (
        "drop|bump|increase|reduce|decrease|raise|lower|cut|up|expand|shrink|trim|lift|remove|take|lose|"
        "double|triple|halve"
    ),
    "verb add": (
        "add|adding|write|jot|jot down|attach|leave|record|log|include|append|pop|stick|write down|note down|write up"
    ),
    "verb rename": "rename|renamed",
    "verb look": "find|look up|locate|pull up|look for|search for|bring up",
    "topic phone": (
        "phone|mobile|cell|telephone|tel|cellphone|phone number|mobile number|contact number|phone no|ph|"
        "telephone number|cell number|mob|mobile phone|new number|phone numbers|cell phone"
    ),
    "topic email": "email|e-mail|mail|email address|e-mail address|mail address|emails",
    "topic name": "name|names|contact name|guest name|full name",
    "topic last_name": "surname|last name|family name",
    "topic first_name": "first name|given name|forename",
    "topic contact": "contact|contacts|contact details|details|contact info|contact detail|info",
    "topic count": (
        "people|person|ppl|pax|guests|guest|kids|kid|children|child|adults|adult|players|covers|heads|"
        "attendees|participants|visitors|jumpers|friends|headcount|head count|guest count|party size|"
        "group size|numbers|number of guests|number of kids|number of people|number of children|count|size|"
        "total|attendance|seats|students|pupils|boys|girls|toddlers|teens|the number of guests"
    ),
    "topic date": "date|day|dates|days",
    "topic time": "time|start time|start|times|starting time|hour|arrival time",
    "topic when": "schedule",
    "topic note": "note|notes|comment|comments|remark|memo",
    "book": (
        "booking|party|reservation|birthday|bday|event|session|appointment|meeting|visit|celebration|function|"
        "bkg|rsv|birthday party|resa|bking|booking number|booking reference|reservation number|booking ref|"
        "booking id|ref|reference|booking no|reservation no|gathering|playdate|lot|group|bookings under|slot|"
        "table|call|catch up"
    ),
    "book many": (
        "bookings|parties|reservations|birthdays|events|sessions|appointments|meetings|everyone|everybody|"
        "everything|anyone|all bookings"
    ),
    "pron": (
        "it|that|them|their|they|his|her|him|she|he|its|theirs|hers|that one|this one|same booking|"
        "the same booking|this|these guys|theyre|theyll|shes|hes|itll|itd|the same one|that booking|"
        "this booking|thats|theyve"
    ),
    "conj": "and|then|plus|also|as well as|as well|too|n",
    "prep": "to|for|of|under|on|at|in|from|with|by|as|into|onto|until|4|called|named|belonging to|2|about",
    "det": "the|my|our|your|these|those",
    "det a": "a|an|another",
    "neg": (
        "not|dont|do not|never|without|except|isnt|wont|cant|cannot|unless|if|or|maybe|perhaps|only if|unsure|"
        "no longer|shouldnt|didnt|doesnt|arent|instead of|rather than|otherwise|whichever|whatever|either|no|"
        "but not|undo|hypothetically|might|whether|depending"
    ),
    "asking": (
        "what|whats|who|when|where|why|which|how|how many|how much|whos|whens|wheres|is there|are there|do we|"
        "are we|whose|is the|is it|am i"
    ),
    "other": (
        "order|send|tell|play|turn|create|print|pay|charge|invoice|buy|remind|open|close|show|list|email me|"
        "text|ring|sing|sell|hire|clean|explain|translate|schedule a|book|reserve|split|merge|duplicate|copy|"
        "check in|approve|fire|upgrade|quote|refund|reimburse|credit|waive|discount|invite|share|"
        "delete all|describe|summarise|summarize|ask|notify|message|call them|phone them|collect|draw|cook"
    ),
    "vague": (
        "late|early|big|small|bigger|smaller|larger|longer|shorter|more|fewer|less|later|earlier|different|sooner|better|extra|"
        "some|few|several|couple|soon|later on|sometime|another time|another day|lots|loads|all|both all|"
        "every|any|other"
    ),
    "place first": "first|1st|first one|top one",
    "place second": "second|2nd|second one|2nd one",
    "place third": "third|3rd|third one|3rd one",
    "place fourth": "fourth|4th|fourth one",
    "place fifth": "fifth|5th|fifth one",
    "place last": "last|last one|bottom one|final one",
    "means": "refund recorded",
    "title": "mr|mrs|ms|miss|dr|mister|prof|sir|madam",
    "fill": (
        "has|does|did|were|u|r|ur|grown|grew|growing|shrunk|"
        "please|pls|plz|thanks|thank you|thx|ty|tks|tx|many thanks|"
        "ta|cheers|hi|hello|hey|hiya|good morning|good afternoon|can|could|"
        "would|will|you|i|we|us|me|need|needs|needed|want|wants|wanted|would like|like|id like|id|lets|let|"
        "just|now|instead|again|back|forward|down|go|going|come|comes|coming|over|so|actually|should|shall|be|"
        "is|are|was|been|being|have|having|has a|had|has an|has got|has got a|has a new|get|gets|got|weve|"
        "weve got|theres|there are|there is|there will be|there|new|wrong|incorrect|right|ok|okay|yes|sure|"
        "kindly|quick|quickly|same|the same|same time|the same time|at the same time|same day|the same day|"
        "other than that|well|um|oh|er|right then|correct number|both|together|in total|altogether|in all|out|"
        "off|through|says|said|saying|to say|called up|rang|asked|asking for|would prefer|prefers|prefer|do|"
        "able|possible|is it possible to|possibly|when you can|want it|up to|down to|number|one|how about|"
        "what about|hows|make sure|go ahead|customer|client|mum|dad|mom|parent|family|which is|will be|"
        "well be|ill|im|ive|youre|must|please can you|can you please|could you please|are we able to|"
        "do me a favour|is now|are now|now on|goes|only|still|whole|entire|current|existing|old|previous|"
        "latest|following|read|reads|bit|little|say|instead please|asap|dear|team|attending|expected|"
        "expecting|expect|turning up|work|works|suits|better for|happy|keen|hoping|hope|trying|try|help|"
        "happen|happens|begin|begins|place|holder|owner|guy|lady|contact person|ending|kids party|needs to be|"
        "needs to go|of them|of us|note that"
    ),
}
