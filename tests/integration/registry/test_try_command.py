"""`iq actions try`, against a real server. Guarantees:

- It shows the arguments, the reads before, the exact request with secrets by their names, and what the operator would
  see. It sends no write unless asked to, and calls nothing off this machine that neither `--url`, the settings nor
  `--live` allow.
- With `--dry-run` nothing is sent at all, and it says what it could not know.
- With `--write` it reports whether the change shows; with `--undo` it undoes it and reads again. It detects an overlay
  whose `verify` does not hold.
- `--save-sample` writes what was read, without any person's name, and leaves every other line as it is.
- It reads texts as the product does. It reports a rejection as an operator would read it.
"""

import asyncio
import json
import re
import socketserver
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from typer.testing import CliRunner

from authoring.samples.anonymize import Anonymizer
from authoring.yaml_writer import file_of, put_sample
from cli.commands.actions import app
from cli.commands.pack import app as packs
from clients.venue.auth import redacted
from contracts.credentials import AuthScheme, Credential, HttpRequest
from infra.config.settings import Settings
from infra.http.http_server import HttpServer, http_server
from registry.overlays.yaml_file import read_limited_yaml
from sandbox import kayak_school as first

pytestmark = pytest.mark.slow

SIGNED_IN = {"Authorization": "Bearer x"}


@pytest.fixture
def school() -> Iterator[str]:
    """The kayak school, fresh; its address."""
    server: HttpServer = http_server(first.create_app(), "127.0.0.1", 0)
    thread = threading.Thread(target=lambda: asyncio.run(server.serve()), daemon=True)
    thread.start()
    while not server.started:
        threading.Event().wait(0.01)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    server.should_exit = True
    thread.join(10)


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    """Its pack, every draft enabled."""
    folder = tmp_path / "kayak"
    assert CliRunner().invoke(packs, ["init", str(first.DOCUMENT), "--out", str(folder)]).exit_code == 0
    for file in (folder / "actions").glob("*.yaml"):
        text = file.read_text().replace("iq_enabled: false", "iq_enabled: true")
        file.write_text(text.replace("{in: body.paddlers,", "{in: body.paddlers, role: count,"))
    with (folder / "venue.yaml").open("a") as venue:
        venue.write("settle_seconds: 0\n")
    return folder


def attempt(pack: Path, url: str, name: str, *more: str, **call: Any) -> tuple[int, str]:
    given = ["--call", json.dumps(call)] if call else []
    result = CliRunner().invoke(app, ["try", name, "--pack", str(pack), "--url", url, *given, *more])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    message = result.exception.code if isinstance(result.exception, SystemExit) else ""
    return result.exit_code, f"{result.output}{message if isinstance(message, str) else ''}"


def test_it_goes_where_the_settings_say_the_api_is(pack: Path, school: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "infra.config.settings.settings", lambda: Settings(_env_file=None, venue_urls={pack.name: school})
    )
    result = CliRunner().invoke(app, ["try", "get_booking", "--pack", str(pack), "--call", '{"booking_id": "k-1"}'])
    assert result.exit_code == 0, result.output
    assert f" at {school}" in result.output


def note_of(school: str, number: str = "k-1") -> Any:
    return httpx.get(f"{school}/v1/bookings/{number}", headers=SIGNED_IN).json()["note"]


def test_nothing_is_sent_unless_it_is_asked_for(pack: Path, school: str) -> None:
    code, message = attempt(pack, school, "update_booking", "--token", "s3cret", booking_id="k-1", note="Sunny")
    assert code == 0
    assert "Request: PATCH /v1/bookings/k-1\n  Authorization: Bearer ${operator's token}\n" in message
    assert '{"note": "Sunny"}' in message
    assert "  Note: Needs two wetsuits → Sunny" in message
    assert "s3cret" not in message
    assert note_of(school) == "Needs two wetsuits"


