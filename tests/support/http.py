"""HTTP clients of the tests. All they reach is plain HTTP over loopback: to read all certificates for each, as
httpx does, takes a twentieth of a second, three times a test."""

from functools import partial

import httpx

client = partial(httpx.AsyncClient, verify=False)
get, put, post, request = (partial(call, verify=False) for call in (httpx.get, httpx.put, httpx.post, httpx.request))
