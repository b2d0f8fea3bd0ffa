"""`iq actions fetch`, against real HTTPS servers on loopback with a certificate made here. Guarantees:

- A document in several files is saved with the files it refers to: those beside it beside it, those of another allowed
  host or from above its folder in `remote/`, with their references adapted. `iq actions check` and `tools` then accept
  it, with comments and lines as they were. A pack's own files are never among the fetched ones.
- A reference or a redirect to a host that is not allowed is refused by name; so is one that is not https, not trusted,
  too large once unpacked, compressed in layers, endless, no document, or would overwrite another file. Then nothing is
  written and that host never got a request.
"""

import datetime as dt
import gzip
import ipaddress
import json
import ssl
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from typer.testing import CliRunner

from authoring import fetch as fetching
from cli.commands.actions import app
from registry.openapi.document import Document

MAIN = """# The shop, as its owners publish it.
openapi: 3.1.0
paths:
  /pets/{petId}:
    $ref: "paths/pet.yaml"
  /orders:
    post:
      operationId: place-order
      requestBody: # what is wanted
        required: true
        content:
          application/json:
            schema: {$ref: 'https://127.0.0.1:PORT/shared/order.json#/Order'}
      responses: {"200": {description: Fine}}
components:
  schemas:
    Name: {type: string, maxLength: 40}
    Money: {$ref: ../common/money.yaml}
"""
PET = """
get:
  operationId: show-pet
  parameters:
    - {name: petId, in: path, required: true, schema: {$ref: '../api.yaml#/components/schemas/Name'}}
    - {name: limit, in: query, required: true, schema: {$ref: "../actions/limit.yaml"}}
  responses: {"200": {description: Fine}}
"""
ORDER = r"""{"Order": {"type": "object", "required": ["name", "price"], "properties": {
  "name": {"$ref": "https:\/\/localhost:PORT\/moved.yaml#/components/schemas/Name"},
  "price": {"$ref": "parts/price.json"}}}}"""
FILES = {
    "/v1/api.yaml": MAIN,
    "/v1/paths/pet.yaml": PET,
    "/v1/actions/limit.yaml": "{type: integer, maximum: 7}",
    "/common/money.yaml": "{type: number, minimum: 0}",
    "/shared/order.json": ORDER,
    "/shared/parts/price.json": '{"type": "number", "maximum": 99}',
    "/page": "Welcome to the shop",
    "/broken.yaml": "openapi: [3.1.0",
    "/plain.yaml": "openapi: 3.1.0\npaths: {}\ncomponents: {x: {$ref: 'http://localhost/x.yaml'}}",
    "/disk.yaml": "openapi: 3.1.0\npaths: {}\ncomponents: {x: {$ref: 'file:///etc/hostname'}}",
    "/user.yaml": "openapi: 3.1.0\npaths: {}\ncomponents: {x: {$ref: 'https://a:b@localhost/x.yaml'}}",
    "/bomb.yaml": "openapi: 3.1.0\npaths: {}\ncomponents: {x: {$ref: endless}}",
    "/gone.yaml": "openapi: 3.1.0\npaths: {}\ncomponents: {x: {$ref: no/such.yaml}}",
}
_ZEROS = gzip.compress(bytes(2**26), 9)
PACKED = {
    "/packed.yaml": ("gzip", gzip.compress(b"openapi: 3.1.0\npaths: {}\n")),
    "/zeros": ("gzip", _ZEROS),
    "/layers": ("gzip, gzip", gzip.compress(_ZEROS, 9)),
    "/broken.json": ("gzip", gzip.compress(b'{"openapi": "3.1.0", "paths": {' + b'"/x": {"a": 1},' * 800_000 + b"]")),
}
REDIRECTS = {
    "/moved.yaml": "/v1/api.yaml",
    "/away.yaml": "https://127.0.0.1:PORT/v1/api.yaml",
    "/down.yaml": "http://localhost:PORT/v1/api.yaml",
    "/round.yaml": "/round.yaml",
}