@pytest.mark.parametrize(
    ("access", "header", "shown"),
    [
        (None, "Authorization", "Bearer ${operator's token}"),
        (AuthScheme(credentials=(Credential(kind="api_key", name="X-Key", value="${KEY}"),)), "X-Key", "${KEY}"),
        (
            AuthScheme(credentials=(Credential(kind="basic", prefix="Basic ", username="iq", password="${PASS}"),)),
            "Authorization",
            "Basic base64(iq:${PASS})",
        ),
        (AuthScheme(credentials=(), bound={"header.X-Token": "${TOKEN}"}), "X-Token", "${TOKEN}"),
    ],
)
def test_secrets_are_shown_by_their_names(
    access: AuthScheme | None, header: str, shown: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("KEY", "PASS", "TOKEN"):
        monkeypatch.setenv(name, "s3cret")
    request = HttpRequest(method="GET", path="/a", access=access)
    assert redacted(request).headers == {header: shown}
    inside = request.model_copy(
        update={"path": "/{token}", "access": AuthScheme(credentials=(), bound={"path.token": "${T}"})}
    )
    assert redacted(inside).path == "/${T}"


def test_nothing_is_written_elsewhere_by_mistake(pack: Path) -> None:
    code, message = attempt(pack, "https://api.kayak.example", "update_booking", "--write", booking_id="k-1", note="x")
    assert code == 1
    assert "add --live" in message


class Listening(socketserver.ThreadingTCPServer):
    """A port that counts connections, and hangs up."""

    daemon_threads = True

    def __init__(self) -> None:
        self.asked = 0
        super().__init__(("127.0.0.1", 0), socketserver.BaseRequestHandler)

    def process_request(self, request: Any, client_address: Any) -> None:
        self.asked += 1
        self.shutdown_request(request)

    @property
    def address(self) -> str:
        """Return its address."""
        return f"http://127.0.0.1:{self.server_address[1]}"


@pytest.fixture
def listening() -> Iterator[Listening]:
    with Listening() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join(10)


@pytest.mark.parametrize("action", ["update_booking", "list_bookings", "create_booking"])
@pytest.mark.parametrize("words", ["make Bo Diaz 5 people", "list bookings of Bo Diaz", "book Ann Smith", None])
def test_a_dry_run_asks_no_one(
    pack: Path, listening: Listening, monkeypatch: pytest.MonkeyPatch, action: str, words: str | None
) -> None:
    address = listening.address
    monkeypatch.setattr(
        "infra.config.settings.settings",
        lambda: Settings(_env_file=None, call_timeout=1, model_base_url=f"{address}/v1"),
    )
    given = ["--say", words] if words else ["--call", '{"booking_id": "k-1", "paddlers": 5, "name": "Ann"}']
    attempt(pack, address, action, "--dry-run", *given)
    assert listening.asked == 0, "neither the venue nor the model"


def test_a_dry_run_says_what_it_cannot_know(pack: Path) -> None:
    code, message = attempt(pack, "http://127.0.0.1:1", "update_booking", "--dry-run")
    assert code == 0
    assert "Request: PATCH /v1/bookings/k-1" in message
    assert "Nothing was sent." in message and "--write" not in message
    assert (
        "Not known, since no server was asked: whether the token is good; what is there now (the sample is used "
        "instead); what the answer would be." in message
    )
    code, message = attempt(pack, "http://127.0.0.1:1", "update_booking", "--dry-run", "--say", "make Bo Diaz 5 people")
    assert code == 1
    assert "which booking these words mean is not known; give the arguments with --call" in message


def test_the_packs_own_address_is_asked_where_that_is_meant(
    pack: Path, listening: Listening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("infra.config.settings.settings", lambda: Settings(_env_file=None, call_timeout=1))
    monkeypatch.setattr("authoring.try_action.run._LOOPBACK", frozenset())
    venue, address = pack / "venue.yaml", listening.address
    venue.write_text(re.sub(r"base_url: .*", f"base_url: {address}", venue.read_text()))
    call = ["try", "get_booking", "--pack", str(pack), "--call", '{"booking_id": "k-1"}']
    result = CliRunner().invoke(app, call)
    assert isinstance(result.exception, SystemExit) and "add --live" in str(result.exception.code)
    assert listening.asked == 0


def test_there_and_back(pack: Path, school: str) -> None:
    path = pack / "actions" / "update_booking.yaml"
    before = path.read_text()
    code, message = attempt(
        pack, school, "update_booking", "--write", "--undo", "--save-sample",
        booking_id="k-1", note="Call +39 02 123", paddlers=3,
    )  # fmt: skip
    assert code == 0
    assert "Worked: yes, a new read shows it" in message
    assert "Undone: yes, it is as before" in message
    assert note_of(school) == "Needs two wetsuits"
    after = path.read_text()
    assert before.split("\nsample:")[0] == after.split("\nsample:")[0]
    sample = read_limited_yaml(path).data["sample"]  # type: ignore[index, call-overload]
    assert "Byron" not in after and "123" not in after and "wetsuits" not in json.dumps(sample)
    assert sample["call"]["note"] == sample["after"]["note"] != sample["before"]["note"]
    assert (sample["before"]["paddlers"], sample["after"]["paddlers"]) == (2, 3)
    assert CliRunner().invoke(app, ["check", "--pack", str(pack)]).exit_code == 0


def test_without_undo_it_stands(pack: Path, school: str) -> None:
    code, message = attempt(pack, school, "update_booking", "--write", booking_id="k-1", note="Stays")
    assert (code, note_of(school)) == (0, "Stays")
    assert "Way back: PATCH /v1/bookings/k-1" in message
    assert "The change stays. --undo takes it back as well." in message


def test_an_overlay_that_does_not_verify_is_found_out(pack: Path, school: str) -> None:
    path = pack / "actions" / "cancel_booking.yaml"
    path.write_text(path.read_text().replace("now.status in ['cancelled']", "now.note == 'gone'"))
    code, message = attempt(pack, school, "cancel_booking", "--write", booking_id="k-2")
    assert code == 1
    assert "Worked: NO" in message


def test_a_verify_that_held_before_is_found_out(pack: Path, school: str) -> None:
    path = pack / "actions" / "cancel_booking.yaml"
    path.write_text(path.read_text().replace("now.status in ['cancelled']", "now.guest_name == before.guest_name"))
    code, message = attempt(pack, school, "cancel_booking", "--write", booking_id="k-2")
    assert code == 1 and "Worked: yes" not in message
    assert "Worked: not known: `verify` holds before anything was done: it proves nothing" in message


def test_a_refusal_is_reported_as_an_operator_reads_it(pack: Path, school: str) -> None:
    code, message = attempt(pack, school, "update_booking", "--write", booking_id="k-3", note="x")
    assert code == 1
    assert "Answer: 409 cancelled A cancelled booking cannot be changed." in message
    assert "Worked: NO: a new read does not show it so far" in message
    path = pack / "actions" / "update_booking.yaml"
    path.write_text(path.read_text() + "errors: [{status: 409, code: cancelled, message: It is cancelled.}]\n")
    assert (
        "Operator sees: It is cancelled.\n"
        in attempt(pack, school, "update_booking", "--write", booking_id="k-3", note="x")[1]
    )


def test_what_a_plan_would_refuse_is_not_sent(pack: Path, school: str) -> None:
    path = pack / "actions" / "update_booking.yaml"
    refusing = "rejects_when: [{when: before.guest_name == 'Ada Byron', message: Not hers.}]\n"
    path.write_text(path.read_text() + refusing)
    code, message = attempt(pack, school, "update_booking", "--write", booking_id="k-1", note="x")
    assert code == 1 and "Not hers." in message and "it would never be planned" in message
    assert note_of(school) == "Needs two wetsuits"


def test_a_look_up_sees_the_day_and_its_own_reads(pack: Path, school: str) -> None:
    path = pack / "actions" / "list_bookings.yaml"
    text = path.read_text()
    reads = "preview_reads: {one: {operation: getBooking, with: {id: k-2}}}\n"
    path.write_text(text + reads + "answer: '{{ today }} {{ seen.one.guest_name }}'\n")
    _, message = attempt(pack, school, "list_bookings", "--call", '{"name": "Ada"}')
    assert "Bo Diaz" in message and "is undefined" not in message


def test_each_try_has_a_key_of_its_own(pack: Path, school: str) -> None:
    """An API that knows a key answers with what was done for it before."""
    path = pack / "actions" / "update_booking.yaml"
    path.write_text(path.read_text() + "idempotency_header: X-Key\n")
    message = [attempt(pack, school, "update_booking", booking_id="k-1", note="x")[1] for _ in range(2)]
    keys = [line for text in message for line in text.splitlines() if "X-Key" in line]
    assert len(keys) == 2 and keys[0] != keys[1] and all("try-" in key for key in keys)


@pytest.mark.parametrize(
    ("message", "shows"),
    [
        ("make Bo Diaz 5 people", 'Call: {"booking_id": "k-2", "paddlers": 5}'),
        ("add a note for Nobody Here: hello", "the planner answers: No matching booking"),
        ("cancel the booking of Bo Diaz", "the planner takes these words for cancel_booking"),
    ],
)
def test_words_are_read_as_the_product_reads_them(pack: Path, school: str, message: str, shows: str) -> None:
    assert shows in attempt(pack, school, "update_booking", "--say", message)[1]


@pytest.mark.parametrize(
    ("more", "says"),
    [
        (("--call", "{"), "--call is not JSON"),
        (("--call", "[1]"), "--call is an object"),
        (("--undo",), "--undo takes back what --write sent"),
        ((), "say what to do"),
        (("--call", '{"paddlers": 9}'), "these arguments do not do"),
        (("--call", '{"booking_id": "k-1", "note": "x"}', "--save-sample"), "--save-sample goes with --write"),
    ],
)
def test_what_cannot_be_tried_says_the_way_out(pack: Path, school: str, more: tuple[str, ...], says: str) -> None:
    code, message = attempt(pack, school, "update_booking", *more)
    assert code == 1
    assert says in message


def test_an_unknown_action(pack: Path, school: str) -> None:
    assert "did you mean update_booking?" in attempt(pack, school, "updat_booking", note="x")[1]


def test_no_one_is_left_in_a_sample() -> None:
    seen: dict[str, Any] = {
        "call": {"email": "ada@byron.example", "first_name": "Ada"},
        "before": {
            "guest": {"firstName": "Augusta", "lastName": "Byron", "email": "a@b.example", "id": "7"},
            "status": "Paid",
        },
        "after": {
            "guest": {"firstName": "Ada", "lastName": "Byron", "email": "ada@byron.example", "id": "7"},
            "status": "Paid",
        },
    }
    anonymous = Anonymizer()
    anonymous.learn(seen)
    made: Any = anonymous.without(seen)
    text = json.dumps(made)
    assert not any(word in text for word in ("Ada", "ada", "Augusta", "Byron", "b.example"))
    assert made["call"]["email"] == made["after"]["guest"]["email"] != made["before"]["guest"]["email"]
    assert made["call"]["first_name"] == made["after"]["guest"]["firstName"]
    assert (made["after"]["guest"]["id"], made["after"]["status"]) == ("7", "Paid")


def test_no_one_stays_in_longer_texts() -> None:
    seen: dict[str, Any] = {
        "before": {
            "title": "Consultation between Studio and Ada Byron",
            "subject": "For Ada, and for Mrs Byron.",
            "about": "Write to ada@byron.example or +39 333 1234567; Europe/Byron is a zone, and Adam is Adam",
            "zone": "Europe/Byron",
            "attendees": [{"name": "Ada Byron", "email": "ada@byron.example", "phone": "+39 333 1234567"}],
        },
    }
    anonymous = Anonymizer()
    anonymous.learn(seen)
    made: Any = anonymous.without(seen)
    own = made["before"]["attendees"][0]
    first, last = own["name"].split()
    assert made["before"]["title"] == f"Consultation between Studio and {own['name']}"
    assert made["before"]["subject"] == f"For {first}, and for Mrs {last}."
    assert made["before"]["about"].startswith(f"Write to {own['email']} or {own['phone']}; Europe/Byron is")
    assert made["before"]["about"].endswith("Adam is Adam") and made["before"]["zone"] == "Europe/Byron"


def test_a_placeholder_is_no_one_of_the_answer() -> None:
    people = ["Ann Smith", "Bo Lee", "Zoe Byron", "Dan Green", "Eve Rossi"]
    seen: dict[str, Any] = {"rows": [{"name": name} for name in people], "note": "Ground floor, please"}
    anonymous = Anonymizer()
    anonymous.learn(seen)
    made: Any = anonymous.without(seen)
    names = [row["name"] for row in made["rows"]]
    assert len({*names, *people}) == 2 * len(people) and made["note"] != "Ground floor, please"
    assert anonymous.replaced == 6


@pytest.mark.parametrize("there", ["sample: none\n", "", "sample:\n  call: {a: 1}   # old\n\n# About the rest.\n"])
def test_only_the_sample_is_written(tmp_path: Path, there: str) -> None:
    (tmp_path / "actions").mkdir()
    path = tmp_path / "actions" / "one.yaml"
    path.write_text(f"action: one   # mine\n{there}title:   'As  I like it'\n")
    sample: dict[str, Any] = {
        "call": {"day": "2026-11-28", "n": 1, "no": None, "yes": "true", "o": {"a: b": ["#x", ""]}}
    }
    put_sample(file_of(tmp_path, "one"), sample)
    text = path.read_text()
    assert text.startswith("action: one   # mine\n")
    assert "title:   'As  I like it'\n" in text
    assert ("# About the rest.\n" in text) is ("About" in there)
    assert read_limited_yaml(path).data["sample"] == sample  # type: ignore[index, call-overload]
