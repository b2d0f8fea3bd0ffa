"""Whether this process can read what others wrote: with other keys over old data nothing fails until somebody asks for
an old plan, so it is told at start."""

import logging

from temporalio.client import Client
from temporalio.service import RPCError

from infra.codec import EncryptionCodec
from infra.keyring import KeyRing, KeyringError
from infra.temporal import QUICK

log = logging.getLogger(__name__)

_LOOKED_AT = 5
"""Of the newest plans. Others may be older than a key that was dropped on purpose."""


async def unreadable(client: Client, ring: KeyRing) -> str:
    """Why one of the newest plans cannot be read with these keys; "" where all can, or none could be looked at."""
    codec = EncryptionCodec(ring)
    try:
        async for found in client.list_workflows('WorkflowType = "Plan"', limit=_LOOKED_AT, rpc_timeout=QUICK):
            await codec.decode(list(found.raw_info.memo.fields.values()))
    except KeyringError as error:
        return str(error)
    except RPCError as error:
        log.warning("whether the keys fit what is in Temporal could not be looked at: %s", error.message)
    return ""


async def tell_unreadable(client: Client, ring: KeyRing) -> None:
    """Tell on-call, for a process that starts."""
    if why := await unreadable(client, ring):
        log.error(
            "plans in Temporal cannot be read with the keys of this process, and go on only where they can: %s Give "
            "this process the IQ_KEYS of the others, or put the missing key behind the first",
            why,
        )
