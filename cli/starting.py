"""How every command starts and fails: settings read once with each mistake in a line, and failures that a person can
mend told as a sentence instead of a traceback."""

import asyncio
import os
import sys
from collections.abc import Coroutine, Iterator
from typing import TYPE_CHECKING, Any, Never

from pydantic import ValidationError
from pydantic_settings import SettingsError

if TYPE_CHECKING:
    from infra.settings import Settings


def settings(*, machine: bool = False) -> "Settings":
    """The process's settings, with logging set up as they say; `machine`: nobody sits before it, so it logs JSON unless
    told otherwise. Ends the program with a line for each that is wrong."""
    from infra import setting_names
    from infra.logs import set_up
    from infra.settings import Settings
    from infra.settings import settings as read

    file = Settings.model_config.get("env_file")
    try:
        in_file = setting_names.in_file(file if isinstance(file, str) else None)
        found = read()
        if found.temporal_profile is not None or found.temporal_config_file is not None:
            # Only then: it loads Temporal's client.
            from infra.temporal_profile import profiled

            found = profiled(found)
    except SettingsError as error:
        # pydantic names the field and repeats nothing of the value.
        field = str(error).split('"')[1] if '"' in str(error) else ""
        _end([f"{setting_names.variable(Settings, field)} is no JSON: lists and mappings are written as JSON"])
    except ValidationError as error:
        _end(list(_mistakes(error)))
    except ValueError as error:
        _end([str(error)])
    known = [setting_names.variable(Settings, field) for field in Settings.model_fields]
    if strangers := setting_names.unknown([*os.environ, *in_file], known, found.packs):
        _end(strangers)
    set_up(found.log_level, as_json=found.log_format == "json" or (machine and found.log_format == "auto"))
    return found


def run(main: Coroutine[Any, Any, int | None]) -> int:
    """Run until done; a failure that a person can mend is a sentence, not a traceback. The exit code."""
    try:
        return asyncio.run(main) or 0
    except Exception as error:
        said = _mendable(error)
        if said is None:
            raise
        sys.exit(f"iq: {said}")


def keep_to_this_user() -> None:
    """What this process writes, databases and logs among it, is for its user alone."""
    os.umask(0o077)


def _mistakes(error: ValidationError) -> Iterator[str]:
    """A line for each wrong setting. Values are not repeated: some hold a password."""
    from infra import setting_names
    from infra.settings import Settings

    for one in error.errors(include_input=False, include_url=False):
        said = one["msg"].removeprefix("Value error, ").replace("Input should", "should")
        field = str(one["loc"][0]) if one["loc"] else ""
        # A field is known by its name or, where it was set by another, by that.
        named = setting_names.variable(Settings, field) if field in Settings.model_fields else field.upper()
        yield f"{named} {said}".strip()


def _end(mistakes: list[str]) -> Never:
    sys.exit("\n".join(f"iq: {line}" for line in mistakes))


def _mendable(error: Exception) -> str | None:
    """What a person may do about it, or None. What may raise these is not loaded for commands that do not need it."""
    if isinstance(error, OSError):
        return str(error)
    from temporalio.service import RPCError

    from infra.keyring import KeyringError
    from registry import PackError

    if isinstance(error, RPCError):
        return f"Temporal says: {error.message}"
    return str(error) if isinstance(error, (PackError, KeyringError)) else None
