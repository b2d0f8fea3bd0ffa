"""The connection to Temporal. Client, worker and replayer share one data converter, because a history can only be read
with the converter that wrote it.

The connection's profile (address, namespace, API key, TLS) comes from the variables and the file of Temporal's own
command line and SDKs (`temporalio.envconfig`), so one profile serves them all. A file is read only if a profile or a
file is named, because a developer's own file must not affect `iq dev`.

The payload codec: all data between workflows and activities leaves the process encrypted. It covers payloads, memos,
headers and, through the failure converter, messages and stack traces of failures. Not covered are workflow ids,
search attributes, activity names and failure types, which therefore hold no personal data (Temporal facts, 11).
"""

import asyncio
import dataclasses
from collections.abc import Iterable, Sequence
from datetime import timedelta
from pathlib import Path

from temporalio import activity, workflow
from temporalio.api.common.v1 import Payload
from temporalio.client import Client
from temporalio.contrib.pydantic import pydantic_data_converter
from temporalio.converter import DataConverter, DefaultFailureConverterWithEncodedAttributes, PayloadCodec
from temporalio.envconfig import ClientConfigProfile, ClientConnectConfig
from temporalio.runtime import Runtime
from temporalio.service import RetryConfig

from infra.config.settings import Settings
from infra.crypto.keyring import Ciphertext, KeyRing, KeyringError

ENCODING = b"binary/encrypted"
KEY_ID = "encryption-key-id"


class EncryptionCodec(PayloadCodec):
    """AES-256-GCM with the ring's first key; the payload's metadata holds the key's id."""

    def __init__(self, ring: KeyRing) -> None:
        super().__init__()
        self._ring = ring

    async def encode(self, payloads: Sequence[Payload]) -> list[Payload]:
        """Encrypt each payload whole, its own metadata included."""
        return [self._sealed(p) for p in payloads]

    async def decode(self, payloads: Sequence[Payload]) -> list[Payload]:
        """Decrypt our payloads and pass the rest on. Raises `KeyringError`."""
        return [self._opened(p) for p in payloads]

    def decode_readable(self, payloads: Iterable[Payload]) -> list[Payload]:
        """Decrypt like `decode`, for display: what cannot be decrypted is returned unchanged."""
        shown = []
        for payload in payloads:
            try:
                shown.append(self._opened(payload))
            except KeyringError:
                shown.append(payload)
        return shown

    def _sealed(self, payload: Payload) -> Payload:
        sealed = self._ring.seal(payload.SerializeToString())
        return Payload(metadata={"encoding": ENCODING, KEY_ID: sealed.key_id.encode()}, data=sealed.data)

    def _opened(self, payload: Payload) -> Payload:
        if payload.metadata.get("encoding") != ENCODING:
            return payload
        key_id = payload.metadata.get(KEY_ID, b"").decode(errors="replace")
        return Payload.FromString(self._ring.open(Ciphertext(key_id, payload.data)))


VARIABLES = {
    "temporal_address": "TEMPORAL_ADDRESS",
    "temporal_namespace": "TEMPORAL_NAMESPACE",
    "temporal_api_key": "TEMPORAL_API_KEY",
    "temporal_tls": "TEMPORAL_TLS",
    "temporal_tls_client_cert_path": "TEMPORAL_TLS_CLIENT_CERT_PATH",
    "temporal_tls_client_key_path": "TEMPORAL_TLS_CLIENT_KEY_PATH",
    "temporal_tls_server_ca_cert_path": "TEMPORAL_TLS_SERVER_CA_CERT_PATH",
    "temporal_tls_server_name": "TEMPORAL_TLS_SERVER_NAME",
}
"""By setting; each has precedence over the file."""


class ProfileError(ValueError):
    """The profile cannot be read. The message names the problem, and contains no secret."""


