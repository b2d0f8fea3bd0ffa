"""The payload codec: all data between workflows and activities leaves the process encrypted.

Covers payloads, memos, headers and, through the failure converter, messages and stack traces of failures. Not covered
are workflow ids, search attributes, activity names and failure types, which therefore hold no personal data (Temporal
facts, 11).
"""

from collections.abc import Iterable, Sequence

from temporalio.api.common.v1 import Payload
from temporalio.converter import PayloadCodec

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
