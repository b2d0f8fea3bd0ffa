"""The store of operators' tokens. The same guarantees in memory and in Redis, a real server.

Guarantees:
- A token is read by its reference, and by no other; a reference reveals nothing and is never given twice.
- A token that is taken can be read only once.
- A token under a name of its own is read by that name, also where something else has expired meanwhile.
- A wiped, expired or unknown reference raises `TokenMissingError`; wiping twice, or wiping what is not there, is fine.
- At rest a token is encrypted, in Redis as in memory, and tied to its reference: copied to another it is rejected.
- It is deleted when the time is up, in memory with the next heartbeat of a worker.
- A second process with the same keys reads it, one with other keys does not.
- After a rotation of keys, older tokens are still readable.
"""

import asyncio
import base64
import re

import pytest

from infra.crypto.keyring import KeyRing, KeyringError
from infra.stores.store import Store
from infra.stores.token_vault import TokenMissingError, Vault
from infra.stores.worker_presence import WorkerPresence
from tests.integration.infra.conftest import OpenStore

RING = KeyRing({"k1": bytes(32)})
TOKEN = "s3cret-operator-token-é"


@pytest.fixture
def vault(store: Store) -> Vault:
    """A vault, in memory and in Redis."""
    return Vault(store, RING)


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


async def test_at_rest_no_token_is_in_the_clear_and_it_expires_by_itself(vault: Vault, store: Store) -> None:
    key = f"iq:token:{await vault.put(TOKEN, 60)}"

    value = await store.redis.get(key)

    assert value.startswith("k1:") and "s3cret" not in value
    assert b"s3cret" not in base64.b64decode(value.removeprefix("k1:"))
    assert 50_000 < await store.redis.pttl(key) <= 60_000


async def test_memory_drops_what_has_expired(open_store: OpenStore) -> None:
    store = open_store(None)
    vault = Vault(store, RING)
    await vault.put(TOKEN, 0.01)
    await asyncio.sleep(0.03)
    await WorkerPresence(store).heartbeat([])

    assert not store.redis.connection_pool.connection_kwargs["server"].dbs[0]._dict


async def test_a_value_copied_to_another_reference_is_refused(vault: Vault, store: Store) -> None:
    mine, theirs = await vault.put("mine", 60), await vault.put("theirs", 60)

    await store.redis.copy(f"iq:token:{theirs}", f"iq:token:{mine}", replace=True)

    with pytest.raises(KeyringError, match="changed"):
        await vault.get(mine)


@pytest.mark.parametrize("value", ["", "k1", "k1:", "k1:short", "k1:c2hvcnQ=", "nonsense", "k1:é"])
async def test_a_value_that_is_not_ours_is_refused(vault: Vault, store: Store, value: str) -> None:
    await store.redis.set("iq:token:tok-1", value)

    with pytest.raises(KeyringError):
        await vault.get("tok-1")


async def test_another_process_reads_it_with_the_same_keys_only(pair: tuple[Store, Store]) -> None:
    one, two, stranger = Vault(pair[0], RING), Vault(pair[1], RING), Vault(pair[1], KeyRing({"k1": b"x" * 32}))
    reference = await one.put(TOKEN, 60)

    assert await two.get(reference) == TOKEN
    with pytest.raises(KeyringError):
        await stranger.get(reference)


async def test_a_rotation_of_keys_keeps_tokens_readable(vault: Vault, store: Store) -> None:
    after = Vault(store, KeyRing({"k2": b"n" * 32, "k1": bytes(32)}))

    assert await after.get(await vault.put(TOKEN, 60)) == TOKEN


async def test_two_stores_in_memory_share_nothing(open_store: OpenStore) -> None:
    reference = await Vault(open_store(None), RING).put(TOKEN, 60)

    with pytest.raises(TokenMissingError):
        await Vault(open_store(None), RING).get(reference)