class _Shop(BaseHTTPRequestHandler):
    """A server of FILES that notes each request."""

    asked: list[tuple[str, str]]

    def do_GET(self) -> None:
        port = str(self.server.server_address[1])
        self.asked.append((str(self.headers["host"]).partition(":")[0], self.path))
        if self.path in REDIRECTS:
            self.send_response(302)
            self.send_header("location", REDIRECTS[self.path].replace("PORT", port))
            self.end_headers()
        elif self.path == "/announced":
            self.send_response(200)
            self.send_header("content-length", str(fetching.MOST_BYTES + 1))
            self.end_headers()
        elif self.path == "/endless":
            self._pour()
        elif self.path == "/trickle":
            self._trickle()
        elif self.path in PACKED:
            encoding, body = PACKED[self.path]
            self.send_response(200)
            self.send_header("content-encoding", encoding)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
        elif self.path in FILES:
            body = FILES[self.path].replace("PORT", port).encode()
            self.send_response(200)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
        else:
            self.send_error(404)

    def _pour(self) -> None:
        self.send_response(200)
        self.end_headers()
        try:
            while True:
                self.wfile.write(b"x" * 65536)
        except OSError:
            self.close_connection = True  # the reader has had enough

    def _trickle(self) -> None:
        """Send a byte of a header now and then, for as long as the client reads."""
        try:
            self.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
            while True:
                self.wfile.write(b"x")
                time.sleep(0.05)
        except OSError:
            self.close_connection = True

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing."""


def _certificate(folder: Path) -> tuple[Path, Path]:
    """Return a self-signed certificate for loopback, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "The shop")])
    now = dt.datetime.now(dt.UTC)
    hosts = [x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(hours=1))
        .not_valid_after(now + dt.timedelta(hours=1))
        .add_extension(x509.SubjectAlternativeName(hosts), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    paths = folder / "ca.pem", folder / "key.pem"
    paths[0].write_bytes(made.public_bytes(serialization.Encoding.PEM))
    plain = serialization.NoEncryption()
    paths[1].write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain)
    )  # fmt: skip
    return paths


class Shop:
    """A running server: `localhost` and `127.0.0.1` are two hosts of it."""

    def __init__(self, port: int, authority: Path, asked: list[tuple[str, str]]) -> None:
        self.port, self.authority, self.asked = port, authority, asked

    def at(self, path: str) -> str:
        return f"https://localhost:{self.port}{path}"


@pytest.fixture
def shop(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[Shop]:
    monkeypatch.setenv("NO_PROXY", "localhost,127.0.0.1")
    certificate, key = _certificate(tmp_path_factory.mktemp("certificate"))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    handler = type("_Handler", (_Shop,), {"asked": []})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield Shop(server.server_address[1], certificate, handler.asked)
    server.shutdown()
    server.server_close()
    thread.join()


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, list(arguments))
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.output


def fetch(shop: Shop, path: str, folder: Path, *allow: str, out: str = "openapi.yaml") -> tuple[int, str]:
    hosts = [word for host in allow or ("localhost",) for word in ("--allow", host)]
    return run("fetch", shop.at(path), *hosts, "--out", str(folder / out), "--ca", str(shop.authority))


