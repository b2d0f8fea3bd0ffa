"""Which of our search attributes the Temporal cluster knows. A workflow that is started with one that it does not know
waits until somebody registers it; so one that came later than the others is asked for first."""

import asyncio
import logging
import time
from typing import Any

from temporalio.client import Client
from temporalio.common import SearchAttributeIndexedValueType, SearchAttributeKey
from temporalio.service import RPCError, RPCStatusCode

from clients.errors import UnansweredError
from infra.outages import Outage
from infra.search_attributes import ALL
from infra.temporal import QUICK

log = logging.getLogger(__name__)

_ASK_AGAIN = 30.0
"""Seconds for which an attribute that is missing is not asked for again."""

_NOBODY = {
    SearchAttributeIndexedValueType.KEYWORD: '"-"',
    SearchAttributeIndexedValueType.DATETIME: '"1970-01-01T00:00:00Z"',
}
"""Values that no execution has."""


class Attributes:
    """What one process knows of it. What was registered once is taken to be, until `missing` finds that it is not."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._known: set[str] = set()
        self._missing: dict[str, float] = {}
        self._unasked = Outage(
            log,
            "asking Temporal which search attributes it knows",
            "plans that start meanwhile lack IqUser or IqSince, and are in no list of their user's",
        )

    async def has(self, key: SearchAttributeKey[Any]) -> bool:
        """Whether the cluster knows it; False, too, when it cannot be asked. One that is missing is told to on-call."""
        if key.name in self._known:
            return True
        if self._missing.get(key.name, 0.0) > time.monotonic():
            return False
        try:
            known = await self._is_known(key)
        except RPCError as error:
            self._unasked.failed(error.status.name)
            return False
        if not known:
            self._missing[key.name] = time.monotonic() + _ASK_AGAIN
            log.error("%s", told_missing(key))
        return known

    async def _is_known(self, key: SearchAttributeKey[Any]) -> bool:
        """Ask the cluster. Raises `RPCError` when it does not say."""
        try:
            # A query by an unknown name is refused; every caller may make one, unlike calls of the operator API.
            await self._client.count_workflows(_nobody(key), rpc_timeout=QUICK)
        except RPCError as error:
            if error.status is RPCStatusCode.INVALID_ARGUMENT:
                return False
            raise
        self._unasked.worked()
        self._known.add(key.name)
        self._missing.pop(key.name, None)
        return True

    async def missing(self) -> list[SearchAttributeKey[Any]]:
        """Which the cluster does not know now: one may have been taken away. Raises `RPCError`."""
        known = await asyncio.gather(*(self._is_known(key) for key in ALL))
        missing = [key for key, one in zip(ALL, known, strict=True) if not one]
        self._known.difference_update(key.name for key in missing)
        return missing

    async def lost(self, key: SearchAttributeKey[Any]) -> bool:
        """Whether the cluster no longer knows it, which is told to on-call; False when it cannot be asked."""
        self._known.discard(key.name)
        return not await self.has(key) and key.name in self._missing

    async def tell_missing(self) -> None:
        """Tell on-call at once which are missing, for a process that starts."""
        for key in ALL:
            await self.has(key)


async def missing_attributes(client: Client) -> list[SearchAttributeKey[Any]]:
    """Those that the cluster does not know. Raises `UnansweredError` where it cannot be asked."""
    missing = []
    for key in ALL:
        try:
            await client.count_workflows(_nobody(key), rpc_timeout=QUICK * 3)
        except RPCError as error:
            if error.status is not RPCStatusCode.INVALID_ARGUMENT:
                raise UnansweredError("temporal") from None
            missing.append(key)
    return missing


def _nobody(key: SearchAttributeKey[Any]) -> str:
    """A query by it that finds nothing."""
    return f"{key.name} = {_NOBODY[key.indexed_value_type]}"


def how_to_register(key: SearchAttributeKey[Any], address: str = "", namespace: str = "") -> str:
    """The command that registers a missing one; where it is, if that is not what the environment says."""
    where = f" --address {address}" * bool(address) + f" --namespace {namespace}" * bool(namespace)
    kind = key.indexed_value_type.name.title()
    return f"temporal operator search-attribute create --name {key.name} --type {kind}{where}"


def told_missing(key: SearchAttributeKey[Any]) -> str:
    """What on-call does about a missing one."""
    command = how_to_register(key)
    return f"the Temporal cluster does not know the search attribute {key.name}. Register it: `{command}`"
