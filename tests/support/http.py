"""HTTP clients of the tests. They use only plain HTTP over loopback: reading all certificates for each client, as httpx
does, takes a twentieth of a second, three times per test. Servers close a connection that was idle for five seconds,
and httpx by itself no sooner, so that a request sent in that moment is lost."""

from functools import partial

import httpx

from tests.support.waiting import LIMIT

_IDLE = 2.0

client = partial(httpx.AsyncClient, verify=False, timeout=LIMIT, limits=httpx.Limits(keepalive_expiry=_IDLE))
get, put, post, request = (
    partial(call, verify=False, timeout=LIMIT) for call in (httpx.get, httpx.put, httpx.post, httpx.request)
)
