"""Answers over HTTP are read within a bound. Guarantees:

- An answer that is compressed once is unpacked. One that is compressed in layers, in an unknown way, cut off, or not as
  its header says is rejected.
- The bound counts the unpacked bytes, and those on the wire; the memory stays flat, however large the unpacked answer
  would be. It is measured in a process of its own.
"""

import asyncio
import gzip
import json
import subprocess
import sys
import zlib
from collections.abc import AsyncIterator

import pytest

from infra.config.settings import ROOT
from infra.http.bounded_body import TooLargeError, UnsupportedEncodingError, read_bounded
from tests.support.tables import for_test_all

TEXT = b'{"a": 1}' * 5_000


class Answer:
    """A body in small parts, with the header that names its compression."""

    def __init__(self, body: bytes, encoding: str = "", **headers: str) -> None:
        self.headers = {"content-encoding": encoding, **headers}
        self._body = body

    async def aiter_raw(self) -> AsyncIterator[bytes]:
        for start in range(0, len(self._body), 1_000):
            yield self._body[start : start + 1_000]


def read(answer: Answer, most: int = 100_000) -> bytes:
    return asyncio.run(read_bounded(answer, most))


@pytest.mark.parametrize(
    ("body", "encoding"),
    [
        (TEXT, ""), (TEXT, "identity"), (gzip.compress(TEXT), "gzip"), (gzip.compress(TEXT), " X-GZIP"),
        (zlib.compress(TEXT), "deflate"), (gzip.compress(TEXT[:8]) + gzip.compress(TEXT[8:]), "gzip"),
    ],
    ids=["none", "identity", "gzip", "x-gzip", "deflate", "two members"],
)  # fmt: skip
def test_what_is_packed_once_is_unpacked(body: bytes, encoding: str) -> None:
    assert read(Answer(body, encoding)) == TEXT
    assert read(Answer(b"", encoding)) == b""


@pytest.mark.parametrize(
    ("body", "encoding", "message"),
    [
        (gzip.compress(gzip.compress(TEXT)), "gzip, gzip", "'gzip, gzip'"), (TEXT, "br", "'br'"),
        (TEXT, "gzip,identity", "not asked for"), (TEXT, "gzip", "not packed as it says"),
        (gzip.compress(TEXT)[:-9], "gzip", "not all there"),
    ],
    ids=["layers", "br", "a list", "plain", "cut off"],
)  # fmt: skip
def test_what_is_packed_otherwise_is_refused(body: bytes, encoding: str, message: str) -> None:
    with pytest.raises(UnsupportedEncodingError, match=message):
        read(Answer(body, encoding))


@pytest.mark.parametrize(
    "answer",
    [
        Answer(b"x" * 100_001), Answer(gzip.compress(b"x" * 100_001), "gzip"),
        Answer(b"", "", **{"content-length": "100001"}),
        Answer(gzip.compress(b"") * 20_000, "gzip"), Answer(b"", "", **{"content-length": "9" * 5_000}),
    ],
    ids=["plain", "packed", "announced", "nothing for ever", "a length of 5,000 digits"],
)  # fmt: skip
def test_more_than_the_bound_is_not_read(answer: Answer) -> None:
    with pytest.raises(TooLargeError):
        read(answer)


@pytest.mark.parametrize("layers", [1, *for_test_all(2)])
def test_a_reply_that_unpacks_to_half_a_gigabyte_takes_no_memory(layers: int) -> None:
    shown = subprocess.run(
        [sys.executable, "-P", "-m", "tests.integration.infra.bombed", str(layers)],
        cwd=ROOT, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, timeout=100, check=True,
    )  # fmt: skip
    message = json.loads(shown.stdout)
    assert message["sent"] < 600_000
    assert message["refused"]
    assert message["grown"] < 24, "MiB; an answer may have 4"
