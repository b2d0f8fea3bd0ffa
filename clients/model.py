"""Chat completions over the OpenAI protocol, for any endpoint that serves it, with size and time limits."""

import asyncio
import contextlib
import re
import time
from collections.abc import Sequence
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING

from pydantic import ValidationError

from clients.completion import NoCompletionError, read_completion
from clients.retry_after import model_wait
from contracts import limits
from contracts.base import Json
from contracts.chat_completion import ChatMessage, ModelReply
from contracts.usage import CallUsage
from infra.config.settings import Settings
from infra.http.bounded_body import IDENTITY, read_bounded
from infra.observability.observer import CACHED, Observer
from infra.redaction.trace_redaction import RedactedTranscript
from reasoning.modes.base import Prompt
from reasoning.modes.prompts import as_openai
from registry.tools.dialects import Tool, plain_tool

if TYPE_CHECKING:
    from httpx2 import Response
    from openai import AsyncOpenAI

NO_COMPLETION = (ValidationError, ValueError, TypeError, AttributeError, RecursionError)
"""Errors that reading an unexpected answer may raise."""

_BUSY = (429, 503, 529)
"""Statuses with which an endpoint asks for patience. A 503 does so only if it says for how long."""

_OUT_OF_MONEY = frozenset({"insufficient_quota", "billing_hard_limit_reached"})
"""Codes of a 429 that no wait ends."""

_PAUSES = (1.0, 2.0, 4.0, 8.0)
"""Seconds to wait after a 429 that names no time."""

_SHORTEST = 2.0
"""Seconds that must be left for the next try."""

_ERROR_WITHIN = 2.0
"""Seconds for the body of an error."""

_NOT_TAKEN = (400, 422)
"""Statuses with which an endpoint rejects the form of a request."""


_OF_TOOLS = re.compile(r"schema|keyword|additionalProperties|anyOf|\bstrict\b|\btools?\b.*\bparameters\b", re.I)
"""What an endpoint says that rejects a tool."""


class ModelUnavailableError(Exception):
    """A call returned no completion. The message gives the reason, without text of the prompt or the answer."""


class ModelTimeoutError(ModelUnavailableError):
    """The time limit of the call was reached."""