def profile_of(settings: Settings) -> ClientConfigProfile:
    """Return the profile of the settings, completed from the file. Raises `ProfileError`."""
    file = settings.temporal_config_file
    named = settings.temporal_profile is not None or file is not None
    texts = {
        variable: str(getattr(settings, field)).lower() if field == "temporal_tls" else str(getattr(settings, field))
        for field, variable in VARIABLES.items()
        if (field in settings.model_fields_set or not named) and getattr(settings, field) not in (None, False)
    }
    if file is not None and not Path(file).is_file():
        raise ProfileError(f"TEMPORAL_CONFIG_FILE: there is no file {file}")
    try:
        found = ClientConfigProfile.load(
            settings.temporal_profile,
            config_source=Path(file) if file is not None else None,
            disable_file=not named,
            override_env_vars=texts,
        )
    except RuntimeError as error:
        raise ProfileError(f"TEMPORAL_PROFILE, TEMPORAL_CONFIG_FILE: {error}") from None
    for field in ("client_cert", "client_private_key", "server_root_ca_cert"):
        path = getattr(found.tls, field, None)
        if isinstance(path, Path) and not path.is_file():
            raise ProfileError(f"the Temporal connection's {field.replace('_', ' ')}: there is no file {path}")
    return found


def connection(settings: Settings) -> ClientConnectConfig:
    """Return the arguments for `Client.connect`. Raises `ProfileError`."""
    return profile_of(settings).to_client_connect_config()


def profiled(settings: Settings) -> Settings:
    """Return the settings with the profile's address and namespace, if a profile is named. Raises `ProfileError`."""
    if settings.temporal_profile is None and settings.temporal_config_file is None:
        return settings
    found = profile_of(settings)
    return settings.model_copy(
        update={
            "temporal_address": found.address or settings.temporal_address,
            "temporal_namespace": found.namespace or settings.temporal_namespace,
        }
    )


# In a line's message these ids would be repeated, with ids that callers chose. `infra/observability/logging.py`
# takes ours from the fields beside it.
workflow.logger.workflow_info_on_message = False
activity.logger.activity_info_on_message = False

QUICK = timedelta(seconds=1)
"""Timeout of calls that an operator's phone waits for: a query without a living worker can block for 29 s."""

ONCE = RetryConfig(max_retries=1)
"""`rpc_timeout` limits one attempt only, so callers with a short timeout must not retry inside the client."""


def data_converter(ring: KeyRing) -> DataConverter:
    """Return the converter of our payloads: pydantic models as JSON, compressed and encrypted, failures included."""
    return dataclasses.replace(
        pydantic_data_converter,
        payload_codec=EncryptionCodec(ring),
        failure_converter_class=DefaultFailureConverterWithEncodedAttributes,
    )


async def connect(
    settings: Settings, *, wait: float = 10, stalled: float = 3, runtime: Runtime | None = None
) -> Client:
    """Return a client of the configured Temporal service. `runtime` None is the SDK's default.

    Raises `ConnectionError` with the address, if the service does not answer within `wait` seconds, or within `stalled`
    more seconds if it accepted the connection without answering. The SDK's own timeout for that is half a minute.
    Raises `ProfileError`.
    """
    reached = connection(settings)
    deadline = asyncio.get_running_loop().time() + wait
    try:
        async with asyncio.timeout_at(deadline + stalled):
            while True:
                try:
                    return await Client.connect(
                        **reached,
                        data_converter=data_converter(settings.ring()),
                        retry_config=ONCE,
                        runtime=runtime,
                    )
                except RuntimeError as error:
                    if asyncio.get_running_loop().time() > deadline:
                        raise _unreached(settings, str(error)) from error
                    await asyncio.sleep(0.1)
    except TimeoutError:
        raise _unreached(settings, "it accepted the connection, and did not answer") from None


def _unreached(settings: Settings, why: str) -> ConnectionError:
    return ConnectionError(
        f"No Temporal service answers at {settings.temporal_address}. Start one with `iq dev`, or set "
        f"TEMPORAL_ADDRESS. ({why})"
    )


def is_missing(message: str) -> bool:
    """Return whether a NOT_FOUND from the service means "no such workflow" rather than "already closed"."""
    return "not found" in message.lower() and "already completed" not in message.lower()
