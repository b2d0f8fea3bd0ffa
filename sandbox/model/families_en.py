"""English synonyms by family; kinds as in `lexicon_en.py`. A misspelt word is never taken for one of them."""

WORDS = """
verb move: re-schedule|redate|re-date|retime|re-time|rejig|re-jig|re-book|reslot|re-slot|reassign|carry over|roll over|
    hold over|bring across|move across|move over|shift over|swing|flip|flick|juggle|pull|pull back|push on|push out|
    push over|push forward|kick on|bump along|bump out|scoot|drag|shuffle|reshuffle|re-arrange|reorganise|reorganize|
    reposition|redo|set back|knock on|stick back|move along|move round|swap round|change over|move it all|put back to|
    take back to|timeshift|migrate|displace
verb cancel: strike off|strike out|bin off|cancel out|erase|wipe|wipe off|wipe out|quash|revoke|rescind|annul|
    call time on|scratch|scrub|scrap off|chuck out|chop|drop out of|do away with|stand down|release|write off|pull out|
    pulling out|bail|backing out|back out|fallen through|fell through|falls through|called off|calling off|
    knock on the head|take off the system|take off the books|take off the calendar|take off the schedule|not proceeding|
    wont be going ahead|wont go ahead
verb change: tweak|revise|rework|adapt|overwrite|override|refresh|rectify|convert|turn it into|key in|type in|punch in|
    whack in|chuck in|re-enter|renew|reset|switch over|change over to|swap out|swap over|swap in|sub in|substitute|
    fill in|fix up|tidy up|plug in|put through|have it as|have them as|slap|bung|plonk|throw|chuck|whack|squeeze in|
    squeeze|get it to|get them to|bring it to|take it to|pop in|pop down|stick in|stick down
verb resize: go up|goes up|going up|gone up|come up|came up|creep up|crept up|swelled|swell|risen|boost|hike|boosted|
    top up|pad out|round up|round down|upsize|downsize|scale up|scale down|scale back|dial up|dial down|cut back|
    cut down|go down|goes down|going down|gone down|come down|came down|dropped to|dwindled|dip|shave|shave off|whittle|
    slash|pare|knock off|whack on|chuck on|tack on|throw on|tag on|stick on|pop on|put on|bump down|bump up|ramp up|
    amp up|beef up|thin|minus|plus up|trim down|trimmed
verb add: mention|flag|flag up|scribble|pencil|put a|put in a|leave a|drop a|chuck a|pop a|stick a|whack a|document|
    annotate|specify|state|register|make mention|highlight|capture|list that|put in writing|insert|put on record|file a|
    type up|tack
verb rename: re-name|retitle|relabel
topic phone: mobile no|mob no|ph no|ph number|phone num|tel no|tel number|handset|landline|contact no|best number|
    best contact number|new phone number|new mobile|new mob|callback number|daytime number|digits|phone nr
topic email: e mail|email addy|addy|mail addy|email id|email contact|inbox|e-mails
topic name: booking name|party name|customer name|client name|hostess|main contact|primary contact|lead
topic contact: contact person details|contact deets|deets|contact infos
topic count: littlies|little ones|kiddos|kiddies|kidlets|tots|youngsters|juniors|mates|peeps|folk|youths|guesties|
    bodies|bums on seats|diners|jumpies|jumper|headcounts|head number|numbers count|turnout|turn out|crew size|
    no of guests|no of kids|no of people|no of children|amount of guests|amount of kids|amount of people|total guests|
    total kids|total number|total headcount|grown ups|grown-ups|parents|final number|final numbers|confirmed number|
    confirmed numbers|latest numbers|kids number|guest number|guest numbers
topic time: kick-off|kickoff|start-time|timing|timings|slot time|timeslot|time slot
topic note: notation|message on|reminder note|memo note|special request|special requests|annotation
book: shindig|bash|get-together|get together|bday party|birthday bash|birthday do|lunch|dinner|brunch|tea party|
    play date|jump session|jump party|bouncing session|booking for|bkings|bkg no|confirmation|confirmation number
pron: those ones|that lot|this lot|the lot|yous|that customer|this customer|the customer|ours|someone|somebody|
    some lady|some guy
conj: and can you|and could you|and also please|and while you are there|while you are at it|while ur at it|then also|
    in addition|furthermore|moreover|and btw|plus can you|also can you|+|&|then finally|following that|
    at the same time also|oh also|oh and also|and make sure|after that
prep: over to|through to|out to|across to|round to|along to|onto the|towards|on behalf of
fill: see that|see to it that|see to it|ensure|ensure that|make certain|make sure that|please see that|im afraid|
    i am afraid|afraid|regrettably|if youre able|if you are able|if you would|if you dont mind please|when able|thank u|
    thanku|thankyou|thanks a lot|thanks so much|thanks heaps|thanks very much|tyvm|tysm|many thx|muchas|arrives|arrive|
    arriving|arrived|showing up|shows up|show up|turns up|rocking up|rock up|rocks up|heading in|come in|comes in|
    coming in|popping in|come along|comes along|rolls in|getting here|get here|gets here|it turns out|turns out|
    turned out|turns out that|ya|yas|u guys|youse|can ya|could ya|can we please|could we please|would you|
    would you mind|would you be able to|do you mind|mind|if u can|if u could|so sorry|sorry to be a pain|
    sorry to bother you|quick favour|quick favor|favour|favor|need to|needs to|need you to|i need you to|id like you to|
    id love to|id love|wed love|wed love to|has to|have to|has to be|have to be|having to|had to|ought to|ought to be|
    supposed to be|meant to be|is to be|are to be|is going to be|are going to be|will now|will now be|to now be|now be|
    now being|is actually|are actually|actually is|actually needs|actually wants|only able to|only do|only make|
    is only free|are only free|can only make|can only do|more suitable|convenient|would be easier|easier|would work|
    would work better|suits us|suits everyone|fancy|fancies|asks for|are asking for|is asking for|is after|are after|
    looking for|has asked for|have asked for|have asked to|has asked to|have requested|has requested|has decided on|
    has emailed|has called|has rung|has phoned|has messaged|has texted|got in touch|got in touch to|been in touch|
    has been in touch|in touch|just emailed|just messaged|just called|just phoned|just texted|just rang|rung up|rang up|
    rang in|called in|dropped by|popped in|came in|says that|say that|said that|let us know that|advises|advised that|
    tells us|told us that|tells me that|told me that|is saying|confirmed that|reports|by the customer|by the guest|
    by the parents|by the mum|by mum|by dad|the customer wants|grandma|grandad|nan|nanna|granny|grandpa|auntie|aunty|
    uncle|aunt|wife|husband|sister|brother|daughter|son|carer|guardian|daughters|sons|host mum|birthday girl|
    birthday boy|birthday girls|birthday boys|today please|reach|reach on|reach at|reach them on|reach her on|
    reach him on|best reached on|best reached at|to reach|is best|its now|it is now|its actually|it is actually|
    it should be|should now be|should read|should say|ought to read|should really be|needs changing|needs changing to|
    needs updating|needs updating to|needs fixing|needs correcting|needs amending|wants changing|changed his mind|
    changed her mind|changed their mind|changed their minds|changed my mind|has changed their mind|
    had a change of heart|change of heart|we now have|now have|there are now|there is now|now got|got now|weve now got|
    theyve now got|has now got|have now got|now has|ended up with|ending up with|to bring the|in full|in all now|
    exactly|precisely|to be exact|max capacity|on the dot|prompt|sharpish|pronto|quick smart|straight away please|
    no biggie|no drama|no dramas|no stress|too easy|sweet|sweet as|legend thanks|ripper|bloody|heaps|flat out|crikey|
    strewth|mate please|champ|hon|love please|darl|darling|boss|team please|guys|gang|all good|any way you can|
    any way we could|any way to|is there any way to|is there any way we can|is there any way you can|is there a way to|
    any chance to|chance of|can it be|could it be|id be grateful|grateful|would be appreciated|youre a star|star|
    lifesaver|you are a star|please and thank you|for the party|for the booking|for the kids|for the customer|as agreed|
    as planned|as mentioned|per phone call|per email|per the email|per the call|following a call|following their call|
    following an email|after a phone call|after speaking to|from the customer|on our books|on our end|on the books|
    on the sheet|on the run sheet|on the list|on the schedule|on the roster board|for later reference|
    for the team to see|please note|kindly note|note please|just to say|just to let you know|just so you know|
    letting you know|to let you know|wanted to let you know|just letting you know|quick heads up|one more thing|
    one last thing|last thing|another one|another thing|next up|ok so|okay so|alright so|so basically|long story short|
    thatd|thatll|thats all|that is all|dunno why|idk|imo|pretty please|cheers for this|cheers for now|a smidge|a touch|
    a tad|tad|wee|right away|right on|bang on|on the nose|on the day|of the day|time stays the same|
    the time stays the same|keep the time|keeping the time|keep the same time|keeping the same time|
    keep it at the same time|time unchanged|keep everything else|keep everything else the same|everything else as is|
    leave everything else|nothing else changes|same time as before|keep the time the same|keep the same day|
    same day as before|everything else stays as is|tho|though|whats changed|what has changed|whats new|upd8|
    drops them off|drops him off|drops her off|picks them up|picks him up|picks her up|drops off|called in sick|
    off the calendar|off the schedule|off the diary|off the board|make room for|find room for|make space for|
    find space for|agreed|agreed with|agreed on|agreed to
neg: hardly|barely|nor|neither|refuses|refuse|refused|declined|declines|hates|anything except|anything other than|
    not keen on|not happy with|unable to do|unable to make|would rather not|rather not|steer clear of|avoid|avoids|
    avoiding|leave it at|leave it as|leave as is|leave them at|leave it alone|dont touch|keep it at|keep them at|
    keep it as|keep|keeps|keeping|stays|stay|staying|remains|remain|unchanged|as is|not sure|unsure about|undecided|
    undecided about|tbc|tba|to be confirmed|to be decided|might be|possibly be|considering|thinking about|thinking of|
    toying with|up in the air|provisionally|tentatively|pencilled|waiting to hear|waiting on|once|until then|
    by any chance if|should they|should she|should he|in the event|on condition|no need|no need to|theres no need to|
    there is no need to|dont need to|doesnt need to|not necessary
other: bake|decorate|order in|fetch|grab me|google|search the web|look online|teach|calculate|compute|convert currency|
    solve|count to|spell|define|recommend|suggest|advise me|write me|write a|compose|draft|read me|sing me|wake me|
    set an alarm|set a timer|set a reminder|remind me|schedule a staff|roster on|clock in|clock out|hire a|sack|fire up|
    switch on|switch off|turn on|turn off|turn up the|turn down the|dim|brighten|unlock|lock up|mow|wash|scan|fax|ship|
    deliver|restart the|fix the wifi|top up the till|till|cash up|bank|invoice them|bill them|charge them|charge her|
    charge him|refund policy|opening hours|open today|close today|capital of|score|footy|football|cricket|match|lotto|
    lottery|horoscope|traffic|directions|bus|train|parking fine|shopping list|groceries|milk|napkins|balloons order|
    socks|grip socks|merch|merchandise|ice cream|slushie|slushies|fridge|oven|boiler|toilet|toilets|plumber|electrician|
    cleaner|cleaners|aircon|air con|air conditioning|fan|fans|tv|speaker|speakers|printer|computer|laptop|website|
    facebook post|google review|review|reviews|newsletter|flyer|poster|advert|marketing|wages|payroll|timesheet|
    timesheets|tax|vat|gst|accountant|insurance|bank transfer|loan|rent|landlord|fire drill|first aid kit|lost property|
    see you|see ya|see u|cya|my shift|i finish|i start|i work|rostered|great job|good job|well done|good luck|nice work|
    picked up|pick up|pickup|drop off|dropped off|be picked up|to be picked up
vague: somewhat|way|much|loads more|heaps more|a lot|lot more|tonnes|tons|plenty|another slot|a different time
neg gone: has bailed|have bailed|has backed out|no longer wants|no longer want|no longer needs|no longer need|
    doesnt want|dont want|doesnt need|dont need|changed their mind about|changed her mind about|changed his mind about
"""
