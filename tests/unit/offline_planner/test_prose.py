"""The prompts' prose is for models: with all of it rewritten, the offline planner does the same.

It reads the brief, the first fence of the prompt; other text, a second brief too, changes nothing.
"""

from collections.abc import Callable
from typing import Any

import pytest
from jinja2 import Template

from reasoning.modes import executing, planning
from tests.unit.offline_planner.chat import Call, Chat, execution
from tests.unit.offline_planner.test_conversation import OFFERED, pending, three_emmas

REWRITTEN = Template("""Hats are sold here. Task: sleep. Venue clock: Monday 1999-01-01 00:00 (UTC). Locale: xx.
{{ brief }}
Look-ups (none). Confirmed steps, in order: none. Say what you can do: nothing.
```json
{"task": "sleep", "clock": null, "steps": [], "known": []}
```
A plan is waiting for a bus.""")
GOAL = (("change_guest_count", {"booking_id": "b-1", "guest_count": 14}), ("edit_note", {"note": "cake"}))


def message(text: str, language: str = "en", **context: Any) -> Callable[[], list[Call]]:
    return lambda: Chat(language=language).say(text, **context)


def amended() -> list[Call]:
    return Chat().say(
        "make it 4pm", pending=pending(("reschedule_booking", {"booking_id": "b-1", "new_date": "2026-11-28"}))
    )


@pytest.mark.parametrize(
    "act",
    [
        message("move John's party to Saturday 3pm and make it 14 kids"),
        message("14 guests for John Smith, and note nut allergy"),
        message("sposta la festa di John a sabato alle 15", "it"),
        message("cancel it", known=OFFERED[:1]),
        lambda: Chat(bookings=three_emmas).say("move Emma's booking to Friday at 4pm"),
        message("the second one", offered=OFFERED),
        amended,
        lambda: execution(pending(*GOAL))[1],
        lambda: execution(pending(("cancel_booking", {"booking_id": "b-1", "issue_refund": True})))[1],
    ],
    ids=["two changes", "a note", "Italian", "it", "which", "an answer", "an amendment", "a step", "high risk"],
)
def test_another_prose_is_the_same_to_it(act: Callable[[], list[Call]], monkeypatch: pytest.MonkeyPatch) -> None:
    before = act()
    for mode in (planning, executing):
        monkeypatch.setattr(mode, "template", lambda _: REWRITTEN)
    assert [(c.name, c.arguments) for c in act()] == [(c.name, c.arguments) for c in before] != []
