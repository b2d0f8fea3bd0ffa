"""Which names count as secrets, and where no value of a model may go.

- The judged table (`names_judged.py`) holds, name by name, in any way of writing; the earlier rule had 359 of 526.
- A yes or no and a listed choice hold no secret. The check goes into an object, whatever its name is, and recognises a
  card's fields in it by the names around and beside them.
- No template carries a model's value to a secret's place: `request`, `bound`, `with`, headers, cookies, nested bodies,
  lists, `for_each`, the undo's renamed parameters; nor does an open object that a model fills.
- `sensitive: false` opens a name that only sounds like a secret, with a warning, and never one that is certainly a
  secret.
"""

import json
import re
from collections.abc import Iterable
from pathlib import Path

import pytest

import registry
from contracts.base import Json
from infra.config.settings import ROOT
from registry import BoundAction
from registry.loading.load import load_pack
from registry.secrets.names import Sensitivity, is_sensitive, mentions_secret, path_grade, without_secrets
from tests.support.tables import table
from tests.unit.registry import names_judged as judged
from tests.unit.registry.traps import TEXT, every, posted, schemas, thing

SHARED = ROOT.parent / "shared" / "specs"
SECRETS = [*judged.SECRET_IN_DOCUMENTS, *judged.SECRET, *judged.LATER_SECRET]
OBJECT: Json = {"type": "object", "properties": {}}
PLAIN = [*judged.PLAIN_IN_DOCUMENTS, *judged.PLAIN, *judged.LATER_PLAIN]


def taken(names: Iterable[str]) -> list[str]:
    return [name for name in names if path_grade(name.split(".")) > Sensitivity.NONE]


def test_the_judged_names() -> None:
    assert len({*SECRETS, *PLAIN}) == len(SECRETS) + len(PLAIN) > 600
    assert [name for name in SECRETS if name not in taken(SECRETS)] == []
    assert taken(PLAIN) == []
    assert taken(judged.STILL_WRONG) == list(judged.STILL_WRONG), "one less to be said `sensitive: false` of"


