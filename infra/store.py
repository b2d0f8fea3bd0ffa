"""Connections to Redis, which several processes share: one way for all that is kept there."""

import redis.asyncio
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as Disconnected


def connections(url: str, within: float, *, text: bool) -> redis.asyncio.Redis:
    """A pool of them, opened when they are used; each call has `within` seconds. `text`: answers are text, not bytes.
    Raises `ValueError` for an address that is none."""
    client: redis.asyncio.Redis = redis.asyncio.from_url(
        url,
        decode_responses=text,
        socket_timeout=within,
        socket_connect_timeout=within,
        # A connection that was closed while idle is opened anew; one that hangs is not waited for twice.
        retry=Retry(NoBackoff(), 1, supported_errors=(Disconnected,)),
    )
    return client
