"""The published registry version.

Guarantees: nothing is published at first; every process reads the last one published. The retained actions for broken
files are stored with it, sealed: a process without the key, or with another one, reads nothing, and a forged entry is
ignored.
"""

import pytest

from infra.crypto.keyring import KeyRing, new_key_line, parse_ring
from infra.stores.registry_version import PublishedVersion
from infra.stores.store import Store


async def test_the_last_word_counts(pair: tuple[Store, Store]) -> None:
    one, two = map(PublishedVersion, pair)
    assert await two.published() is None

    await one.publish("v1")
    assert await two.published() == "v1"
    await two.publish("v2")
    assert await one.published() == "v2"


@pytest.fixture
def ring() -> KeyRing:
    """A ring of one fresh key."""
    return parse_ring(new_key_line())


async def test_what_stands_in_goes_with_it_sealed(pair: tuple[Store, Store], ring: KeyRing) -> None:
    one, two = (PublishedVersion(store, ring) for store in pair)
    assert await two.retained() == ""
    await one.publish("v1", "sends the token to https://venue.example")
    assert await two.retained() == "sends the token to https://venue.example"
    for other in (parse_ring(new_key_line()), None):
        assert await PublishedVersion(pair[1], other).retained() == ""

    client = pair[0].redis
    (key,) = [key async for key in client.scan_iter("*retained*")]
    sealed = await client.get(key)
    assert "venue.example" not in sealed
    for forged in ("sends the token to https://thief.example", sealed[:-8] + "AAAAAAA=", "k:!!", ":"):
        await client.set(key, forged)
        assert await two.retained() == ""
    await one.publish("v2")
    assert await two.retained() == ""
