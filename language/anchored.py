"""Weekdays that count from the booking's own day: "the following Friday", "the sat before", "il venerdì successivo"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta

from language.locales import get_locale
from language.plain import plain
from language.resolution import Span

_WEEK = 7
_DAYS = {
    "en": r"(?P<day>mon|tue|wed|thu|fri|sat|sun)(?:s|rs?|nes|urs?)?(?:day|sday|nesday|rsday|urday)?\b",
    "it": r"(?P<day>lun|mar|mer|gio|ven|sab|dom)(?:edi|tedi|coledi|vedi|erdi|ato|enica)?\b",
}
_ENDS = {
    "en": r"(?=\s*(?:$|[,.;!?)]|(?:at|pls|please|instead|same|and|but|with|for)\b))",
    "it": r"(?=\s*(?:$|[,.;!?)]|(?:alle|all|per|stess[ao]|e|ma|invece|grazie|ore)\b))",
}
_FORMS = {
    "en": (
        (r"(?:the\s+)?(?:following|subsequent)\s+{day}", 0, 1),
        (r"(?:the\s+)?(?:preceding|previous|prior)\s+{day}", 0, -1),
        (r"(?:the\s+)?{day}\s+(?:the\s+)?(?:wk|week)\s+after{ends}", 1, 0),
        (r"(?:the\s+)?{day}\s+(?:the\s+)?(?:wk|week)\s+before{ends}", -1, 0),
        (r"(?:the\s+)?{day}\s+after{ends}", 0, 1),
        (r"(?:the\s+)?{day}\s+before{ends}", 0, -1),
    ),
    "it": (
        (r"(?:il\s+|la\s+|al\s+|alla\s+)?{day}\s+(?:successiv[oa]|seguente){ends}", 0, 1),
        (r"(?:il\s+|la\s+|al\s+|alla\s+)?{day}\s+precedente{ends}", 0, -1),
        (r"(?:il\s+|la\s+|al\s+|alla\s+)?{day}\s+(?:della|la)\s+settimana\s+(?:dopo|successiva|seguente){ends}", 1, 0),
        (r"(?:il\s+|la\s+|al\s+|alla\s+){day}\s+dopo{ends}", 0, 1),
        (r"(?:il\s+|la\s+|al\s+|alla\s+){day}\s+prima{ends}", 0, -1),
    ),
}
_ORDER = {"en": "mon tue wed thu fri sat sun".split(), "it": "lun mar mer gio ven sab dom".split()}


@dataclass(frozen=True, slots=True)
class Anchor:
    """A weekday (Monday is 0): the next one (`step` 1) or the last one (-1) as counted from a booking's day, or that of
    the week that lies `weeks` on from it."""

    weekday: int
    weeks: int
    step: int

    def day(self, own: date) -> date:
        """The day that is meant, for a booking on `own`."""
        if self.weeks:
            return own + timedelta(days=_WEEK * self.weeks + self.weekday - own.weekday())
        ahead = (self.weekday - own.weekday()) * self.step % _WEEK or _WEEK
        return own + timedelta(days=self.step * ahead)


def anchored_days(text: str, locale: str) -> list[tuple[Span, Anchor]]:
    """Every such weekday of a text, left to right."""
    code, letters = get_locale(locale).code, plain(text)
    found: list[tuple[Span, Anchor]] = []
    for form, weeks, step in _FORMS[code]:
        pattern = form.replace("{day}", _DAYS[code]).replace("{ends}", _ENDS[code])
        for match in re.finditer(rf"\b{pattern}", letters):
            if not any(start < match.end() and match.start() < end for (start, end), _ in found):
                anchor = Anchor(_ORDER[code].index(match["day"]), weeks, step)
                found.append(((match.start(), match.end()), anchor))
    return sorted(found, key=lambda one: one[0])
