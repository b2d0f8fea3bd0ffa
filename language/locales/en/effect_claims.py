"""English: "I have moved it", "it was refunded", "Done!", "the party is now at 3pm"."""

import re

from language.replies.claim_grammar import Grammar, words

_DONE = words(
    "cancelled canceled moved rescheduled refunded changed updated added removed deleted rebooked saved processed"
    " issued applied shifted switched pushed brought bumped increased reduced raised lowered adjusted amended modified"
    " edited"
    " noted recorded completed finished sorted fixed credited reimbursed reversed undone restored transferred extended"
    " shortened swapped replaced registered emailed notified informed waived discounted dropped cleared logged"
    " submitted executed arranged created entered written attached upgraded downgraded returned voided wiped called_off"
    " scrapped taken_off taken_care_of accepted carried_out put_through put_in put_back set_up handled"
    " resolved postponed"
)
_SAID = words("booked confirmed set made put took sent told let_the gave popped left charged scheduled got")
_STATE = words("sent told set charged scheduled left made put")
_DOING = words(
    "cancelling canceling moving rescheduling refunding changing updating adding removing deleting processing issuing"
    " applying shifting switching pushing bringing bumping increasing reducing raising lowering adjusting editing"
)
_DO = words(
    "cancel move reschedule refund change update add remove delete process issue apply shift switch push bring bump"
    " increase reduce raise lower adjust edit book rebook make put set take swap replace drop send tell note"
)
_MANNER = words(
    "just now already also successfully then duly happily since all both hereby officially promptly only gone_ahead_and"
    " went_ahead_and quickly"
)
_THING = words("cancellation refund change update move booking reservation request payment note reschedule amendment")

_CERTAIN = rf"""
    (?<!if\ )(?<!once\ )(?<!when\ )(?<!until\ )(?<!unless\ )(?<!after\ )(?<!before\ )(?<!whether\ )
    \b(?:i|we)(?:'ve|\ have|'d|\ had)?(?:\ {_MANNER})*\ (?:{_DONE}|{_SAID})\b(?!\ (?:no|nothing|none)\b)
  | ^\W*(?:all\ |that's\ |that\ is\ |it's\ |it\ is\ |now\ |right,?\ |ok,?\ |okay,?\ |great,?\ |sure,?\ |perfect,?\ )*
    (?:done|sorted|taken\ care\ of|completed|finished|all\ set)\b(?!\ (?:by|in)\b)
  | \b(?:consider\ it|job|you're\ all|you\ are\ all|it's\ all|everything\ is|everything's)
    \ (?:done|set|sorted|in\ place)\b
  | \b(?:i\ am|i'm|we\ are|we're)(?:\ {_MANNER}|\ going\ ahead\ and)*\ {_DOING}\b
  | \band\ (?:i|we)\ (?:did|have\ done\ (?:so|it|that))\b
  | \b(?:system|service|assistant|team|roller)(?:\ has|\ have)?(?:\ {_MANNER})*\ {_DONE}\b
"""
_STATED = rf"""
    \b(?:has|have|had|'s|'ve)(?:\ {_MANNER})*\ been(?:\ {_MANNER})*\ (?:{_DONE}|{_STATE})\b
  | \b(?:is|are|was|were|'s|'re|got|gets)(?:\ being)?(?:\ (?!already){_MANNER})*\ {_DONE}\b
  | \b(?:i'll|i\ will|we'll|we\ will)(?:\ {_MANNER}|\ go\ ahead\ and)*\ {_DO}\b
  | ^\W*(?:successfully\ )?{_DONE}\b(?!\ \w+s\b)
  | ^\W*(?:(?!already)\w+\ ){{1,3}}(?:{_DONE}|{_SAID})(?:\ for\ you|\ as\ \w+|\ to\ .*|\ on\ .*)?[.!,]*$
  | (?:^|[,;:]\ )\W*{_THING}\ (?:has\ |have\ |is\ |was\ )?(?:been\ )?{_DONE}\b
  | \b{_THING}(?:\ \w+){{0,3}}\ (?:is|are|was|has|have)?\ ?(?:now\ )?
    (?:complete|gone\ through|went\ through|successful|on\ its\ way|in\ place)\b
  | \b(?:on\ (?:its|the)\ way\ back|no\ longer\ exists|is\ gone|are\ gone|as\ (?:you\ )?(?:requested|asked))\b
  | \bnow\ (?:starts?|begins?|shows?|has|have|reads?|includes?|runs|takes\ place|comes?)\b
  | \b(?:starts?|begins?|comes?|is|are)\ (?:at\ |on\ |for\ )[\w: ]+\ now\W*$
  | \b(?:is|are|it's|they're)\ now\ (?:at|on|for|in|under|with|confirmed|booked|scheduled|set|free|down)\b
  | \b(?:new|the\ new)\ (?:\w+\ ){{1,2}}(?:is|are)\ (?:saved|set|in|active|recorded)\b
"""
_UNSETTLED = r"""
    \b(?:not|no|never|nothing|cannot|can't|couldn't|won't|wouldn't|isn't|wasn't|hasn't|haven't|aren't|weren't|unable
    |if|once|when|until|till|unless|before|after|whether|should|would|could|may|might|must|can)\b
"""
_INNOCENT = r"""
    \b(?:i|we)(?:'ve|\ have)?\ (?:left\ (?:everything|it|that|things)\ (?:as|alone|unchanged)|made\ (?:sure|no))\b
  | \balready\ (?:been\ )?(?:paid|booked|cancelled|canceled|full)\ (?:by|on|since|,)
"""
_WISHES = rf"""
    \b(?:{_DO}|{_DOING}|{_DONE}|call\ off|get\ rid|no\ longer|instead|refunds?|cancellation|fix|correct|increase|scrap
    |rename|postpone|undo|swap|extend|shorten|need\ to|needs\ to|want|wants|please|kids\ now|guests\ now|bring
    |wipe|void)\b
"""


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.VERBOSE)


GRAMMAR = Grammar(*(_compiled(part) for part in (_CERTAIN, _STATED, _UNSETTLED, _INNOCENT, _WISHES)))

INVERTED = (
    r"(?:and |but |so )?(?:was|were|is|are|has|have|had|did|does|do|will|would|should|shall|can|could|may)"
    r"(?:n't)? (?:a|an|the|any|some|this|that|it|they|she|he|we|you|i|there|her|his|their|your|our|everything|"
    r"everyone|anything)\b"
)
"""An auxiliary in front of its subject."""
OF_THE_PAST = (
    r"(?:and |but |so )?(?:was|were|did|has|have|had)"
    r"(?!.*\b(?:know|knew|known|heard?|that|aware|remember\w*|told)\b)"
)
FRAGMENT_LEADS = "and|or|but|so|then|not|no|if so"
"""In front of a single word that asks nothing."""
