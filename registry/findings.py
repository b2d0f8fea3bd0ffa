"""What is wrong with one overlay, with the line to look at."""

from typing import Literal

from contracts.action import Finding
from registry.yaml_file import YamlFile


class Findings:
    """Collects what is found in one file."""

    def __init__(self, file: YamlFile, name: str, action: str | None) -> None:
        self._file, self._name, self._action = file, name, action
        self.rows: list[Finding] = []

    @property
    def fatal(self) -> bool:
        """True when an error was found: the action cannot be used."""
        return any(row.level == "error" for row in self.rows)

    def error(self, key: tuple[str | int, ...], message: str, hint: str = "", *, pointer: str = "") -> None:
        """Something that makes the action unusable. `pointer` is into the API document, if the fault lies there."""
        self._add("error", key, message, hint, pointer)

    def warning(self, key: tuple[str | int, ...], message: str, hint: str = "") -> None:
        """Something its author should know."""
        self._add("warning", key, message, hint, "")

    def info(self, message: str) -> None:
        """Why the file gives no action, when nothing is wrong with it."""
        self._add("info", (), message, "", "")

    def _add(
        self,
        level: Literal["error", "warning", "info"],
        key: tuple[str | int, ...],
        message: str,
        hint: str,
        pointer: str,
    ) -> None:
        dotted = ".".join(map(str, key))
        self.rows.append(
            Finding(
                level=level, file=self._name, line=self._file.line(*key), pointer=pointer or dotted,
                action=self._action, message=f"{dotted}: {message}" if dotted else message, hint=hint,
            )
        )  # fmt: skip
