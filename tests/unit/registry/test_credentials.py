"""A pack's credentials for its API (`venue.yaml`):

- `credentials` fill the document's security schemes by name; an unknown name, a shape that does not fit and a
  written-out secret are refused with the way out;
- an operation uses the first of its security schemes for which the pack has credentials; without any, its action is
  refused by name;
- no overlay and no model is asked for the values that the pack gives, in checks, reads, writes and undos alike;
- files, tools and cached packs hold names of variables, never their values; a pack whose variable is missing does not
  start;
- the check read may have inputs; the pack declares once where a refusal holds its message.
"""

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from contracts.credentials import AuthScheme
from registry import BoundAction, PackError, openai_tool
from registry.http.credentials import with_secrets
from registry.http.error_body import parse_error
from registry.loading.folder_registry import FolderRegistry
from registry.loading.load import load_pack
from tests.support.tables import table
from tests.unit.registry.studio import DOCUMENT, OVERLAY, VENUE, load, pack_texts, write

HELD = {"STUDIO_KEY": "k-very-secret", "STUDIO_CLIENT": "c-1", "STUDIO_PASS": "p-very-secret", "STUDIO_ACCOUNT": "a/7"}
CALL = {"lesson": "l-1", "new_date": "2026-11-28", "new_time": "15:00"}


def document(schemes: dict[str, Any], security: Any = None, **more: Any) -> dict[str, Any]:
    found = deepcopy(DOCUMENT)
    found["components"]["securitySchemes"] = schemes
    if security is not None:
        found["security"] = security
    return {**found, **more}


KEY = {"type": "apiKey", "in": "header", "name": "X-Studio-Key"}
QUERY = {"type": "apiKey", "in": "query", "name": "key"}
BASIC = {"type": "http", "scheme": "basic"}
BEARER = {"type": "http", "scheme": "bearer"}
CLIENT = {
    "type": "oauth2",
    "flows": {"clientCredentials": {"tokenUrl": "https://api.studio.example/token", "scopes": {}}},
}


def access_of(tmp_path: Path, schemes: dict[str, Any], security: Any, venue: str) -> AuthScheme | None:
    pack = load(tmp_path / "studio", document=document(schemes, security), venue=VENUE + venue)
    assert "move_lesson" in pack.actions, pack_texts(pack)
    return pack.actions["move_lesson"].operation.access


def test_a_key_goes_where_the_document_says(tmp_path: Path) -> None:
    access = access_of(tmp_path, {"key": QUERY}, [{"key": []}], 'credentials: {key: "${STUDIO_KEY}"}\n')
    assert access is not None and access.credentials is not None and not access.asks_the_operator
    [one] = access.credentials
    assert (one.kind, one.place, one.name, one.value) == ("api_key", "query", "key", "${STUDIO_KEY}")


def test_the_operator_s_own_token_can_go_anywhere(tmp_path: Path) -> None:
    access = access_of(tmp_path, {"key": KEY}, [{"key": []}], "credentials: {key: operator}\n")
    assert access is not None and access.asks_the_operator and access.credentials is not None
    assert (access.credentials[0].name, access.credentials[0].prefix) == ("X-Studio-Key", "")


def test_a_document_that_wants_a_bearer_takes_the_operator_s(tmp_path: Path) -> None:
    assert access_of(tmp_path, {"b": BEARER}, [{"b": []}], "") is None


def test_the_first_way_in_that_the_pack_can_go(tmp_path: Path) -> None:
    ways = [{"key": [], "basic": []}, {"basic": []}]
    venue = 'credentials: {basic: {username: iq, password: "${STUDIO_PASS}"}}\n'
    access = access_of(tmp_path, {"key": KEY, "basic": BASIC}, ways, venue)
    assert access is not None and [c.kind for c in access.credentials or ()] == ["basic"]
    both = venue.replace("{basic", '{key: "${STUDIO_KEY}", basic')
    access = access_of(tmp_path / "both", {"key": KEY, "basic": BASIC}, ways, both)
    assert access is not None and [c.kind for c in access.credentials or ()] == ["api_key", "basic"]


