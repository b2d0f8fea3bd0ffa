"""The forms of fallbacks and optional parts in requests. The words stand in
`language/locales/<language>/conditions.py`."""

import re
from functools import partial

from language.locales import alternatives

_of = partial(alternatives, "conditions")

_MORE = rf"[.;!?](?=\s|\Z) | \n | [,\s]\s*(?:{_of('AND')})\s+(?:{_of('MORE')})\b"
OTHER = re.compile(rf"\s*(?P<other>(?=\S).+?)(?P<rest>(?:{_MORE}).*)?\Z", re.IGNORECASE | re.VERBOSE | re.DOTALL)
"""The preferred request, up to where something else begins."""

LEAD = re.compile(rf"[\s,:]*(?: {_of('LEAD')} )", re.IGNORECASE | re.VERBOSE)
"""What leads to it."""

TAIL = re.compile(rf"[\s,]*(?: {_of('TAIL')} ) [\s.!]*\Z", re.IGNORECASE | re.VERBOSE)
"""What follows it."""

ELSE = re.compile(rf"(?<!\w)(?: {_of('ELSE')} )(?!\w)", re.IGNORECASE | re.VERBOSE)
"""Words for "instead" without a condition."""

NO_OTHER = re.compile(rf"[\s,:]*(?:(?:{_of('ALL_ELSE')})\s+)* (?: {_of('UNCHANGED')} )\b", re.IGNORECASE | re.VERBOSE)
"""Words that are no fallback request."""

RATHER = re.compile(
    rf"""(?<!\w)(?:{_of("HOWEVER")})\s+
      (?: (?: {_of("LIVES_WITH")} )(?P<one>[^,.;!?\n]+)
        | (?P<other>[^,.;!?\n]{{1,40}}?) (?: {_of("WORKS")} )
            \s*(?:(?:{_of("ALSO")})\s+)?(?:{_of("FINE")})?\s*(?:{_of("TOO")})?
            (?=\s*(?:[.,;!?]|\Z)) )""",
    re.IGNORECASE | re.VERBOSE,
)
""" "but he can live with 6", "but 6 is fine"."""

WHEN = re.compile(rf"\d|\b(?: {_of('WHEN')} )\b", re.IGNORECASE | re.VERBOSE)
"""A day, an hour or a number."""

PREFERRED = re.compile(
    rf"\b(?:{_of('FIRST')})\s+(?:{_of('CHOICE')})(?:\s+(?:{_of('IS')}))?\s*:?\s*|\b(?:{_of('IDEALLY')})\s*,?\s*",
    re.IGNORECASE,
)
"""Words that only mark the preferred request."""

NO_WISH = re.compile(rf"[\s,]*(?:{_of('NO_WISH')})\b", re.IGNORECASE)
"""Behind a condition: nothing to plan."""

_NICE = rf"\b(?: {_of('WOULD_BE_NICE')} )\b"
WOULD_BE_NICE = re.compile(_NICE, re.IGNORECASE | re.VERBOSE)
"""An optional part without an "if"."""

BUT_NICE = re.compile(rf"(?:{_of('BUT')})\s+(?:(?:{_of('IT_IS')})\s+)? {_NICE}", re.IGNORECASE | re.VERBOSE)
"""The same as a clause of its own."""

THAT_WOULD_BE = re.compile(rf"[\s,]*\b(?:{_of('THAT_WOULD_BE')})\b", re.IGNORECASE)
"""Courtesy behind an order."""

UNSEEN = re.compile(rf"(?<!\w)(?: {_of('UNSEEN')} )", re.IGNORECASE | re.VERBOSE)
"""A condition without an "if": on what another person has yet to decide, pay or allow."""
