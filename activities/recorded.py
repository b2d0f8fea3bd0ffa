"""Outcomes on record: what a write did is kept, sealed, before its lock is let go.

A worker may die, or be cut off from Temporal, between letting a lock go and reporting what it saw. Another plan may
then write to the same booking, and a look by the next worker would find that plan's work instead. So the lock is let go
early only where the outcome is on record, and the next worker takes it from there.
"""

import hashlib
import logging
from typing import TypeVar

from pydantic import BaseModel

from infra.keyring import KeyringError
from infra.vault import StoreAwayError, TokenMissingError, Vault

T = TypeVar("T", bound=BaseModel)
log = logging.getLogger(__name__)

_KEPT_FOR = 3600.0
"""Seconds: longer than Temporal needs to notice that a worker is gone, and to find another one."""


class Outcomes:
    """What the writes of this deployment did, by their idempotency keys."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault

    async def keep(self, key: str, reply: BaseModel) -> bool:
        """Put what a write did on record. False where the store does not answer."""
        try:
            await self._vault.put(reply.model_dump_json(), _KEPT_FOR, _reference(key))
        except StoreAwayError:
            return False
        return True

    async def find(self, key: str, kind: type[T]) -> T | None:
        """Return what is on record of a write; None where nothing is, or the store does not answer."""
        try:
            found = await self._vault.get(_reference(key))
        except (TokenMissingError, StoreAwayError, KeyringError):
            return None
        log.warning("an outcome was on record whose report had been lost")
        return kind.model_validate_json(found)


def _reference(key: str) -> str:
    return f"outcome:{hashlib.sha256(key.encode()).hexdigest()[:32]}"
