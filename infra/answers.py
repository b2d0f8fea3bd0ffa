"""Answers over HTTP read no further than a bound: nobody else decides how much memory this process needs."""

from collections.abc import AsyncIterable


class TooLargeError(Exception):
    """An answer that is longer than what is read of it."""


async def read_within(parts: AsyncIterable[bytes], most: int) -> bytes:
    """The body of a streamed answer, decoded. Raises `TooLargeError` after `most` bytes."""
    kept: list[bytes] = []
    left = most
    async for part in parts:
        left -= len(part)
        if left < 0:
            raise TooLargeError(f"more than {most} bytes")
        kept.append(part)
    return b"".join(kept)
