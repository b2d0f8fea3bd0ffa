"""Scores a planner on requests as operators type them: its questions, refusals and plans against the expected ones.

The real prompts, tools and rules of the core (argument checks, which booking, grounding) run with any OpenAI-compatible
model; only the venue is simulated: every booking that a case names exists and is found only by that name.
"""

import json
import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import openai

from clients.completion import read_completion
from contracts.action import AtomicAction
from contracts.booking import BookingSummary, FoundBookings
from contracts.chat_completion import ModelReply, PlanningContext
from contracts.enums import ParameterRole
from evals.scorecard import Row, ScoreCard, read_cases
from language import resolve
from language.extraction import Extraction, extract
from reasoning.drafting import booking_resolution
from reasoning.grounding.grounding import Ungrounded, ground_arguments, policy_of
from reasoning.modes import planning, prompts
from registry import Pack, argument_problems, fitted_arguments, openai_tool
from registry.tools.dialects import plain_tool

_NOW = datetime(2026, 11, 21, 10, 0)
_ITALIAN = {"locale": "it-IT", "country": "IT", "time_zone": "Europe/Rome"}
_ACTIONS = {
    "reschedule": "reschedule_booking",
    "guest_count": "change_guest_count",
    "contact": "update_contact",
    "cancel": "cancel_booking",
    "note": "edit_note",
}
_ROUNDS = 8
_PROTOCOL = frozenset({"role", "content", "tool_calls", "tool_call_id"})


class Evaluation:
    """One model over one pack."""

    def __init__(self, pack: Pack, client: openai.AsyncOpenAI, model: str, *, plain_tools: bool = False) -> None:
        """`plain_tools`: send the tools in the keywords that every endpoint knows."""
        self.tokens = [0, 0, 0]
        """What the requests took so far: input, output and cached tokens."""
        self._pack = pack
        self._client = client
        self._model = model
        self._reads = [a.name for a in pack.actions.values() if a.read_only]
        self._tools: list[Any] = [
            *(openai_tool(a) for a in pack.actions.values()),
            *prompts.BUILTIN_TOOLS,
            planning.RESOLVE_WHEN_TOOL,
        ]
        if plain_tools:
            self._tools = [plain_tool(tool) for tool in self._tools]

    async def run(self, path: Path, progress: bool = False) -> ScoreCard:
        """Score every row of a case file. Raises `BadCasesError`."""
        return await self.score(read_cases(path), progress)

    async def score(self, rows: Sequence[Row], progress: bool = False) -> ScoreCard:
        """Score these rows."""
        tally = ScoreCard()
        for number, row in enumerate(rows, 1):
            kind, calls = await self._play(row)
            outcome = _score(row, kind, calls)
            classes = ("all", row.get("lang", "en"), str(row.get("expect")), *row.get("tags", ()))
            tally.count(classes, outcome, f"{row.get('id', number)}  {row['text']!r}: {kind} {calls or ''}")
            if progress and number % 10 == 0:
                print(f"  {number} of {len(rows)}", flush=True)
        return tally

    async def _play(self, row: Row) -> tuple[str, list[dict[str, Any]]]:
        """Return ("plan" | "ask" | "refuse" | "nothing", the planned calls)."""
        venue = self._pack.profile
        if row.get("lang") == "it":
            venue = venue.model_copy(update=_ITALIAN)
        now = _NOW.replace(tzinfo=ZoneInfo(venue.time_zone))
        system = planning.planning_prompt(venue, now, self._reads, PlanningContext())
        messages: list[Any] = [{"role": "system", "content": system}, {"role": "user", "content": row["text"]}]
        found: list[FoundBookings] = []
        for _ in range(_ROUNDS):
            reply = await self._completion(messages)
            spent = (reply.input_tokens, reply.output_tokens, reply.cached_tokens)
            self.tokens = [had + now for had, now in zip(self.tokens, spent, strict=True)]
            calls = [(c.id, c.name, self._given(c.name, c.arguments)) for c in reply.tool_calls]
            names = {name for _, name, _ in calls}
            if prompts.ASK in names:
                return "ask", []
            if prompts.REFUSE in names:
                return "refuse", []
            if not calls:
                return ("ask" if reply.text.rstrip().endswith("?") else "refuse"), []
            messages.append(prompts.as_openai(reply.message))
            replies = [self._reply(name, given, row, found, venue, now) for _, name, given in calls]
            if all(reply is None for reply in replies):
                return self._drafted(row, [(n, g) for _, n, g in calls], found, extract((row["text"],), now, venue))
            for (call_id, _, _), reply in zip(calls, replies, strict=True):
                content = json.dumps(reply if reply is not None else {"error": "Not planned yet: call it again."})
                messages.append({"role": "tool", "tool_call_id": call_id, "content": content})
        return "nothing", []

    async def _completion(self, messages: list[Any]) -> ModelReply:
        """Return the answer; asked for once more without the fields of its own that the endpoint refuses to get back,
        as `clients.model` does."""
        create = partial(self._client.chat.completions.with_raw_response.create, model=self._model, tools=self._tools)
        try:
            answer = await create(messages=messages)
        except openai.BadRequestError:
            plain = [{k: v for k, v in m.items() if k in _PROTOCOL} for m in messages]
            if plain == messages:
                raise
            answer = await create(messages=plain)
        return read_completion(answer.http_response.content, self._model)[0]

    def _given(self, name: str, written: Mapping[str, Any]) -> dict[str, Any]:
        action, given = self._pack.actions.get(name), {k: v for k, v in written.items() if v is not None}
        return fitted_arguments(action, given) if action is not None else given

    def _reply(
        self, name: str, given: dict[str, Any], row: Row, found: list[FoundBookings], venue: Any, now: datetime
    ) -> Any:
        """Return the response to a call; None for a step that could be planned."""
        if name == planning.RESOLVE_WHEN:
            read = resolve(
                str(given.get("text")), now=now, tz=venue.time_zone, locale=venue.locale, policy=policy_of(venue)
            )
            return {"status": read.status.value, "date": str(read.date), "time": str(read.time)}
        action = self._pack.actions.get(name)
        if action is None:
            return {"error": f"There is no tool {name}."}
        problems = argument_problems(action, given)
        if problems:
            return {"error": " ".join(problems)}
        if not action.read_only:
            return None
        rows = tuple(_bookings(row, given))
        found.append(FoundBookings(rows=rows, asked=tuple(str(v) for v in given.values())))
        return [r.model_dump(exclude_defaults=True) for r in rows] or {"found": 0}

    def _drafted(
        self,
        row: Row,
        calls: list[tuple[str, dict[str, Any]]],
        found: list[FoundBookings],
        statements: Extraction,
    ) -> tuple[str, list[dict[str, Any]]]:
        """Apply the core's own rules to a drafted plan."""
        planned = []
        for name, given in calls:
            action = self._pack.actions[name]
            booking = _singled_out(action, given, statements, found)
            if booking is None:
                return "ask", []
            grounded = ground_arguments(statements, action, given, booking, {})
            if isinstance(grounded, Ungrounded):
                return "ask", []
            planned.append({"action": name, "booking": booking.guest_name, **grounded})
        return "plan", planned


