"""The embedded Temporal dev server: the real `temporal` binary with the settings of `temporal-dev.yaml`."""

import asyncio
import ctypes
import json
import os
import signal
import sys
from asyncio.subprocess import Process
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from shutil import which

from google.protobuf.duration_pb2 import Duration
from pydantic import Field
from ruamel.yaml import YAML
from temporalio.api.enums.v1 import IndexedValueType
from temporalio.api.namespace.v1 import NamespaceConfig
from temporalio.api.operatorservice.v1 import AddSearchAttributesRequest, ListSearchAttributesRequest
from temporalio.api.workflowservice.v1 import UpdateNamespaceRequest
from temporalio.client import Client

from contracts.base import Json, StrictModel
from infra.config.settings import ROOT

_BRIEF = timedelta(seconds=5)

_LENT = frozenset({"PATH", "HOME", "TMPDIR", "LANG", "LC_ALL", "TZ", "SSL_CERT_FILE", "SSL_CERT_DIR"})
"""The environment variables that the server gets. It must not see our keys and tokens."""


class TemporalDevConfig(StrictModel):
    """`temporal-dev.yaml`; every key is documented there."""

    namespace: str = "default"
    retention_days: int = Field(default=7, ge=1)
    ip: str = "127.0.0.1"
    port: int = 8705
    ui_port: int = 8706
    database: str = "temporal.db"
    sqlite_pragmas: dict[str, str] = Field(default_factory=dict)
    dynamic_config: dict[str, Json] = Field(default_factory=dict)
    search_attributes: dict[str, str] = Field(default_factory=dict)


_PLACES = (ROOT, Path(sys.prefix) / "share" / "iq-booking-updates")
"""A checkout, and an installed wheel."""


def read_config(path: Path | None = None) -> TemporalDevConfig:
    """Return the dev server's settings, from `temporal-dev.yaml` unless a path is given. Raises
    `pydantic.ValidationError` naming a wrong key."""
    found = path or next(file for folder in _PLACES if (file := folder / "temporal-dev.yaml").is_file())
    return TemporalDevConfig.model_validate(YAML(typ="safe").load(found))


def binary(named: str | None = None) -> str:
    """Return the `temporal` to run: the one a setting names, the installed package's, or the one on the path.

    Raises `FileNotFoundError` with the way out.
    """
    for candidate in (named, str(Path(sys.executable).parent / "temporal"), which("temporal")):
        if candidate and Path(candidate).is_file():
            return candidate
    raise FileNotFoundError(
        "No `temporal` program found. Run `make install`, or set IQ_TEMPORAL_BINARY to one you have."
    )


@dataclass(slots=True)
class TemporalServer:
    """A running dev server."""

    process: Process
    address: str
    ui: str

    async def stop(self) -> None:
        """Stop it and wait until it has ended."""
        if self.process.returncode is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                async with asyncio.timeout(5):
                    await self.process.wait()
            except TimeoutError:
                self.process.kill()
                await self.process.wait()


async def start(
    config: TemporalDevConfig,
    data: Path,
    *,
    port: int | None = None,
    ui_port: int | None = None,
    codec: str | None = None,
    named: str | None = None,
) -> TemporalServer:
    """Start the server; it answers about a second later. Its log goes to `temporal.log` in the data folder."""
    port, ui_port = port or config.port, ui_port or config.ui_port
    arguments = ["server", "start-dev", "--ip", config.ip, "--port", str(port), "--ui-port", str(ui_port)]
    arguments += ["--db-filename", str(data / config.database), "--log-level", "warn", "--log-format", "json"]
    if codec is not None:
        arguments += ["--ui-codec-endpoint", codec]
    if config.namespace != "default":
        arguments += ["--namespace", config.namespace]
    for name, value in config.sqlite_pragmas.items():
        arguments += ["--sqlite-pragma", f"{name}={value}"]
    for name, value in config.dynamic_config.items():
        arguments += ["--dynamic-config-value", f"{name}={json.dumps(value)}"]
    for name, kind in config.search_attributes.items():
        arguments += ["--search-attribute", f"{name}={kind}"]
    with (data / "temporal.log").open("ab") as log:
        process = await asyncio.create_subprocess_exec(
            binary(named),
            *arguments,
            stdout=log,
            stderr=log,
            stdin=asyncio.subprocess.DEVNULL,
            env={name: value for name, value in os.environ.items() if name in _LENT},
            # Ctrl-C in a terminal reaches the whole group, and the server must outlive the worker's last calls.
            start_new_session=True,
            preexec_fn=_die_with_parent if sys.platform == "linux" else None,
        )
    return TemporalServer(process, f"{config.ip}:{port}", f"http://{config.ip}:{ui_port}")


_LIBC = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


def _die_with_parent() -> None:
    # Even a SIGKILL of this process must not leave a server behind: PR_SET_PDEATHSIG is 1.
    if _LIBC is not None:
        _LIBC.prctl(1, signal.SIGTERM)


async def register(client: Client, attributes: Mapping[str, str]) -> None:
    """Register these search attributes. The server's own flags apply only to a new database; an older one would never
    have an attribute that was added later."""
    known = await client.operator_service.list_search_attributes(
        ListSearchAttributesRequest(namespace=client.namespace), timeout=_BRIEF
    )
    kinds = {
        name: IndexedValueType.Value(f"INDEXED_VALUE_TYPE_{kind.upper()}")
        for name, kind in attributes.items()
        if name not in known.custom_attributes
    }
    if kinds:
        await client.operator_service.add_search_attributes(
            AddSearchAttributesRequest(namespace=client.namespace, search_attributes=kinds), timeout=_BRIEF
        )


async def keep_for(client: Client, days: int) -> None:
    """Set how long closed workflows are kept; the dev server's own default is a day."""
    await client.workflow_service.update_namespace(
        UpdateNamespaceRequest(
            namespace=client.namespace,
            config=NamespaceConfig(workflow_execution_retention_ttl=Duration(seconds=days * 86400)),
        ),
        timeout=_BRIEF,
    )
