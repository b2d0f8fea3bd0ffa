"""Checks which of our search attributes are registered in the Temporal cluster. A workflow that is started with an
unknown one fails its tasks until it is registered.

Start-up check that this process can decrypt existing data. With wrong keys, nothing fails until an operator asks for
an old plan.
"""

import asyncio
import logging
from datetime import timedelta
from typing import Any

from temporalio.client import Client
from temporalio.common import SearchAttributeIndexedValueType, SearchAttributeKey
from temporalio.service import RPCError, RPCStatusCode

from infra.crypto.keyring import KeyRing, KeyringError
from infra.temporal.client import QUICK, EncryptionCodec
from infra.temporal.search_attributes import ALL

log = logging.getLogger(__name__)

_ABSENT = {
    SearchAttributeIndexedValueType.KEYWORD: '"-"',
    SearchAttributeIndexedValueType.DATETIME: '"1970-01-01T00:00:00Z"',
}
"""Values that no execution has."""


async def missing_attributes(client: Client, timeout: timedelta = QUICK) -> list[SearchAttributeKey[Any]]:
    """Return the attributes that the cluster does not know. Raises `RPCError` if the cluster gives no answer."""
    known = await asyncio.gather(*(_is_known(client, key, timeout) for key in ALL))
    return [key for key, one in zip(ALL, known, strict=True) if not one]


async def log_missing_attributes(client: Client) -> None:
    """Log the missing attributes and how to register them, at the start of a process."""
    try:
        missing = await missing_attributes(client)
    except RPCError as error:
        log.warning("Temporal could not be asked which search attributes it knows: %s", error.status.name)
        return
    for key in missing:
        log.error("%s", missing_message(key))


async def _is_known(client: Client, key: SearchAttributeKey[Any], timeout: timedelta) -> bool:
    try:
        # A query with an unknown name is rejected. Every client may send a query, unlike calls of the operator API.
        await client.count_workflows(f"{key.name} = {_ABSENT[key.indexed_value_type]}", rpc_timeout=timeout)
    except RPCError as error:
        if error.status is RPCStatusCode.INVALID_ARGUMENT:
            return False
        raise
    return True


def how_to_register(key: SearchAttributeKey[Any], address: str = "", namespace: str = "") -> str:
    """Return the command that registers an attribute. `address` and `namespace` override the environment."""
    where = f" --address {address}" * bool(address) + f" --namespace {namespace}" * bool(namespace)
    kind = key.indexed_value_type.name.title()
    return f"temporal operator search-attribute create --name {key.name} --type {kind}{where}"


def missing_message(key: SearchAttributeKey[Any]) -> str:
    """Return the instructions for on-call about a missing attribute."""
    command = how_to_register(key)
    return f"the Temporal cluster does not know the search attribute {key.name}. Register it: `{command}`"


_LOOKED_AT = 5
"""Number of newest plans checked. Older plans may use a key that was removed on purpose."""


async def undecryptable_plan(client: Client, ring: KeyRing) -> str:
    """Return why one of the newest plans cannot be decrypted with these keys; "" if all can, or if none could
    be read."""
    codec = EncryptionCodec(ring)
    try:
        async for found in client.list_workflows('WorkflowType = "Plan"', limit=_LOOKED_AT, rpc_timeout=QUICK):
            await codec.decode(list(found.raw_info.memo.fields.values()))
    except KeyringError as error:
        return str(error)
    except RPCError as error:
        log.warning("whether the keys fit what is in Temporal could not be looked at: %s", error.message)
    return ""


async def log_undecryptable(client: Client, ring: KeyRing) -> None:
    """Log undecryptable plans at the start of a process."""
    if why := await undecryptable_plan(client, ring):
        log.error(
            "plans in Temporal cannot be read with the keys of this process, and go on only where they can: %s Give "
            "this process the IQ_KEYS of the others, or put the missing key behind the first",
            why,
        )
