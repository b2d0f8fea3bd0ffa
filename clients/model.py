"""Chat completions over the OpenAI protocol, for any endpoint that serves it, with size and time limits."""

import asyncio
import time
from collections.abc import Sequence
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING

from pydantic import BaseModel, ValidationError

from contracts import limits
from contracts.base import Json
from contracts.chat_completion import ChatMessage, Completion, RawToolCall
from contracts.usage import CallUsage
from infra.config.settings import Settings
from infra.http.bounded_body import IDENTITY, read_bounded
from infra.observability.observer import CACHED, Observer
from infra.redaction.trace_redaction import RedactedTranscript
from reasoning.modes.base import Prompt
from reasoning.modes.prompts import as_openai

if TYPE_CHECKING:
    from openai import AsyncOpenAI
    from openai.types.chat import ChatCompletionMessage

NO_COMPLETION = (ValidationError, ValueError, TypeError, AttributeError, RecursionError)
"""Errors that the client raises for a body that is unexpected JSON or no JSON."""

_NOT_TAKEN = (400, 422)
"""Statuses with which an endpoint rejects the form of a request."""


class ModelUnavailableError(Exception):
    """A call returned no completion. The message gives the reason, without text of the prompt or the answer."""


class ModelTimeoutError(ModelUnavailableError):
    """The time limit of the call was reached."""


class ModelClient:
    """Calls the configured model.

    The OpenAI library takes a second to import, and the API process calls no model. So it is imported by `load`, or by
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
        """Return the OpenAI client, created once. Thread-safe."""
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
        transcript: RedactedTranscript,
        timeout: float,
        usage: CallUsage | None = None,
    ) -> Completion:
        """Return the model's answer. `timeout` in seconds, `transcript` is the recorded form of the call, `usage` its
        usage record. Raises `ModelUnavailableError`."""
        with self._observer.observe(
            "generation",
            prompt.purpose,
            transcript.trace_id,
            model=self._model,
            version=prompt.version,
            **({"usage": usage} if usage else {}),
        ) as observation:
            observation.update(input=partial(transcript.prompt, prompt.system))
            try:
                answer = await self._taken(prompt, messages, timeout)
            # Any type of error: while a body is read, the client passes on errors of its HTTP library.
            except Exception as error:
                observation.update(level="ERROR", status_message=type(error).__name__)
                # The error text would be logged with the failed activity, and an endpoint may repeat the prompt in it.
                text = f"the model did not answer: {type(error).__name__}"
                raise (ModelTimeoutError if _too_slow(error) else ModelUnavailableError)(text) from None
            # Usage is recorded in any case, because an unusable answer was paid for, too.
            if (spent := _spent(answer)) is not None:
                observation.update(usage_details=spent)
            try:
                completion = _completion(answer, self._model)
            except NO_COMPLETION as error:
                raise ModelUnavailableError(f"the model's answer is no completion: {type(error).__name__}") from None
            observation.update(
                input=partial(transcript.prompt, prompt.system, completion),
                output=partial(transcript.reply, completion),
                usage_details=_tokens(completion.input_tokens, completion.output_tokens, completion.cached_tokens),
            )
            return completion

    async def _taken(self, prompt: Prompt, messages: Sequence[ChatMessage], timeout: float) -> Json:
        """Return the answer. Some endpoints reject a next turn without the earlier reasoning, others reject one with it
        (Groq). A request rejected with reasoning is sent once more without it. A signature stays with its call."""
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
            # As typed arguments the client would validate each one again without benefit, which is a tenth of a plan's
            # cost on a busy worker.
            messages=(),
            extra_body={"messages": asked_with, "tools": prompt.tools},
            timeout=timeout,
        )
        # An overall timeout is needed, as for a venue, because a slowly trickling answer never triggers a read timeout.
        async with asyncio.timeout(timeout), asked as response:
            body = await read_bounded(response.http_response, limits.REPLY_BYTES)
        return ChatCompletion.construct(**limits.parse_json(body, limits.ANSWER_DEPTH))

    async def close(self) -> None:
        """Close the connections."""
        if self._made is not None:
            await self._made.close()


def _too_slow(error: Exception) -> bool:
    # The client raises its own error for a timeout, which is no Python `TimeoutError`.
    return isinstance(error, TimeoutError) or type(error).__name__ == "APITimeoutError"


def _completion(answer: Json, question: str) -> Completion:
    """Return the completion in an answer. Raises `ModelUnavailableError`, and the errors of `NO_COMPLETION` for a
    malformed body."""
    message = _message(answer)
    if message is None:
        raise ModelUnavailableError("the model answered with nothing")
    raw = [c for c in message.tool_calls or () if c.type == "function"]
    taken = raw[: limits.CALLS]
    *beside, own = limits.extras(*(_beside(c) | {"function": _beside(c.function)} for c in taken), _beside(message))
    calls = [
        RawToolCall(
            id=limits.sanitize_text(c.id, limits.ID),
            name=limits.sanitize_text(c.function.name, limits.NAME),
            arguments=c.function.arguments if isinstance(c.function.arguments, str) else "",
            extras=extras,
        )
        for c, extras in zip(taken, beside, strict=True)
    ]
    spent = _counts(getattr(answer, "usage", None))
    prompt, out, cached = spent if spent is not None else (0, 0, 0)
    return Completion(
        text=limits.sanitize_text(message.content or "", limits.TEXT),
        calls=tuple(calls),
        made=len(raw),
        model=limits.sanitize_text(answer.model or question, limits.NAME),
        input_tokens=prompt,
        output_tokens=out,
        cached_tokens=cached,
        extras=own,
    )


def _beside(part: BaseModel) -> dict[str, Json]:
    """Return the fields of an answer's part that the protocol does not define."""
    return dict(part.model_extra or {})


def _counts(usage: Json) -> tuple[int, int, int] | None:
    """Return (input, output, cached tokens) as the endpoint reports them; 0 for an invalid count, None if there is no
    valid one. Usage is not part of the answer, so invalid usage fails no call. Cached tokens are capped at the input.
    """
    prompt, out = (
        limits.parse_count(_field(usage, "prompt_tokens")),
        limits.parse_count(_field(usage, "completion_tokens")),
    )
    if prompt is None and out is None:
        return None
    cached = limits.parse_count(_field(_field(usage, "prompt_tokens_details"), "cached_tokens"))
    return prompt or 0, out or 0, min(cached or 0, prompt or 0)


def _field(of: Json, name: str) -> Json:
    return of.get(name) if isinstance(of, dict) else getattr(of, name, None)


def _spent(answer: Json) -> dict[str, int] | None:
    """Return the token usage of a call, as `_tokens` does; None if the endpoint reports none."""
    spent = _counts(getattr(answer, "usage", None))
    return _tokens(*spent) if spent is not None else None


def _tokens(prompt: int, out: int, cached: int) -> dict[str, int]:
    """Return the counts by Langfuse's names, each token under exactly one of them."""
    return {"input": prompt - cached, "output": out} | ({CACHED: cached} if cached else {})


def _message(answer: Json) -> "ChatCompletionMessage | None":
    """Return the reply, or None, because the client passes on any JSON as if it were a completion."""
    from openai.types.chat import ChatCompletionMessage

    choices = getattr(answer, "choices", None)
    first = choices[0] if isinstance(choices, list) and choices else None
    message = getattr(first, "message", None)
    return message if isinstance(message, ChatCompletionMessage) else None