def respelt(name: str) -> list[str]:
    """Return a name in snake, kebab, camel, Pascal and capital letters."""
    words = [w.lower() for w in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+", name)]
    camel = words[0] + "".join(w.capitalize() for w in words[1:])
    return ["_".join(words), "-".join(words), camel, camel[:1].upper() + camel[1:], "_".join(words).upper()]


@pytest.mark.parametrize(("names", "secret"), [(SECRETS, True), (PLAIN, False)])
def test_however_they_are_written(names: list[str], secret: bool) -> None:
    plain = [n for n in names if "." not in n and n.isascii()]
    wrong = [(n, w) for n in plain for w in respelt(n) if is_sensitive(w) is not secret]
    assert wrong == []


@pytest.mark.skipif(not SHARED.is_dir(), reason="the documents in ../shared/specs are not here")
def test_the_table_is_of_the_documents() -> None:
    text = "".join(p.read_text() for p in SHARED.rglob("*") if p.suffix in (".json", ".yaml"))
    names = [*judged.SECRET_IN_DOCUMENTS, *judged.PLAIN_IN_DOCUMENTS]
    assert [n for n in names if n.rpartition(".")[2] not in text] == []


@table(
    "name, schema, secret",
    [
        ("password", {"type": "boolean"}, False),
        ("token", {"type": "string", "enum": ["a", "b"]}, False),
        ("tokens", {"type": "integer"}, False),
        ("token", {"type": "integer"}, True),
        ("cvv", {"type": "integer"}, True),
        ("nickname", {"type": "string", "format": "password"}, True),
        ("card", TEXT, True),
        ("card", {}, True),
        ("card", {"type": "object"}, True),
        ("card", OBJECT, False),
        ("card", {"anyOf": [OBJECT, TEXT]}, True),
        ("cards", {"type": "array", "items": OBJECT}, False),
        ("cards", {"type": "array", "items": TEXT}, True),
    ],
)
def test_what_its_schema_says_of_a_name(name: str, schema: Json, secret: bool) -> None:
    assert is_sensitive(name, schema) is secret


def test_a_number_beside_a_security_code_is_a_cards() -> None:
    assert is_sensitive("number", within=["guarantee"], beside=["number", "cvc", "name"])
    assert not is_sensitive("number", within=["guarantee"], beside=["number", "street"])
    assert not is_sensitive("number", within=["card", "billing_address"])


def test_which_card_is_no_secret_in_a_path() -> None:
    assert not is_sensitive("card", location="path") and not is_sensitive("authorization", location="path")
    assert is_sensitive("token", location="path") and is_sensitive("card_number", location="path")
    assert is_sensitive("authorization", location="header") and is_sensitive("card", location="query")


@pytest.mark.parametrize(
    ("text", "secret"),
    [("Sells a gift card.", False), ("The gift card number", False), ("The card number", True), ("Not the cvv.", True),
     ("Needs the header Authorization", True), ("Approves an Issuing Authorization", False), ("Give my_password", True),
     ("Send the token", True), ("The next page token", False)],
)  # fmt: skip
def test_sentences(text: str, secret: bool) -> None:
    assert mentions_secret(text) is secret


def test_an_object_is_looked_into_and_its_secrets_are_left_out(tmp_path: Path) -> None:
    card = {"type": "object", "required": ["brand"], "properties": {"brand": TEXT, "number": TEXT, "cvc": TEXT}}
    parts = {"schemas": {"Card": {"allOf": [card]}}}
    body = thing(card={"$ref": "#/components/schemas/Card"}, gift_card=thing(number=TEXT))
    content = {"content": {"application/json": {"schema": body}}, "required": True}
    found = every(tmp_path, {"/x": {"post": {"requestBody": content}}}, components=parts)
    (action,) = found.actions.values()
    assert set(schemas(action)["card"]["properties"]) == {"brand"}
    assert set(schemas(action)["gift_card"]["properties"]) == {"number"}


def test_a_needed_secret_at_any_depth_makes_it_unusable(tmp_path: Path) -> None:
    text = {"components": {"schemas": {"Tok": TEXT}}}
    wanted = {
        "a": thing(card=thing(number=TEXT)),
        "b": thing(rows={"type": "array", "items": thing(source=thing(number=TEXT))}),
        "c": thing(card={"$ref": "#/components/schemas/Tok"}),
        "d": thing(card={"allOf": [{"$ref": "#/components/schemas/Tok"}]}),
    }
    for schema in wanted.values():
        content = {"content": {"application/json": {"schema": schema}}, "required": True}
        assert every(tmp_path, {"/x": {"post": {"requestBody": content}}}, **text).actions == {}


def test_an_open_object_takes_no_secret(tmp_path: Path) -> None:
    action = posted(tmp_path, thing(details={"type": "object", "additionalProperties": True}))
    for value in ({"card": {"number": "1"}}, {"rows": [{"cvv": 1}]}, {"accessToken": "x"}):
        (problem,) = registry.argument_problems(action, {"details": value})
        assert "looks like a secret" in problem
    assert registry.argument_problems(action, {"details": {"gift_card": {"number": "1"}, "card_id": "c"}}) == []


def test_a_document_as_a_model_may_see_it() -> None:
    data = {"card": {"number": 4111, "brand": "visa"}, "rows": [{"accessToken": "x", "ok": True}], "password": True,
            "gift_card": {"number": "G1"}, "pin": "", "tokens": ["a"], "cvv": None}  # fmt: skip
    assert without_secrets(data) == {
        "card": {"number": "[not shown]", "brand": "visa"}, "rows": [{"accessToken": "[not shown]", "ok": True}],
        "password": True, "gift_card": {"number": "G1"}, "pin": "", "tokens": "[not shown]", "cvv": None,
    }  # fmt: skip


VENUE = """
venue_id: v
name: V
base_url: http://v.example
time_zone: UTC
locale: en-AU
country: AU
currency: AUD
check_operation: check
"""
OVERLAY = """
action: pay
operation: pay
iq_enabled: true
title: Pay
description: Settles a bill.
parameters:
  bill: {in: path.bill, role: booking, describe: Which bill}
  voucher: {required: true, technical: true, describe: A word to pass on%s}
irreversible_note: Call the guest.
"""
BODY: Json = {
    "type": "object",
    "properties": {
        "card": {"type": "object", "properties": {"number": TEXT, "holder": TEXT}},
        "gift_card_id": TEXT,
        "rows": {"type": "array", "items": {"type": "object", "properties": {"cvv": TEXT, "note": TEXT}}},
        "note": TEXT,
        "secret_menu": TEXT,
        "locker_pass": {"type": "string", "format": "password"},
    },
}


def loaded(tmp_path: Path, more: str = "", message: str = "", first: str = "") -> registry.Pack:
    """Return a pack with one action; `more` is added to its overlay."""
    rows = [{"name": n, "in": place, "schema": TEXT} for n, place in
            (("access_token", "query"), ("page", "query"), ("X-Api-Key", "header"), ("sid", "cookie"),
             ("session_cookie", "cookie"))]  # fmt: skip
    gap = {"name": "bill", "in": "path", "required": True, "schema": TEXT}
    pay = {"operationId": "pay", "parameters": [gap, *rows], "requestBody": {"content": {"application/json": {
        "schema": BODY}}}}  # fmt: skip
    redeem = {"operationId": "redeem", "parameters": [{**gap, "name": "gift_card_id"}]}
    undo = {"operationId": "back", "parameters": [{**gap, "name": "card_number"}]}
    paths = {"/check": {"get": {"operationId": "check"}}, "/pay/{bill}": {"post": pay},
             "/cards/{gift_card_id}": {"post": redeem}, "/back/{card_number}": {"post": undo}}  # fmt: skip
    (tmp_path / "actions").mkdir(exist_ok=True)
    (tmp_path / "openapi.json").write_text(json.dumps({"openapi": "3.1.0", "paths": paths}))
    (tmp_path / "venue.yaml").write_text(VENUE)
    (tmp_path / "actions" / "pay.yaml").write_text((first or OVERLAY % message) + more)
    return load_pack(tmp_path)


def text_of(pack: registry.Pack) -> list[str]:
    return [f"{f.message} ({f.hint})" for f in pack.findings if f.level == "error"]


@pytest.mark.parametrize(
    "more",
    [
        "request: {body: {card: {number: '4111'}}}",
        "request: {body: {card: {number: 4111}}}",
        "request: {query: {access_token: abc}}",
        "bound: {query.access_token: abc}",
        "snapshot: {operation: pay, with: {bill: '{{ bill }}', access_token: abc}, covers: ['*']}",
        "compensation: {operation: back, request: {path: {card_number: '4111'}}, manual: Call.}",
    ],
)
def test_no_secret_is_written_down(more: str, tmp_path: Path) -> None:
    """It would end up in caches, histories and repositories: `bound` takes the name of a variable."""
    pack = loaded(tmp_path, more)
    assert any("no secret: write `${VARIABLE}`" in message for message in text_of(pack)), text_of(pack)


BYPASSES = [
    "request: {body: {card: {number: '{{ voucher }}'}}}",
    "request: {body: {card: '{{ voucher }}'}}",
    "request: {body: {rows: [{cvv: '{{ voucher }}'}]}}",
    "request: {body: {rows: {for_each: '[voucher]', value: {cvv: '{{ item }}'}}}}",
    "request: {body: {rows: {for_each: '[1]', value: {cvv: {when: 'true', value: 'a{{ voucher }}'}}}}}",
    "request: {body: {locker_pass: '{{ voucher or 1 }}'}}",
    "request: {query: {access_token: '{{ voucher }}'}}",
    "request: {header: {X-Api-Key: '{{ voucher }}'}}",
    "request: {header: {Authorization: 'Bearer {{ voucher }}'}}",
    "bound: {body.secret_menu: '{{ voucher }}'}",
    "bound: {header.X-Api-Key: '{{ voucher }}'}",
    "bound: {cookie.session_cookie: '{{ voucher }}'}",
    "bound: {cookie.sid: a, cookie.session_cookie: '{{ voucher }}'}",
    "snapshot: {operation: pay, with: {bill: '{{ bill }}', access_token: '{{ voucher }}'}, covers: ['*']}",
    "snapshot: {operation: pay, with: {bill: '{{ bill }}', body.card.number: '{{ voucher }}'}, covers: ['*']}",
    "preview_reads: {x: {operation: pay, with: {bill: a, access_token: '{{ voucher }}'}}}",
    "compensation: {operation: back, request: {path: {card_number: '{{ voucher }}'}}, manual: Call.}",
    "compensation: {operation: back, request: {path: {card_number: '{{ request.path }}'}}, manual: Call.}",
    "marker: {body: {card: {number: '{{ voucher }}'}}, present: 'true'}",
    "errors: [{status: 409, alternatives: {operation: pay, with: {bill: a, access_token: '{{ voucher }}'}, label: x}}]",
    "output: {fields: [customer.access_token]}",
    "output: {shape: {x: '{{ response.card.number }}'}}",
]


@pytest.mark.parametrize("more", BYPASSES)
def test_no_template_goes_round_the_rule(more: str, tmp_path: Path) -> None:
    pack = loaded(tmp_path, more)
    assert "pay" not in pack.actions
    assert any("sensitive" in message for message in text_of(pack)), text_of(pack)


@pytest.mark.parametrize(
    "more",
    [
        "request: {body: {gift_card_id: '{{ voucher }}', rows: [{note: '{{ voucher }}'}]}}",
        "request: {body: {card: {holder: '{{ voucher }}'}}}",
        "request: {body: {rows: {for_each: '[1]', value: {cvv: '{{ item }}'}}}}",
        "request: {query: {page: '{{ voucher }}'}}\nbound: {query.access_token: '${PAY}', cookie.sid: '{{ voucher }}'}",
        "bound: {query.access_token: '{{ venue.name }}'}",
        "output: {fields: [gift_card.number, card.last4]}",
    ],
)
def test_what_is_no_secret_or_no_models_passes(more: str, tmp_path: Path) -> None:
    pack = loaded(tmp_path, more)
    assert "pay" in pack.actions, text_of(pack)


@pytest.mark.parametrize(("slip", "passes"), [("'{{ voucher }}'", False), ("'{{ venue.name }}'", True)])
def test_an_undo_by_another_action_under_another_name(slip: str, passes: bool, tmp_path: Path) -> None:
    other = (OVERLAY % ", sensitive: false").replace("action: pay", "action: other").replace("voucher:", "slip:")
    loaded(tmp_path)
    (tmp_path / "actions" / "other.yaml").write_text(other + "request: {body: {secret_menu: '{{ slip }}'}}")
    pack = loaded(
        tmp_path, f"reversible: false\ncompensation: {{action: other, with: {{slip: {slip}}}, manual: Call.}}"
    )
    assert ("other" in pack.actions, "pay" in pack.actions) == (True, passes), text_of(pack)


def test_a_choice_in_the_open(tmp_path: Path) -> None:
    more = "request: {body: {secret_menu: '{{ voucher }}'}}"
    pack = loaded(tmp_path, more)
    assert any("say `sensitive: false`" in message for message in text_of(pack))
    pack = loaded(tmp_path, more, message=", sensitive: false")
    assert "pay" in pack.actions
    (note,) = [f for f in pack.findings if f.level == "warning" and "author says so" in f.message]
    assert note.line == 9 and note.action == "pay"
    made = BoundAction.of(pack.actions["pay"], {"bill": "b", "voucher": "x"}).request()
    assert made.body == {"secret_menu": "x"}


@pytest.mark.parametrize(
    "more",
    [
        "request: {body: {card: {number: '{{ voucher }}'}}}", "request: {body: {locker_pass: '{{ voucher }}'}}",
        "request: {query: {access_token: '{{ voucher }}'}}", "request: {header: {Authorization: '{{ voucher }}'}}",
    ],
)  # fmt: skip
def test_what_can_be_nothing_else_is_opened_by_no_choice(more: str, tmp_path: Path) -> None:
    assert "pay" not in loaded(tmp_path, more, message=", sensitive: false").actions


@pytest.mark.parametrize(
    ("parameter", "opens"),
    [("in: body.secret_menu", True), ("in: body.card.number", False), ("in: body.locker_pass", False),
     ("in: query.access_token", False)],
)  # fmt: skip
def test_a_parameter_by_its_place(parameter: str, opens: bool, tmp_path: Path) -> None:
    text = OVERLAY.replace("voucher: {required: true", "voucher: {required: true, " + parameter)
    assert "pay" not in loaded(tmp_path, first=text % "").actions
    assert ("pay" in loaded(tmp_path, first=text % ", sensitive: false").actions) is opens
