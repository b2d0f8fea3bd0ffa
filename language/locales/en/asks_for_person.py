"""English words of a request for a person, see `language.replies.asks_for_person`."""

COURTESY = "please|pls|sorry|hi|hello|hey|ok|okay|no|well|look|thanks|thank you"
"""In front of the request."""
_SOMEBODY = (
    r"(?:(?:a|an|any|some|the|another|one of your|your)\s+)?(?:(?:real|actual|live|human|other|proper)\s+)*"
    r"(?:person|people|human|human being|humans|agent|operator|colleagues?|manager|representative|member of staff|"
    r"staff member|someone|somebody|anyone|anybody)(?:\s+(?:real|else|human|from (?:the )?(?:staff|team)))?"
)
ASKS = "|".join(
    (
        r"(?:(?:i(?:'d| would)? (?:like|love|prefer|want|need|wish)(?: to)?|i(?:'d| would) rather|i want|i need|can i|"
        r"could i|may i|let me|can you let me|i must|is it possible to|how can i|how do i)\s+)?"
        r"(?:(?:please\s+)?(?:speak|talk|chat)\s+(?:to|with)\s+)" + _SOMEBODY,
        r"(?:can you |could you |would you |please )*(?:get|give|fetch|find|call|bring|send)\s+(?:me\s+|us\s+)?"
        + _SOMEBODY,
        r"(?:can you |could you |would you |please )*(?:put|pass|connect|transfer|hand)\s+(?:me|us|this|it)\s+"
        r"(?:through |over )?(?:to|on to|with)\s+" + _SOMEBODY,
        r"(?:a|an|some)\s+(?:real |actual |live )?(?:human|person)(?: being)?",
        r"(?:have|let) "
        + _SOMEBODY
        + r" (?:answer|look at|take|handle|deal with|decide)(?: (?:this|it|that|me))?(?: on| over)?",
        r"ask " + _SOMEBODY + r" (?:else )?(?:to (?:answer|look at|take|decide|help)(?: (?:this|it|me|over))?)",
        r"(?:human|agent|operator|representative)",
    )
)
"""The whole request."""
ENDS = "please|pls|now|instead|thanks|thank you|about"
"""Where the request ends, and anything may follow."""
