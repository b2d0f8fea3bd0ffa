"""A unit test opens no connection and starts no process, except the reader of packs, which is one
(`registry/loading/subprocess_reader.py`)."""

import socket
import subprocess
from typing import Any, Never

import pytest

_start = subprocess.Popen.__init__


@pytest.fixture(autouse=True)
def _no_servers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fails every test that needs a server or another program: such a test belongs to `tests/integration`."""

    def refused(*_: Any, **__: Any) -> Never:
        pytest.fail("a unit test needs no server and starts no process: move this one to tests/integration")

    def only_the_reader(process: Any, command: Any, *more: Any, **options: Any) -> None:
        if "registry.loading.subprocess_reader" not in command:
            refused()
        _start(process, command, *more, **options)

    monkeypatch.setattr(socket.socket, "connect", refused)
    monkeypatch.setattr(socket.socket, "bind", refused)
    monkeypatch.setattr(subprocess.Popen, "__init__", only_the_reader)
