"""What a sentence comes to as arguments of one action: the planner's own prompts, rules and look-ups, at one venue."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import openai

from cli.web import http_server
from clients.reads import Reader
from clients.venue import VenueError
from contracts.action import AtomicAction
from contracts.base import Value
from contracts.booking import BookingSummary, FoundBookings
from contracts.enums import ErrorType, ParameterRole
from contracts.model import PlanningContext
from infra.settings import Settings
from language import resolve
from reasoning import planning, prompting, resolution, wording
from reasoning.grounding import Doubt, Words, policy_of
from registry import (
    Pack,
    Scope,
    UnrenderableError,
    argument_problems,
    candidates,
    fitted_arguments,
    observe,
    openai_tool,
)
from sandbox import model as offline_model

_ROUNDS = 8


class NotUnderstoodError(Exception):
    """The words gave no call of the action; the message says what was made of them."""


@asynccontextmanager
async def model_of(settings: Settings, *, offline: bool) -> AsyncIterator[openai.AsyncOpenAI]:
    """The model that is set, or the offline planner where none is, or where none may be asked."""
    if "model_base_url" in settings.model_fields_set and not offline:
        print(f"Model: {settings.model}")
        client = openai.AsyncOpenAI(base_url=settings.model_base_url, api_key=settings.model_api_key)
        yield client
        await client.close()
        return
    print("Model: the offline planner")
    server = http_server(offline_model.create_app(), "127.0.0.1", 0)
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


async def arguments_for(
    settings: Settings, pack: Pack, action: AtomicAction, said: str, reader: Reader | None
) -> dict[str, Value]:
    """The arguments that `said` gives the action; without a `reader` no server is asked. Raises NotUnderstoodError."""
    async with model_of(settings, offline=reader is None) as client:
        return await _Planner(settings, pack, action, said, reader, client).arguments()


class _Planner:
    def __init__(
        self,
        settings: Settings,
        pack: Pack,
        action: AtomicAction,
        said: str,
        reader: Reader | None,
        client: openai.AsyncOpenAI,
    ) -> None:
        self._pack, self._action, self._said, self._reader = pack, action, said, reader
        self._client, self._model = client, settings.model
        self._found: list[FoundBookings] = []
        self._now = datetime.now(ZoneInfo(pack.profile.time_zone))

    async def arguments(self) -> dict[str, Value]:
        """See `arguments_for`."""
        actions = list(self._pack.actions.values())
        reads = [a.name for a in actions if a.read_only]
        tools: list[Any] = [*map(openai_tool, actions), *prompting.BUILTIN_TOOLS, planning.RESOLVE_WHEN_TOOL]
        system = planning.planning_prompt(self._pack.profile, self._now, reads, PlanningContext())
        messages: list[Any] = [{"role": "system", "content": system}, {"role": "user", "content": self._said}]
        for _ in range(_ROUNDS):
            answer = await self._client.chat.completions.create(model=self._model, messages=messages, tools=tools)
            message = answer.choices[0].message
            calls = [
                (c.id, c.function.name, self._given(c.function.name, c.function.arguments))
                for c in message.tool_calls or ()
                if c.type == "function"
            ]
            for _, name, given in calls:
                if name in (prompting.ASK, prompting.REFUSE):
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
        """The arguments by the core's rules: which booking is meant, and what was really said."""
        words = Words((self._said,), self._now, self._pack.profile)
        booking: BookingSummary | None = None
        for parameter in self._action.with_role(ParameterRole.BOOKING):
            used = {str(value) for value in given.values()}
            verdict = resolution.settle(
                str(given.get(parameter.name)), words.evidence, resolution.Chat(self._found), used
            )
            if isinstance(verdict, resolution.WhichOne):
                rows = "; ".join(f"{b.label or b.guest_name} ({b.booking_id})" for b in verdict.candidates)
                raise NotUnderstoodError(f"several fit: {rows}")
            if not isinstance(verdict, resolution.Settled):
                raise NotUnderstoodError(f"no {parameter.thing} {given.get(parameter.name)} was found by these words")
            booking = verdict.booking
            given = {**given, parameter.name: booking.booking_id}
        if self._action.read_only or booking is None:
            return given
        grounded = words.ground(self._action, given, booking, {})
        if isinstance(grounded, Doubt):
            raise NotUnderstoodError(f"the operator would be asked: {wording.doubt(grounded, self._now.date())}")
        return dict(grounded.arguments)

    async def _reply(self, name: str, given: dict[str, Value]) -> Value:
        """What a look-up of the planner finds."""
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
        look = self._pack.actions.get(name)
        if look is None or not look.read_only:
            return {"error": " ".join(argument_problems(look, given)) if look else f"There is no tool {name}."}
        problems = argument_problems(look, given)
        if problems:
            return {"error": " ".join(problems)}
        if self._reader is None:
            raise NotUnderstoodError(
                f"no server is asked, so {name} was not: which {self._action.thing} these words mean is not known; "
                "give the arguments with --call"
            )
        scope = Scope.of(look, given, profile).with_(today=self._now.date().isoformat())
        try:
            looked = {read.name: await self._reader.read(look, read, scope) for read in look.preview_reads}
            scope = scope.with_(seen=looked)
            answer, more = await self._reader.listed(look, scope)
            rows = tuple(candidates(look, answer, scope))
            print(f"Looked up: {name} {json.dumps(given, ensure_ascii=False)}: {len(rows)} found")
            self._found.append(FoundBookings(rows=rows, asked=tuple(str(v) for v in given.values()), more=more))
            if look.output.candidates is None:
                return observe(look, answer, scope)
            return [row.model_dump(mode="json", exclude_defaults=True) for row in rows] or {"found": 0}
        except (VenueError, UnrenderableError) as error:
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
