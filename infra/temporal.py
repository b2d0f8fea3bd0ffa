"""The connection to Temporal: one data converter for client, worker and replayer alike, since a history can only
be read with the converter it was written with."""

import asyncio
import dataclasses
from datetime import timedelta

from temporalio import activity, workflow
from temporalio.client import Client
from temporalio.contrib.pydantic import pydantic_data_converter
from temporalio.converter import DataConverter, DefaultFailureConverterWithEncodedAttributes
from temporalio.runtime import Runtime
from temporalio.service import RetryConfig

from infra.codec import EncryptionCodec
from infra.keyring import KeyRing
from infra.settings import Settings
from infra.temporal_profile import connection

# On a line's message it would be said twice, with ids that callers chose; `infra/log_lines.py` takes what is ours from
# the fields beside it.
workflow.logger.workflow_info_on_message = False
activity.logger.activity_info_on_message = False

QUICK = timedelta(seconds=1)
"""Bound on calls that answer an operator's phone: a query with no live worker can block for 29 s."""

ONCE = RetryConfig(max_retries=1)
"""`rpc_timeout` bounds one attempt only, so callers in a hurry must not retry inside the client."""


def data_converter(ring: KeyRing) -> DataConverter:
    """How our payloads are written: pydantic models as JSON, compressed and encrypted, failures included."""
    return dataclasses.replace(
        pydantic_data_converter,
        payload_codec=EncryptionCodec(ring),
        failure_converter_class=DefaultFailureConverterWithEncodedAttributes,
    )


async def connect(
    settings: Settings, *, wait: float = 10, stalled: float = 3, runtime: Runtime | None = None
) -> Client:
    """A client of the configured Temporal service; `runtime` is the SDK's own where it is None.

    Raises `ConnectionError`, naming the address, when none answers within `wait` seconds, and `stalled` more for one
    that has taken the connection and says nothing: left to the SDK, that lasts half a minute. Raises `ProfileError`.
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
    """Whether a NOT_FOUND from the service means "no such workflow" rather than "already closed"."""
    return "not found" in message.lower() and "already completed" not in message.lower()
