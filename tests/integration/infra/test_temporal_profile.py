"""The connection to the Temporal service, real, with certificates on both sides. Guarantees:

- Without a profile no file is read, whatever is in the home directory.
- A profile's file gives address, namespace and certificates; a setting overrides it; a plan's data is read the same.
- The server refuses a client without its certificate, and the client a server that its authority did not sign.
- A missing profile or file stops the program, and the error names it.
"""

import asyncio
import contextlib
import datetime
import ipaddress
import ssl
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from cli.stack.dev import Stack
from infra.config.settings import Settings
from infra.crypto.keyring import new_key_line
from infra.temporal.client import ProfileError, connect, connection, profiled
from tests.support.stacks import free_base

_NAMES = (x509.DNSName("temporal.test"), x509.IPAddress(ipaddress.ip_address("127.0.0.1")))


def certificate(folder: Path, name: str, signer: tuple[x509.Certificate, ec.EllipticCurvePrivateKey] | None = None):
    """Write a key and its certificate, in files of that name; without a signer it is an authority's own."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(signer[0].subject if signer else subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.BasicConstraints(ca=signer is None, path_length=None), critical=True)
        .add_extension(x509.SubjectAlternativeName(_NAMES), critical=False)
        .sign(signer[1] if signer else key, hashes.SHA256())
    )
    (folder / f"{name}.pem").write_bytes(made.public_bytes(serialization.Encoding.PEM))
    form = (serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    (folder / f"{name}.key").write_bytes(key.private_bytes(*form))
    return made, key


@pytest.fixture
async def locked(stack: Stack, tmp_path: Path) -> AsyncIterator[int]:
    """The port of a TLS proxy in front of Temporal that requires a certificate; the certificates are in the folder."""
    authority = certificate(tmp_path, "authority")
    certificate(tmp_path, "stranger")
    for name in ("server", "client"):
        certificate(tmp_path, name, authority)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH, cafile=str(tmp_path / "authority.pem"))
    context.load_cert_chain(tmp_path / "server.pem", tmp_path / "server.key")
    context.verify_mode = ssl.CERT_REQUIRED
    context.set_alpn_protocols(["h2"])

    async def copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, ssl.SSLError):
            while data := await reader.read(65536):
                writer.write(data)
                await writer.drain()
        writer.close()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection("127.0.0.1", stack.ports.temporal)
        await asyncio.gather(copy(reader, back), copy(there, writer))

    port = free_base(1)
    async with await asyncio.start_server(serve, "127.0.0.1", port, ssl=context):
        yield port


def profile(folder: Path, port: int, authority: str = "authority", client: str = "client") -> Path:
    file = folder / "temporal.toml"
    file.write_text(f"""
[profile.ours]
address = "127.0.0.1:{port}"
namespace = "default"
[profile.ours.tls]
server_ca_cert_path = "{folder}/{authority}.pem"
client_cert_path = "{folder}/{client}.pem"
client_key_path = "{folder}/{client}.key"
""")
    return file


def settings(**fields: object) -> Settings:
    return profiled(Settings(_env_file=None, keys=new_key_line(), **fields))


async def test_a_profile_with_certificates_lets_in(locked: int, tmp_path: Path) -> None:
    found = settings(temporal_profile="ours", temporal_config_file=profile(tmp_path, locked))
    assert found.temporal_address == f"127.0.0.1:{locked}"
    client = await connect(found, wait=5)
    assert await client.service_client.check_health()
    assert client.namespace == "default"


async def test_so_do_the_same_as_settings(locked: int, tmp_path: Path) -> None:
    found = settings(
        temporal_address=f"127.0.0.1:{locked}", temporal_tls_server_name="temporal.test",
        temporal_tls_client_cert_path=tmp_path / "client.pem", temporal_tls_client_key_path=tmp_path / "client.key",
        temporal_tls_server_ca_cert_path=tmp_path / "authority.pem",
    )  # fmt: skip
    assert await (await connect(found, wait=5)).service_client.check_health()


@pytest.mark.parametrize(("authority", "client"), [("stranger", "client"), ("authority", "stranger")])
async def test_strangers_are_not_let_in(locked: int, tmp_path: Path, authority: str, client: str) -> None:
    file = profile(tmp_path, locked, authority, client)
    with pytest.raises(ConnectionError, match=str(locked)):
        await connect(settings(temporal_profile="ours", temporal_config_file=file), wait=0)


def test_a_setting_goes_before_the_profile(tmp_path: Path) -> None:
    file = tmp_path / "temporal.toml"
    file.write_text('[profile.default]\naddress = "a:1"\nnamespace = "theirs"\napi_key = "k"\n')
    found = settings(temporal_config_file=file, temporal_address="b:2")
    assert (found.temporal_address, found.temporal_namespace) == ("b:2", "theirs")
    reached = connection(found)
    assert (reached["target_host"], reached["namespace"], reached["api_key"]) == ("b:2", "theirs", "k")
    assert reached["tls"] is True, "an API key never goes out in plain text"


def test_without_a_profile_no_file_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "temporalio"
    home.mkdir()
    (home / "temporal.toml").write_text('[profile.default]\naddress = "elsewhere:1"\napi_key = "k"\n')
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert connection(settings()) == {"target_host": "127.0.0.1:8705", "namespace": "default"}


@pytest.mark.parametrize("fields", [
    {"temporal_config_file": "/nowhere/temporal.toml"}, {"temporal_profile": "nobodys"},
])  # fmt: skip
def test_what_is_not_there_stops_the_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fields: dict[str, object]
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    with pytest.raises(ProfileError, match=r"TEMPORAL_(PROFILE|CONFIG_FILE)"):
        settings(**fields)
