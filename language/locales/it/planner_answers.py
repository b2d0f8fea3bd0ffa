"""Italian words around what a question asks, see `offline_planner.answers.questions`, and around names that a look-up
decides on, see `offline_planner.answers.unknown_words`."""

TELL = r"(?:dir|indicar|ricordar|mostrar|confermar|far(?:mi)? sapere|verificar|controllar)\w*"
COURTESY = (
    r"(?:mi |ci |me lo )?(?:può|puo|puoi|potrebbe|potresti|sa|sai|saprebbe|sapresti|riesce a|riesci a) "
    r"(?:\w+ ){0,3}?(?:{tell})|(?:mi|ci) (?:dice|dici|ricorda|ricordi|indica|indichi)|(?:sa|sai)|"
    r"vorrei (?:sapere|chiedere)|volevo (?:sapere|chiedere)|avrei bisogno di sapere|dimmi|mi dica"
)
"""In front of a question; `{tell}` is `TELL` of every language."""
POLITELY = "per favore"
IF = "se"
"""Between a courtesy and its question."""
AT = "a|in|per|di|da|con|sotto"
ASKS = "che|chi|quale|quali|quando|dove|quant[aeio]|cosa"
"""What a question begins with, behind a preposition or without one."""
AND = "ma|e|allora"
"""Between the words to a person and a question."""
REASON = "che|perch[eé]|cos[iì]|siccome"
"""Gives a reason for a question."""
CLITIC = r"(?:^|[\s,])(?:(?:me|te|ce|ve|glie) ?)?(?:l[aoei]|ne|mi|ci|gli)\s+$|\bl['’]$"
"""In front of the verb of an order in the shape of a question: "me la sposti alle quattro?"."""
ASKED_OF_YOU = r"(?!(?:va|fa|sta|da|ha)$)\w+[ia]"
"""The verb of such an order."""
OPENS = "apr(?:e|ite|ono)|apert[oaie]|chius[oaie]|chiud(?:e|ete|ono)|orari"
DATED = "il|al|del"
"""In front of a bare number: a day of the month."""
NAMES = frozenset("per di del della dei degli dello".split())
"""In front of a name."""
JOINED = "e|ed"
TO = frozenset(("a", "in"))
"""Between a name and a value."""
