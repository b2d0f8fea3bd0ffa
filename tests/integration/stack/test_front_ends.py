"""The examples of `docs/front-ends.md`, each run unchanged against a running stack, except for the address, the token
and the booking. Guarantees:

- Each example carries out what it asks for, and the venue has it.
- Each front end in the page's table has an example.
"""

import asyncio
import os
import re
import sys
from pathlib import Path

import pytest

from infra.config.settings import ROOT
from tests.support import needs
from tests.support.operator import Operator
from tests.support.roller import Roller, a_name
from tests.support.waiting import STARTING

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

PAGE = (ROOT / "docs" / "front-ends.md").read_text(encoding="utf-8")
BLOCKS = {
    number: re.findall(r"^```(\w+)\n(.*?)^```", part, re.MULTILINE | re.DOTALL)
    for number, part in re.findall(r"^## (\d)\. (.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)
}


def filled(code: str, operator: Operator, guest: str) -> str:
    """Return an example, with this stack's address, token and booking."""
    token = operator.http.headers["Authorization"].removeprefix("Bearer ")
    text = {"http://127.0.0.1:8700": operator.base_url, "demo-operator": token, "the Winterbourne birthday": guest}
    for old, new in text.items():
        assert old in code or old.startswith("the "), f"{old} is in every example"
        code = code.replace(old, new)
    return (
        code.replace('"me"', f'"{operator.user}"')
        .replace("=me&", f"={operator.user}&")
        .replace("desk-", f"{operator.session}-")
    )


async def run(language: str, code: str, folder: Path) -> str:
    """Run an example; return what it prints."""
    if language == "js":
        (folder / "node_modules").symlink_to(needs.ag_ui_client() / "node_modules")
    file = folder / {"python": "example.py", "js": "example.mjs", "bash": "example.sh"}[language]
    file.write_text(code, encoding="utf-8")
    command = {"python": sys.executable, "js": "node", "bash": "bash"}[language]
    pipe = asyncio.subprocess.PIPE
    ran = await asyncio.create_subprocess_exec(
        command, str(file), stdout=pipe, stderr=pipe, stdin=asyncio.subprocess.DEVNULL, cwd=folder, env={**os.environ}
    )
    async with asyncio.timeout(STARTING):
        out, err = await ran.communicate()
    assert ran.returncode == 0, (out.decode(), err.decode())
    return out.decode()


@pytest.mark.parametrize(("door", "place", "time", "shown"), [
    ("1", 0, "15:00", ["Reschedule booking · When", "completed · "]),
    ("2", 0, "16:00", ["initiated · ", "step_started · ", "step_result · ", "complete · ", "separate_message · "]),
    ("3", 0, "17:00", ["Shall this be done?", "Step 1: Reschedule booking", "completed · "]),
    ("4", 0, "18:00", ["pending_confirmation · ", "completed · "]),
])  # fmt: skip
async def test_an_example_does_what_it_asks_for(
    operator: Operator, roller: Roller, tmp_path: Path, door: str, place: int, time: str, shown: list[str]
) -> None:
    guest = a_name()
    booking = await roller.book(guest)
    language, code = BLOCKS[door][place]
    out = await run(language, filled(code, operator, guest), tmp_path)
    places = [out.find(words) for words in shown]
    assert -1 not in places and places == sorted(places), out
    assert (await roller.booking(booking["uniqueId"]))["items"][0]["sessionStartTime"] == time
    assert len(await roller.journal(booking)) == 1


async def test_a_chat_is_reported_as_tokens(operator: Operator, tmp_path: Path) -> None:
    language, code = BLOCKS["2"][1]
    await operator.post("/v1/requests", user_message="hello", session_id=f"{operator.session}-2", user_id=operator.user)
    assert "[[PERIN_SEPARATE_MESSAGE:" in await run(language, filled(code, operator, ""), tmp_path)


async def test_every_door_of_the_table_has_an_example() -> None:
    rows = re.findall(r"^\| (?!door|---)(.+?) \|", PAGE, re.MULTILINE)
    assert len(rows) == len([number for number, blocks in BLOCKS.items() if blocks])