def _singled_out(
    action: AtomicAction, given: Mapping[str, Any], statements: Extraction, found: list[FoundBookings]
) -> BookingSummary | None:
    [parameter, *_] = action.with_role(ParameterRole.BOOKING)
    used = {str(value) for value in given.values()}
    verdict = booking_resolution.resolve_booking(
        str(given.get(parameter.name)), statements, booking_resolution.KnownBookings(found), used
    )
    return verdict.booking if isinstance(verdict, booking_resolution.Resolved) else None


def _bookings(row: Row, given: Mapping[str, Any]) -> list[BookingSummary]:
    """Return the bookings of a case that a look-up finds."""
    text = " ".join(str(v) for v in given.values())
    for gold in row.get("gold", ()):
        for reference in gold["ref"]:
            if _same_thing(text, reference):
                name = gold["ref"][0]
                return [
                    BookingSummary(
                        booking_id=f"id-{name}",
                        reference=name,
                        guest_name=name,
                        label=name,
                        date="2026-11-25",
                        start_time="13:15",
                        guest_count=21,
                    )
                ]
    return []


def _same_thing(message: str, reference: str) -> bool:
    mine, theirs = (set(re.findall(r"[\w@.+-]*\w", text.casefold())) for text in (message, reference))
    digits, others = re.sub(r"\D", "", message), re.sub(r"\D", "", reference)
    return bool(mine) and (mine <= theirs or theirs <= mine or (digits != "" and digits == others))


def _score(row: Row, kind: str, calls: list[dict[str, Any]]) -> str:
    """Return right, asked or wrong, as the cases' README defines them."""
    expect, gold = row.get("expect"), row.get("gold", [])
    if kind == "plan":
        same = expect == "act" and len(calls) == len(gold) and all(map(_means, calls, gold))
        return "right" if same else "wrong"
    if kind == "ask":
        several_days = any(len(g["params"].get("date", [])) > 1 for g in gold)
        return "right" if expect == "ask" or (expect == "act" and several_days) else "asked"
    return "right" if kind == "refuse" and expect == "refuse" else "asked"


def _means(call: Mapping[str, Any], gold: Mapping[str, Any]) -> bool:
    texts = {k: v for k, v in call.items() if k not in ("action", "booking", "booking_id")}
    if call["action"] != _ACTIONS[gold["action"]] or call["booking"] != gold["ref"][0]:
        return False
    texts["name"] = f"{texts.pop('first_name', '')} {texts.pop('last_name', '')}".strip()
    keys = {"date": "new_date", "time": "new_start_time", "note_has": "note"}
    for key, values in gold["params"].items():
        value = texts.pop(keys.get(key, key), None)
        if key == "phone":
            fine = _national(str(value)) in {_national(str(v)) for v in values}
        elif key == "note_has":
            fine = all(str(v) in str(value) for v in values)
        else:
            fine = value in values
        if not fine:
            return False
    return not any(texts.values())


def _national(phone: str) -> str:
    return re.sub(r"\D", "", phone).lstrip("0")[-8:]
