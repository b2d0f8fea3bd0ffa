"""Answers over HTTP read no further than a bound: nobody else decides how much memory this process needs.

Answers are asked for as they are (`IDENTITY`). Servers may pack them all the same; then what counts is how long they
are unpacked, and they are unpacked in small pieces, so that no piece is large before it is counted.
"""

import zlib
from collections.abc import AsyncIterator, Iterator, Mapping
from typing import Protocol

IDENTITY = {"Accept-Encoding": "identity"}
"""The header that asks for an answer that is not packed."""

_PIECE = 65_536
_GZIP, _ZLIB = 16 + zlib.MAX_WBITS, zlib.MAX_WBITS
_FORMS = {"gzip": _GZIP, "x-gzip": _GZIP, "deflate": _ZLIB}


class Streamed(Protocol):
    """An answer of httpx, or of the library that a model is asked with, whose body is not read yet."""

    @property
    def headers(self) -> Mapping[str, str]:
        """By name, in any case of letters."""

    def aiter_raw(self) -> AsyncIterator[bytes]:
        """The body as it comes off the wire."""


class TooLargeError(Exception):
    """An answer that is longer than what is read of it."""


class PackedError(Exception):
    """An answer that is packed in a way that is not unpacked here, several times over, or not as it says."""


async def read_within(response: Streamed, most: int) -> bytes:
    """The body of a streamed answer, unpacked. Raises `TooLargeError` after `most` bytes, on the wire or unpacked,
    `PackedError`, and what the answer raises while it is read."""
    unpacked = _Unpacked(response.headers.get("content-encoding", ""))
    announced = response.headers.get("content-length", "")
    if announced.isdecimal() and int(announced[:20]) > most:
        raise TooLargeError(f"{announced[:20]} bytes announced")
    kept = bytearray()
    on_wire = 0
    async for raw in response.aiter_raw():
        on_wire += len(raw)
        for piece in unpacked.pieces(raw):
            kept += piece
            if len(kept) > most:
                raise TooLargeError(f"more than {most} bytes")
        # What unpacks to nothing could go on for ever.
        if on_wire > most + _PIECE:
            raise TooLargeError(f"more than {most} bytes")
    unpacked.finish()
    return bytes(kept)


class _Unpacked:
    """A body as it comes, in pieces that are never large. Raises PackedError."""

    def __init__(self, encoding: str) -> None:
        name = encoding.strip().lower()
        if name not in ("", "identity", *_FORMS):
            raise PackedError(f"packed as {name[:40]!r}, which is not asked for")
        self._form = _FORMS.get(name)
        self._one = zlib.decompressobj(self._form) if self._form is not None else None
        self._begun = False

    def pieces(self, raw: bytes) -> Iterator[bytes]:
        """What the next bytes on the wire unpack to."""
        if self._one is None or self._form is None:
            yield raw
            return
        try:
            while raw:
                if self._one.eof:
                    # Several packed parts in a row are one answer (RFC 1952, 2.2).
                    self._one = zlib.decompressobj(self._form)
                self._begun = True
                yield self._one.decompress(raw, _PIECE)
                raw = self._one.unused_data if self._one.eof else self._one.unconsumed_tail
        except zlib.error as error:
            raise PackedError("not packed as it says") from error

    def finish(self) -> None:
        """Raise PackedError when the answer ended in the middle."""
        if self._one is not None and self._begun and not self._one.eof:
            raise PackedError("not all there")
