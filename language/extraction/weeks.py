"""Read weeks that are named without a day: "next week at 2pm", and the weekday that a later message gives for one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta

from language.dates.resolution import Span
from language.extraction.context import ExtractionContext
from language.extraction.mention import Mention, MentionKind
from language.extraction.message import Message
from language.locales import get_locale
from language.text.lexer import lex

_AHEAD = {"THIS": 0, "NEXT": 1, "AFTERNEXT": 2}
_WEEK = 7


def week_named(text: str, now: datetime, locale: str) -> tuple[date, date] | None:
    """Return the first and the last day of "this week", "next week", "the week after next"; None for anything else."""
    symbols = [token.symbol for token in lex(text, get_locale(locale)).tokens]
    ahead = next((weeks for symbol, weeks in _AHEAD.items() if symbol in symbols), None)
    if "Uw" not in symbols or ahead is None:
        return None
    today = now.date()
    monday = today - timedelta(days=today.weekday()) + timedelta(days=_WEEK * ahead)
    return monday, monday + timedelta(days=_WEEK - 1)


def beside_week(message: Message, span: Span) -> tuple[Span, Span] | None:
    """Return the places of the week and of the words after it, usually an hour; None if there are none."""
    tokens = [t for t in message.tokens if span[0] <= t.start < span[1]]
    ends = [
        after.end if after is not None and after.symbol in _AHEAD else token.end
        for token, after in zip(tokens, [*tokens[1:], None], strict=True)
        if token.symbol == "Uw"
    ]
    if not ends or not message.text[ends[-1] : span[1]].strip():
        return None
    return (span[0], ends[-1]), (ends[-1] + 1, span[1])


def in_their_week(mentions: Sequence[Mention], setting: ExtractionContext) -> list[Mention]:
    """Return the mentions, with a weekday moved into a week named before: "next week", and then "Friday"."""
    return [_moved(mention, mentions, setting) for mention in mentions]


def _moved(mention: Mention, mentions: Sequence[Mention], setting: ExtractionContext) -> Mention:
    if mention.kind is not MentionKind.DAY or not mention.values or mention.vague or not _is_weekday(mention, setting):
        return mention
    older = [c for c in mentions if c.kind is MentionKind.DAY and c.message > mention.message]
    nearest = min((c.message for c in older), default=0)
    mentions = [c for c in older if c.message == nearest]
    week = (
        week_named(mentions[0].text, setting.now, setting.locale)
        if len(mentions) == 1 and not mentions[0].values
        else None
    )
    if week is None:
        return mention
    day = week[0] + timedelta(days=date.fromisoformat(mention.values[0]).weekday())
    return replace(mention, values=(day.isoformat(),), unambiguous=True) if day >= setting.now.date() else mention


def _is_weekday(mention: Mention, setting: ExtractionContext) -> bool:
    """Return whether a phrase names a weekday, possibly with an hour, and no other day: "Friday", "on Friday at 2"."""
    days = {date.fromisoformat(value).weekday() for value in mention.values}
    symbols = [token.symbol for token in lex(mention.text, get_locale(setting.locale)).tokens]
    weekdays = [s for s in symbols if s[:1] in "Ww" and s[1:].rstrip("w").isdigit()]
    return len(days) == 1 == len(weekdays) and not {"NEXT", "LAST", "AFTERNEXT"} & set(symbols)
