"""How every command starts and fails: settings are read once, with one line per mistake, and failures that a person can
fix are printed as a sentence instead of a traceback."""

import asyncio
import os
import sys
from collections.abc import Coroutine, Iterator
from typing import TYPE_CHECKING, Any, Never

from pydantic import ValidationError
from pydantic_settings import SettingsError

if TYPE_CHECKING:
    from infra.config.settings import Settings


def settings(*, machine: bool = False) -> "Settings":
    """Return the process's settings, with logging configured by them. `machine`: no person reads the output, so it logs
    JSON unless set otherwise. Ends the program with a line for each wrong setting."""
    from infra.config import env_names
    from infra.config.settings import Settings
    from infra.config.settings import settings as read
    from infra.observability.logging import set_up

    file = Settings.model_config.get("env_file")
    try:
        in_file = env_names.in_file(file if isinstance(file, str) else None)
        found = read()
        if found.temporal_profile is not None or found.temporal_config_file is not None:
            # Imported only here, because it loads Temporal's client.
            from infra.temporal.client import profiled

            found = profiled(found)
    except SettingsError as error:
        # pydantic names the field, and its text holds no value.
        field = str(error).split('"')[1] if '"' in str(error) else ""
        _end([f"{env_names.variable(Settings, field)} is no JSON: lists and mappings are written as JSON"])
    except ValidationError as error:
        _end(list(_mistakes(error)))
    except ValueError as error:
        _end([str(error)])
    known = [env_names.variable(Settings, field) for field in Settings.model_fields]
    if strangers := env_names.unknown([*os.environ, *in_file], known, found.packs):
        _end(strangers)
    set_up(found.log_level, as_json=found.log_format == "json" or (machine and found.log_format == "auto"))
    return found


def run(main: Coroutine[Any, Any, int | None]) -> int:
    """Run until done; a failure that a person can fix is a sentence, not a traceback. Return the exit code."""
    try:
        return asyncio.run(main) or 0
    except Exception as error:
        text = _mendable(error)
        if text is None:
            raise
        sys.exit(f"iq: {text}")


def restrict_umask() -> None:
    """Restrict new files, databases and logs included, to the current user."""
    os.umask(0o077)


def _mistakes(error: ValidationError) -> Iterator[str]:
    """Yield a line for each wrong setting. Values are not repeated, because some hold a password."""
    from infra.config import env_names
    from infra.config.settings import Settings

    for one in error.errors(include_input=False, include_url=False):
        text = one["msg"].removeprefix("Value error, ").replace("Input should", "should")
        field = str(one["loc"][0]) if one["loc"] else ""
        # A field is named by its setting's variable or, if it was set by another name, by that.
        named = env_names.variable(Settings, field) if field in Settings.model_fields else field.upper()
        yield f"{named} {text}".strip()


def _end(mistakes: list[str]) -> Never:
    sys.exit("\n".join(f"iq: {line}" for line in mistakes))


def _mendable(error: Exception) -> str | None:
    """Return how a person can fix the failure, or None. The exceptions are imported lazily, so that commands that
    cannot raise them do not load their libraries."""
    if isinstance(error, OSError):
        return str(error)
    from temporalio.service import RPCError

    from infra.crypto.keyring import KeyringError
    from registry import PackError

    if isinstance(error, RPCError):
        return f"Temporal says: {error.message}"
    return str(error) if isinstance(error, (PackError, KeyringError)) else None
