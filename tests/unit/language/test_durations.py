"""Durations and recurring events: read in both languages, and nothing else is mistaken for one."""

from __future__ import annotations

from language.dates.times import find_durations, recurs
from tests.support.tables import table


@table(
    "text, minutes",
    [
        ("for an hour", [60]),
        ("a 45 minute call", [45]),
        ("30-minute", [30]),
        ("half an hour", [30]),
        ("an hour and a half", [90]),
        ("an hour-long meeting", [60]),
        ("1h 30 min", [90]),
        ("1.5 hours", [90]),
        ("at 3 for 30 min", [30]),
        ("un'ora e mezza", [90]),
        ("mezz'ora", [30]),
        ("per 45 minuti", [45]),
        ("an hour later", []),
        ("in 2 hours", []),
        ("half an hour earlier", []),
        ("1 ora", [60]),
        ("due ore", [120]),
        ("alle 10 ora di Londra", []),
        ("tra un'ora", []),
        ("un'ora dopo", []),
        ("at 2:30", []),
        ("2pm", []),
        ("14 guests", []),
    ],
)
def test_durations(text: str, minutes: list[int]) -> None:
    assert [found for found, _ in find_durations(text)] == minutes


@table(
    "text, again",
    [
        ("a meeting every Monday at 10", "every Monday"),
        ("each Thursday", "each Thursday"),
        ("a weekly sync", "weekly"),
        ("on Mondays at 10", "Mondays"),
        ("twice a week", "twice a week"),
        ("ogni lunedì", "ogni lunedì"),
        ("tutti i venerdì", "tutti i venerdì"),
        ("una riunione settimanale", "settimanale"),
        ("on Monday at 10", ""),
        ("thanks for everything", ""),
        ("that's good for every one of us", ""),
        ("next week", ""),
    ],
)
def test_what_recurs(text: str, again: str) -> None:
    place = recurs(text)
    assert (text[slice(*place)] if place else "") == again
