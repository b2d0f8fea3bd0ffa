"""The files of a tree that an image would hold, by the ignore file that an engine reads and by the copied paths.

The rules are those of moby's `patternmatcher`, which Docker uses and of which Buildah and Podman have a copy: patterns
are read in order, the last one that fits a path or a folder above it decides, `!` includes again, `*` stops at a slash
and `**` does not.
"""

import re
import shlex
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal

Engine = Literal["docker", "podman"]

_IGNORE_FILES: dict[Engine, tuple[str, ...]] = {
    "docker": ("Containerfile.dockerignore", ".dockerignore"),
    "podman": ("Containerfile.containerignore", ".containerignore", "Containerfile.dockerignore", ".dockerignore"),
}
"""By engine, the ignore files that it looks for, the first that is there counts."""


def image_files(tree: Path, engine: Engine) -> set[str]:
    """Return the files that the image of the tree's `Containerfile` would hold, by their paths in the tree."""
    context = [path for path in _files(tree) if not _ignored(path, _patterns(tree, engine))]
    found: set[str] = set()
    for source in _copied(tree / "Containerfile"):
        inside = {path for path in context if source == "." or path == source or path.startswith(f"{source}/")}
        found |= inside | {path for path in context if _expression(source).fullmatch(path)}
    return found


def _files(tree: Path) -> list[str]:
    return [str(path.relative_to(tree)) for path in tree.rglob("*") if path.is_file()]


def _patterns(tree: Path, engine: Engine) -> list[tuple[bool, re.Pattern[str]]]:
    """Return the patterns, each with whether it includes again; none where there is no ignore file."""
    named = next((tree / name for name in _IGNORE_FILES[engine] if (tree / name).is_file()), None)
    lines = named.read_text(encoding="utf-8").splitlines() if named is not None else []
    found = [line.strip() for line in lines if line.strip() and not line.startswith("#")]
    return [(line.startswith("!"), _expression(line.lstrip("!").strip().strip("/"))) for line in found]


def _ignored(path: str, patterns: Iterable[tuple[bool, re.Pattern[str]]]) -> bool:
    parts = path.split("/")
    above = ["/".join(parts[:length]) for length in range(1, len(parts) + 1)]
    ignored = False
    for takes_back, pattern in patterns:
        if any(pattern.fullmatch(one) for one in above):
            ignored = not takes_back
    return ignored


def _expression(pattern: str) -> re.Pattern[str]:
    pieces = re.split(r"(\*\*/|\*\*|\*|\?|\[[^\]]*\])", pattern)
    known = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    return re.compile(
        "".join(known.get(p, p if p.startswith("[") and p.endswith("]") else re.escape(p)) for p in pieces)
    )


def _copied(containerfile: Path) -> Iterator[str]:
    """Yield the sources of every COPY and ADD out of the tree."""
    text = containerfile.read_text(encoding="utf-8").replace("\\\n", " ")
    for line in text.splitlines():
        keyword, *words = shlex.split(line, comments=True) or [""]
        if keyword.upper() not in ("COPY", "ADD") or any(word.startswith("--from") for word in words):
            continue
        *sources, _ = [word for word in words if not word.startswith("--")]
        yield from (source.removeprefix("./").strip("/") or "." for source in sources)