class ModelBusyError(ModelUnavailableError):
    """The endpoint asks its callers to wait for longer than this call may take: `retry_after` in seconds."""

    def __init__(self, retry_after: float) -> None:
        super().__init__(f"the model asks its callers to wait for {retry_after:.0f} s")
        self.retry_after = retry_after


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
        self._plain_tools = False
        """Whether the endpoint has rejected a tool for its schema."""

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
                    http_client=openai.DefaultAsyncHttpxClient(event_hooks={"response": [_make_error_readable]}),
                )
            return self._made

    async def complete(
        self,
        prompt: Prompt,
        messages: Sequence[ChatMessage],
        transcript: RedactedTranscript,
        timeout: float,
        usage: CallUsage | None = None,
        patience: float | None = None,
    ) -> ModelReply:
        """Return the model's answer. `timeout` in seconds, `transcript` is the recorded form of the call, `usage` its
        usage record. `patience`: seconds of it that may be spent waiting for a busy endpoint, without a limit if it is
        None. Raises `ModelUnavailableError`."""
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
                answer = await self._patiently(prompt, messages, timeout, timeout if patience is None else patience)
            except ModelBusyError as busy:
                observation.update(level="WARNING", status_message=str(busy))
                raise
            # Any type of error: while a body is read, the client passes on errors of its HTTP library.
            except Exception as error:
                observation.update(level="ERROR", status_message=type(error).__name__)
                # The error text would be logged with the failed activity, and an endpoint may repeat the prompt in it.
                text = f"the model did not answer: {type(error).__name__}"
                raise (ModelTimeoutError if _too_slow(error) else ModelUnavailableError)(text) from None
            try:
                completion, repairs = read_completion(answer, self._model)
            except NoCompletionError as error:
                # An unusable answer was paid for, too.
                if error.usage is not None:
                    observation.update(usage_details=_tokens(*error.usage))
                raise ModelUnavailableError(f"the model's answer is no completion: {error}") from None
            for repair in repairs:
                self._observer.count("model_repair", kind=repair)
            observation.update(
                input=partial(transcript.prompt, prompt.system, completion),
                output=partial(transcript.reply, completion),
                usage_details=_tokens(completion.input_tokens, completion.output_tokens, completion.cached_tokens),
                **({"metadata": {"repairs": list(repairs)}} if repairs else {}),
            )
            return completion

    async def _patiently(
        self, prompt: Prompt, messages: Sequence[ChatMessage], timeout: float, patience: float
    ) -> bytes:
        """Return the answer, tried again when the endpoint asks for patience. Raises `ModelBusyError` if the time does
        not suffice."""
        until, tries, waited = time.monotonic() + timeout, 0, 0.0
        while True:
            try:
                return await self._taken(prompt, messages, until - time.monotonic())
            except Exception as error:
                wait = _requested_wait(error, tries)
                if wait is None:
                    raise
            waited += wait
            if waited > patience or time.monotonic() + wait + _SHORTEST > until:
                raise ModelBusyError(wait)
            await asyncio.sleep(wait)
            tries += 1

    async def _taken(self, prompt: Prompt, messages: Sequence[ChatMessage], timeout: float) -> bytes:
        """Return the answer. Some endpoints reject a next turn without the earlier reasoning, others reject one with it
        (Groq), and some reject tools with a schema keyword that they do not know. A rejected request is sent once more
        without what it was rejected for: an endpoint's trouble with tools is remembered. A signature stays with its
        call."""
        until = time.monotonic() + timeout
        tools = [plain_tool(tool) for tool in prompt.tools] if self._plain_tools else prompt.tools
        try:
            return await self._answer(prompt, messages, tools, timeout)
        except Exception as error:
            if getattr(error, "status_code", None) not in _NOT_TAKEN:
                raise
            of_tools = tools and not self._plain_tools and _OF_TOOLS.search(_text_of(error))
            if not of_tools and not any(message.extras for message in messages):
                raise
        if not of_tools:
            bare = [message.model_copy(update={"extras": {}}) for message in messages]
            return await self._answer(prompt, bare, tools, until - time.monotonic())
        plain = [plain_tool(tool) for tool in tools]
        answer = await self._answer(prompt, messages, plain, until - time.monotonic())
        self._plain_tools = True
        return answer

    async def _answer(
        self, prompt: Prompt, messages: Sequence[ChatMessage], tools: Sequence[Tool], timeout: float
    ) -> bytes:
        asked_with = [{"role": "system", "content": prompt.system}, *(as_openai(m) for m in messages)]
        client = await asyncio.to_thread(self.load) if self._made is None else self._made
        asked = client.chat.completions.with_streaming_response.create(
            model=self._model,
            # As typed arguments the client would validate each one again without benefit, which is a tenth of a plan's
            # cost on a busy worker.
            messages=(),
            # OpenAI rejects an empty list of tools.
            extra_body={"messages": asked_with, **({"tools": tools} if tools else {})},
            timeout=timeout,
        )
        # An overall timeout is needed, as for a venue, because a slowly trickling answer never triggers a read timeout.
        async with asyncio.timeout(timeout), asked as response:
            return await read_bounded(response.http_response, limits.REPLY_BYTES)

    async def close(self) -> None:
        """Close the connections."""
        if self._made is not None:
            await self._made.close()


async def _make_error_readable(response: "Response") -> None:
    """Read the body of an error, empty if it is cut off, too large, too slow or wrongly compressed. The OpenAI client
    would read all of it first, and raise the error of that read in place of the status."""
    if not response.is_error:
        return
    body, received = b"", type(response)(response.status_code, headers=response.headers, stream=response.stream)
    # Any type of error: those of the OpenAI client's HTTP library, too.
    with contextlib.suppress(Exception):
        async with asyncio.timeout(_ERROR_WITHIN):
            body = await read_bounded(received, limits.REPLY_BYTES)
    await received.aclose()
    response.headers.pop("content-encoding", None)
    response.stream = type(response)(response.status_code, content=body).stream


def _text_of(error: Exception) -> str:
    response = getattr(error, "response", None)
    return limits.sanitize_text(response.text, limits.TEXT) if response is not None else ""


def _requested_wait(error: Exception, tries: int) -> float | None:
    """Return the seconds that an endpoint asks its caller to wait; None for an error that no wait ends."""
    status, response = getattr(error, "status_code", None), getattr(error, "response", None)
    if status not in _BUSY or response is None:
        return None
    body: Json = None
    with contextlib.suppress(Exception):
        body = limits.parse_json(response.content, limits.ANSWER_DEPTH)
    first = body[0] if isinstance(body, list) and body else body
    reason = first.get("error") if isinstance(first, dict) else None
    if isinstance(reason, dict) and reason.get("code") in _OUT_OF_MONEY:
        return None
    wait = model_wait(response.headers, body)
    if wait is None and status == 429:
        return _PAUSES[min(tries, len(_PAUSES) - 1)]
    return wait


def _too_slow(error: Exception) -> bool:
    # The client raises its own error for a timeout, which is no Python `TimeoutError`.
    return isinstance(error, TimeoutError) or type(error).__name__ == "APITimeoutError"


def _tokens(prompt: int, out: int, cached: int) -> dict[str, int]:
    """Return the counts by Langfuse's names, each token under exactly one of them."""
    return {"input": prompt - cached, "output": out} | ({CACHED: cached} if cached else {})
