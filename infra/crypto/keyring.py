"""The keys that payloads and vault values are encrypted with: AES-256, one in use, the older ones kept for reading.

A ring is written as lines (or a comma-separated setting) of `id:base64`; the first one encrypts. Rotating puts a new
key first, so older data can still be read.
"""

import base64
import contextlib
import hmac
import json
import os
import re
import secrets
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

_KEY_BYTES = 32
_NONCE_BYTES = 12
_PSEUDONYMS, _PSEUDONYM = b"iq pseudonyms", 32
"""The purpose of the hashing keys, and the hex digits of a pseudonym."""
_ID = re.compile(r"[\w.-]{1,40}")
"""An id, short enough that a key in its place is rejected and not logged as an id."""


class KeyringError(ValueError):
    """A key is malformed, missing or wrong; the message contains the fix."""


@dataclass(frozen=True, slots=True)
class Ciphertext:
    """Encrypted data: the key's id, and nonce and ciphertext in one."""

    key_id: str
    data: bytes


class KeyRing:
    """Encrypts with its first key, decrypts with any. Authenticated: modified data is rejected."""

    def __init__(self, keys: Mapping[str, bytes]) -> None:
        if not keys:
            raise KeyringError("A key ring needs at least one key. Make one with `iq keys new`.")
        for key_id, key in keys.items():
            if len(key) != _KEY_BYTES:
                raise KeyringError(f"Key {key_id} has {len(key)} bytes instead of {_KEY_BYTES}.")
        self.primary = next(iter(keys))
        self._ciphers = {key_id: AESGCM(key) for key_id, key in keys.items()}
        # One purpose per key: the hashing keys are derived from the encryption keys.
        self._keys = tuple(keys.values())
        self._hashing = [hmac.digest(key, _PSEUDONYMS, "sha256") for key in keys.values()]

    @property
    def ids(self) -> frozenset[str]:
        """Return the ids of the keys."""
        return frozenset(self._ciphers)

    def seal(self, plain: bytes, context: bytes = b"") -> Ciphertext:
        """Compress and encrypt. `context` must be the same for `open`: it ties a value to its place."""
        nonce = os.urandom(_NONCE_BYTES)
        cipher = self._ciphers[self.primary]
        return Ciphertext(self.primary, nonce + cipher.encrypt(nonce, zlib.compress(plain, 6), context))

    def open(self, sealed: Ciphertext, context: bytes = b"") -> bytes:
        """Decrypt. Raises `KeyringError` for an unknown key or a modified value."""
        cipher = self._ciphers.get(sealed.key_id)
        if cipher is None:
            raise KeyringError(f"This was encrypted with key {sealed.key_id}, which is not on the ring.")
        try:
            plain = cipher.decrypt(sealed.data[:_NONCE_BYTES], sealed.data[_NONCE_BYTES:], context)
        except (InvalidTag, ValueError):
            raise KeyringError(f"This was changed after it was encrypted with key {sealed.key_id}.") from None
        return zlib.decompress(plain)

    def seal_text(self, plain: str, context: str) -> str:
        """Encrypt a text as `id:base64`."""
        sealed = self.seal(plain.encode(), context.encode())
        return f"{sealed.key_id}:{base64.b64encode(sealed.data).decode()}"

    def open_text(self, sealed: str, context: str) -> str:
        """Decrypt what `seal_text` returned. Raises `KeyringError`."""
        key_id, _, encoded = sealed.partition(":")
        try:
            data = base64.b64decode(encoded, validate=True)
        except ValueError:
            raise KeyringError("This is no encrypted text.") from None
        return self.open(Ciphertext(key_id, data), context.encode()).decode()

    def random_bytes(self, purpose: bytes) -> tuple[bytes, ...]:
        """Return keys of 32 bytes for another purpose, one derived from each key, the first one's first."""
        return tuple(hmac.digest(key, purpose, "sha256") for key in self._keys)

    def pseudonyms(self, *names: str) -> tuple[str, ...]:
        """Return public pseudonyms of these names together: a keyed hash by each key, the first one's first. Write the
        first and search for all, so that after a rotation older records are still found."""
        text = json.dumps(names).encode()
        return tuple(hmac.digest(key, text, "sha256").hex()[:_PSEUDONYM] for key in self._hashing)


def new_key_line(now: datetime | None = None) -> str:
    """Return a new key as a line of a ring; the id contains the day of its creation."""
    made = (now or datetime.now(UTC)).strftime("%Y%m%d")
    key = base64.b64encode(secrets.token_bytes(_KEY_BYTES)).decode()
    return f"k{made}-{secrets.token_hex(3)}:{key}"


def parse_ring(text: str) -> KeyRing:
    """Return a ring from its lines. Raises `KeyringError`, which never repeats a key."""
    keys: dict[str, bytes] = {}
    for number, line in enumerate((part.strip() for part in text.replace(",", "\n").splitlines()), 1):
        if not line or line.startswith("#"):
            continue
        key_id, colon, encoded = line.partition(":")
        try:
            key = base64.b64decode(encoded, validate=True)
        except ValueError:
            colon, key = "", b""
        if not colon or not _ID.fullmatch(key_id):
            raise KeyringError(f"Key {number} is not `id:base64`. Make one with `iq keys new`.")
        keys.setdefault(key_id, key)
    return KeyRing(keys)


def ring_file(path: Path) -> KeyRing:
    """Return the ring in a file. A missing file is created, readable by its owner only. Raises `KeyringError`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        fresh = _private(path, new_key_line() + "\n")
        # A link is created whole or not at all: of processes that start together one succeeds, and none reads half a
        # key.
        with contextlib.suppress(FileExistsError):
            os.link(fresh, path)
        fresh.unlink()
    try:
        return parse_ring(path.read_text())
    except KeyringError as error:
        raise KeyringError(f"{path} is no ring of keys. {error}") from None


def rotate_file(path: Path) -> str:
    """Put a new key first in a ring file. Return its id."""
    ring_file(path)
    line = new_key_line()
    _private(path, line + "\n" + path.read_text()).replace(path)
    return line.partition(":")[0]


def add_to_file(path: Path, other: Path) -> list[str]:
    """Append the keys of another ring file to this one, for reading. Return the ids of the new keys. Raises
    `KeyringError`, also for a different key with the same id, and `OSError`."""
    ours, theirs = _lines(ring_text(path)), _lines(other.read_text())
    parse_ring(other.read_text())
    if clash := [key_id for key_id in theirs if ours.get(key_id, theirs[key_id]) != theirs[key_id]]:
        raise KeyringError(f"{other} has another key under the id {clash[0]} than {path}. Nothing was added.")
    fresh = [key_id for key_id in theirs if key_id not in ours]
    if fresh:
        added = "".join(f"{key_id}:{theirs[key_id]}\n" for key_id in fresh)
        _private(path, path.read_text().rstrip("\n") + "\n" + added).replace(path)
    return fresh


def ring_text(path: Path) -> str:
    """Return the content of a ring file, which is created if missing. Raises `KeyringError`."""
    ring_file(path)
    return path.read_text()


def _lines(text: str) -> dict[str, str]:
    parts = (line.strip().partition(":") for line in text.replace(",", "\n").splitlines())
    return {key_id: key for key_id, colon, key in parts if colon and not key_id.startswith("#")}


def _private(beside: Path, text: str) -> Path:
    """Return a new file in the same folder, readable by its owner only."""
    path = beside.with_name(f".{beside.name}-{secrets.token_hex(6)}")
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(text)
    return path
