"""`iq` for operators of the service: the tour, and the commands of on-call.

- `iq demo` goes through every story and checks itself.
- `iq plan` and `iq replay` work against a running stack and report when there is none; `iq stuck` has its own file
  (`tests/integration/stack/test_stuck.py`).
- `iq keys` makes and rotates keys, but not in a file that no process reads; a message names a port that is taken; every
  command explains itself.
"""

import asyncio
import socket
from pathlib import Path

import pytest

from cli.stack.dev import Stack
from infra.crypto.keyring import new_key_line
from tests.support.operator import Operator
from tests.support.party import Party
from tests.support.processes import iq
from tests.support.stacks import free_base
from tests.support.waiting import STARTING

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]


async def output_of(*arguments: str, **environment: str) -> tuple[int, str]:
    """Run a command and return (exit code, output)."""
    async with iq(*arguments, **environment) as process:
        output, _ = await asyncio.wait_for(process.communicate(), STARTING)
    return process.returncode or 0, output.decode()


def beside(stack: Stack) -> dict[str, str]:
    """Return the environment of a command that talks to a running stack."""
    return {"TEMPORAL_ADDRESS": stack.settings.temporal_address, "IQ_KEY_FILE": str(stack.settings.data / "keys")}


async def test_the_tour_checks_every_step_of_itself() -> None:
    code, output = await output_of("demo", "--port-base", str(free_base()))
    assert code == 0, output
    assert output.count("ROLLER after") == 6
    assert "✓ Every step went as it should." in output
    assert "HTTP/1." not in output and "\x1b[" not in output, "no access lines, no colour where nobody looks"


async def test_a_plan_can_be_looked_at_and_replayed(stack: Stack, operator: Operator, party: Party) -> None:
    guest, booking = await party(("edit_note", {"note": "bring socks"}))
    plan = await operator.do(f"note for {guest}: bring socks")
    code, shown = await output_of("plan", plan["plan_id"], **beside(stack))
    assert code == 0, shown
    assert "completed" in shown and guest in shown and "edit_note" in shown
    for reported in (
        booking["bookingReference"],
        "confirmed  20",
        "ended      20",
        "undo       until 20",
        "attempts   ",
        "act 1",
    ):
        assert reported in shown, shown
    code, replayed = await output_of("replay", plan["plan_id"], **beside(stack))
    assert (code, "replay as they were recorded" in replayed) == (0, True), replayed
    code, replayed = await output_of("replay", **beside(stack))
    assert (code, "open workflows replay as they were recorded" in replayed) == (0, True), replayed


async def test_a_plan_that_is_none_is_stated_so(stack: Stack) -> None:
    code, output = await output_of("plan", "0" * 8, **beside(stack))
    assert code == 1
    assert "no such plan" in output
    code, output = await output_of("replay", "0" * 8, **beside(stack))
    assert (code, "not found" in output) == (2, True), "1 is for a history whose way today's code does not take"


async def test_without_a_temporal_service_the_way_out_is_named() -> None:
    commands = {"plan": ("plan", "0" * 8), "worker": ("worker",), "replay": ("replay",)}
    text = await asyncio.gather(*(output_of(*words, TEMPORAL_ADDRESS="127.0.0.1:9") for words in commands.values()))
    for name, (code, output) in zip(commands, text, strict=True):
        assert code == (2 if name == "replay" else 1), output
        assert "iq dev" in output and "Traceback" not in output


async def test_keys_are_made_and_rotated(tmp_path: Path) -> None:
    code, line = await output_of("keys", "new")
    assert code == 0
    assert line.strip().count(":") == 1
    file = tmp_path / "keys"
    file.write_text(line)
    code, text = await output_of("keys", "rotate", IQ_KEY_FILE=str(file))
    assert code == 0
    lines = file.read_text().split()
    assert lines[1] == line.strip() and lines[0].split(":")[0] in text
    assert lines[0].split(":")[1] not in text, "a key is never printed by rotate"


async def test_no_file_is_rotated_that_no_one_reads(tmp_path: Path) -> None:
    file = tmp_path / "keys"
    code, text = await output_of("keys", "rotate", IQ_KEY_FILE=str(file), IQ_KEYS=new_key_line())
    assert code == 1 and "IQ_KEYS is set, and no file is read" in text
    assert not file.exists()


async def test_a_port_that_is_taken_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        code, text = await output_of("sandbox", "model", "--port", str(port))
    assert code == 1 and f"Nothing could be served on port {port}: is it taken?" in text
    assert "Traceback" not in text


@pytest.mark.parametrize(
    "command",
    [
        (),
        ("dev",),
        ("worker",),
        ("api",),
        ("demo",),
        ("stuck",),
        ("plan",),
        ("replay",),
        ("resolve",),
        ("whatif",),
        ("keys", "add"),
        ("escalations",),
        ("eval",),
        ("bench",),
    ],
)
async def test_every_command_explains_itself(command: tuple[str, ...]) -> None:
    code, output = await output_of(*command, "--help")
    assert code == 0
    assert len(output) > 200
