"""A model's view of an action.

- Names, formats, required ones; roles in words; "Use when" and examples in the description.
- The schema allows no unknown argument.
- Nothing sensitive, bound or readOnly at any depth, in schema, required, description or examples.
"""

import json
from collections.abc import Callable
from pathlib import Path

import registry
from contracts.base import Json
from registry import BoundAction
from registry.http.credentials import with_secrets
from registry.secrets.names import is_sensitive
from tests.support.shipped import tool_of
from tests.unit.registry.examples import edited

Load = Callable[..., registry.Pack]


def function(pack: registry.Pack, name: str) -> dict[str, Json]:
    tool = tool_of(pack.actions[name])
    assert tool["type"] == "function"
    return dict(tool["function"])


def test_the_reschedule_tool(pack: registry.Pack) -> None:
    tool = function(pack, "reschedule_booking")
    assert tool["name"] == "reschedule_booking"
    text, *examples = tool["description"].split("\nExamples:\n")
    assert "Use when: the operator wants" in text
    first = examples[0].splitlines()[0]
    say, call = first.removeprefix("- ").split(" -> ")
    assert json.loads(say) == "move John's party to Saturday 3pm"
    assert json.loads(call) == {"new_date": "2026-11-28", "new_start_time": "15:00"}
    schema = tool["parameters"]
    assert schema["required"] == ["booking_id"]
    assert schema["additionalProperties"] is False
    assert schema["properties"]["new_date"] == {
        "type": "string",
        "format": "date",
        "description": "New day; leave out when only the time changes [a day, YYYY-MM-DD]",
    }
    assert schema["properties"]["new_start_time"]["format"] == "time"


def test_roles_become_formats_and_limits(pack: registry.Pack) -> None:
    contact = function(pack, "update_contact")["parameters"]["properties"]
    assert contact["email"]["format"] == "email"
    count = function(pack, "change_guest_count")["parameters"]["properties"]["guest_count"]
    assert (count["type"], count["minimum"]) == ("integer", 1)
    assert count["description"].endswith("[a head count]")
    refund = function(pack, "cancel_booking")["parameters"]["properties"]["refund_type"]
    assert "Cash" in refund["enum"]


def test_every_tool_is_plain_json_with_a_valid_name(pack: registry.Pack) -> None:
    for action in pack.actions.values():
        tool = tool_of(action)["function"]
        assert json.loads(json.dumps(tool)) == tool
        assert len(tool["name"]) <= 64
        for schema in tool["parameters"]["properties"].values():
            assert schema["description"]
            assert "type" in schema


def names_in(schema: Json) -> set[str]:
    if isinstance(schema, list):
        return {name for part in schema for name in names_in(part)}
    if not isinstance(schema, dict):
        return set()
    own = set(schema.get("properties") or {}) | set(schema.get("required") or [])
    return own | {name for part in schema.values() for name in names_in(part)}


def test_nothing_sensitive_in_any_tool(pack: registry.Pack) -> None:
    for action in pack.actions.values():
        names = names_in(tool_of(action)["function"]["parameters"])
        assert not {name for name in names if is_sensitive(name)}


NESTED = """
  /payments:
    post:
      operationId: take-payment
      parameters:
        - {name: X-Api-Key, in: header, required: true, schema: {type: string}}
        - {name: X-Api-Version, in: header, required: true, schema: {type: string}}
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [details, amount, id]
              properties:
                id: {type: string, readOnly: true}
                amount: {type: number}
                details:
                  type: object
                  properties:
                    memo: {type: string}
                    cardNumber: {type: string, description: "the card"}
                    login: {type: object, properties: {password: {type: string}, user: {type: string}}}
                    pass: {type: string, format: password}
                    seen: {type: string, readOnly: true}
      responses: {"200": {description: ok}}
"""
OVERLAY = """
action: take_payment
operation: take-payment
iq_enabled: true
title: Take payment
description: Note a payment.
irreversible_note: Refund it by hand.
parameters:
  amount: {in: body.amount}
  details: {in: body.details}
preview:
  - {label: Amount, after: "{{ amount | money }}"}
  - {label: Details, after: "{{ details.memo }}"}
bound: {header.X-Api-Key: "${PAYMENT_KEY}", header.X-Api-Version: v-9}
"""


def test_nested_and_bound_things_never_show(load: Load, folder: Path) -> None:
    document = folder / "openapi.yaml"
    text = document.read_text(encoding="utf-8").replace("\npaths:\n", f"\npaths:{NESTED}", 1)
    document.write_text(text, encoding="utf-8")
    pack = load(take_payment=OVERLAY)
    assert not [f for f in pack.findings if f.level == "error"]
    action = pack.actions["take_payment"]
    shown = json.dumps(tool_of(action))
    for hidden in ("card", "password", "pass", "X-Api", "k-123", "v-9", "seen", "readOnly"):
        assert hidden not in shown, hidden
    assert "memo" in shown
    assert "user" in shown
    request = BoundAction.of(action, {"amount": 5, "details": {"memo": "cash"}}).request()
    assert request.headers == {"X-Api-Version": "v-9"}
    assert with_secrets(request, {"PAYMENT_KEY": "k-123"}.__getitem__).headers["X-Api-Key"] == "k-123"
    assert request.body == {"amount": 5, "details": {"memo": "cash"}}


def test_a_required_sensitive_property_makes_the_action_invalid(load: Load, folder: Path) -> None:
    document = folder / "openapi.yaml"
    nested = NESTED.replace(
        "properties:\n                    memo",
        "required: [cardNumber]\n                  properties:\n                    memo",
    )
    document.write_text(
        document.read_text(encoding="utf-8").replace("\npaths:\n", f"\npaths:{nested}", 1), encoding="utf-8"
    )
    pack = load(take_payment=OVERLAY)
    assert "take_payment" not in pack.actions
    assert any("cardNumber" in f.message for f in pack.findings)


def test_an_example_with_a_bound_value_is_refused(load: Load) -> None:
    text = edited("check_availability", {'call: {date: "2026-12-05"}': 'call: {date: "2026-12-05", api_token: x}'})
    assert "check_availability" not in load(check_availability=text).actions
