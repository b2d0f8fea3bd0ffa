"""Counts outcomes by class, as a table for people and a JSON line for programs."""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

Row = dict[str, Any]
OUTCOMES = ("right", "asked", "wrong")


class BadCasesError(ValueError):
    """A case file that cannot be read; the message names the line."""


def read_cases(path: Path, needs: Sequence[str] = ("text",)) -> list[Row]:
    """Return the cases, one per line (JSON Lines), each with the required fields. Raises `BadCasesError`."""
    rows = []
    try:
        lines = path.read_text().splitlines()
    except OSError as error:
        raise BadCasesError(f"{path}: {error.strerror}") from None
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                row = json.loads(line)
            except ValueError:
                raise BadCasesError(f"{path}:{number}: this line is not JSON") from None
            missing = [name for name in needs if not isinstance(row, dict) or name not in row]
            if missing:
                raise BadCasesError(f"{path}:{number}: a case needs a `{missing[0]}`")
            rows.append(row)
    if not rows:
        raise BadCasesError(f"{path}: no cases in it")
    return rows


class ScoreCard:
    """Outcomes by class."""

    def __init__(self) -> None:
        self._by_class: dict[str, Counter[str]] = {}
        self.misses: list[str] = []

    def count(self, classes: Iterable[str], outcome: str, note: str) -> None:
        """Count one case, which may belong to several classes."""
        for name in classes:
            self._by_class.setdefault(name, Counter())[outcome] += 1
        if outcome != "right":
            self.misses.append(f"{outcome:<6} {note}")

    def counts(self) -> dict[str, int]:
        """Return the number of cases by outcome."""
        found = self._by_class.get("all", Counter())
        return {outcome: found[outcome] for outcome in OUTCOMES}

    def table(self) -> str:
        """Return a table of classes by row; `all` comes last."""
        lines = [f"{'class':<14}{'cases':>7}" + "".join(f"{o:>8}" for o in OUTCOMES)]
        for name, found in sorted(self._by_class.items(), key=lambda kv: (kv[0] == "all", kv[0])):
            lines.append(f"{name:<14}{found.total():>7}" + "".join(f"{found[o]:>8}" for o in OUTCOMES))
        return "\n".join(lines)

    def rows(self, name: str) -> list[str]:
        """Return the table as rows of Markdown, `all` first, each under the name of its file."""
        ordered = sorted(self._by_class.items(), key=lambda kv: (kv[0] != "all", kv[0]))
        return [
            f"| {name if kind == 'all' else ''} | {kind} | {found.total()} | "
            + " | ".join(str(found[o]) for o in OUTCOMES)
            + " |"
            for kind, found in ordered
        ]

    def line(self) -> str:
        """Return the last line of an evaluation: cases, right, asked, wrong."""
        counts = self.counts()
        return json.dumps({"cases": sum(counts.values()), **counts})
