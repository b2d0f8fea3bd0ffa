"""Where operators' tokens are kept. The same guarantees for both vaults; Redis is a real server.

Guarantees:
- a token is had back by its reference, and by no other; a reference tells nothing and is never given twice;
- what is taken is had once;
- what is kept under a name of its own is had back by that name, also where something else has expired meanwhile;
- a wiped, expired or unknown reference raises `TokenMissingError`; wiping twice, or wiping what is not there, is fine;
- at rest a token is encrypted, in Redis as in memory, and tied to its reference: copied to another it is refused;
- Redis forgets by itself when the time is up; a second process with the same keys reads it, one with other keys does
  not;
- after a rotation of keys, tokens kept before are still read.
"""

import asyncio
import re
from collections.abc import AsyncIterator
from typing import Any

import pytest
import redis.asyncio

from infra.crypto.keyring import KeyRing, KeyringError
from infra.stores.token_vault import MemoryVault, RedisVault, TokenMissingError, Vault, open_vault
from tests.support import needs

RING = KeyRing({"k1": bytes(32)})
TOKEN = "s3cret-operator-token-é"


def redis_url() -> str:
    return needs.redis().rsplit("/", 1)[0] + "/11"


@pytest.fixture(params=["memory", "redis"])
async def vault(request: pytest.FixtureRequest) -> AsyncIterator[Vault]:
    found = open_vault(redis_url() if request.param == "redis" else None, RING)
    assert isinstance(found, RedisVault if request.param == "redis" else MemoryVault)
    yield found
    await found.close()


@pytest.fixture
async def raw() -> AsyncIterator[Any]:
    """The same Redis, seen as somebody who broke in sees it."""
    client = redis.asyncio.from_url(redis_url())
    yield client
    await client.flushdb()
    await client.aclose()


async def test_a_token_is_had_back_by_its_reference(vault: Vault) -> None:
    reference = await vault.put(TOKEN, 60)

    assert await vault.get(reference) == TOKEN
    assert await vault.get(reference) == TOKEN, "reading does not use it up"


async def test_a_reference_tells_nothing_and_is_never_given_twice(vault: Vault) -> None:
    references = {await vault.put(TOKEN, 60) for _ in range(5)}

    assert len(references) == 5
    assert all(re.fullmatch(r"tok-[0-9a-f-]{36}", reference) for reference in references)


@pytest.mark.parametrize("reference", ["", "tok-", "tok-00000000-0000-0000-0000-000000000000", "*"])
async def test_an_unknown_reference_is_missing(vault: Vault, reference: str) -> None:
    await vault.put(TOKEN, 60)

    with pytest.raises(TokenMissingError):
        await vault.get(reference)


async def test_a_wiped_token_is_gone_and_the_others_stay(vault: Vault) -> None:
    gone, stays = await vault.put(TOKEN, 60), await vault.put("other", 60)

    await vault.wipe(gone)
    await vault.wipe(gone)
    await vault.wipe("tok-never-there")

    assert await vault.get(stays) == "other"
    with pytest.raises(TokenMissingError) as missing:
        await vault.get(gone)
    assert TOKEN not in str(missing.value)


async def test_a_token_is_forgotten_when_its_time_is_up(vault: Vault) -> None:
    short, long = await vault.put(TOKEN, 0.05), await vault.put("other", 60)

    await asyncio.sleep(0.12)

    assert await vault.get(long) == "other"
    with pytest.raises(TokenMissingError):
        await vault.get(short)


async def test_what_is_taken_is_had_once(vault: Vault) -> None:
    reference = await vault.put(TOKEN, 60)

    assert await vault.take(reference) == TOKEN
    for again in (vault.take, vault.get):
        with pytest.raises(TokenMissingError):
            await again(reference)


async def test_what_has_a_name_of_its_own_is_kept_under_it(vault: Vault) -> None:
    gone = await vault.put(TOKEN, 0.05)
    await asyncio.sleep(0.12)

    assert await vault.put("first", 60, "outcome:1") == "outcome:1"
    unnamed = await vault.put("other", 60)

    assert unnamed != gone
    assert await vault.get("outcome:1") == "first"
    assert await vault.get(unnamed) == "other"
    assert await vault.put("second", 60, "outcome:1") == "outcome:1"
    assert await vault.get("outcome:1") == "second"
    with pytest.raises(TokenMissingError):
        await vault.get(gone)


async def test_memory_drops_what_has_expired() -> None:
    vault = MemoryVault(RING)
    await vault.put(TOKEN, 0.01)
    await asyncio.sleep(0.03)
    await vault.put("other", 60)

    assert len(vault._cache) == 1


async def test_memory_keeps_no_token_in_the_clear() -> None:
    vault = MemoryVault(RING)
    await vault.put(TOKEN, 60)

    assert TOKEN not in repr(vault._cache)
    assert TOKEN.encode() not in b"".join(sealed.data for sealed, _ in vault._cache.values())


async def test_redis_holds_no_token_in_the_clear(raw: Any) -> None:
    vault = RedisVault(redis_url(), RING)
    reference = await vault.put(TOKEN, 60)

    value = await raw.get(f"iq:token:{reference}")

    assert value.startswith(b"k1:")
    assert b"s3cret" not in value
    await vault.close()


async def test_redis_forgets_by_itself(raw: Any) -> None:
    vault = RedisVault(redis_url(), RING)
    reference = await vault.put(TOKEN, 60)

    left = await raw.pttl(f"iq:token:{reference}")

    assert 50_000 < left <= 60_000
    await vault.close()


async def test_a_value_copied_to_another_reference_is_refused(raw: Any) -> None:
    vault = RedisVault(redis_url(), RING)
    mine, theirs = await vault.put("mine", 60), await vault.put("theirs", 60)

    await raw.copy(f"iq:token:{theirs}", f"iq:token:{mine}", replace=True)

    with pytest.raises(KeyringError, match="changed"):
        await vault.get(mine)
    await vault.close()


@pytest.mark.parametrize("value", [b"", b"k1", b"k1:", b"k1:short", b"nonsense"])
async def test_a_value_that_is_not_ours_is_refused(raw: Any, value: bytes) -> None:
    vault = RedisVault(redis_url(), RING)
    await raw.set("iq:token:tok-1", value)

    with pytest.raises(KeyringError):
        await vault.get("tok-1")
    await vault.close()


async def test_another_process_reads_it_with_the_same_keys_only(raw: Any) -> None:
    one, two, stranger = (RedisVault(redis_url(), ring) for ring in (RING, RING, KeyRing({"k1": b"x" * 32})))
    reference = await one.put(TOKEN, 60)

    assert await two.get(reference) == TOKEN
    with pytest.raises(KeyringError):
        await stranger.get(reference)
    for vault in (one, two, stranger):
        await vault.close()


async def test_a_rotation_of_keys_keeps_tokens_readable(raw: Any) -> None:
    before = RedisVault(redis_url(), RING)
    after = RedisVault(redis_url(), KeyRing({"k2": b"n" * 32, "k1": bytes(32)}))
    reference = await before.put(TOKEN, 60)

    assert await after.get(reference) == TOKEN
    await before.close()
    await after.close()


async def test_closing_memory_forgets_everything() -> None:
    vault = MemoryVault(RING)
    reference = await vault.put(TOKEN, 60)

    await vault.close()

    with pytest.raises(TokenMissingError):
        await vault.get(reference)
