"""Several steps under one name (`templates/` of a pack), over HTTP (multi-step messaging, "Step Templates").
Guarantees:

- A model calls a template like an action. Its steps are planned, shown, confirmed, sent and undone, and each is
  grounded in the operator's words like any other.
- A step for which the operator gave nothing is left out, where the template allows it; one that is there is optional.
- A value that the operator did not give reaches no plan; beside other changes no plan is made of it.
- A broken file costs only itself, and its finding says where.
"""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from cli.stack.dev import Stack
from registry import Pack
from registry.loading.load import load_pack
from tests.support.operator import Operator
from tests.support.roller import Roller, a_name
from tests.support.scripted_model import ScriptedModel, look_up, obey
from tests.support.stacks import a_stack, copied_pack, own_token

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

LATE = """
template: comes_late
iq_enabled: true
title: Comes late
description: A party comes late, or at another time, and something is to be known about it.
parameters:
  booking_id: {of: reschedule_booking.booking_id}
  new_start_time: {of: reschedule_booking.new_start_time, required: true}
  note: {of: edit_note.note, required: false}
steps:
  - {action: reschedule_booking, with: {booking_id: booking_id, new_start_time: new_start_time}}
  - {action: edit_note, with: {booking_id: booking_id, note: note}, required: false}
examples:
  - {say: "Ada comes at 4pm, note: cake at noon", call: {booking_id: "1", new_start_time: "16:00", note: cake at noon}}
"""


def with_template(folder: Path, text: str = LATE) -> Path:
    pack = copied_pack(folder, {})
    (pack / "templates").mkdir()
    (pack / "templates" / "comes_late.yaml").write_text(text)
    return pack


@pytest.fixture(scope="module")
async def late(model_url: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stack]:
    folder = tmp_path_factory.mktemp("late")
    async with a_stack(folder, packs=(with_template(folder),), model_base_url=model_url) as running:
        yield running


@pytest.fixture
async def operator(late: Stack) -> AsyncIterator[Operator]:
    async with Operator(f"http://127.0.0.1:{late.ports.facade}", token=await own_token(late)) as found:
        yield found


@pytest.fixture
async def venue(late: Stack) -> AsyncIterator[Roller]:
    async with Roller(f"http://127.0.0.1:{late.ports.roller}") as found:
        yield found


async def test_its_steps_are_planned_sent_and_undone(
    operator: Operator, venue: Roller, scripted: ScriptedModel
) -> None:
    guest = a_name()
    booking = await venue.book(guest)
    called = {"comes_late": {"booking_id": booking["uniqueId"], "new_start_time": "16:00", "note": "cake at noon"}}
    scripted.script(guest, look_up(guest), called, obey)
    plan = await operator.plan_for(f"{guest} comes at 4pm, note: cake at noon")
    assert [(a["action_id"], a["required"]) for a in plan["actions"]] == [
        ("reschedule_booking", True), ("edit_note", False),
    ]  # fmt: skip
    done = await operator.settled(await operator.confirm(plan))
    assert [a["status"] for a in done["actions"]] == ["completed", "completed"], done
    now = await venue.booking(booking["uniqueId"])
    assert (now["items"][0]["sessionStartTime"], now["comments"]) == ("16:00", "cake at noon")
    assert (await operator.post(f"/v1/plans/{plan['plan_id']}/undo", user_id=operator.user)).status_code == 202
    undone = await operator.settled(done)
    assert [row["step"] for row in undone["rollback_report"]["steps"]] == [2, 1]


async def test_a_step_of_which_nothing_was_stated_is_left_out(
    operator: Operator, venue: Roller, scripted: ScriptedModel
) -> None:
    guest = a_name()
    booking = await venue.book(guest)
    scripted.script(
        guest, look_up(guest), {"comes_late": {"booking_id": booking["uniqueId"], "new_start_time": "16:00"}}
    )
    plan = await operator.plan_for(f"{guest} comes at 4pm")
    assert [(a["action_id"], a["required"]) for a in plan["actions"]] == [("reschedule_booking", True)]


async def test_a_value_that_no_one_stated_reaches_no_plan(
    operator: Operator, venue: Roller, scripted: ScriptedModel
) -> None:
    guest = a_name()
    booking = await venue.book(guest)
    called = {"comes_late": {"booking_id": booking["uniqueId"], "new_start_time": "17:00"}}
    scripted.script(guest, look_up(guest), called, called, called)
    plan = await operator.plan_for(f"{guest} comes at 4pm")
    assert [a["parameters"]["new_start_time"] for a in plan["actions"]] == ["16:00"]


async def test_beside_another_change_it_is_called_again(
    operator: Operator, venue: Roller, scripted: ScriptedModel
) -> None:
    guest = a_name()
    booking = await venue.book(guest)
    late = {"comes_late": {"booking_id": booking["uniqueId"], "new_start_time": "16:00"}}
    count = {"change_guest_count": {"booking_id": booking["uniqueId"], "guest_count": 14}}
    single = {"reschedule_booking": {"booking_id": booking["uniqueId"], "new_start_time": "16:00"}}
    shown: list[str] = []

    def again(body: dict[str, Any]) -> Any:
        shown.extend(m["content"] for m in body["messages"] if m["role"] == "tool")
        return [single, count]

    scripted.script(guest, look_up(guest), [late, count], again)
    plan = await operator.plan_for(f"{guest} comes at 4pm and they are 14")
    assert [a["action_id"] for a in plan["actions"]] == ["reschedule_booking", "change_guest_count"]
    assert any("comes_late is several steps: call it alone" in text for text in shown)


WRONG = [
    ("action: edit_note", "action: edit_not", "edit_not is no usable action", "edit_note"),
    ("of: edit_note.note", "of: edit_note.text", "edit_note has no parameter text", ""),
    ("note: note}", "text: note}", "edit_note has no parameter text", ""),
    ("booking_id: booking_id, note", "booking_id: nobody, note", "the template takes no nobody", ""),
    ("with: {booking_id: booking_id, note: note}", "with: {booking_id: booking_id}", "edit_note needs note", ""),
    ("action: edit_note", "action: find_bookings", "find_bookings is a look-up", ""),
    ("required: false}\n", "only_if_failed: 2}\n", "step 2 does not come before step 2", ""),
    ("title: Comes late", "titel: Comes late", "extra", "title"),
]


@pytest.mark.parametrize(("right", "wrong", "message", "hint"), WRONG, ids=[w[1] for w in WRONG])
async def test_a_wrong_file_costs_only_itself(right: str, wrong: str, message: str, hint: str, tmp_path: Path) -> None:
    assert LATE.count(right) >= 1
    head, _, tail = LATE.rpartition(right)
    loaded: Pack = load_pack(with_template(tmp_path, head + wrong + tail))
    assert loaded.templates == {} and "comes_late" in loaded.skipped and "edit_note" in loaded.actions
    found = [f for f in loaded.findings if f.file == "roller/templates/comes_late.yaml" and f.level == "error"]
    assert any(message in f.message.lower() or message in f.message for f in found), found
    assert all(f.line for f in found) and hint in "".join(f.hint for f in found)


async def test_the_right_file_is_right(tmp_path: Path) -> None:
    loaded = load_pack(with_template(tmp_path))
    assert list(loaded.templates) == ["comes_late"]
    assert [f for f in loaded.findings if "templates" in f.file] == []
