"""The rate limits of messages, by user and by venue.

- In Redis no key and no value names a user, and each user of each venue is counted separately.
- What a user sends beyond the user's limit does not use up the venue's.
"""

import pytest
from redis.asyncio import Redis

from api.auth.rate_limits import RateLimits
from clients.errors import ApiError
from infra.config.settings import Settings
from tests.support.redis_server import RedisServer
from tests.support.stacks import free_base

USER = "ann.card@example.com"


@pytest.mark.asyncio
async def test_no_key_names_a_user() -> None:
    port = free_base(1)
    url = f"redis://127.0.0.1:{port}/0"
    async with RedisServer(port):
        limits = RateLimits(Settings(_env_file=None, redis_url=url, rate_user="1/hour", rate_venue="100/hour"))
        await limits.count(venue="small", user=USER)
        await limits.count(venue="other", user=USER)
        await limits.count(venue="small", user="bob")
        with pytest.raises(ApiError):
            await limits.count(venue="small", user=USER)
        redis: Redis = Redis.from_url(url, decode_responses=True)
        kept = [key async for key in redis.scan_iter()]
        kept += [str(row) for key in list(kept) for row in await redis.lrange(key, 0, -1)]
        await redis.aclose()
    assert len(kept) >= 5, "three users of a venue, and two venues"
    assert not [text for text in kept if USER in text or "bob" in text]


@pytest.mark.asyncio
async def test_a_user_beyond_the_own_limit_leaves_the_venue_s_to_others() -> None:
    limits = RateLimits(Settings(_env_file=None, rate_user="1/hour", rate_venue="3/hour"))
    await limits.count(venue="small", user=USER)
    for _ in range(5):
        with pytest.raises(ApiError):
            await limits.count(venue="small", user=USER)
    await limits.count(venue="small", user="bob")
