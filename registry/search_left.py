"""What a model is told of the actions that it is not shown: one line a resource, and never more than it can afford."""

from collections import defaultdict
from collections.abc import Iterable

from contracts.action import AtomicAction

_MOST = 5_000
"""Characters in all: some 1,200 tokens."""
_NAMED = 3
"""Actions named in a line; as many as there are where leaving the last one out would be no shorter."""
_SHORT = 2_000
"""Characters of them that are kept for the things that get no line of their own."""


def left_out(actions: Iterable[tuple[str, AtomicAction]]) -> str:
    """Lines such as `invoice: 14 more actions, among them …`, those with the most actions first; `actions` are what is
    left out, each with its resource, the likeliest first. What has no place is counted in the last line."""
    left: defaultdict[str, list[str]] = defaultdict(list)
    for resource, action in actions:
        left[resource or "other"].append(action.name)
    ranked = sorted(left.items(), key=lambda row: -len(row[1]))
    lines: list[str] = []
    room = _MOST - _SHORT
    while ranked and len(line := _line(*ranked[0])) < room:
        lines.append(line)
        room -= len(line) + 1
        ranked.pop(0)
    return "\n".join([*lines, *_rest(ranked, room + _SHORT)])


def _line(resource: str, names: list[str]) -> str:
    if len(names) <= _NAMED + 1:
        return f"{resource}: {', '.join(names)}"
    return f"{resource}: {len(names)} more actions, among them {', '.join(names[:_NAMED])}"


def _rest(ranked: list[tuple[str, list[str]]], room: int) -> list[str]:
    if not ranked:
        return []
    said: list[str] = []
    room -= len("also on , and on 1000 other things")
    for resource, names in ranked:
        entry = f"{resource} ({len(names)})"
        if room < len(entry) + 2:
            return [f"also on {', '.join(said)}, and on {len(ranked) - len(said)} other things"]
        said.append(entry)
        room -= len(entry) + 2
    return [f"also on {', '.join(said)}"]
