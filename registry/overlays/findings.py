"""Findings about one overlay, with their lines."""

from contracts.action import Finding, Level
from registry.errors import YamlSyntaxError
from registry.overlays.yaml_file import Key, YamlFile

_LONGEST = 1_000  # characters: a message may quote a whole value
_MOST_OTHERS = 3


def unreadable(label: str, error: OSError | YamlSyntaxError) -> Finding:
    """Return the finding that a file cannot be read, with its location."""
    line = error.line if isinstance(error, YamlSyntaxError) else None
    why = error.strerror if isinstance(error, OSError) else error
    return Finding(level="error", file=label, line=line, message=f"cannot be read: {why}")


class Findings:
    """Collects the findings of one file."""

    def __init__(self, file: YamlFile, name: str, action: str | None) -> None:
        self._file, self._name, self._action = file, name, action
        self.rows: list[Finding] = []
        self._reported: dict[tuple[Level, str, str], tuple[int, list[str]]] = {}

    @property
    def file(self) -> str:
        """Return the file's label."""
        return self._name

    @property
    def fatal(self) -> bool:
        """Return whether an error was found, so that the action cannot be used."""
        return any(row.level == "error" for row in self.rows)

    def apart(self) -> "Findings":
        """Return an empty collector for the same file, for a trial."""
        return Findings(self._file, self._name, self._action)

    def error(self, key: Key, message: str, hint: str = "", *, pointer: str = "") -> None:
        """Add an error that makes the action unusable. `pointer` is into the API document, if the error is there."""
        self._add("error", key, message, hint, pointer)

    def warning(self, key: Key, message: str, hint: str = "") -> None:
        """Add a warning for the author."""
        self._add("warning", key, message, hint, "")

    def once(self, level: Level, key: Key, message: str, hint: str = "") -> None:
        """Add a problem that one mistake causes in several places; only the first is reported."""
        dotted = ".".join(map(str, key))
        at, others = self._reported.setdefault((level, message, hint), (len(self.rows), []))
        if at == len(self.rows):
            self._add(level, key, message, hint, "")
            return
        first = self.rows[at]
        if dotted in (first.pointer, *others):
            return
        others.append(dotted)
        more = f" and {len(others) - _MOST_OTHERS} more" if len(others) > _MOST_OTHERS else ""
        also = f"{first.pointer}: {message} (also in {', '.join(others[:_MOST_OTHERS])}{more})"
        self.rows[at] = first.model_copy(update={"message": also[:_LONGEST]})

    def info(self, message: str) -> None:
        """Add the reason why the file gives no action, when nothing is wrong with it."""
        self._add("info", (), message, "", "")

    def _add(self, level: Level, key: Key, message: str, hint: str, pointer: str) -> None:
        dotted = ".".join(map(str, key))
        found = Finding(
            level=level,
            file=self._name,
            line=self._file.line(*key),
            pointer=pointer or dotted,
            action=self._action,
            message=(f"{dotted}: {message}" if dotted else message)[:_LONGEST],
            hint=hint,
        )
        self.rows.append(found)
