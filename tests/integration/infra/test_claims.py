"""The store of commands, in one process and across.

Guarantees: a command takes effect only while it is open, or again once it was committed; of a commit and an abort the
first one wins and both sides learn it, also when many race; an aborted, expired or unknown command never takes effect;
opened again after that, an attempt has a new commit token and the old one stays dead; a token is stored with a command
only while that is open; an open command expires by the store's own clock; a Redis that hangs is reported as
unavailable within about a second.
"""

import asyncio

import pytest

from infra.crypto.keyring import new_key_line, parse_ring
from infra.errors import DependencyUnavailableError
from infra.stores.command_store import ABORTED, COMMITTED, OPEN, CommandStore
from infra.stores.store import Store
from infra.stores.token_vault import TokenMissingError, Vault
from tests.integration.infra.conftest import OpenStore


@pytest.fixture
def two(pair: tuple[Store, Store]) -> tuple[CommandStore, CommandStore]:
    """The store as two parties see it."""
    return CommandStore(pair[0]), CommandStore(pair[1])


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
    # On a busy machine an opening may expire before the commit: then the test tries a longer one.
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


async def stored(vault: Vault, reference: str) -> bool:
    try:
        return await vault.get(reference) == "token"
    except TokenMissingError:
        return False


async def test_a_token_is_stored_with_the_command_that_it_is_for(
    two: tuple[CommandStore, CommandStore], store: Store
) -> None:
    claims, vault = two[0], Vault(store, parse_ring(new_key_line()))
    first, again, late, unknown = (vault.seal("token", seconds) for seconds in (60, 60, 0.1, 60))
    opened = await claims.open("t", 60, token=first)
    assert await claims.state(opened.commit_token, again) == OPEN
    assert await claims.state(opened.commit_token, late) == OPEN
    assert await claims.state("never#opened", unknown) is None
    assert [await stored(vault, one.reference) for one in (first, again, unknown)] == [True, True, False]
    await asyncio.sleep(0.2)
    assert not await stored(vault, late.reference), "it expires by itself"


@pytest.mark.parametrize("ends", [ABORTED, COMMITTED])
async def test_no_token_is_stored_for_what_is_decided(
    two: tuple[CommandStore, CommandStore], store: Store, ends: str
) -> None:
    claims, vault = two[0], Vault(store, parse_ring(new_key_line()))
    ticket = (await claims.open("t", 60)).commit_token
    await (claims.abort if ends == ABORTED else claims.commit)(ticket)
    looked, opened = vault.seal("token", 60), vault.seal("token", 60)
    assert await claims.state(ticket, looked) == ends
    assert not await stored(vault, looked.reference)
    if ends == COMMITTED:
        assert (await claims.open("t", 60, token=opened)).state == COMMITTED
        assert not await stored(vault, opened.reference)


async def test_a_redis_that_hangs_is_away(open_store: OpenStore) -> None:
    async def hang(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    server = await asyncio.start_server(hang, "127.0.0.1", 0)
    claims = CommandStore(open_store(f"redis://127.0.0.1:{server.sockets[0].getsockname()[1]}/0"))
    with pytest.raises(DependencyUnavailableError) as away:
        await claims.open("h", 60)
    assert away.value.part == "store"
    server.close()
