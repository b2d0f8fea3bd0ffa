"""The published registry version, and substitutes for the actions whose files are broken.

A process that never loaded such an action intact cannot read it from its files. A refresh publishes; every worker loads
what is published. The substitutes are sealed with the key ring, because an action defines where an operator's token is
sent and with what.
"""

import logging

from infra.crypto.keyring import KeyRing, KeyringError
from infra.stores.store import Store, answer_within

_LOG = logging.getLogger(__name__)

_PLACE = "registry:retained"


class PublishedVersion:
    """Where the published registry version is stored. Without a `ring` only versions are shared, no substitutes. Every
    method raises `DependencyUnavailableError`."""

    _KEY, _RETAINED = "iq:registry:published", "iq:registry:retained"

    def __init__(self, store: Store, ring: KeyRing | None = None) -> None:
        self._ring = ring
        self._redis = store.redis

    async def publish(self, version: str, retained: str = "") -> None:
        """Announce a version to every process, with its substitutes for broken files."""
        sealed = self._ring.seal_text(retained, _PLACE) if retained and self._ring is not None else ""
        async with answer_within():
            await self._redis.mset({self._KEY: version, self._RETAINED: sealed})

    async def published(self) -> str | None:
        """Return the version announced last, or None."""
        async with answer_within():
            found = await self._redis.get(self._KEY)
        return None if found is None else str(found)

    async def retained(self) -> str:
        """Return the substitutes of that version; "" if there are none, or if this process cannot decrypt them."""
        async with answer_within():
            sealed = await self._redis.get(self._RETAINED)
        if not sealed or self._ring is None:
            return ""
        try:
            return self._ring.open_text(str(sealed), _PLACE)
        except KeyringError as error:
            _LOG.warning("the substitutes for broken files cannot be read: %s", error)
            return ""
