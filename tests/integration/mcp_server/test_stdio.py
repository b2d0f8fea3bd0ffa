"""`iq mcp`: the same tools through a real process and its pipes, driven by fastmcp's client, on both protocols.
Guarantees:

- Plan, confirmation, a question, undo: the person is asked at this end of the pipe, and progress comes through.
- Without a form nothing is confirmed. An API that is unavailable, or that refuses, is reported with a message.
- The token is never on the command line; without one, the program says what to set.
"""

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from subprocess import run
from typing import Any

import pytest
from fastmcp import Client
from fastmcp.client.transports import StdioTransport

from infra.config.settings import ROOT
from tests.support.mcp_client import LEGACY, MODERN, Assistant, Form, Person, decline, yes
from tests.support.operator import Operator
from tests.support.party import Party
from tests.support.roller import Roller

pytestmark = pytest.mark.slow

COUNT = ("change_guest_count", {"guest_count": 14})
ASK = {"ask_operator": {"question": "How was it refunded?", "choices": ["Cash", "CreditCard"]}}
REFUND = {"cancel_booking": {"issue_refund": True, "refund_type": "Cash"}}


@pytest.fixture(params=[MODERN, LEGACY])
def protocol(request: pytest.FixtureRequest) -> str:
    """Each protocol."""
    return str(request.param)


@asynccontextmanager
async def program(operator: Operator, protocol: str, person: Person | None, **more: str) -> AsyncIterator[Assistant]:
    """Start `iq mcp` as a desktop client does."""
    env = {
        "IQ_MCP_URL": operator.base_url,
        "IQ_MCP_TOKEN": operator.http.headers["authorization"].removeprefix("Bearer "),
        "IQ_MCP_USER": operator.user,
        **more,
    }
    pipe = StdioTransport(sys.executable, ["-m", "cli.main", "mcp"], env=env, cwd=str(ROOT), keep_alive=False)
    async with Client(pipe, elicitation_handler=person, mode=protocol) as client:
        yield Assistant(client)


async def test_plan_confirmation_question_and_undo(
    protocol: str, operator: Operator, roller: Roller, party: Party
) -> None:
    person = Person(lambda form: form.filled("Cash" if form.field == "answer" else True))
    guest, booking = await party(COUNT)
    other, _ = await party(("cancel_booking", {"issue_refund": True}), model=(ASK, REFUND))
    async with program(operator, protocol, person) as model:
        assert {"propose_change", "confirm_plan"} <= {tool.name for tool in await model.client.list_tools()}
        plan = (await model.call("propose_change", message=f"{guest}: 14 guests"))["plan"]
        model.heard.clear()
        done = await model.call("confirm_plan", plan_id=plan["plan_id"])
        assert done["plan"]["status"] == "completed" and "10 → 14" in person.forms[0].message
        assert [number for number, _ in model.heard] == list(range(1, len(model.heard) + 1)) and len(model.heard) >= 4
        assert (await model.call("undo_plan", plan_id=plan["plan_id"]))["plan"]["status"] == "rolled_back"
        asks = (await model.call("propose_change", message=f"cancel and record the refund of {other}"))["plan"]
        assert (await model.call("confirm_plan", plan_id=asks["plan_id"]))["plan"]["status"] == "completed"
    assert [form.field for form in person.forms] == ["confirm", "undo", "confirm", "answer"]
    assert len(await roller.journal(booking)) == 2


def fails(form: Form) -> Any:
    """Fail like a client that declares forms and cannot show them."""
    raise RuntimeError("no window")


async def test_a_form_that_fails_to_be_shown_confirms_nothing(operator: Operator, roller: Roller, party: Party) -> None:
    guest, booking = await party(COUNT)
    async with program(operator, LEGACY, Person(fails)) as model:
        plan = (await model.call("propose_change", message=f"{guest}: 14 guests"))["plan"]
        shown = await model.call("confirm_plan", plan_id=plan["plan_id"])
        assert shown["waits_for"] == "confirmation"
    assert (await operator.look(plan))["status"] == "pending_confirmation" and not await roller.journal(booking)


@pytest.mark.parametrize("person", [None, Person(decline)], ids=["without forms", "declined"])
async def test_nothing_is_confirmed_without_a_yes(
    protocol: str, operator: Operator, roller: Roller, party: Party, person: Person | None
) -> None:
    guest, booking = await party(COUNT)
    async with program(operator, protocol, person) as model:
        plan = (await model.call("propose_change", message=f"{guest}: 14 guests"))["plan"]
        shown = await model.call("confirm_plan", plan_id=plan["plan_id"])
        assert shown["waits_for"] == "confirmation" and shown["where"].startswith(f"POST {operator.base_url}/")
        kind, _ = await model.refused("propose_change", message="yes", session_id=plan["session_id"])
        assert kind == "invalid_request"
    assert (await operator.look(plan))["status"] == "pending_confirmation" and not await roller.journal(booking)


async def words_of(model: Assistant, tool: str, **arguments: Any) -> str:
    answer = await model.client.call_tool(tool, arguments, raise_on_error=False)
    assert answer.is_error
    return str(answer.content[0].text)


async def test_what_is_wrong_is_reported_in_words(protocol: str, operator: Operator) -> None:
    async with program(operator, protocol, Person(yes), IQ_MCP_URL="http://127.0.0.1:9") as model:
        words = await words_of(model, "find_bookings", query="anybody")
        assert "http://127.0.0.1:9/mcp did not answer" in words and "IQ_MCP_URL" in words
    async with program(operator, protocol, Person(yes), IQ_MCP_VENUE="nowhere") as model:
        assert "nowhere" in await words_of(model, "find_bookings", query="anybody")
    async with program(operator, protocol, Person(yes), IQ_MCP_TOKEN="not-a-token") as model:
        assert "ign" in await words_of(model, "find_bookings", query="anybody")


def test_it_says_what_to_set() -> None:
    ended = run(
        [sys.executable, "-m", "cli.main", "mcp"], cwd=ROOT, env={}, capture_output=True, text=True, timeout=110
    )
    assert ended.returncode == 1 and "IQ_MCP_TOKEN and IQ_MCP_USER must be set" in ended.stderr and not ended.stdout
    helped = run(
        [sys.executable, "-m", "cli.main", "mcp", "--help"], cwd=ROOT, capture_output=True, text=True, timeout=110
    )
    assert "IQ_MCP_TOKEN" in helped.stdout and "--token" not in helped.stdout
