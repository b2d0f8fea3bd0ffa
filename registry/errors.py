"""The exceptions of this package.

Exception
├── PackError         a pack's folder, venue file or API document cannot be used at all
├── OperationError    one operation of an API document cannot be used (becomes a finding)
└── ValueError
    ├── YamlSyntaxError       a file is not YAML by the 1.2 core rules (becomes a finding)
    └── TemplateRenderError   a template cannot be rendered with the values at hand
"""

from collections.abc import Iterable
from difflib import get_close_matches


class PackError(Exception):
    """A pack that cannot be loaded; the message names the file and the fix."""


class OperationError(Exception):
    """One operation is missing or broken. `pointer` is a JSON pointer into the API document."""

    def __init__(self, message: str, *, pointer: str = "", hint: str = "") -> None:
        super().__init__(message)
        self.message, self.pointer, self.hint = message, pointer, hint


class YamlSyntaxError(ValueError):
    """A file that is not YAML; `line` counts from 1."""

    def __init__(self, message: str, *, line: int | None = None) -> None:
        super().__init__(message)
        self.message, self.line = message, line


class TemplateRenderError(ValueError):
    """A template that failed: `where` is "action: key", `reason` names what is undefined or does not fit."""

    def __init__(self, where: str, reason: str) -> None:
        super().__init__(f"{where}: {reason}")
        self.where, self.reason = where, reason


_LONGEST_NAME = 200  # comparison is quadratic in the length, and a mistyped name is never longer


def closest_match(name: str, valid: Iterable[str]) -> str | None:
    """Return the valid name that was most likely meant, or None when none is close."""
    names = sorted(n for n in set(valid) if len(n) <= _LONGEST_NAME) if len(name) <= _LONGEST_NAME else []
    close = get_close_matches(name, names, n=1, cutoff=0.6) or [n for n in names if n.lower() == name.lower()]
    return close[0] if close else None


def did_you_mean(name: str, valid: Iterable[str]) -> str:
    """Return a hint "did you mean x?", or the list of valid names when none is close and the list is short."""
    if len(name) > _LONGEST_NAME:
        return ""
    names = sorted(n for n in set(valid) if len(n) <= _LONGEST_NAME)
    close = closest_match(name, names)
    if close is not None:
        return f"did you mean {close}?"
    return f"valid names: {', '.join(names)}" if 0 < len(names) <= 12 else ""
