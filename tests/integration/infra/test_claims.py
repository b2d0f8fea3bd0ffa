"""Words that may take effect.

Guarantees, in one process and across: a word takes effect only while it is open, or again once it has; of a claim and
a withdrawal the first stands and both sides hear it, also when many speak at once; a withdrawn, forgotten or
unknown word never takes effect; opened anew after that, an attempt has another ticket and the old one stays dead; an
open word closes by the store's own clock; a Redis that hangs is reported as away within about a second.
"""

import asyncio
from collections.abc import AsyncIterator

import pytest
import redis.asyncio

from infra.stores.command_store import (
    ABORTED,
    COMMITTED,
    OPEN,
    STORE_ERRORS,
    CommandStore,
    RedisCommandStore,
    open_command_store,
)
from tests.integration.infra.test_vault import redis_url


@pytest.fixture(params=["memory", "redis"])
async def two(request: pytest.FixtureRequest) -> AsyncIterator[tuple[CommandStore, CommandStore]]:
    """The claims as two parties see them."""
    if request.param == "memory":
        one = open_command_store(None)
        yield one, one
        return
    url = redis_url()
    first, second = open_command_store(url), open_command_store(url)
    yield first, second
    await first.close()
    await second.close()
    async with redis.asyncio.from_url(url) as client:
        await client.flushdb()


async def test_claimed_first(two: tuple[CommandStore, CommandStore]) -> None:
    plan, facade = two
    opened = await facade.open("a", 60)
    assert opened.state == OPEN == await plan.state(opened.commit_token)
    assert await plan.commit(opened.commit_token)
    assert await facade.abort(opened.commit_token) == COMMITTED
    assert await plan.commit(opened.commit_token), "a retry hears the same"
    assert await facade.state(opened.commit_token) == COMMITTED
    again = await facade.open("a", 60)
    assert (again.state, again.commit_token) == (COMMITTED, opened.commit_token)


async def test_withdrawn_first(two: tuple[CommandStore, CommandStore]) -> None:
    plan, facade = two
    opened = await facade.open("b", 60)
    assert await facade.abort(opened.commit_token) == ABORTED
    assert not await plan.commit(opened.commit_token)
    assert await facade.abort(opened.commit_token) == ABORTED


async def test_opened_again_the_old_ticket_stays_dead(two: tuple[CommandStore, CommandStore]) -> None:
    plan, facade = two
    old = await facade.open("c", 60)
    await facade.abort(old.commit_token)
    new = await facade.open("c", 60)
    assert new.state == OPEN and new.commit_token != old.commit_token
    assert not await plan.commit(old.commit_token)
    assert await facade.abort(old.commit_token) is None
    assert await plan.commit(new.commit_token)
    assert not await plan.commit(old.commit_token)


async def test_opened_twice_it_is_one_word(two: tuple[CommandStore, CommandStore]) -> None:
    one, other = two
    assert (await one.open("d", 60)).commit_token == (await other.open("d", 60)).commit_token


async def test_it_closes_by_itself(two: tuple[CommandStore, CommandStore]) -> None:
    plan, facade = two
    opened = await facade.open("e", 0.1)
    await asyncio.sleep(0.2)
    assert not await plan.commit(opened.commit_token)
    assert await facade.abort(opened.commit_token) is None, "nobody can say whether it had been claimed"


async def test_what_started_outlives_its_opening(two: tuple[CommandStore, CommandStore]) -> None:
    plan, facade = two
    # On a busy machine an opening may be over before it is claimed: then a longer one is tried.
    for seconds in (0.1, 0.5, 2.5, 12.5):
        opened = await facade.open(f"f{seconds}", seconds)
        if await plan.commit(opened.commit_token):
            break
    await asyncio.sleep(seconds + 0.1)
    assert await plan.commit(opened.commit_token)
    assert (await facade.open(f"f{seconds}", 60)).state == COMMITTED


@pytest.mark.parametrize("ticket", ["never#opened", "from-before-tickets", ""])
async def test_what_no_one_opened_never_takes_effect(two: tuple[CommandStore, CommandStore], ticket: str) -> None:
    plan, facade = two
    assert not await plan.commit(ticket)
    assert await facade.abort(ticket) is None


async def test_of_many_at_once_one_wins(two: tuple[CommandStore, CommandStore]) -> None:
    for n in range(10):
        ticket = (await two[0].open(f"g{n}", 60)).commit_token
        claimed, withdrawn = await asyncio.gather(
            asyncio.gather(*(one.commit(ticket) for one in two * 3)),
            asyncio.gather(*(one.abort(ticket) for one in two * 3)),
        )
        assert len({*claimed}) == len({*withdrawn}) == 1
        assert (claimed[0], withdrawn[0]) in ((True, COMMITTED), (False, ABORTED))


async def test_a_redis_that_hangs_is_away() -> None:
    async def hang(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    server = await asyncio.start_server(hang, "127.0.0.1", 0)
    claims = RedisCommandStore(f"redis://127.0.0.1:{server.sockets[0].getsockname()[1]}/0")
    with pytest.raises(STORE_ERRORS):
        await claims.open("h", 60)
    await claims.close()
    server.close()