def test_an_operation_that_is_open_to_everybody_gets_no_key(tmp_path: Path) -> None:
    found = document({"key": KEY}, [{"key": []}])
    found["paths"]["/me"]["get"]["security"] = []
    pack = load(tmp_path / "studio", document=found, venue=VENUE + 'credentials: {key: "${STUDIO_KEY}"}\n')
    assert pack.check.access is None or pack.check.access.credentials == ()


def test_no_way_in_is_stated_by_name(tmp_path: Path) -> None:
    found = document({"key": KEY}, [{"key": []}])
    refused = r"cannot be called without key \(header.X-Studio-Key\).*credentials: \{key: \$"
    with pytest.raises(PackError, match=refused):
        load(tmp_path / "studio", document=found)
    found["paths"]["/me"]["get"]["security"] = []
    pack = load(tmp_path / "studio", document=found)
    assert "move_lesson" not in pack.actions and any("X-Studio-Key" in text for text in pack_texts(pack))


@pytest.mark.parametrize(
    ("schemes", "written", "message"),
    [
        ({"key": KEY}, 'kee: "${STUDIO_KEY}"', "did you mean key"),
        ({}, 'key: "${STUDIO_KEY}"', "it has none"),
        ({"key": KEY}, "key: k-123", "no secret: write `${VARIABLE}`"),
        ({"key": KEY}, "key: {value: x}", "write `${VARIABLE}`, or `operator`"),
        ({"b": BEARER}, "b: abc", "no secret"),
        ({"basic": BASIC}, 'basic: "${STUDIO_KEY}"', "username"),
        ({"basic": BASIC}, "basic: {username: iq, password: open}", "basic.password: what stands in a file"),
        ({"o": CLIENT}, "o: {client_id: iq, client_secret: open}", "o.client_secret: what stands"),
        ({"o": CLIENT}, 'o: {client_id: iq, secret: "${STUDIO_KEY}"}', "client_secret"),
        ({"o": {"type": "oauth2", "flows": {}}}, 'o: {client_id: iq, client_secret: "${STUDIO_KEY}"}', "`token_url`"),
        ({"key": {**KEY, "in": "body"}}, 'key: "${STUDIO_KEY}"', "no place for a key"),
    ],
)
def test_a_mistake_is_refused_with_the_way_out(tmp_path: Path, schemes: Any, written: str, message: str) -> None:
    with pytest.raises(PackError) as refused:
        load(tmp_path / "studio", document=document(schemes), venue=f"{VENUE}credentials: {{{written}}}\n")
    assert message in str(refused.value)


@pytest.mark.parametrize(
    ("bound", "message"),
    [
        ("header.Api-Token: abc", "no secret"),
        ("headers.X: 1", "write `header.X-Name`"),
        ("query.notify: [fax]", "only a plain value"),
        ("body.level: high", ""),
    ],
)
def test_what_is_given_with_every_request_is_checked(tmp_path: Path, bound: str, message: str) -> None:
    if message and "plain" not in message:
        with pytest.raises(PackError) as refused:
            load(tmp_path / "studio", venue=f"{VENUE}bound: {{{bound}}}\n")
        assert message in str(refused.value)
    elif message:
        assert any(
            message in text for text in pack_texts(load(tmp_path / "studio", venue=f"{VENUE}bound: {{{bound}}}\n"))
        )


def test_a_misspelt_name_under_bound_is_reported(tmp_path: Path) -> None:
    pack = load(tmp_path / "studio", venue=f"{VENUE}bound: {{query.notfy: mail}}\n")
    message = "bound.query.notfy: no operation of the API document takes it, so it is never sent"
    assert [(f.level, f.message) for f in pack.findings] == [("error", message)]


def _needing() -> dict[str, Any]:
    """Return a document whose every operation requires a client and a token in its body or header, an account in its
    path."""
    found = document({"key": KEY}, [{"key": []}])
    item = found["paths"].pop("/lessons/{lesson_id}")
    account = {"name": "account", "in": "path", "required": True, "schema": {"type": "integer"}}
    item["parameters"].append(account)
    found["paths"]["/{account}/lessons/{lesson_id}"] = item
    header = {"name": "X-Client", "in": "header", "required": True, "schema": {"type": "string", "maxLength": 4}}
    for operation in (item["get"], item["patch"], found["paths"]["/me"]["get"]):
        operation.setdefault("parameters", []).append(header)
    body = item["patch"]["requestBody"]["content"]["application/json"]["schema"]
    body["properties"]["auth"] = {
        "type": "object",
        "required": ["accessToken", "version"],
        "properties": {"accessToken": {"type": "string"}, "version": {"type": "integer"}},
    }
    body["required"] = ["auth"]
    return found


