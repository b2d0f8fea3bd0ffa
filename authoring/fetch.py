"""Fetches an API document with every file that it refers to, for `iq actions fetch`, the only command that uses the
network for one.

Everything is fetched and checked before anything is written, so that a rejection leaves no partial document. Files
beside the document are written beside it; those from elsewhere are written to `remote/`, and the references to them are
changed, so that the copy can be read without a network.
"""

import asyncio
import json
import os
import re
import ssl
import tempfile
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote, unquote, urldefrag, urljoin, urlsplit

import httpx

from contracts.base import Json
from infra.http.bounded_body import IDENTITY, TooLargeError, UnsupportedEncodingError, read_bounded
from registry.errors import YamlSyntaxError
from registry.overlays.yaml_file import read_yaml

MOST_BYTES = 32 * 2**20
"""The total size of the files of one document; the largest public ones have a third of it."""

_MOST_FILES = 500
_MOST_HOPS = 5
_SECONDS, _ALTOGETHER = 30.0, 180.0
"""Without data, and in total, because a server that sends a byte a second is never without data."""

_LONGEST = 100
_REMOTE = "remote"
_PLAIN = re.compile(r"\w[\w .-]*")
_UNSAFE = re.compile(r"^\.|[^\w.-]")
# A document must not be able to add files to a pack beyond its API document.
_OF_A_PACK = frozenset({"actions", "languages", "venue.yaml", _REMOTE})


class FetchError(Exception):
    """The reason for a rejected or failed fetch, worded for the author. Only a full disk leaves files behind."""


@dataclass
class _File:
    """One fetched file: its origin after redirects, its text, and its destination."""

    address: str
    text: str
    data: Json
    path: Path
    references: set[str] = field(default_factory=set)


class _FetchedBody(NamedTuple):
    address: str
    content: bytes


def fetch(
    address: str, allow: list[str], out: Path, authority: Path | None = None, timeout: float = _ALTOGETHER
) -> list[tuple[Path, int]]:
    """Fetch the document at `address` into `out`, and its references below its folder; return the files and their
    bytes.

    `allow` are the hosts that may be read from, `host` or `host:port`; `authority` is a PEM file of a certificate
    authority to trust beside the usual ones; `timeout` is the seconds for everything. Raises FetchError.
    """
    try:
        trust = httpx.create_ssl_context()
        if authority is not None:
            trust.load_verify_locations(cafile=authority)
    except (OSError, ssl.SSLError) as error:
        raise FetchError(f"{authority} is no readable certificate: {error}") from error
    return _written(asyncio.run(_fetched(address, allow, out, trust, timeout)), out)


async def _fetched(address: str, allow: list[str], out: Path, trust: ssl.SSLContext, timeout: float) -> "list[_File]":
    try:
        async with (
            asyncio.timeout(timeout),
            httpx.AsyncClient(verify=trust, timeout=_SECONDS, follow_redirects=False, headers=IDENTITY) as client,
        ):
            return await _Fetching(client, allow, out).all(address)
    except TimeoutError:
        raise FetchError(f"{address} was not fetched within {timeout:g} s, with all its files") from None


