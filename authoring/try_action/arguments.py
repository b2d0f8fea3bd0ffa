"""The arguments of one action from a sentence, by the planner's own prompts, rules and look-ups, at one venue."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import openai

import offline_planner
from clients.venue.errors import VenueError
from clients.venue.reads import SnapshotReader
from contracts.action import AtomicAction
from contracts.base import Value
from contracts.booking import BookingSummary, FoundBookings
from contracts.chat_completion import PlanningContext
from contracts.enums import ErrorType, ParameterRole
from infra.config.settings import Settings
from infra.http.http_server import http_server
from language import resolve
from language.extraction import extract
from reasoning import error_messages
from reasoning.drafting import booking_resolution
from reasoning.grounding.grounding import Ungrounded, ground_arguments, policy_of
from reasoning.modes import planning, prompts
from registry import BoundAction, Pack, TemplateRenderError, argument_problems, fitted_arguments, openai_tool

_ROUNDS = 8


class NotUnderstoodError(Exception):
    """The text gave no call of the action; the message explains how it was understood."""


@asynccontextmanager
async def model_of(settings: Settings, *, offline: bool) -> AsyncIterator[openai.AsyncOpenAI]:
    """Yield the configured model, or the offline planner if none is configured or no request may be sent."""
    if "model_base_url" in settings.model_fields_set and not offline:
        print(f"Model: {settings.model}")
        client = openai.AsyncOpenAI(base_url=settings.model_base_url, api_key=settings.model_api_key)
        yield client
        await client.close()
        return
    print("Model: the offline planner")
    server = http_server(offline_planner.create_app(), "127.0.0.1", 0)
    task = asyncio.create_task(server.serve())
    await server.until_started()
    port = server.servers[0].sockets[0].getsockname()[1]
    client = openai.AsyncOpenAI(base_url=f"http://127.0.0.1:{port}/v1", api_key="offline")
    try:
        yield client
    finally:
        await client.close()
        server.should_exit = True
        await task


async def extract_arguments(
    settings: Settings, pack: Pack, action: AtomicAction, text: str, reader: SnapshotReader | None
) -> dict[str, Value]:
    """Return the arguments that `text` gives the action; without a `reader` no request is sent. Raises
    NotUnderstoodError."""
    async with model_of(settings, offline=reader is None) as client:
        return await _Planner(settings, pack, action, text, reader, client).arguments()


class _Planner:
    def __init__(
        self,
        settings: Settings,
        pack: Pack,
        action: AtomicAction,
        text: str,
        reader: SnapshotReader | None,
        client: openai.AsyncOpenAI,
    ) -> None:
        self._pack, self._action, self._message, self._reader = pack, action, text, reader
        self._client, self._model = client, settings.model
        self._found: list[FoundBookings] = []
        self._now = datetime.now(ZoneInfo(pack.profile.time_zone))

    async def arguments(self) -> dict[str, Value]:
        """See `extract_arguments`."""
        actions = list(self._pack.actions.values())
        reads = [a.name for a in actions if a.read_only]
        tools: list[Any] = [*map(openai_tool, actions), *prompts.BUILTIN_TOOLS, planning.RESOLVE_WHEN_TOOL]
        system = planning.planning_prompt(self._pack.profile, self._now, reads, PlanningContext())
        messages: list[Any] = [{"role": "system", "content": system}, {"role": "user", "content": self._message}]
        for _ in range(_ROUNDS):
            answer = await self._client.chat.completions.create(model=self._model, messages=messages, tools=tools)
            message = answer.choices[0].message
            calls = [
                (c.id, c.function.name, self._given(c.function.name, c.function.arguments))
                for c in message.tool_calls or ()
                if c.type == "function"
            ]
            for _, name, given in calls:
                if name in (prompts.ASK, prompts.REFUSE):
                    raise NotUnderstoodError(f"the planner answers: {' '.join(str(v) for v in given.values())}")
            if not calls:
                raise NotUnderstoodError(f"the planner answers: {message.content}")
            messages.append(message.model_dump(exclude_none=True))
            for call_id, name, given in calls:
                known = self._pack.actions.get(name)
                if name == self._action.name and not argument_problems(self._action, given):
                    return self._borne_out(given)
                if known is not None and not known.read_only and name != self._action.name:
                    raise NotUnderstoodError(f"the planner takes these words for {name}, with {json.dumps(given)}")
                reply = await self._reply(name, given)
                messages.append({"role": "tool", "tool_call_id": call_id, "content": json.dumps(reply)})
        raise NotUnderstoodError(f"the planner made no call of {self._action.name} of these words")

    def _given(self, name: str, written: str) -> dict[str, Value]:
        action, given = self._pack.actions.get(name), _given(written)
        return fitted_arguments(action, given) if action is not None else given

    def _borne_out(self, given: dict[str, Value]) -> dict[str, Value]:
        """Return the arguments after the core's checks: the booking is identified, and each value is grounded in the
        text."""
        statements = extract((self._message,), self._now, self._pack.profile)
        booking: BookingSummary | None = None
        for parameter in self._action.with_role(ParameterRole.BOOKING):
            used = {str(value) for value in given.values()}
            verdict = booking_resolution.resolve_booking(
                str(given.get(parameter.name)), statements, booking_resolution.KnownBookings(self._found), used
            )
            if isinstance(verdict, booking_resolution.Ambiguous):
                rows = "; ".join(f"{b.label or b.guest_name} ({b.booking_id})" for b in verdict.candidates)
                raise NotUnderstoodError(f"several fit: {rows}")
            if not isinstance(verdict, booking_resolution.Resolved):
                raise NotUnderstoodError(f"no {parameter.thing} {given.get(parameter.name)} was found by these words")
            booking = verdict.booking
            given = {**given, parameter.name: booking.booking_id}
        if self._action.read_only or booking is None:
            return given
        grounded = ground_arguments(statements, self._action, given, booking, {})
        if isinstance(grounded, Ungrounded):
            raise NotUnderstoodError(f"the operator would be asked: {error_messages.doubt(grounded, self._now.date())}")
        return dict(grounded)

    async def _reply(self, name: str, given: dict[str, Value]) -> Value:
        """Return the result of a look-up of the planner."""
        profile = self._pack.profile
        if name == planning.RESOLVE_WHEN:
            read = resolve(
                str(given.get("text")),
                now=self._now,
                tz=profile.time_zone,
                locale=profile.locale,
                policy=policy_of(profile),
            )
            return {"status": read.status.value, "date": str(read.date), "time": str(read.time)}
        read_action = self._pack.actions.get(name)
        if read_action is None or not read_action.read_only:
            return {
                "error": " ".join(argument_problems(read_action, given)) if read_action else f"There is no tool {name}."
            }
        problems = argument_problems(read_action, given)
        if problems:
            return {"error": " ".join(problems)}
        if self._reader is None:
            raise NotUnderstoodError(
                f"no server is asked, so {name} was not: which {self._action.thing} these words mean is not known; "
                "give the arguments with --call"
            )
        bound = BoundAction.of(read_action, given, profile).with_(today=self._now.date().isoformat())
        try:
            looked = {read.name: await self._reader.read(bound, read) for read in read_action.preview_reads}
            bound = bound.with_(seen=looked)
            answer, more = await self._reader.listed(bound)
            bound = bound.with_(response=answer)
            rows = tuple(bound.candidates())
            print(f"Looked up: {name} {json.dumps(given, ensure_ascii=False)}: {len(rows)} found")
            self._found.append(FoundBookings(rows=rows, asked=tuple(str(v) for v in given.values()), more=more))
            if read_action.output.candidates is None:
                return bound.observation()
            return [row.model_dump(mode="json", exclude_defaults=True) for row in rows] or {"found": 0}
        except (VenueError, TemplateRenderError) as error:
            if isinstance(error, VenueError) and error.failure.error_type is ErrorType.NOT_FOUND:
                print(f"Looked up: {name} {json.dumps(given, ensure_ascii=False)}: not found")
                return {"found": 0}
            raise NotUnderstoodError(f"the look-up {name} failed: {error}") from None


def _given(text: str) -> dict[str, Value]:
    try:
        found = json.loads(text or "{}")
    except ValueError:
        return {}
    return {k: v for k, v in found.items() if v is not None} if isinstance(found, Mapping) else {}