def below(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def test_a_document_in_several_files(shop: Shop, tmp_path: Path) -> None:
    code, message = fetch(shop, "/v1/api.yaml", tmp_path, "localhost", "127.0.0.1")
    assert code == 0, message
    one, two = f"remote/localhost_{shop.port}", f"remote/127.0.0.1_{shop.port}"
    assert below(tmp_path) == {
        "openapi.yaml", "paths/pet.yaml", f"{one}/common/money.yaml", f"{one}/v1/actions/limit.yaml",
        f"{two}/shared/order.json", f"{two}/shared/parts/price.json",
    }  # fmt: skip
    assert message.splitlines()[0] == f"{tmp_path}/openapi.yaml: {(tmp_path / 'openapi.yaml').stat().st_size} bytes"
    text = (tmp_path / "openapi.yaml").read_text(encoding="utf-8")
    assert text == MAIN.replace(f"https://127.0.0.1:{'PORT'}", two).replace("../common", f"{one}/common")
    # The order refers to the document by an address that redirects to it: requested twice, saved once.
    assert [len(shop.asked), len(set(shop.asked))] == [8, 7]

    code, message = run("check", "--spec", str(tmp_path / "openapi.yaml"))
    assert (code, message) == (0, "openapi.yaml: 2 usable operations; 0 errors, 0 other findings\n")
    code, message = run("tools", "--spec", str(tmp_path / "openapi.yaml"), "--all", "--json")
    assert code == 0
    tools = {tool["function"]["name"]: tool["function"]["parameters"] for tool in json.loads(message)["tools"]}
    assert {n: s["type"] for n, s in tools["show-pet"]["properties"].items()} == {"petId": "string", "limit": "integer"}
    assert {n: s["type"] for n, s in tools["place-order"]["properties"].items()} == {
        "name": "string",
        "price": "number",
    }
    document = Document.read(tmp_path / "openapi.yaml")
    limits = {p.name: p.json_schema for p in document.operation("show-pet").parameters}
    assert limits == {"petId": {"type": "string", "maxLength": 40}, "limit": {"type": "integer", "maximum": 7}}


def test_a_redirect_within_what_is_allowed(shop: Shop, tmp_path: Path) -> None:
    code, message = fetch(shop, "/moved.yaml", tmp_path, "localhost", f"127.0.0.1:{shop.port}", out="shop.yaml")
    assert code == 0, message
    assert {"shop.yaml", "paths/pet.yaml"} < below(tmp_path)
    assert run("check", "--spec", str(tmp_path / "shop.yaml"))[0] == 0


def test_the_usual_variable_names_an_authority(shop: Shop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    address = shop.at("/common/money.yaml")
    given = ("fetch", address, "--allow", "localhost", "--out", str(tmp_path / "money.yaml"))
    code, message = run(*given)
    assert code == 1
    assert "certificate verify failed" in message.replace("\n", " ")
    assert below(tmp_path) == set()
    monkeypatch.setenv("SSL_CERT_FILE", str(shop.authority))
    assert run(*given)[0] == 0
    assert (tmp_path / "money.yaml").read_text(encoding="utf-8") == FILES["/common/money.yaml"]


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        (
            "/v1/api.yaml",
            "/v1/api.yaml refers to https://127.0.0.1:PORT/shared/order.json: 127.0.0.1 is not an allowed",
        ),
        ("/away.yaml", "/away.yaml redirects to https://127.0.0.1:PORT/v1/api.yaml: 127.0.0.1 is not an allowed host"),
        ("/down.yaml", "redirects to http://localhost:PORT/v1/api.yaml, which is not https"),
        ("/round.yaml", "redirects more than 5 times"),
        ("/plain.yaml", "refers to http://localhost/x.yaml, which is not https"),
        ("/disk.yaml", "refers to file:///etc/hostname, which is not https"),
        ("/user.yaml", "an address holds a host and no user"),
        ("/announced", "/announced is too large: a document may take 32 MiB"),
        ("/bomb.yaml", "/endless is too large: a document may take 32 MiB"),
        ("/zeros", "/zeros is too large: a document may take 32 MiB"),
        ("/layers", "/layers was not fetched: it is packed as 'gzip, gzip', which is not asked for"),
        ("/broken.json", "/broken.json, line 1: no JSON"),
        ("/page", "/page is neither a JSON nor a YAML document"),
        ("/broken.yaml", "/broken.yaml, line"),
        ("/gone.yaml", "/no/such.yaml was not fetched: Client error '404"),
    ],
)
def test_what_is_refused(shop: Shop, tmp_path: Path, path: str, reason: str) -> None:
    code, message = fetch(shop, path, tmp_path)
    assert code == 1
    assert reason.replace("PORT", str(shop.port)) in " ".join(message.split())
    assert below(tmp_path) == set()
    assert {host for host, _ in shop.asked} == {"localhost"}


def test_a_server_that_is_never_silent_and_never_done_is_left(shop: Shop, tmp_path: Path) -> None:
    with pytest.raises(fetching.FetchError, match=r"was not fetched within 0\.5 s"):
        fetching.fetch(shop.at("/trickle"), ["localhost"], tmp_path / "openapi.yaml", shop.authority, timeout=0.5)
    assert below(tmp_path) == set()


def test_what_is_packed_all_the_same_is_unpacked(shop: Shop, tmp_path: Path) -> None:
    assert fetch(shop, "/packed.yaml", tmp_path)[0] == 0
    assert (tmp_path / "openapi.yaml").read_text() == "openapi: 3.1.0\npaths: {}\n"


@pytest.mark.parametrize("address", ["http://localhost/api.yaml", "https://example.com/api.yaml", "localhost/api.yaml"])
def test_the_address_itself_is_judged_first(shop: Shop, tmp_path: Path, address: str) -> None:
    assert run("fetch", address, "--allow", "localhost", "--out", str(tmp_path / "a.yaml"))[0] == 1
    assert (below(tmp_path), shop.asked) == (set(), [])


def test_no_other_file_is_overwritten(shop: Shop, tmp_path: Path) -> None:
    mine = tmp_path / "paths" / "pet.yaml"
    mine.parent.mkdir()
    mine.write_text("mine")
    code, message = fetch(shop, "/v1/api.yaml", tmp_path, "localhost", "127.0.0.1")
    assert code == 1
    assert "pet.yaml is there already and differs" in " ".join(message.split())
    assert (below(tmp_path), mine.read_text()) == ({"paths/pet.yaml"}, "mine")
    mine.unlink()
    assert fetch(shop, "/v1/api.yaml", tmp_path, "localhost", "127.0.0.1")[0] == 0
    assert fetch(shop, "/v1/api.yaml", tmp_path, "localhost", "127.0.0.1")[0] == 0  # the same again
