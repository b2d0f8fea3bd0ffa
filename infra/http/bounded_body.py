"""HTTP responses read up to a limit: no other party decides how much memory this process uses.

Requests ask for uncompressed responses (`IDENTITY`). Servers may compress them all the same; then the limit applies to
the decompressed size, and decompression works in small pieces, so that no piece is large before it is counted.
"""

import zlib
from collections.abc import AsyncIterator, Iterator, Mapping
from typing import Protocol

IDENTITY = {"Accept-Encoding": "identity"}
"""The header that asks for an uncompressed response."""

_PIECE = 65_536
_GZIP, _ZLIB = 16 + zlib.MAX_WBITS, zlib.MAX_WBITS
_FORMS = {"gzip": _GZIP, "x-gzip": _GZIP, "deflate": _ZLIB}


class StreamedResponse(Protocol):
    """A response of httpx, or of the model library, whose body is not read yet."""

    @property
    def headers(self) -> Mapping[str, str]:
        """Return the headers by name, case-insensitive."""

    def aiter_raw(self) -> AsyncIterator[bytes]:
        """Yield the body as received."""


class TooLargeError(Exception):
    """A response beyond the limit."""


class UnsupportedEncodingError(Exception):
    """A response with an unsupported compression, several compressions, or one that differs from its header."""


async def read_bounded(response: StreamedResponse, limit: int) -> bytes:
    """Return the body of a streamed response, decompressed. Raises `TooLargeError` after `limit` bytes, compressed or
    decompressed, `UnsupportedEncodingError`, and the errors of the response while it is read."""
    unpacked = _Unpacked(response.headers.get("content-encoding", ""))
    announced = response.headers.get("content-length", "")
    if announced.isdecimal() and int(announced[:20]) > limit:
        raise TooLargeError(f"{announced[:20]} bytes announced")
    kept = bytearray()
    on_wire = 0
    async for raw in response.aiter_raw():
        on_wire += len(raw)
        for piece in unpacked.pieces(raw):
            kept += piece
            if len(kept) > limit:
                raise TooLargeError(f"more than {limit} bytes")
        # Data that decompresses to nothing could continue without end.
        if on_wire > limit + _PIECE:
            raise TooLargeError(f"more than {limit} bytes")
    unpacked.finish()
    return bytes(kept)


class _Unpacked:
    """A body in small decompressed pieces. Raises `UnsupportedEncodingError`."""

    def __init__(self, encoding: str) -> None:
        name = encoding.strip().lower()
        if name not in ("", "identity", *_FORMS):
            raise UnsupportedEncodingError(f"packed as {name[:40]!r}, which is not asked for")
        self._form = _FORMS.get(name)
        self._one = zlib.decompressobj(self._form) if self._form is not None else None
        self._begun = False

    def pieces(self, raw: bytes) -> Iterator[bytes]:
        """Yield the decompressed pieces of the next received bytes."""
        if self._one is None or self._form is None:
            yield raw
            return
        try:
            while raw:
                if self._one.eof:
                    # Several compressed members in a row are one response (RFC 1952, 2.2).
                    self._one = zlib.decompressobj(self._form)
                self._begun = True
                yield self._one.decompress(raw, _PIECE)
                raw = self._one.unused_data if self._one.eof else self._one.unconsumed_tail
        except zlib.error as error:
            raise UnsupportedEncodingError("not packed as it says") from error

    def finish(self) -> None:
        """Raise `UnsupportedEncodingError` if the response ended in the middle."""
        if self._one is not None and self._begun and not self._one.eof:
            raise UnsupportedEncodingError("not all there")