NEEDED = """credentials: {key: "${STUDIO_KEY}"}
bound:
  header.X-Client: "${STUDIO_CLIENT}"
  path.account: "${STUDIO_ACCOUNT}"
  body.auth.accessToken: "${STUDIO_PASS}"
  body.auth.version: 2
"""


def test_what_the_pack_gives_is_asked_of_no_one_and_sent_with_everything(tmp_path: Path) -> None:
    pack = load(tmp_path / "studio", document=_needing(), venue=VENUE + NEEDED)
    assert pack_texts(pack) == []
    assert pack.variables == ("STUDIO_ACCOUNT", "STUDIO_CLIENT", "STUDIO_KEY", "STUDIO_PASS")
    action = pack.actions["move_lesson"]
    before = {"startsAt": "2026-11-27T09:00:00Z", "seats": []}
    bound = BoundAction.of(action, CALL, pack.profile).with_(before=before)
    assert action.snapshot is not None
    undo = bound.with_(now=before, left=before).with_request().compensation()
    for built in (pack.check, bound.read(action.snapshot.reads[0]), bound.request(), undo):
        held = json.dumps(built.model_dump(mode="json"))
        assert not any(secret in held for secret in HELD.values())
        sent = with_secrets(built, HELD.__getitem__)
        assert sent.headers["X-Client"] == "c-1"
        if built is not pack.check:
            assert sent.path == "/a%2F7/lessons/l-1"
        if built.method == "PATCH":
            assert isinstance(sent.body, dict) and sent.body["auth"] == {"accessToken": "p-very-secret", "version": 2}
            assert "startsAt" in sent.body


def test_no_model_sees_it_and_no_overlay_may_give_it(tmp_path: Path) -> None:
    pack = load(tmp_path / "a", document=_needing(), venue=VENUE + NEEDED)
    shown = json.dumps(openai_tool(pack.actions["move_lesson"]))
    assert not any(name in shown for name in ("account", "X-Client", "auth", "STUDIO"))
    taken = OVERLAY.replace("parameters:\n", "parameters:\n  client: {in: header.X-Client}\n")
    pack = load(tmp_path / "b", taken, document=_needing(), venue=VENUE + NEEDED)
    assert "move_lesson" not in pack.actions


def test_a_text_of_an_operator_is_never_taken_for_a_variable(tmp_path: Path) -> None:
    """ "Note: ${STUDIO_KEY}" is a note, and must not reveal our key to the venue."""
    noted = OVERLAY.replace("  new_time: {", "  note: {in: body.note, required: false, technical: true}\n  new_time: {")
    pack = load(tmp_path / "studio", noted, document=_needing(), venue=VENUE + NEEDED)
    action = pack.actions["move_lesson"]
    bound = BoundAction.of(action, {**CALL, "note": "see ${STUDIO_KEY}"}, pack.profile).with_(before={})
    sent = with_secrets(bound.request(), HELD.__getitem__)
    assert isinstance(sent.body, dict) and sent.body["note"] == "see ${STUDIO_KEY}"


def test_a_value_that_only_one_overlay_gives(tmp_path: Path) -> None:
    own = OVERLAY + 'bound: {body.note: "by ${STUDIO_CLIENT}"}\n'
    pack = load(tmp_path / "studio", own)
    assert pack.variables == ("STUDIO_CLIENT",) and pack_texts(pack) == []
    action = pack.actions["move_lesson"]
    sent = with_secrets(BoundAction.of(action, CALL, pack.profile).with_(before={}).request(), HELD.__getitem__)
    assert isinstance(sent.body, dict) and sent.body["note"] == "by c-1"


def test_a_variable_that_is_not_set_stops_the_start(tmp_path: Path) -> None:
    folder = write(tmp_path / "studio", document=_needing(), venue=VENUE + NEEDED)
    with pytest.raises(PackError, match="the pack studio needs STUDIO_PASS: set it in the environment"):
        FolderRegistry([folder], is_set=lambda name: name != "STUDIO_PASS")
    assert FolderRegistry([folder], is_set=lambda _: True).default_venue.actions


