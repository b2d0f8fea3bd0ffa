"""Whichever single request of a tool's call fails at a provider, the guest's answer agrees with the storage.

Guarantees, for each request that a create, a change and a cancellation make (each stand-in over HTTP):
- Success is reported only of what was done as requested.
- What is reported as not done is not done, where the answer was lost, cut off, or an error.
- There is one booking at most, also when a create is repeated.
"""

from pathlib import Path
from typing import Any

import pytest

from tests.integration.restaurant_providers.benches import PHONE, REMOTE, Bench
from tests.integration.restaurant_providers.test_tools import tool_caller

pytestmark = [pytest.mark.parametrize("bench", REMOTE, indirect=True), pytest.mark.slow]
EFFECTS: dict[str, dict[str, Any]] = {"drop_after": {}, "status": {"status": 500}}
WHEN = ("19:30", 2)
"""What a change asks for: a time and how many."""


@pytest.mark.parametrize("skip", range(4))
@pytest.mark.parametrize("effect", EFFECTS)
@pytest.mark.parametrize("tool", ["create", "modify", "cancel"])
async def test_reported_as_it_stands(bench: Bench, tmp_path: Path, tool: str, effect: str, skip: int) -> None:
    async with tool_caller(bench, tmp_path) as door:
        made = None if tool == "create" else (await door.book())["booking_id"]
        bench.fault("*", effect, times=1, skip=skip, **EFFECTS[effect])
        if made is None:
            shown = await door.book()
        elif tool == "modify":
            shown = await door("modify_booking", booking_id=made, new_time=WHEN[0], new_people=WHEN[1])
        else:
            shown = await door("cancel_booking", booking_id=made)
        bench.mended()
    async with tool_caller(bench, tmp_path) as door:
        stands = [(one["time"], one["people"]) for one in await door.listed(PHONE)]
        asked = {"create": [("20:00", 4)], "modify": [WHEN], "cancel": []}[tool]
        before = {"create": [], "modify": [("20:00", 4)], "cancel": [("20:00", 4)]}[tool]
        assert stands == (asked if shown["ok"] else before), shown
        if tool == "create":
            again = await door.book()
            assert again["ok"] is not shown["ok"]
            assert len(await door.listed(PHONE)) == 1
