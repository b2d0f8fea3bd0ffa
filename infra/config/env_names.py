"""Names of settings: the variable of each, and the variables that set nothing.

A misspelt `IQ_MODLE` would silently leave the default in force, so an unknown variable that begins with `IQ_` stops the
program.
"""

import difflib
from collections.abc import Iterable, Mapping
from pathlib import Path

from dotenv import dotenv_values
from pydantic import AliasChoices
from pydantic_settings import BaseSettings

PREFIX = "IQ_"

BESIDE = frozenset({"IQ_TRY_TOKEN", "IQ_CI"})
"""Other variables with this prefix: for `iq actions try`, and the tests."""

PROVIDERS = (
    "IQ_RESOS_KEY", "IQ_RESOS_URL",
    "IQ_OCTOTABLE_CLIENT_ID", "IQ_OCTOTABLE_CLIENT_SECRET", "IQ_OCTOTABLE_PROPERTY",
    "IQ_OCTOTABLE_URL", "IQ_OCTOTABLE_AUTH_URL", "IQ_OCTOTABLE_CHANNEL",
    "IQ_SHEETS_CREDENTIALS", "IQ_SHEETS_TOKEN", "IQ_SHEETS_SPREADSHEET", "IQ_SHEETS_SHEET", "IQ_SHEETS_URL",
)  # fmt: skip
"""Variables that `iq restaurant` reads for providers of reservations; a restaurant's own end in its id
(`IQ_RESOS_KEY_ROMA`)."""

GONE = {"IQ_AI_MODE": "a venue's mode comes with its tariff now (`iq venue mode`)"}
"""Former settings."""


def variable(settings: type[BaseSettings], field: str) -> str:
    """Return the environment variable of a setting."""
    named = settings.model_fields.get(field)
    alias = named.validation_alias if named is not None else None
    prefix = settings.model_config.get("env_prefix") or PREFIX
    return str(alias.choices[0]) if isinstance(alias, AliasChoices) else f"{prefix}{field.upper()}"


def unknown(set_here: Iterable[str], known: Iterable[str], packs: Iterable[Path]) -> list[str]:
    """Return a sentence for each name in `set_here` that begins with `IQ_` and sets nothing. A pack may name variables
    of its own in its venue.yaml."""
    known = {name.upper() for name in known} | BESIDE
    strangers = sorted({name for name in set_here if name.upper().startswith(PREFIX) and not _is_known(name, known)})
    if not strangers:
        return []
    theirs = " ".join(_text(folder / "venue.yaml") for folder in packs)
    return [_sentence(name, {*known, *PROVIDERS}) for name in strangers if name not in theirs]


def in_file(path: str | Path | None) -> Mapping[str, str | None]:
    """Return the variables of an `.env` file; none if it does not exist. Raises `ValueError` if it is not UTF-8."""
    if path is None or not Path(path).is_file():
        return {}
    try:
        return dotenv_values(path, encoding="utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} is not UTF-8 (byte {error.start}): save it as UTF-8") from None


def _is_known(name: str, known: set[str]) -> bool:
    return name.upper() in known or any(name.upper() == one or name.upper().startswith(f"{one}_") for one in PROVIDERS)


def _sentence(name: str, known: Iterable[str]) -> str:
    if name.upper() in GONE:
        return f"{name} is no setting any more: {GONE[name.upper()]}"
    near = difflib.get_close_matches(name.upper(), sorted(known), n=1, cutoff=0.75)
    return f"{name} is no setting: " + (
        f"did you mean {near[0]}?" if near else "take it away (.env.example has them all)"
    )


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