def test_nothing_secret_in_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in HELD.items():
        monkeypatch.setenv(name, value)
    folder = write(tmp_path / "studio", document=_needing(), venue=VENUE + NEEDED)
    fresh, kept = (load_pack(folder, cache=tmp_path / "cache") for _ in range(2))
    assert fresh.actions == kept.actions and fresh.variables == kept.variables
    [file] = (tmp_path / "cache").iterdir()
    assert not any(value in file.read_text(encoding="utf-8") for value in HELD.values())


def test_the_check_read_may_have_inputs(tmp_path: Path) -> None:
    venue = VENUE.replace("check_operation: me", "check_operation: {operation: get-lesson, with: {lesson_id: l-0}}")
    pack = load(tmp_path / "a", venue=venue)
    assert pack.check.path == "/lessons/l-0" and pack.profile.check_operation == "get-lesson"
    with pytest.raises(PackError, match=r"give its inputs: `check_operation: \{operation: …, with: \{…\}\}`"):
        load(tmp_path / "b", venue=VENUE.replace("check_operation: me", "check_operation: get-lesson"))


def test_tokens_are_asked_for_where_requests_go(tmp_path: Path) -> None:
    """A pack that is pointed at a sandbox must not send its secret to the real token endpoint."""
    venue = VENUE + 'credentials: {o: {client_id: iq, client_secret: "${STUDIO_KEY}"}}\n'
    folder = write(tmp_path / "studio", document=document({"o": CLIENT}, [{"o": []}]), venue=venue)
    for base, token in ((None, "https://api.studio.example/token"), ("http://127.0.0.1:9", "http://127.0.0.1:9/token")):
        access = load_pack(folder, base_url=base).check.access
        assert access is not None and access.credentials is not None
        assert access.credentials[0].token_url == token


BODIES: list[tuple[Any, AuthScheme | None, tuple[str | None, str]]] = [
    ({"error": "invalid_slot", "errorMessage": "No room left."}, None, ("invalid_slot", "No room left.")),
    ({"Message": "No room left."}, None, (None, "No room left.")),
    ({"errors": [{"name": "VenueCapacity", "message": "Full"}]}, None, ("VenueCapacity", "Full")),
    ({"error": {"code": 17, "description": "Full"}}, None, ("17", "Full")),
    ({"error": "No room left at that time."}, None, (None, "No room left at that time.")),
    ({"fault": {"faultstring": "x", "detail": {"errorcode": "e1"}}}, None, ("e1", "")),
    ("No room", None, (None, "No room")),
    ({"status": 409, "title": "Full", "type": "urn:full"}, None, ("urn:full", "Full")),
    (None, None, (None, "")),
    ({"error": {}}, None, (None, "")),
    (
        {"a": {"b": [{"c": "e9"}]}, "w": "Words"},
        AuthScheme(error_code=("a.b.c",), error_message=("x", "w")),
        ("e9", "Words"),
    ),
    ({"message": "Plain"}, AuthScheme(error_code=("a",), error_message=("b",)), (None, "Plain")),
]


@table("body, access, wanted", BODIES)
def test_a_refusal_s_code_and_words(body: Any, access: AuthScheme | None, wanted: tuple[str | None, str]) -> None:
    assert parse_error(body, access) == wanted


def test_where_a_refusal_says_what_is_wrong_is_stated_once_for_the_pack(tmp_path: Path) -> None:
    pack = load(tmp_path / "studio", venue=VENUE + "errors: {code: problem.kind, message: [problem.text, note]}\n")
    access = pack.actions["move_lesson"].operation.access
    assert access is not None and (access.error_code, access.error_message) == (
        ("problem.kind",),
        ("problem.text", "note"),
    )
    assert access.asks_the_operator


