"""What is wrong with one overlay, with the line to look at."""

from contracts.action import Finding, Level
from registry.faults import YamlSyntaxError
from registry.yaml_file import Key, YamlFile

_LONGEST = 1_000  # characters: a mistake may quote all of a value
_MOST_OTHERS = 3


def unreadable(label: str, error: OSError | YamlSyntaxError) -> Finding:
    """That a file cannot be read, and where."""
    line = error.line if isinstance(error, YamlSyntaxError) else None
    why = error.strerror if isinstance(error, OSError) else error
    return Finding(level="error", file=label, line=line, message=f"cannot be read: {why}")


class Findings:
    """Collects what is found in one file."""

    def __init__(self, file: YamlFile, name: str, action: str | None) -> None:
        self._file, self._name, self._action = file, name, action
        self.rows: list[Finding] = []
        self._said: dict[tuple[Level, str, str], tuple[int, list[str]]] = {}

    @property
    def file(self) -> str:
        """The file's label."""
        return self._name

    @property
    def fatal(self) -> bool:
        """True when an error was found: the action cannot be used."""
        return any(row.level == "error" for row in self.rows)

    def apart(self) -> "Findings":
        """As this, with nothing found yet: for what is only tried."""
        return Findings(self._file, self._name, self._action)

    def error(self, key: Key, message: str, hint: str = "", *, pointer: str = "") -> None:
        """Something that makes the action unusable. `pointer` is into the API document, if the fault lies there."""
        self._add("error", key, message, hint, pointer)

    def warning(self, key: Key, message: str, hint: str = "") -> None:
        """Something its author should know."""
        self._add("warning", key, message, hint, "")

    def once(self, level: Level, key: Key, message: str, hint: str = "") -> None:
        """Something that one mistake makes wrong in several places: the first is told, and the others beside it."""
        dotted = ".".join(map(str, key))
        at, others = self._said.setdefault((level, message, hint), (len(self.rows), []))
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
        """Why the file gives no action, when nothing is wrong with it."""
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
