"""A chat completion over the OpenAI protocol, whatever serves it, read within bounds."""

import asyncio
from collections.abc import Sequence
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from contracts import bounds
from contracts.base import Json
from contracts.model import ChatMessage, Completion, WrittenCall
from contracts.usage import CallUsage
from infra.answers import IDENTITY, read_within
from infra.observe import CACHED, Observer
from infra.settings import Settings
from infra.traced import Transcript
from reasoning.mode import Prompt
from reasoning.prompting import as_openai

if TYPE_CHECKING:
    from openai import AsyncOpenAI
    from openai.types.chat import ChatCompletionMessage

NO_COMPLETION = (ValidationError, ValueError, TypeError, AttributeError, RecursionError)
"""What a body makes the client raise that is JSON of another kind, or none."""


class UnusableError(Exception):
    """No completion came of a call. Its text tells why, and nothing of the prompt or the answer."""


class ModelClient:
    """Asks the configured model, once a call.

    The library that it asks with takes a second to load, and the facade asks no model: it is loaded by `load`, or by
    the first call.
    """

    def __init__(self, settings: Settings, observer: Observer) -> None:
        self.timeout = settings.model_timeout
        self._model = settings.model
        self._observer = observer
        self._settings = settings
        self._made: AsyncOpenAI | None = None
        self._making = Lock()

    def load(self) -> "AsyncOpenAI":
        """What it asks with, made once. May be called in any thread."""
        with self._making:
            if self._made is None:
                import openai

                self._made = openai.AsyncOpenAI(
                    base_url=self._settings.model_base_url,
                    api_key=self._settings.model_api_key,
                    max_retries=0,
                    timeout=self._settings.model_timeout,
                    default_headers=IDENTITY,
                )
            return self._made

    async def complete(
        self,
        prompt: Prompt,
        messages: Sequence[ChatMessage],
        transcript: Transcript,
        timeout: float,
        usage: CallUsage | None = None,
    ) -> Completion:
        """Its answer; `timeout` in seconds, `transcript` is how the call is recorded, `usage` what it is booked as.
        Raises `UnusableError`."""
        asked = [{"role": "system", "content": prompt.system}, *(as_openai(m) for m in messages)]
        with self._observer.observe(
            "generation", prompt.purpose, transcript.trace_id, model=self._model, **({"usage": usage} if usage else {})
        ) as seen:
            seen.update(input=partial(transcript.prompt, prompt.system))
            try:
                answer = await self._answer(asked, prompt.tools, timeout)
            # Whatever it is: while a body is read, the client hands on the errors of the HTTP library that it uses.
            except Exception as error:
                seen.update(level="ERROR", status_message=type(error).__name__)
                # Its text would be logged with the failed activity, and an endpoint may repeat the prompt in it.
                raise UnusableError(f"the model did not answer: {type(error).__name__}") from None
            # Booked whatever becomes of it: an answer that nobody can use was paid for, too.
            if (spent := _spent(answer)) is not None:
                seen.update(usage_details=spent)
            try:
                completion = _completion(answer, self._model)
            except NO_COMPLETION as error:
                raise UnusableError(f"the model's answer is no completion: {type(error).__name__}") from None
            seen.update(
                input=partial(transcript.prompt, prompt.system, completion),
                output=partial(transcript.reply, completion),
                usage_details=_tokens(completion.input_tokens, completion.output_tokens, completion.cached_tokens),
            )
            return completion

    async def _answer(self, messages: list[dict[str, Json]], tools: list[dict[str, Any]], timeout: float) -> Json:
        client = await asyncio.to_thread(self.load) if self._made is None else self._made
        from openai.types.chat import ChatCompletion

        asked = client.chat.completions.with_streaming_response.create(
            model=self._model,
            # As arguments of their own the client would walk through each once more, for nothing: a tenth of what a
            # plan costs a busy worker.
            messages=(),
            extra_body={"messages": messages, "tools": tools},
            timeout=timeout,
        )
        # As for a venue: an answer that drips would never be too late.
        async with asyncio.timeout(timeout), asked as response:
            body = await read_within(response.http_response, bounds.REPLY_BYTES)
        return ChatCompletion.construct(**bounds.parsed(body, bounds.ANSWER_DEPTH))

    async def close(self) -> None:
        """Let go of connections."""
        if self._made is not None:
            await self._made.close()


def _completion(answer: Json, asked: str) -> Completion:
    """What a completion says. Raises what a body that only looks like a completion makes it raise, and
    `UnusableError`."""
    message = _message(answer)
    if message is None:
        raise UnusableError("the model answered with nothing")
    raw = [c for c in message.tool_calls or () if c.type == "function"]
    calls = [
        WrittenCall(
            id=bounds.clean(c.id, bounds.ID),
            name=bounds.clean(c.function.name, bounds.NAME),
            arguments=c.function.arguments if isinstance(c.function.arguments, str) else "",
        )
        for c in raw[: bounds.CALLS]
    ]
    return Completion(
        text=bounds.clean(message.content or "", bounds.TEXT),
        calls=tuple(calls),
        made=len(raw),
        model=bounds.clean(answer.model or asked, bounds.NAME),
        input_tokens=answer.usage.prompt_tokens if answer.usage else 0,
        output_tokens=answer.usage.completion_tokens if answer.usage else 0,
        cached_tokens=_cached(answer.usage),
    )


def _cached(usage: Json) -> int:
    """Input tokens that the endpoint has cached: not every endpoint tells, and what one tells may be nonsense."""
    details = getattr(usage, "prompt_tokens_details", None)
    told = details.get("cached_tokens") if isinstance(details, dict) else getattr(details, "cached_tokens", None)
    known = isinstance(told, int) and isinstance(usage.prompt_tokens, int)
    return max(0, min(told, usage.prompt_tokens)) if known else 0


def _spent(answer: Json) -> dict[str, int] | None:
    """What a call cost in tokens, as `_tokens`; None where the endpoint does not tell it in numbers."""
    usage = getattr(answer, "usage", None)
    told, out = getattr(usage, "prompt_tokens", None), getattr(usage, "completion_tokens", None)
    if not isinstance(told, int) or not isinstance(out, int):
        return None
    return _tokens(told, out, _cached(usage))


def _tokens(told: int, out: int, cached: int) -> dict[str, int]:
    """Counts by Langfuse's names: each token under one of them."""
    return {"input": told - cached, "output": out} | ({CACHED: cached} if cached else {})


def _message(answer: Json) -> "ChatCompletionMessage | None":
    """The reply, or None: the client hands on whatever JSON an endpoint answers as if it were a completion."""
    from openai.types.chat import ChatCompletionMessage

    choices = getattr(answer, "choices", None)
    first = choices[0] if isinstance(choices, list) and choices else None
    message = getattr(first, "message", None)
    return message if isinstance(message, ChatCompletionMessage) else None
