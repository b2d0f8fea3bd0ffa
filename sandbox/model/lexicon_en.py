"""English words of the offline planner. The kinds are those of `kinds.Kind`."""

WORDS = """
verb move: move|mv|mov|resch|rsch|moved|moving|reschedule|resched|rescheduled|rescheduling|shift|push|bring|postpone|
    delay|rearrange|transfer|relocate|switch|slide|defer|shunt|rebook|nudge|put off|knock back|kick back|bump back|
    bump forward|push back|put back|bring forward|pull forward|move up|move forward|move back
verb cancel: cancel|cancelled|canceled|cancelling|scrap|axe|call off|delete|bin|cxl|canx|void|get rid of|ditch|kill|nix|
    abandon|terminate|pull the plug on|call it off|cancellation|cancelation|cancellation of|cancellation for|withdraw|
    drop out|cncl|canc|cx|xcl|kancel
verb change: change|chg|changed|changing|update|updating|upd|set|make|edit|modify|amend|swap|replace|correct|fix|adjust|
    alter|put|turn into|amended|making|give|use|enter|input|save|mark|have down|put down|mark down
verb resize: drop|bump|increase|reduce|decrease|raise|lower|cut|up|expand|shrink|trim|lift|remove|take|lose|double|
    triple|halve|scale|grow|shrank|slim|knock|knock down|bring down|take down|get down|lost|took|gained|went up|
    went down|up the|bring up to|enlarge
verb add: add|adding|write|jot|jot down|attach|leave|record|log|include|append|pop|stick|write down|note down|write up
verb rename: rename|renamed
verb look: find|look up|locate|pull up|look for|search for|bring up
topic phone: phone|mobile|cell|telephone|tel|cellphone|phone number|mobile number|contact number|phone no|ph|
    telephone number|cell number|mob|mobile phone|new number|phone numbers|cell phone
topic email: email|e-mail|mail|email address|e-mail address|mail address|emails
topic name: name|names|contact name|guest name|full name|contact person|booker|lead name|organiser|organizer
topic last_name: surname|last name|family name
topic first_name: first name|given name|forename
topic contact: contact|contacts|contact details|details|contact info|contact detail|info
topic count: people|person|ppl|pax|guests|guest|kids|kid|children|child|adults|adult|players|covers|heads|attendees|
    participants|visitors|jumpers|friends|headcount|head count|guest count|party size|group size|numbers|
    number of guests|number of kids|number of people|number of children|count|size|total|attendance|seats|students|
    pupils|boys|girls|toddlers|teens|the number of guests
topic date: date|day|dates|days
topic time: time|start time|start|times|starting time|hour|arrival time
topic when: schedule
topic note: note|notes|comment|comments|remark|memo
book: booking|party|reservation|birthday|bday|event|session|appointment|meeting|visit|celebration|function|bkg|rsv|
    birthday party|resa|bking|booking number|booking reference|reservation number|booking ref|booking id|ref|reference|
    booking no|reservation no|gathering|playdate|lot|group|bookings under|slot|table|call|catch up|family|fam|clan|crew|
    crowd|resv|rsvn|res|reserv|bk|bkng|prty|hens|hen do|hens party
book many: bookings|parties|reservations|birthdays|events|sessions|appointments|meetings|everyone|everybody|everything|
    anyone|all bookings
pron: it|that|them|their|they|him|she|he|its|theirs|hers|that one|this one|same booking|the same booking|this|
    these guys|theyre|itll|itd|the same one|that booking|this booking|thats|theyve|his|her
conj: and|then|plus|also|as well as|as well|too|n|and also|and then|oh and|and please|along with|together with|
    on top of that|while youre at it|additionally|plus also|and finally|finally|lastly
prep: to|for|of|under|on|at|in|from|with|by|as|into|onto|until|4|called|named|belonging to|2|about|in the name of|
    under the name of|under the name|against|regarding|re|concerning|per booking|via|through
det: the|my|our|your|these|those|our own
det a: a|an|another
neg gone: wont be coming|isnt coming|arent coming|not coming|cant make it|cant come|cannot make it|cannot come|
    cant make|cannot make|cant do|cannot do|can not do|can no longer make it|can no longer make|can no longer come|
    can no longer do|no longer coming|wont make it|couldnt make it|isnt free|arent free|doesnt suit|does not suit|
    doesnt work|does not work|isnt going ahead|not going ahead|no longer going ahead|isnt happening|not happening|
    pulled out|backed out|dropped out|no longer works|no longer suits|no longer needed|not needed|no good
neg: not|dont|do not|never|without|except|isnt|wont|cant|cannot|unless|if|or|maybe|perhaps|only if|unsure|no longer|
    shouldnt|didnt|doesnt|arent|instead of|rather than|otherwise|whichever|whatever|either|no|but not|undo|
    hypothetically|might|whether|depending|except for|apart from|in case|as long as|provided|provided that|only when|
    assuming|suppose|supposing|what if|wouldnt|couldnt|hasnt|havent|wasnt|werent|nothing|none|nobody|hold off|
    wait until|pending|anything but|any day but|any time but|anytime but|all but|at the latest|at the earliest|earliest|
    latest|or later|or earlier|including|incl|inc|included|of which|of whom
asking: what|whats|who|when|where|why|which|how|how many|how much|whos|whens|wheres|is there|are there|do we|are we|
    whose|is the|is it|am i|should i|shall i|should we|shall we|do i need|do we need|do i have to|do you know|does it|
    did they|did she|did he|is anyone|is anybody|have they|have we|how come
other: order|send|tell|play|turn|create|print|pay|charge|invoice|buy|remind|open|close|show|list|email me|text|ring|
    sing|sell|hire|clean|explain|translate|schedule a|book|reserve|split|merge|duplicate|copy|check in|approve|fire|
    upgrade|quote|refund|reimburse|credit|waive|discount|invite|share|delete all|describe|summarise|summarize|ask|
    notify|message|call them|phone them|collect|draw|cook|alarm|reminder|timer|receipt|voucher|gift card|waiver|waivers|
    music|lights|lamp|heating|refunds|playlist|weather|joke|poem|recipe|email back|reply|forward the|take payment|
    take a payment|take the payment|process payment|process a payment|payment|set up|clean up|tidy|prepare|new booking|
    new party|new reservation|make a booking|make a reservation|make a new|create a|add a booking|add a party|book in|
    transfer the deposit|deposit|balance|bill|photo|photos|menu|staff|roster|shift for|shifts|lunch for|password|wifi|
    parking spot|report|stats|statistics|revenue|takings|spreadsheet|export|download|upload|log in|login|log out|
    sign in|sign out|restart|reboot|hoover|vacuum|mop|order more|restock|supplier|delivery|taxi|uber|flight|hotel|movie|
    coffee|package|packages|paid|unpaid|stock|inventory|gratis|complimentary|place an order|manager|confirm|confirming|
    room|rooms|trampoline|foam pit|summary|post|instagram|facebook|tweet|news|kettle
vague: late|early|big|small|bigger|smaller|larger|longer|shorter|more|fewer|less|later|earlier|different|sooner|extra|
    some|few|several|couple|soon|later on|sometime|another time|another day|lots|loads|all|both all|every|any|other|
    better
place first: first|1st|first one|top one
place second: second|2nd|second one|2nd one
place third: third|3rd|third one|3rd one
place fourth: fourth|4th|fourth one
place fifth: fifth|5th|fifth one
place last: last|last one|bottom one|final one
means: refund recorded
title: mr|mrs|ms|miss|dr|mister|prof|sir|madam
fill: has|does|did|were|u|r|ur|grown|grew|growing|shrunk|please|pls|plz|thanks|thank you|thx|ty|tks|tx|many thanks|ta|
    cheers|hi|hello|hey|hiya|good morning|good afternoon|can|could|would|will|you|i|we|us|me|need|needs|needed|want|
    wants|wanted|would like|like|id like|id|lets|let|just|now|instead|again|back|forward|down|go|going|come|comes|
    coming|over|so|actually|should|shall|be|is|are|was|been|being|have|having|has a|had|has an|has got|has got a|
    has a new|get|gets|got|weve|weve got|theres|there are|there is|there will be|there|new|wrong|incorrect|right|ok|
    okay|yes|sure|kindly|quick|quickly|same|the same|same time|the same time|at the same time|same day|the same day|
    other than that|well|um|oh|er|right then|correct number|both|together|in total|altogether|in all|out|off|says|said|
    saying|to say|called up|rang|asked|asking for|would prefer|prefers|prefer|able|possible|is it possible to|possibly|
    when you can|want it|up to|down to|number|one|how about|what about|hows|make sure|go ahead|customer|client|mum|dad|
    mom|parent|which is|will be|well be|ill|im|ive|youre|must|please can you|can you please|could you please|
    are we able to|do me a favour|is now|are now|now on|goes|only|still|whole|entire|current|existing|old|previous|
    following|read|reads|bit|little|say|instead please|asap|dear|team|attending|expected|expecting|expect|turning up|
    work|works|suits|better for|happy|keen|hoping|hope|trying|try|help|happen|happens|begin|begins|place|holder|owner|
    guy|lady|ending|kids party|needs to be|needs to go|of them|of us|note that|but|rather|would rather|anymore|any more|
    from now on|going forward|from here on|spelled|spelt|booked|made|really|mentioned|told me|told us|tells me|
    let me know|let us know|messaged|emailed|texted|phoned|rung|wrote|informed|advised|requested|requests|requesting|
    enquired|decided|apparently|unfortunately|sadly|sorry|oops|btw|by the way|fyi|heads up|gday|howdy|mate|folks|
    if possible|if poss|if you can|if you could|if thats ok|if that is ok|if thats okay|if that works|if thats possible|
    if thats alright|asked if|asks if|asking if|wondering if|wonder if|wants to know if|want to know if|asked whether|
    wondering whether|is it ok to|is it okay to|is it alright to|is it fine to|is it ok if|would it be possible to|
    would it be ok to|any chance of|any chance you could|any chance you can|any chance we can|any chance we could|
    do you think you could|turn up|start from|starting|starts|group of|party of|a party of|looking at|at the moment|
    right now|as of now|for now|basically|honestly|in fact|otherwise same|rest same|wanting|the rest stays the same|
    everything else the same|everything else stays the same|rest stays the same|all else the same|rest the same|
    quick change|quick one|change of plan|change of plans|slight change|small change|an update|update on|correction|
    correction for|amendment|amendment for|amendment to|gonna|wanna|gotta|shes asked|hes asked|theyve asked|could i|
    can i|to be|went|comin|plz can you|mums|dads|hun|cheers mate|legend|much appreciated|appreciated|if you dont mind|
    if its not too much trouble|no worries|perfect|great|as discussed|as requested|per their request|as per|per|final|
    definite|definitive|exact|confirmed|updated|revised|preferred|confirms|wait|hang on|hold on|scratch that|mean|meant|
    i mean|they'd|hed|youd|itd like|wed like|wed like to|we would like|theyd like|theyd like to|shed like|shed like to|
    hed like|hed like to|wont be a problem|reckon|reckons|think|thinks|i think|we think|believe|heard from|heard back|
    spoke to|spoke with|just spoke to|got a call from|had a call from|got an email from|had an email from|
    got a text from|wish|wishes|plan|plans|planning|intends|chosen|chose|picked|opted|settled on|ended up|ends up|
    end up|accommodate|cater for|fit|registered|signed up|totals|comes to|from the system|from the calendar|
    from the diary|off the books|in the system|on the system|on file|in the diary|on the calendar|in the calendar|
    on our system|from our system|for us|for me|on this one|with this|when you get a chance|when you get a sec|
    when you have a moment|when you have a minute|when you get a minute|if you get a chance|at your convenience|
    as soon as you can|shes|hes|theyll|youll|well now be|lovely|awesome|brilliant|cool|yes please|yeah|yep|nah|alright|
    righto|rightio|hmm|ah|ahh|err|sigh|lol|tia|xx|x|kk|cheers for that|would suit|suits them|suits her|suits him|
    suits better|works better|works best|works for them|is better|that works|so that|in order to|altogether now|
    as a total|all up|all in|only now|all told|to start at|to start|start at|starting at|to begin at|kick off|kicks off|
    kicking off|kick off at|to come|to arrive at|slot in|slotted in|pencil in|pencilled in|lock in|locked in|lock it in|
    locked in for|booked in|was booked|at present|booked for|booked in for|whos booked|who is booked|thats booked|
    looks like|it looks like|seems like|it seems|spelling|spelling of|the spelling of|reached|reachable|contactable|
    can now be reached at|can be reached at|now be reached at|do|love|loves|would love|would love to|
    there has been a change|theres been a change|change of numbers|would be great|would be good|would be better|
    arranged|arrange|sort|sort out|sorted|can do|able to do|manage|has been|joining|join|joins|joined|on the phone|
    on the line|by phone|via phone|by email|via email|on the other line|over the phone
neg was: originally|originally at|originally for|was for|was at|was on|was going to be|was meant to be|currently on|
    currently at|currently for|currently booked for|currently|is booked for|are booked for|is booked in for|
    is currently at|is currently|is currently booked for|was originally|was booked for|was originally booked for|
    used to be|is down for|are down for|is set for|was set for|is scheduled for|was scheduled for
"""
