"""Connections to Redis, configured the same way for every store."""

import redis.asyncio
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as Disconnected


def create_redis(url: str, timeout: float, *, text: bool) -> redis.asyncio.Redis:
    """Return a connection pool, which connects on first use; each call has `timeout` seconds. `text`: answers are text,
    not bytes. Raises `ValueError` for an invalid address."""
    client: redis.asyncio.Redis = redis.asyncio.from_url(
        url,
        decode_responses=text,
        socket_timeout=timeout,
        socket_connect_timeout=timeout,
        # A connection that was closed while idle is reopened. A hanging connection is not retried.
        retry=Retry(NoBackoff(), 1, supported_errors=(Disconnected,)),
    )
    return client