@pytest.mark.parametrize(
    ("schemes", "security", "venue", "kinds"),
    [
        ({"b": BEARER, "key": KEY}, [{"b": []}, {"key": []}], 'credentials: {key: "${STUDIO_KEY}"}', ["api_key"]),
        ({"o": CLIENT, "key": KEY}, [{"o": []}, {"key": []}], 'credentials: {key: "${STUDIO_KEY}"}', ["api_key"]),
        ({"b": BEARER}, [], "", []),
        ({"b": BEARER}, [{}], "", []),
        ({"key": KEY}, [{"key": []}], 'bound: {header.X-Studio-Key: "${STUDIO_KEY}"}', []),
        ({}, None, 'bound: {header.authorization: "Key ${STUDIO_KEY}"}', []),
        ({"b": BEARER, "key": KEY}, [{"b": [], "key": []}], 'credentials: {key: "${STUDIO_KEY}", b: operator}',
         ["operator", "api_key"]),
    ],
)  # fmt: skip
def test_the_operator_s_token_goes_where_a_venue_knows_the_operator(
    tmp_path: Path, schemes: Any, security: Any, venue: str, kinds: list[str]
) -> None:
    access = access_of(tmp_path, schemes, security, venue + "\n")
    assert access is not None and access.credentials is not None
    assert [c.kind for c in access.credentials] == kinds and access.asks_the_operator is ("operator" in kinds)


@pytest.mark.parametrize("security", [[{"b": [], "key": []}], [{"b": []}], [{"nobody": []}]])
def test_a_scheme_that_nothing_fills_is_named(tmp_path: Path, security: Any) -> None:
    found = document({"b": BEARER, "key": KEY}, security)
    with pytest.raises(PackError, match=r"cannot be called without (b|nobody)"):
        load(tmp_path / "studio", document=found, venue=VENUE + 'credentials: {key: "${STUDIO_KEY}"}\n')


def test_a_path_that_would_be_part_of_the_host_is_no_operation(tmp_path: Path) -> None:
    found = deepcopy(DOCUMENT)
    found["paths"]["@evil.example/me"] = {"get": {"operationId": "evil", "responses": {}}}
    write(tmp_path / "studio", document=found, venue=VENUE.replace("check_operation: me", "check_operation: evil"))
    with pytest.raises(PackError, match="no operation 'evil'"):
        load_pack(tmp_path / "studio")


def test_what_is_given_in_an_open_part_of_the_body_is_sent(tmp_path: Path) -> None:
    found = deepcopy(DOCUMENT)
    body = found["paths"]["/lessons/{lesson_id}"]["patch"]["requestBody"]["content"]["application/json"]["schema"]
    body["properties"]["metadata"] = {"type": "object", "additionalProperties": True}
    pack = load(tmp_path / "studio", document=found, venue=VENUE + "bound: {body.metadata.source: iq}\n")
    assert pack_texts(pack) == []
    action = pack.actions["move_lesson"]
    sent = with_secrets(BoundAction.of(action, CALL, pack.profile).with_(before={}).request(), HELD.__getitem__)
    assert isinstance(sent.body, dict) and sent.body["metadata"] == {"source": "iq"}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("time_zone: Europe/Roma", "no time zone is called so"),
        ("locale: en_GBB_", "write it as en-GB"),
        ("country: ITA", "write it as GB or IT"),
        ("base_url: api.studio.example", "http:// or https://"),
        ("words: {booking: {eng: lesson}}", "is no language"),
        ("bound: {header.Host: evil.example}", "the client sends that header itself"),
        ("bound: {header.X Client: a}", "no name of a header"),
        ("bound: {header.X-Client: '${client}'}", "in capitals"),
        ("bound: {header.Api-Key: 'sk_live_5{aB'}", "no secret"),
        ("bound: {header.Api-Key: 'sk_live_5${KEY}'}", "no secret"),
        ("bound: {header.Api-Key: \"{{ 'sk_live_5' }}\"}", "no secret"),
    ],
)
def test_a_value_that_can_never_work_is_stated_at_once(tmp_path: Path, line: str, message: str) -> None:
    key = line.partition(":")[0]
    venue = "\n".join(row for row in VENUE.splitlines() if not row.startswith(f"{key}:"))
    with pytest.raises(PackError) as refused:
        load(tmp_path / "studio", venue=f"{venue}\n{line}\n")
    assert message in str(refused.value) and "venue.yaml" in str(refused.value)


def test_a_word_that_no_action_speaks_of_is_reported(tmp_path: Path) -> None:
    pack = load(tmp_path / "studio", venue=VENUE + "words: {bookng: {en: lesson}}\n")
    assert pack_texts(pack) == ["warning: words.bookng: no action speaks of it (did you mean booking?)"]
