"""Recorded outcomes: what a write did is stored, encrypted, before its lock is released.

A worker may die, or lose Temporal, between releasing a lock and reporting the outcome. Another plan may then write to
the same booking, and the next worker would read that plan's change instead. So the lock is released early only if the
outcome is recorded, and the next worker takes it from there.
"""

import hashlib
import logging
from typing import TypeVar

from pydantic import BaseModel

from infra.crypto.keyring import KeyringError
from infra.errors import DependencyUnavailableError
from infra.stores.token_vault import TokenMissingError, Vault

T = TypeVar("T", bound=BaseModel)
log = logging.getLogger(__name__)

_KEPT_FOR = 3600.0
"""Seconds: longer than Temporal needs to detect a dead worker and find another."""


class Outcomes:
    """Outcomes of the writes of this deployment, by idempotency key."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault

    async def keep(self, key: str, reply: BaseModel) -> bool:
        """Record what a write did. Returns False if the store does not answer."""
        try:
            await self._vault.put(reply.model_dump_json(), _KEPT_FOR, _reference(key))
        except DependencyUnavailableError:
            return False
        return True

    async def find(self, key: str, kind: type[T]) -> T | None:
        """Return the recorded outcome of a write; None if there is none, or if the store does not answer."""
        try:
            found = await self._vault.get(_reference(key))
        except (TokenMissingError, DependencyUnavailableError, KeyringError):
            return None
        log.warning("an outcome was on record whose report had been lost")
        return kind.model_validate_json(found)


def _reference(key: str) -> str:
    return f"outcome:{hashlib.sha256(key.encode()).hexdigest()[:32]}"
