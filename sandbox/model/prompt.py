"""What the system prompt says, read back as values: which task, the venue's clock, bookings and plans by JSON line."""

import json
import re
from dataclasses import dataclass
from datetime import datetime, time
from typing import Any

from language import VenuePolicy
from sandbox.model.protocol import Message

_TASK = re.compile(r"^Task:\s*(\w+)", re.MULTILINE)
_CLOCK = re.compile(
    r"Venue clock: \w+ (\d{4}-\d\d-\d\d \d\d:\d\d) \(([^)]+)\)\. Locale: ([\w-]+)\. Country: (\w+)\. "
    r"Open: (\d\d:\d\d) to (\d\d:\d\d)"
)
_READS = re.compile(r"Look-ups \(([^)]*)\)")
_CAN = re.compile(r"say what you can do: (.+)\.$", re.MULTILINE)
_SECTIONS = {
    "Bookings already found": "known",
    "Bookings offered": "offered",
    "A plan is waiting": "pending",
    "Confirmed steps": "steps",
}


@dataclass(frozen=True, slots=True)
class Row:
    """A booking as the prompt or a look-up shows it, whatever the pack calls its fields."""

    booking_id: str
    reference: str = ""
    name: str = ""
    date: str | None = None
    start_time: str | None = None
    guest_count: int | None = None
    label: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """One call of a pending or a confirmed plan."""

    tool: str
    arguments: dict[str, Any]
    number: int = 0
    status: str = ""


@dataclass(frozen=True, slots=True)
class Brief:
    """The system prompt as values. `now` is the venue's wall time, `zone` an IANA name."""

    task: str
    now: datetime
    zone: str
    locale: str
    country: str
    policy: VenuePolicy
    reads: frozenset[str] = frozenset()
    can: tuple[str, ...] = ()
    known: tuple[Row, ...] = ()
    offered: tuple[Row, ...] = ()
    pending: tuple[Step, ...] = ()
    steps: tuple[Step, ...] = ()


def read_brief(messages: list[Message]) -> Brief | None:
    """The brief in the system messages, or None when they do not state a task and a clock."""
    text = "\n".join(m.content for m in messages if m.role in ("system", "developer"))
    task, clock = _TASK.search(text), _CLOCK.search(text)
    if task is None or clock is None:
        return None
    at, zone, locale, country, opens, closes = clock.groups()
    reads = _READS.search(text)
    can = _CAN.search(text)
    lists = _lists(text)
    return Brief(
        task=task[1],
        now=datetime.strptime(at, "%Y-%m-%d %H:%M"),
        zone=zone,
        locale=locale,
        country=country,
        policy=VenuePolicy(opening=((time.fromisoformat(opens), time.fromisoformat(closes)),)),
        reads=frozenset(reads[1].replace(" ", "").split(",")) if reads else frozenset(),
        can=tuple(can[1].split("; ")) if can else (),
        known=tuple(r for d in lists["known"] if (r := row_of(d)) is not None),
        offered=tuple(r for d in lists["offered"] if (r := row_of(d)) is not None),
        pending=_steps(lists["pending"]),
        steps=_steps(lists["steps"]),
    )


def row_of(data: dict[str, Any]) -> Row | None:
    """A booking out of any object that has a `booking_id`; day, time and head count may sit in its first item."""
    if not data.get("booking_id"):
        return None
    items = data.get("items")
    first = items[0] if isinstance(items, list) and items and isinstance(items[0], dict) else {}
    seen = {**first, **{k: v for k, v in data.items() if v is not None}}
    count = seen.get("guest_count", seen.get("party_size"))
    return Row(
        booking_id=str(data["booking_id"]),
        reference=str(seen.get("reference") or ""),
        name=str(seen.get("guest_name") or seen.get("name") or seen.get("title") or ""),
        date=_text(seen.get("date")),
        start_time=(_text(seen.get("start_time") or seen.get("time")) or "")[:5] or None,
        guest_count=count if isinstance(count, int) and not isinstance(count, bool) else None,
        label=str(seen.get("label") or ""),
    )


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None


def _lists(text: str) -> dict[str, list[dict[str, Any]]]:
    """The JSON lines under each heading; anything else ends a list."""
    found: dict[str, list[dict[str, Any]]] = {name: [] for name in _SECTIONS.values()}
    section: str | None = None
    for line in text.splitlines():
        heading = next((name for start, name in _SECTIONS.items() if line.startswith(start)), None)
        if heading is not None:
            section = heading
        elif section is not None and line.startswith("{"):
            data = _object(line)
            if data is not None:
                found[section].append(data)
        elif line.strip():
            section = None
    return found


def _object(line: str) -> dict[str, Any] | None:
    try:
        data = json.loads(line)
    except ValueError:
        return None
    return data if isinstance(data, dict) else None


def _steps(lines: list[dict[str, Any]]) -> tuple[Step, ...]:
    return tuple(
        Step(
            tool=str(d.get("tool", "")),
            arguments=dict(d["arguments"]) if isinstance(d.get("arguments"), dict) else {},
            number=d["step"] if isinstance(d.get("step"), int) else n,
            status=str(d.get("status", "")),
        )
        for n, d in enumerate(lines, 1)
    )
