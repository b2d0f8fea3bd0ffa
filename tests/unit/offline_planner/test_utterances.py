"""The 82 shared requests through the planner, by the shared README's scoring. Guarantees:

- at least 90% of the requests of each language are right;
- every "ask" row is asked, every "refuse" row refused;
- no plan differs from the intended one.

Every booking in `gold` exists and is found by its reference alone; anything else finds nothing.
"""

import json
import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest

from infra.config.settings import ROOT
from offline_planner.protocol import Call
from tests.unit.offline_planner.chat import Chat

CASES = ROOT.parent / "shared" / "cases" / "utterances.jsonl"
TOOLS = {"reschedule": "reschedule_booking", "guest_count": "change_guest_count", "contact": "update_contact",
         "cancel": "cancel_booking", "note": "edit_note"}  # fmt: skip

pytestmark = pytest.mark.skipif(not CASES.exists(), reason="../shared/cases/utterances.jsonl is not there")


def outcome(row: Mapping[str, Any]) -> str:
    """Return right, asked, refused or wrong."""
    references = {r for g in row["gold"] for r in g["ref"]}

    def bookings(tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        text = " ".join(str(v) for v in arguments.values())
        return {"booking_id": text, "name": text, "guest_count": 20} if text in references else {"found": 0}

    calls = Chat(bookings=bookings, language=row["lang"]).say(row["text"])
    if not calls:
        return "right" if row["expect"] == "refuse" else "refused"
    if calls[0].name == "ask_operator":
        dates = any(len(g["params"].get("date", [])) > 1 for g in row["gold"])
        return "right" if row["expect"] == "ask" or dates else "asked"
    if calls[0].name == "cannot_help":
        return "right" if row["expect"] == "refuse" else "refused"
    same = len(calls) == len(row["gold"]) and all(map(means, calls, row["gold"]))
    return "right" if row["expect"] == "act" and same else "wrong"


def means(call: Call, gold: Mapping[str, Any]) -> bool:
    text = dict(call.arguments)
    if call.name != TOOLS[gold["action"]] or text.pop("booking_id") not in gold["ref"]:
        return False
    text["name"] = f"{text.pop('first_name', '')} {text.pop('last_name', '')}".strip()
    keys = {"date": "new_date", "time": "new_start_time", "note_has": "note"}
    for key, values in gold["params"].items():
        value = text.pop(keys.get(key, key), None)
        if key == "phone":
            fine = national(str(value)) in [national(v) for v in values]
        elif key == "note_has":
            fine = all(v in str(value) for v in values)
        else:
            fine = value in values
        if not fine:
            return False
    return not any(text.values())


def national(phone: str) -> str:
    return re.sub(r"\D", "", phone).lstrip("0")[-9:]


def rows(language: str) -> list[dict[str, Any]]:
    found = [json.loads(line) for line in CASES.read_text().splitlines() if line.strip()]
    return [r for r in found if r["lang"] == language]


@pytest.mark.parametrize("language", ["en", "it"])
def test_nine_in_ten_are_right_and_no_plan_is_wrong(language: str) -> None:
    scored = [(outcome(r), r) for r in rows(language)]
    tally = Counter(o for o, _ in scored)
    missed = [(o, r["id"], r["text"]) for o, r in scored if o != "right"]
    assert tally["wrong"] == 0, missed
    assert tally["right"] >= 0.9 * len(scored), missed
    assert not [r["id"] for o, r in scored if r["expect"] != "act" and o != "right"], missed
