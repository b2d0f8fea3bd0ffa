"""HTTP clients of the tests. All they reach is plain HTTP over loopback: to read all certificates for each, as
httpx does, takes a twentieth of a second, three times a test. Servers hang up on a connection that was idle for five
seconds, httpx by itself no sooner: a request sent in that moment is lost."""

from functools import partial

import httpx

from tests.support.waiting import LIMIT

_IDLE = 2.0

client = partial(httpx.AsyncClient, verify=False, timeout=LIMIT, limits=httpx.Limits(keepalive_expiry=_IDLE))
get, put, post, request = (
    partial(call, verify=False, timeout=LIMIT) for call in (httpx.get, httpx.put, httpx.post, httpx.request)
)
