"""`iq whatif` over a running stack: recorded model calls, sent to another model or with another prompt. Guarantees:

- Each call of a plan and of the message that drafted it is sent once more, with its original input; the proposals are
  compared by action and value, with tokens and cost of both.
- With another prompt only the calls that used the prompt of its name are sent again.
- Over many histories it reports the rate of agreement.
- Nothing is touched: no venue is called, no workflow started, nothing booked in the ledger.
"""

import json
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select

from cli.oncall import whatif
from cli.oncall.recorded_calls import CallFilter, span
from cli.stack.dev import Stack
from infra.config.settings import ROOT
from infra.ledger.schema import CALLS
from tests.support.oncall import Terminal
from tests.support.operator import Operator
from tests.support.party import Party
from tests.support.roller import Roller
from tests.support.scripted_model import ScriptedModel, brief_of, found, obey

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

GUESTS = ("change_guest_count", {"guest_count": 14})


def another(guest: str, guests: int) -> Any:
    """Return a model that looks the guest up as the first did, and then proposes this many guests."""

    def reply(body: dict[str, Any]) -> Any:
        if brief_of(body)["task"] == "execute":
            return obey(body)
        if body["messages"][-1]["role"] != "tool":
            return {"find_bookings": {"keywords": guest}}
        return [{"change_guest_count": {"booking_id": found(body), "guest_count": guests}}]

    return reply


async def workflows(stack: Stack) -> int:
    assert stack.services is not None
    return (await stack.services.plans.client.count_workflows("")).count


async def calls(stack: Stack) -> int:
    assert stack.services is not None
    return int(
        await stack.services.ledger.ask(lambda c: c.execute(select(func.count()).select_from(CALLS)).scalar(), 5)
    )


async def asked(stack: Stack, capsys: pytest.CaptureFixture[str], wanted: CallFilter, model: str) -> dict[str, Any]:
    """Return the output of `iq whatif --json`."""
    capsys.readouterr()
    assert await whatif.run(stack.settings, wanted, model, None, as_json=True) == 0
    shown: dict[str, Any] = json.loads(capsys.readouterr().out)
    return shown


async def test_another_model_is_compared_call_by_call_and_nothing_is_touched(
    stack: Stack,
    operator: Operator,
    roller: Roller,
    party: Party,
    scripted: ScriptedModel,
    capsys: pytest.CaptureFixture[str],
) -> None:
    guest, booking = await party(GUESTS)
    plan = await operator.do(f"14 guests for {guest}")
    assert plan["status"] == "completed"
    assert stack.services is not None
    before = (await workflows(stack), await calls(stack), await roller.journal(booking))

    scripted.script(guest, another(guest, 14))
    same = await asked(stack, capsys, CallFilter((plan["plan_id"],), None, 50), "another-model")
    assert (same["same"], same["calls"], same["agreement"]) == (same["calls"], same["calls"], 1.0), same
    assert same["calls"] >= 2, "the look-up and the plan at least"
    assert same["then"]["input"] == same["then"]["output"] == same["calls"], "one token each way"
    assert same["now"]["nano"] is None, "what nobody knows the price of has no cost, not none"
    assert {row["model"] for row in map(json.loads, map(json.dumps, scripted.seen[guest]))} == {"another-model"}

    scripted.script(guest, another(guest, 15))
    other = await asked(stack, capsys, CallFilter((f"plan-{plan['plan_id']}",), None, 50), "a-claude-sonnet")
    assert other["values"] == 1 and other["same"] == other["calls"] - 1, other
    [differs] = [row for row in other["rows"] if row["outcome"] == "values"]
    assert [differs[side][0]["arguments"]["guest_count"] for side in ("then", "now")] == [14, 15]
    assert other["now"]["nano"] == other["calls"] * (3_000 + 15_000), "one token each way, by model_prices.yaml"
    assert 0 < other["agreement"] < 1

    assert (await workflows(stack), await calls(stack), await roller.journal(booking)) == before


async def test_many_histories_are_asked_and_their_number_is_bounded(
    stack: Stack, operator: Operator, party: Party, scripted: ScriptedModel, capsys: pytest.CaptureFixture[str]
) -> None:
    begun = span("1m")
    guest, _ = await party(GUESTS)
    await operator.do(f"14 guests for {guest}")
    scripted.script(guest, another(guest, 14))
    shown = await asked(stack, capsys, CallFilter((), begun, 3), "another-model")
    assert shown["calls"] == 3
    with pytest.raises(SystemExit, match="no span of time"):
        span("a week")


async def test_another_prompt_is_what_is_asked_with(
    stack: Stack, operator: Operator, party: Party, scripted: ScriptedModel, tmp_path: Path, model_url: str
) -> None:
    guest, _ = await party(GUESTS)
    plan = await operator.do(f"14 guests for {guest}")
    prompts = ROOT / "reasoning" / "prompts"
    for name in ("plan.j2", "adaptive.j2"):
        (tmp_path / name).write_text("Never trust a party of more than ten.\n" + (prompts / name).read_text())
    (tmp_path / "poem.j2").write_text("A rose is a rose")
    scripted.script(guest, another(guest, 14))
    terminal = Terminal(stack, IQ_MODEL_BASE_URL=model_url)
    command = f"iq whatif {plan['plan_id']} --prompt {tmp_path}"
    code, text, errors = await terminal.run(f"{command}/adaptive.j2")
    assert code == 0 and "agreement 100%" in text, (text, errors)
    systems = [body["messages"][0]["content"] for body in scripted.seen[guest]]
    assert any(system.startswith("Never trust") for system in systems)
    # Calls that only one of two models answered make the other look neither cheap nor right.
    half = "{% if seen %}{{ nonsense.x }}{% endif %}" + (prompts / "adaptive.j2").read_text()
    (tmp_path / "adaptive.j2").write_text(half)
    code, text, errors = await terminal.run(f"{command}/adaptive.j2 --json")
    shown = json.loads(text)
    assert (code, shown["same"] > 0, shown["failed"] > 0) == (1, True, True), (text, errors)
    answered = shown["calls"] - shown["failed"]
    assert shown["then"]["input"] == shown["now"]["input"] == answered, "one token each"
    code, text, errors = await terminal.run(f"{command}/adaptive.j2")
    assert code == 1 and f"agreement 100% of the {answered} that were answered" in text, (text, errors)
    # Calls that used another prompt would agree with themselves.
    assert "left out, as they were asked with another prompt: " in errors and "execute.j2" in errors
    assert "execute:" not in text
    code, text, errors = await terminal.run(f"{command}/plan.j2")
    assert code == 1 and "none of these calls was asked with plan.j2" in errors and not text
    code, text, errors = await terminal.run(f"{command}/poem.j2")
    assert code == 1 and "is no prompt of ours" in errors
