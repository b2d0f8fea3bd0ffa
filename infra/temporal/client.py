"""The connection to Temporal. Client, worker and replayer share one data converter, because a history can only be read
with the converter that wrote it."""

import asyncio
import dataclasses
from datetime import timedelta

from temporalio import activity, workflow
from temporalio.client import Client
from temporalio.contrib.pydantic import pydantic_data_converter
from temporalio.converter import DataConverter, DefaultFailureConverterWithEncodedAttributes
from temporalio.runtime import Runtime
from temporalio.service import RetryConfig

from infra.config.settings import Settings
from infra.crypto.keyring import KeyRing
from infra.crypto.payload_codec import EncryptionCodec
from infra.temporal.connection_profile import connection

# In a line's message these ids would be repeated, with ids that callers chose. `infra/observability/log_processors.py`
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
