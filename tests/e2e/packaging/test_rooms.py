"""The diagram of package imports in CONTRIBUTING.md matches the code.

- Every arrow that is drawn is an import, and every import between two packages is drawn.
- The pure packages, registry and reasoning, import nothing but contracts and language.
"""

import re

import grimp

from infra.config.settings import ROOT

ROOMS = ("contracts", "infra", "language", "registry", "reasoning", "workflows", "clients", "activities", "api", "cli")


def drawn() -> set[tuple[str, str]]:
    picture = (ROOT / "CONTRIBUTING.md").read_text().split("flowchart TD")[1].split("```")[0]
    rows = re.findall(r"^ +(\w+) --> (.+)$", picture, re.MULTILINE)
    return {(room, below.strip()) for room, reached in rows for below in reached.split("&")}


def imported() -> set[tuple[str, str]]:
    graph = grimp.build_graph(*ROOMS)
    pairs = ((a, b) for a in graph.modules for b in graph.find_modules_directly_imported_by(a))
    return {(a.partition(".")[0], b.partition(".")[0]) for a, b in pairs if a.partition(".")[0] != b.partition(".")[0]}


def test_the_picture_is_what_the_code_does() -> None:
    assert drawn() == imported()


def test_the_pure_rooms_reach_nothing_but_words_and_nouns() -> None:
    pure = {below for room, below in imported() if room in ("registry", "reasoning")}
    assert pure == {"contracts", "language"}