class _Fetching:
    """One document and its files."""

    def __init__(self, client: httpx.AsyncClient, allow: list[str], out: Path) -> None:
        self._client, self._allow, self._out = client, {host.lower() for host in allow}, out
        self._files: dict[str, _File] = {}
        self._left = MOST_BYTES

    async def all(self, address: str) -> list[_File]:
        """Return the document and all that it refers to, with references to other places already changed."""
        start = urldefrag(address).url
        self._judge(start, "")
        waiting = deque([start])
        while waiting:
            question = waiting.popleft()
            if question in self._files:
                continue
            if len(self._files) == _MOST_FILES:
                raise FetchError(f"{start} refers to more than {_MOST_FILES} files")
            answer = await self._get(question)
            # The address after redirects is another address of the same file.
            known = self._files.get(answer.address)
            file = self._files[question] = known or self._file(answer)
            self._files[file.address] = file
            for reference in sorted(file.references):
                target = urljoin(file.address, reference)
                self._judge(target, f"{question} refers to ")
                waiting.append(target)
        found = list({id(file): file for file in self._files.values()}.values())
        for file in found:
            self._localize(file)
        return found

    def _file(self, answer: _FetchedBody) -> _File:
        text, data = _parsed(answer.address, answer.content)
        path = self._place(answer.address) if self._files else self._out
        return _File(answer.address, text, data, path, set(_references(data)))

    async def _get(self, address: str) -> _FetchedBody:
        for _ in range(_MOST_HOPS):
            try:
                async with self._client.stream("GET", address) as answer:
                    if not answer.has_redirect_location:
                        answer.raise_for_status()
                        return _FetchedBody(address, await self._read(answer, address))
                    target = urldefrag(urljoin(address, answer.headers["location"])).url
            except (httpx.HTTPError, httpx.InvalidURL) as error:
                raise FetchError(f"{address} was not fetched: {error}") from error
            self._judge(target, f"{address} redirects to ")
            address = target
        raise FetchError(f"{address} redirects more than {_MOST_HOPS} times")

    async def _read(self, answer: httpx.Response, address: str) -> bytes:
        """Return the body if it fits into the rest of the total size; an announced length is trusted."""
        try:
            content = await read_bounded(answer, self._left)
        except TooLargeError as error:
            most = f"a document may take {MOST_BYTES // 2**20} MiB with all its files"
            raise FetchError(f"{address} is too large: {most}") from error
        except UnsupportedEncodingError as error:
            raise FetchError(f"{address} was not fetched: it is {error}") from error
        self._left -= len(content)
        return content

    def _judge(self, address: str, why: str) -> None:
        """Raise FetchError unless `address` may be read from; `why` is the origin of the address."""
        try:
            parts = urlsplit(address)
            host, port = (parts.hostname or "").lower(), parts.port
        except ValueError as error:
            raise FetchError(f"{why}{address}, which is no address: {error}") from error
        if parts.scheme != "https":
            raise FetchError(f"{why}{address}, which is not https" if why else f"{address} is not https")
        if parts.username is not None or not host:
            raise FetchError(f"{why}{address}: an address holds a host and no user")
        if host not in self._allow and f"{host}:{port or 443}" not in self._allow:
            allowed = ", ".join(sorted(self._allow))
            raise FetchError(f"{why}{address}: {host} is not an allowed host ({allowed}); `--allow {host}` allows it")

    def _place(self, address: str) -> Path:
        """Return the destination of a file: beside the document if it was so at the origin, else below `remote/`."""
        start = next(iter(self._files.values())).address
        beside, folder = start.rpartition("/")[0] + "/", self._out.parent
        if address.startswith(beside) and "?" not in address:
            parts = [unquote(part) for part in address.removeprefix(beside).split("/")]
            plain = all(_PLAIN.fullmatch(part) for part in parts)
            path = folder.joinpath(*parts)
            if plain and parts[0].lower() not in _OF_A_PACK and path != self._out:
                return self._free(path)
        split = urlsplit(address)
        names = [split.netloc, *filter(None, split.path.split("/")), *filter(None, [split.query])]
        return self._free(folder.joinpath(_REMOTE, *(_UNSAFE.sub("_", unquote(name))[-_LONGEST:] for name in names)))

    def _free(self, path: Path) -> Path:
        """Return `path`, or a similar one if another file has it already."""
        taken = {file.path for file in self._files.values()}
        number = 2
        free = path
        while free in taken or any(free in other.parents or other in free.parents for other in taken):
            free, number = path.with_name(f"{path.stem}_{number}{path.suffix}"), number + 1
        return free

    def _localize(self, file: _File) -> None:
        """Change the references that the loader would not follow to the fetched file."""
        changes: dict[str, str] = {}
        for reference in file.references:
            target = self._files[urljoin(file.address, reference)].path
            read = Path(os.path.normpath(file.path.parent / unquote(reference)))
            if read != Path(os.path.normpath(target)) or "://" in reference or reference.startswith("//"):
                changes[reference] = quote(Path(os.path.relpath(target, file.path.parent)).as_posix())
        if not changes:
            return
        text = file.text
        for old, new in changes.items():
            text = re.sub(rf"""(\$ref["']?\s*:\s*["']?){re.escape(old)}(?=[#"'\s,}}\]]|$)""", rf"\g<1>{new}", text)
        wanted = {changes.get(reference, reference) for reference in file.references}
        try:
            done = set(_references(_parsed(file.address, text.encode())[1])) == wanted
        except FetchError:
            done = False
        # The text keeps its comments and lines. If it writes a reference in another notation, the data is written.
        file.text = text if done else json.dumps(_changed(file.data, changes), indent=2, ensure_ascii=False)


def _parsed(address: str, content: bytes) -> tuple[str, Json]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "fetched"
        path.write_bytes(content)
        try:
            data = read_yaml(path, strict=False).data
        except YamlSyntaxError as fault:
            raise FetchError(f"{address}, line {fault.line}: {fault.message}") from fault
    if not isinstance(data, dict | list):
        raise FetchError(f"{address} is neither a JSON nor a YAML document")
    return content.decode("utf-8-sig"), data


def _references(node: Json) -> Iterator[str]:
    """Yield the addresses of references, unchanged, without the part after `#`."""
    waiting = [node]
    while waiting:
        inner = waiting.pop()
        if isinstance(inner, dict):
            reference = inner.get("$ref")
            if isinstance(reference, str) and (address := reference.partition("#")[0]):
                yield address
            waiting += inner.values()
        elif isinstance(inner, list):
            waiting += inner


def _changed(node: Json, changes: dict[str, str]) -> Json:
    if isinstance(node, list):
        return [_changed(part, changes) for part in node]
    if not isinstance(node, dict):
        return node
    inner = {name: _changed(part, changes) for name, part in node.items()}
    reference = inner.get("$ref")
    if isinstance(reference, str):
        address, mark, fragment = reference.partition("#")
        inner["$ref"] = f"{changes.get(address, address)}{mark}{fragment}"
    return inner


def _written(files: list[_File], out: Path) -> list[tuple[Path, int]]:
    """Write the files. Only `out` itself may exist; a different file in any other place is a rejection."""
    rows = [(file.path, file.text.encode()) for file in files]
    try:
        for path, content in rows:
            if path != out and path.exists() and path.read_bytes() != content:
                raise FetchError(f"{path} is there already and differs; move it away, or fetch into another folder")
        for path, content in rows:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
    except OSError as error:
        raise FetchError(f"{error.filename or out} cannot be written: {error.strerror}") from error
    return [(place, len(content)) for place, content in rows]
