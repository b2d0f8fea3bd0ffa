"""Weeks that are named without a day: "next week at 2pm", and the weekday that a later message says of one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta

from language.lexer import lex
from language.locales import get_locale
from language.resolution import Span
from reasoning.evidence.claims import Claim, Kind
from reasoning.evidence.message import Message
from reasoning.evidence.setting import Setting

_AHEAD = {"THIS": 0, "NEXT": 1, "AFTERNEXT": 2}
_WEEK = 7


def week_named(text: str, now: datetime, locale: str) -> tuple[date, date] | None:
    """The first and the last day of "this week", "next week", "the week after next"; None for anything else."""
    symbols = [token.symbol for token in lex(text, get_locale(locale)).tokens]
    ahead = next((weeks for symbol, weeks in _AHEAD.items() if symbol in symbols), None)
    if "Uw" not in symbols or ahead is None:
        return None
    today = now.date()
    monday = today - timedelta(days=today.weekday()) + timedelta(days=_WEEK * ahead)
    return monday, monday + timedelta(days=_WEEK - 1)


def beside_week(message: Message, span: Span) -> tuple[Span, Span] | None:
    """The places of the week and of what stands behind it, an hour as a rule; None where nothing does."""
    tokens = [t for t in message.tokens if span[0] <= t.start < span[1]]
    ends = [
        after.end if after is not None and after.symbol in _AHEAD else token.end
        for token, after in zip(tokens, [*tokens[1:], None], strict=True)
        if token.symbol == "Uw"
    ]
    if not ends or not message.text[ends[-1] : span[1]].strip():
        return None
    return (span[0], ends[-1]), (ends[-1] + 1, span[1])


def in_their_week(claims: Sequence[Claim], setting: Setting) -> list[Claim]:
    """ "Next week", and then "Friday": that week's Friday, where it is known which week was meant."""
    return [_moved(claim, claims, setting) for claim in claims]


def _moved(claim: Claim, claims: Sequence[Claim], setting: Setting) -> Claim:
    if claim.kind is not Kind.DAY or not claim.values or claim.doubtful or not _is_weekday(claim, setting):
        return claim
    older = [c for c in claims if c.kind is Kind.DAY and c.message > claim.message]
    nearest = min((c.message for c in older), default=0)
    said = [c for c in older if c.message == nearest]
    week = week_named(said[0].text, setting.now, setting.locale) if len(said) == 1 and not said[0].values else None
    if week is None:
        return claim
    day = week[0] + timedelta(days=date.fromisoformat(claim.values[0]).weekday())
    return replace(claim, values=(day.isoformat(),), certain=True) if day >= setting.now.date() else claim


def _is_weekday(claim: Claim, setting: Setting) -> bool:
    """Whether a phrase names a weekday, with an hour perhaps, and no other day: "Friday", "on Friday at 2"."""
    days = {date.fromisoformat(value).weekday() for value in claim.values}
    symbols = [token.symbol for token in lex(claim.text, get_locale(setting.locale)).tokens]
    weekdays = [s for s in symbols if s[:1] in "Ww" and s[1:].rstrip("w").isdigit()]
    return len(days) == 1 == len(weekdays) and not {"NEXT", "LAST", "AFTERNEXT"} & set(symbols)
