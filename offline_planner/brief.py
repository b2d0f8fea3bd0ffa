"""The brief in the system prompt, as values: the task, the venue's clock, bookings, plans. Its prose is not read."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, time
from typing import Any

from contracts.booking import BookingSummary
from contracts.venue import Noun
from language import VenuePolicy
from language.messages.nouns import Words
from offline_planner.protocol import Call, ProtocolMessage

_FENCE = "```json\n"


@dataclass(frozen=True, slots=True)
class Row:
    """Represent a booking as the prompt or a look-up shows it, whatever fields the pack uses."""

    booking_id: str
    reference: str = ""
    name: str = ""
    date: str | None = None
    start_time: str | None = None
    guest_count: int | None = None
    label: str = ""


def summary_of(row: Row) -> BookingSummary:
    """Return the booking as the language's readers take it."""
    return BookingSummary(
        booking_id=row.booking_id, reference=row.reference, guest_name=row.name, date=row.date,
        start_time=row.start_time, guest_count=row.guest_count, label=row.label,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class BriefStep:
    """Represent one call of a pending or a confirmed plan."""

    tool: str
    arguments: dict[str, Any]
    number: int = 0
    status: str = ""


@dataclass(frozen=True, slots=True)
class Brief:
    """Hold the system prompt as values. `now` is the venue's wall time, `zone` an IANA name. In `adaptive` mode `tools`
    are names, `context` is what the planner asked to see and `more` what else it may see; in a critique, `missing` and
    `confidence` are the reply's own. `looked_up` are announced look-ups with their results, `search` is the look-up
    that may be announced, and its parameter. `open`: so many messages before the last belong to the same request."""

    task: str
    now: datetime
    zone: str
    locale: str
    country: str
    policy: VenuePolicy
    words: Words
    reads: frozenset[str] = frozenset()
    can: tuple[str, ...] = ()
    known: tuple[Row, ...] = ()
    offered: tuple[Row, ...] = ()
    pending: tuple[BriefStep, ...] = ()
    failed: tuple[BriefStep, ...] = ()
    taken_back: tuple[str, ...] = ()
    looked_up: tuple[tuple[Call, str], ...] = ()
    search: tuple[str, str] | None = None
    steps: tuple[BriefStep, ...] = ()
    adaptive: bool = False
    tools: tuple[str, ...] = ()
    more: tuple[str, ...] = ()
    context: Mapping[str, Any] = field(default_factory=dict)
    missing: tuple[str, ...] = ()
    confidence: int | None = None
    open: int = 0


def read_brief(messages: list[ProtocolMessage]) -> Brief | None:
    """Return the brief in the system messages, or None when they hold none with a task and a clock."""
    text = "\n".join(m.content for m in messages if m.role in ("system", "developer"))
    data = _object(text)
    try:
        clock = data["clock"]
        return Brief(
            task=str(data["task"]),
            now=datetime.strptime(clock["now"], "%Y-%m-%d %H:%M"),
            zone=clock["zone"],
            locale=clock["locale"],
            country=clock["country"],
            policy=VenuePolicy(opening=((time.fromisoformat(clock["opens"]), time.fromisoformat(clock["closes"])),)),
            words={k: {c: Noun(**w) for c, w in own.items()} for k, own in (clock.get("words") or {}).items()},
            reads=frozenset(map(str, data.get("look_ups", ()))),
            can=tuple(map(str, data.get("can", ()))),
            known=tuple(r for d in _rows(data, "known") if (r := row_of(d)) is not None),
            offered=tuple(r for d in _rows(data, "offered") if (r := row_of(d)) is not None),
            pending=_steps(_rows(data, "pending")),
            failed=_steps(_rows(data, "failed")),
            taken_back=tuple(map(str, data.get("taken_back", ()))),
            looked_up=_looked_up(_rows(data, "looked_up")),
            search=(data["search"]["tool"], data["search"]["words"]) if data.get("search") else None,
            steps=_steps(_rows(data, "steps")),
            adaptive=data.get("mode") == "adaptive",
            tools=tuple(map(str, data.get("tools", ()))),
            more=tuple(map(str, data.get("more", ()))),
            context=data["context"] if isinstance(data.get("context"), dict) else {},
            missing=tuple(map(str, data.get("missing", ()))),
            confidence=data.get("confidence"),
            open=data["open"] if isinstance(data.get("open"), int) else 0,
        )
    except (KeyError, TypeError, ValueError):
        return None


def row_of(data: dict[str, Any]) -> Row | None:
    """Return a booking from an object with a `booking_id`, or None; its first item may hold day, time and count."""
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


def _rows(data: dict[str, Any], name: str) -> list[dict[str, Any]]:
    rows = data.get(name)
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []


def _looked_up(lines: list[dict[str, Any]]) -> tuple[tuple[Call, str], ...]:
    return tuple((Call(line["tool"], dict(line["arguments"])), str(line["result"])) for line in lines)


def _object(text: str) -> dict[str, Any]:
    """Return the object in the first fence; {} where there is none."""
    start = text.find(_FENCE)
    try:
        data = json.JSONDecoder().raw_decode(text, start + len(_FENCE))[0] if start >= 0 else {}
    except ValueError:
        return {}
    return data if isinstance(data, dict) else {}


def _steps(lines: list[dict[str, Any]]) -> tuple[BriefStep, ...]:
    return tuple(
        BriefStep(
            tool=str(d.get("tool", "")),
            arguments=dict(d["arguments"]) if isinstance(d.get("arguments"), dict) else {},
            number=d["step"] if isinstance(d.get("step"), int) else n,
            status=str(d.get("status", "")),
        )
        for n, d in enumerate(lines, 1)
    )
