"""English phrases of short replies and the words beside them, see `language.replies.phrases` and
`language.replies.qualifiers`: without apostrophes, accents and capitals."""

PHRASES = {
    "yes": """
        yes|y|yep|yeah|yup|yas|yess|yis|ye|yeh|ya|yea|aye|yes sir|yessir|affirmative|roger|roger that|righto|
        righty o|sure|sure thing|certainly|indeed|agreed|by all means|absolutely|definitely|totally|of course|
        for sure|very well|fair enough|do both|both|yes to both|lock it in|lock that in|lock in|lock them in|
        send it|ship it|make it so|put it on|put it in|put it through|put that through|book it in|run it|confirmed|
        approve|approved|approve it|correct|thats it|that is it|thats the one|that is the one|spot on|exactly|
        good to go|all set|all in order|thats all in order|hell yes|heck yes|you bet|you beauty|too right|
        damn right|im happy with that|happy with that|im happy with it|i am happy with that|happy with it|
        fine by me|fine with me|works for me|that works|suits me|suits us|that suits|that will do|thatll do|
        that will do nicely|thatll do nicely|that does it|all good|all gd|all g|all correct|with pleasure|
        my pleasure|i agree|i approve|we agree|perfect|save|save it""",
    "go": """
        go ahead and|do it|do that|do so|please do|please do so|please do that|do that please|do them|go ahead|
        go right ahead|go for it|go on|go on then|go ahead then|carry on|crack on|press on|drive on|on you go|
        away you go|have at it|knock yourself out|full steam ahead|get on with it|get it done|get that done|
        make it happen|lets do it|lets do that|lets go|confirm|confirm it|confirm that|confirm them|i confirm|
        i confirm it|we confirm|confirm plan|confirm the plan|proceed|please proceed|you may proceed|
        you can proceed""",
    "weak": """
        ok|okay|okey|oki|okie|okok|k|kk|okk|right|great|fine|thats fine|good|cool|nice|lovely|sweet|awesome|
        brilliant|brill|grand|deadly|ace|fab|fabulous|fantastic|excellent|splendid|marvellous|marvelous|wonderful|
        superb|terrific|delightful|ideal|smashing|magic|super|beauty|ripper|go|goodo""",
    "no": "no|n|nope|nah|na|dont|do not|not now|not yet",
    "drop": """
        dont do it|do not do it|dont do that|dont do anything|do not do anything|do nothing|dont bother|dont worry|
        dont worry about it|no need|never mind|nevermind|nvm|forget it|forget that|forget about it|forget i asked|
        forget i said anything|forget the whole thing|ignore it|ignore that|disregard it|disregard that|strike that|
        scratch that|scrap it|scrap that|scrap the plan|scrap the lot|discard|
        discard it|discard plan|discard the plan|drop it|drop that|drop the plan|leave it|leave it alone|
        leave it be|leave it so|leave it then|leave it for now|leave it there|leave it at that|keep it|ditch it|
        ditch that|bin that|actually no|changed my mind|i changed my mind|ive changed my mind|
        i have changed my mind|on second thoughts no|dont touch it|do not touch it|dont touch anything|
        do not touch anything|dont touch a thing|touch nothing|dont change it|do not change it|dont change anything|
        do not change anything|change nothing|dont save it|do not save it|dont confirm|do not confirm|dont go ahead|
        do not go ahead|dont proceed|do not proceed|hold off|hold off on that""",
    "stop": "stop|stop it|stop that|stop there|abort|abort it",
    "wait": """
        wait|wait a sec|wait a minute|wait a moment|wait up|hold on|hold on a sec|hold on a minute|hang on|
        hang on a sec|hang on a minute|hold up|hold the phone|one sec|one second|one moment|one minute|just a sec|
        just a moment|just a minute|give me a sec|give me a moment""",
    "undo": """
        undo|undo everything|undo all of it|undo what you did|undo it all|reverse it|reverse that|revert|revert it|
        revert that|roll it back|roll that back|roll back|rollback|take that back|take it back|put it back|
        put that back|put them back|put everything back|put it all back|put it right back|change it back|
        change that back|switch it back|move it back|set it back|go back to how it was|it should be undone|
        that should be undone|i want it undone|i want that undone|back to how it was|back to the way it was|
        how it was|how it was before|the way it was|the way it was before|as it was|as it was before|as they were|
        to how it was""",
    "cancel": "cancel|cancel it|cancel that|cancel this|cancel that one|cancel the lot",
    "order": """
        do it again|send it again|do that again|correct it|correct this|right it|fix it|fix that|can you confirm|
        could you confirm|can u confirm|could u confirm|would you confirm|will you confirm""",
    "retry": "try again|try it again|try that again|retry|have another go|give it another go|one more time",
    "polite": """
        omg|gosh|argh|ugh|blimey|sry|please|pls|plz|thanks|thank you|thank you very much|many thanks|with thanks|
        with many thanks|thankyou|thx|ty|ta|tks|cheers|mate|love|sorry|soz|oops|whoops|my bad|my mistake|my apologies|
        thats on me|kindly|thank you kindly|if you please|if you would|if you would be so kind|my good man|dear|
        no worries|no problem|no probs|boss|chief|bro|sis|darling|darl|hun|hon|sweetie|babe|pal|buddy|bud|champ|
        gorgeous|star|angel|guys|folks""",
    "filler": """
        can you|could you|can u|could u|would you|will you|can we|could we|that|thats|this|it|its|them|them all|all|so|
        just|now|then|oh|ah|ahh|well|hmm|um|uh|actually|the|and|with that|with it|to that|to it|on|one|ones|for real|
        sick|legend|my end|from me|again|too|everything|all of it|all of that|all of them|both of them|both of those|
        both of these|both changes|both the changes|the change|the changes|those changes|these changes|
        with the change|with the changes|for now|plan|the plan|the booking|no changes|no other changes|
        no more changes|nothing else|nothing more|thats all|that is all|thats everything|that is everything""",
}
PATTERNS = {
    "no_cancel": (
        ("dont|do not|please dont|no dont", "cancel", "it|that|this|them|anything|the booking"),
        ("dont|do not", "cancel"),
    ),
    "no_move": (("dont|do not", "move|shift|reschedule|push", "it|that|this|them|anything|the booking"),),
    "polite": (("thank you|thanks", "so much|a lot|a million|a bunch|heaps|very much|tons|again"),),
    "yes": (
        (
            "that|it|this|everything|all|both|both of those",
            "is|are|looks|look|sounds|sound|seems",
            "right|correct|fine|good|great|perfect|ok|okay|lovely|grand|brilliant|excellent|ideal|wonderful|fab",
        ),
        (
            "thats|its|everythings|theyre|looks|sounds|looking",
            "right|correct|good|great|perfect|lovely|grand|brilliant|excellent|ideal|wonderful|fab",
        ),
    ),
    "go": (("fire|work|type|plough|blaze|steam|bash|hammer", "away|ahead"),),
    "drop": (
        (
            "scrap|drop|discard|forget|forget about|ditch|bin|dump|scratch|never mind|dont worry about|"
            "do not worry about|leave|skip",
            "that one|this one|all that|the plan|the lot|the whole thing|all of it|the change|the changes|"
            "that change|those changes",
        ),
        (
            "forget|ignore|disregard|scrap|scratch|strike|never mind|forget about",
            "what i said|what i just said|what i asked|what i wrote|everything i said|my last message|the last message",
        ),
        (
            "leave it|leave that|leave everything|leave things|leave them|keep it|keep that|keep everything|"
            "keep things|let it stay|it stays|it can stay",
            "as is|as it is|as it was|as they are|as they were|how it is|how it was|how they were|the way it is|"
            "the way it was|where it is|where it was|alone|unchanged|untouched|put|the same|just as it is",
        ),
    ),
    "undo": (
        (
            "undo|revert|reverse|take back|roll back|unwind",
            "it|that|this|the|that last|the last|my last|your last|this last|last",
            "change|changes|chg|chgs|one|edit|update|move|bit",
        ),
        ("undo|revert|reverse", "it|that|this|them|these|those"),
        (
            "it|that|this|the change|that change|the last change",
            "should be|must be|has to be|needs to be|can be|ought to be",
            "undone|reversed|reverted|taken back",
        ),
        (
            "put it|put that|put this|put them|put everything|put things|change it|change that|set it|switch it|"
            "move it|bring it|take it",
            "back as|back to|back|to",
            "it was|it was before|how it was|how it was before|the way it was|how they were|as it was|"
            "as it was before|what it was|what it was before|where it was|where it was before",
        ),
    ),
}
"""Rows of a pattern follow each other; "thats" and "looks" need no second row."""
SOFTENED = {"please": ("do not ", "dont ")}
"""Words that may stand in front of the phrases with these beginnings."""
THE_BOOKING = ("the booking",)
"""Phrases that, behind a cancel, name what is cancelled."""
KEEPS = ("keep",)
"""Beginnings of phrases that drop a change because something is to be kept."""

DEGREES = "very quite really perfectly pretty totally entirely completely truly jolly absolutely most".split()
BARS = (
    "not no never without but except wait first unless if before after until till once instead other others "
    "another wrong mistake when while though although however still yet than same different next besides "
    "otherwise later earlier second third last alternatively rather half more less fewer she he they her him his "
    "hers their theirs whether or maybe perhaps said says told asked ditto likewise almost nearly partly apart "
    "cept cos because since differently await need".split()
)
JOINS = "and plus also too with only just as again n".split()
JOINS_BEFORE_A_NAME = ("with",)
"""Of these, words that may join a name to a yes."""
TOWARDS = "to by past for on in at of from into".split()
GLUE = (
    "i im u you we me us my your our to of in for at with is are am be been a an the that those these so "
    "all there here will would".split()
)
PASSES_ON = "by past to into".split()
US = "me us".split()
"""Persons who may see the plan: to pass it on to them is nothing more than a yes."""
POINTS = "the that this".split()
UNFINISHED = "also plus and".split()
