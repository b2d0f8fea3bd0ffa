"""Italian words around days in plain letters, see `language.dates.relative_to_booking` and `recurrence`."""

# relative_to_booking
_DAY = r"(?P<day>lun|mar|mer|gio|ven|sab|dom)(?:edi|tedi|coledi|vedi|erdi|ato|enica)?\b"
_ENDS = r"(?=\s*(?:$|[,.;!?)]|(?:alle|all|per|stess[ao]|e|ma|invece|grazie|ore)\b))"
_THE = r"(?:il\s+|la\s+|al\s+|alla\s+)"
WEEKDAYS = tuple("lun mar mer gio ven sab dom".split())
FROM_BOOKING = (
    (rf"{_THE}?{_DAY}\s+(?:successiv[oa]|seguente){_ENDS}", 0, 1),
    (rf"{_THE}?{_DAY}\s+precedente{_ENDS}", 0, -1),
    (rf"{_THE}?{_DAY}\s+(?:della|la)\s+settimana\s+(?:dopo|successiva|seguente){_ENDS}", 1, 0),
    (rf"{_THE}{_DAY}\s+dopo{_ENDS}", 0, 1),
    (rf"{_THE}{_DAY}\s+prima{_ENDS}", 0, -1),
)
"""Patterns of weekdays that count from the booking's own (`day` is one of WEEKDAYS), with the `weeks` and the `step` of
their anchor."""

# recurrence
EVERY = r"ogni"
EVERY_OTHER = r"due"
AGAIN = (
    r"tutti\s+i\s+\w+|(?:una|due)\s+volt[ae]\s+(?:al|alla)\s+\w+|"
    r"settimanal[ei]|quindicinal[ei]|mensil[ei]|giornalier[oaie]|quotidian[oaie]|ricorrent[ei]"
)
