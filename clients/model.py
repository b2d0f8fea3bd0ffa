"""A chat completion over the OpenAI protocol, whatever serves it, read within bounds."""

import asyncio
import time
from collections.abc import Sequence
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING

from pydantic import BaseModel, ValidationError

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

_NOT_TAKEN = (400, 422)
"""Statuses with which an endpoint refuses a request as it is written."""


class UnusableError(Exception):
    """No completion came of a call. Its text tells why, and nothing of the prompt or the answer."""


class TooSlowError(UnusableError):
    """The time that there was for it is over."""


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
        with self._observer.observe(
            "generation",
            prompt.purpose,
            transcript.trace_id,
            model=self._model,
            version=prompt.version,
            **({"usage": usage} if usage else {}),
        ) as seen:
            seen.update(input=partial(transcript.prompt, prompt.system))
            try:
                answer = await self._taken(prompt, messages, timeout)
            # Whatever it is: while a body is read, the client hands on the errors of the HTTP library that it uses.
            except Exception as error:
                seen.update(level="ERROR", status_message=type(error).__name__)
                # Its text would be logged with the failed activity, and an endpoint may repeat the prompt in it.
                told = f"the model did not answer: {type(error).__name__}"
                raise (TooSlowError if _too_slow(error) else UnusableError)(told) from None
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

    async def _taken(self, prompt: Prompt, messages: Sequence[ChatMessage], timeout: float) -> Json:
        """Its answer. Some endpoints refuse a next turn without the reasoning that came before, others refuse one with
        it (Groq): what was refused with it is asked once more without. A signature stays with its call."""
        began = time.monotonic()
        try:
            return await self._answer(prompt, messages, timeout)
        except Exception as error:
            refused = getattr(error, "status_code", None) in _NOT_TAKEN
            if not refused or not any(message.extras for message in messages):
                raise
        plain = [message.model_copy(update={"extras": {}}) for message in messages]
        return await self._answer(prompt, plain, timeout - (time.monotonic() - began))

    async def _answer(self, prompt: Prompt, messages: Sequence[ChatMessage], timeout: float) -> Json:
        asked_with = [{"role": "system", "content": prompt.system}, *(as_openai(m) for m in messages)]
        client = await asyncio.to_thread(self.load) if self._made is None else self._made
        from openai.types.chat import ChatCompletion

        asked = client.chat.completions.with_streaming_response.create(
            model=self._model,
            # As arguments of their own the client would walk through each once more, for nothing: a tenth of what a
            # plan costs a busy worker.
            messages=(),
            extra_body={"messages": asked_with, "tools": prompt.tools},
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


def _too_slow(error: Exception) -> bool:
    # The client has an error of its own for that, which is none of Python's.
    return isinstance(error, TimeoutError) or type(error).__name__ == "APITimeoutError"


def _completion(answer: Json, asked: str) -> Completion:
    """What a completion says. Raises what a body that only looks like a completion makes it raise, and
    `UnusableError`."""
    message = _message(answer)
    if message is None:
        raise UnusableError("the model answered with nothing")
    raw = [c for c in message.tool_calls or () if c.type == "function"]
    taken = raw[: bounds.CALLS]
    *beside, own = bounds.extras(*(_beside(c) | {"function": _beside(c.function)} for c in taken), _beside(message))
    calls = [
        WrittenCall(
            id=bounds.clean(c.id, bounds.ID),
            name=bounds.clean(c.function.name, bounds.NAME),
            arguments=c.function.arguments if isinstance(c.function.arguments, str) else "",
            extras=extras,
        )
        for c, extras in zip(taken, beside, strict=True)
    ]
    spent = _counts(getattr(answer, "usage", None))
    told, out, cached = spent if spent is not None else (0, 0, 0)
    return Completion(
        text=bounds.clean(message.content or "", bounds.TEXT),
        calls=tuple(calls),
        made=len(raw),
        model=bounds.clean(answer.model or asked, bounds.NAME),
        input_tokens=told,
        output_tokens=out,
        cached_tokens=cached,
        extras=own,
    )


def _beside(part: BaseModel) -> dict[str, Json]:
    """What a part of an answer has that the protocol does not name."""
    return dict(part.model_extra or {})


def _counts(usage: Json) -> tuple[int, int, int] | None:
    """(input, output, cached tokens) as the endpoint tells them; 0 for what cannot be counted, None where nothing can.
    What it tells is no part of the answer, so nothing of it fails a call. Of the input no more can be cached than there
    is."""
    told, out = bounds.count(_field(usage, "prompt_tokens")), bounds.count(_field(usage, "completion_tokens"))
    if told is None and out is None:
        return None
    cached = bounds.count(_field(_field(usage, "prompt_tokens_details"), "cached_tokens"))
    return told or 0, out or 0, min(cached or 0, told or 0)


def _field(of: Json, name: str) -> Json:
    return of.get(name) if isinstance(of, dict) else getattr(of, name, None)


def _spent(answer: Json) -> dict[str, int] | None:
    """What a call cost in tokens, as `_tokens`; None where the endpoint tells nothing that can be counted."""
    spent = _counts(getattr(answer, "usage", None))
    return _tokens(*spent) if spent is not None else None


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
