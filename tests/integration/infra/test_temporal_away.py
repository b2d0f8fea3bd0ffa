"""An unreachable Temporal service: the error of `connect` says so, with its address. Guarantees:

- `connect` also gives up on a service that accepts the connection and sends nothing, after one bounded wait.
"""

import asyncio
import contextlib
from asyncio import StreamReader, StreamWriter

import pytest

from infra.config.settings import Settings
from infra.crypto.keyring import new_key_line
from infra.temporal.client import connect
from tests.support.stacks import free_base


def at(port: int) -> Settings:
    return Settings(_env_file=None, keys=new_key_line(), temporal_address=f"127.0.0.1:{port}")


async def test_one_that_is_not_there_is_named() -> None:
    with pytest.raises(ConnectionError, match="No Temporal service answers at"):
        await connect(at(free_base(1)), wait=0)


async def test_one_that_takes_the_connection_and_says_nothing_is_given_up() -> None:
    heard = asyncio.Event()

    async def silent(reader: StreamReader, writer: StreamWriter) -> None:
        heard.set()
        with contextlib.suppress(ConnectionError):
            await reader.read(-1)
        writer.close()

    async with await asyncio.start_server(silent, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        with pytest.raises(ConnectionError, match="accepted the connection, and did not answer"):
            await connect(at(port), wait=0, stalled=1)
        assert heard.is_set(), "it was there"
