"""The examples of docs/mcp.md work. Guarantees:

- Its example, run unchanged but for the address, the operator and the message, confirms a plan by what is typed at its
  terminal, and by nothing else.
- Its configuration starts `iq mcp`, whose tools are those of its table, with the arguments that the table names.
"""

import asyncio
import json
import re
import sys

import pytest
from fastmcp import Client
from fastmcp.client.transports import StdioTransport

from infra.config.settings import ROOT
from tests.support.mcp_client import MODERN, assistant
from tests.support.operator import Operator
from tests.support.party import Party
from tests.support.roller import Roller
from tests.support.scripted_model import ScriptedModel, after, look_up

pytestmark = pytest.mark.slow

PAGE = (ROOT / "docs" / "mcp.md").read_text()
COUNT = ("change_guest_count", {"guest_count": 14})


def block(language: str) -> str:
    [found] = re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    return str(found)


async def example(operator: Operator, message: str, typed: str) -> str:
    """Run the example; return what it prints."""
    token = operator.http.headers["authorization"].removeprefix("Bearer ")
    code = block("python")
    for ours, theirs in (
        ("http://127.0.0.1:8700", operator.base_url),
        ("demo-operator", token),
        ('"me"', json.dumps(operator.user)),
        ('"move the Winterbourne birthday to Saturday at 3pm"', json.dumps(message)),
    ):
        assert code.count(ours) == 1, ours
        code = code.replace(ours, theirs)
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", code, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, cwd=ROOT
    )
    text, _ = await process.communicate(typed.encode())
    assert process.returncode == 0
    return text.decode()


async def test_its_example_asks_anyone_sits_there(operator: Operator, roller: Roller, party: Party) -> None:
    guest, booking = await party(COUNT)
    text = await example(operator, f"{guest}: 14 guests", "no\n")
    assert "10 → 14" in text and "The person did not say yes" in text and not await roller.journal(booking)
    guest, booking = await party(COUNT)
    text = await example(operator, f"{guest}: 14 guests", "yes\n")
    assert "Done" in text.splitlines()[-1] or guest in text.splitlines()[-1], text
    assert len(await roller.journal(booking)) == 1


async def test_its_configuration_offers_the_tools_of_its_table(operator: Operator) -> None:
    config = json.loads(block("json"))["mcpServers"]["bookings"]
    assert config["command"].endswith(".venv/bin/iq") and set(config["env"]) <= {
        *re.findall(r"^(IQ_\w+)=", (ROOT / ".env.example").read_text(), re.MULTILINE)
    }
    env = {**config["env"], "IQ_MCP_URL": operator.base_url}
    pipe = StdioTransport(sys.executable, ["-m", "cli.main", *config["args"]], env=env, cwd=str(ROOT), keep_alive=False)
    async with Client(pipe) as client:
        tools = {tool.name: tool for tool in await client.list_tools()}
    rows = re.findall(r"^\| `(\w+)` \| (`[^|]+) \|", PAGE.split("## The tools")[1], re.MULTILINE)
    table = {name: {*re.findall(r"`(\w+)\??`", takes)} for name, takes in rows}
    assert table == {name: set(tool.input_schema["properties"]) for name, tool in tools.items()}
    optional = {name: {*re.findall(r"`(\w+)\?`", takes)} for name, takes in rows}
    for name, tool in tools.items():
        assert set(tool.input_schema["required"]) == table[name] - optional[name]
        assert not re.search(r"approv|confirm|consent|\byes\b", str(list(tool.input_schema["properties"])))


async def test_a_client_hears_what_goes_on_while_a_message_is_worked_out(
    operator: Operator, roller: Roller, scripted: ScriptedModel
) -> None:
    guest = "Quillfeather Osmund"
    await roller.book(guest)
    scripted.script(guest, after(0.3, look_up(guest)), after(0.3, "That booking is fine."))
    async with assistant(operator, MODERN) as model:
        shown = await model.call("propose_change", message=f"what of {guest}?")
        assert shown["type"] in ("answer", "clarification")
        assert model.heard[0] == (1, "Reading what you said…") and len(model.heard) >= 2
