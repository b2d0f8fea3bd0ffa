"""A chat completion over the OpenAI protocol, whatever serves it, read within bounds."""

from collections.abc import Iterable, Mapping
from typing import Any

import openai
from openai.types.chat import ChatCompletion

from infra import bounds
from infra.answers import read_within
from infra.settings import Settings


class ModelClient:
    """Asks the configured model, once a call."""

    def __init__(self, settings: Settings) -> None:
        self.name = settings.model
        self.timeout = settings.model_timeout
        self._client = openai.AsyncOpenAI(
            base_url=settings.model_base_url,
            api_key=settings.model_api_key,
            max_retries=0,
            timeout=settings.model_timeout,
        )

    async def complete(
        self, messages: Iterable[Mapping[str, Any]], tools: list[dict[str, Any]], timeout: float
    ) -> ChatCompletion:
        """Its answer, unchecked but for its size and depth; `timeout` in seconds. Raises whatever the client and the
        HTTP library below it raise, and `ValueError` for what is no JSON or too much of it."""
        asked = self._client.chat.completions.with_streaming_response.create(
            model=self.name,
            # As arguments of their own the client would walk through each once more, for nothing: a tenth of what a
            # plan costs a busy worker.
            messages=(),
            extra_body={"messages": list(messages), "tools": tools},
            timeout=timeout,
        )
        async with asked as response:
            body = await read_within(response.iter_bytes(), bounds.REPLY_BYTES)
        return ChatCompletion.construct(**bounds.parsed(body, bounds.ANSWER_DEPTH))

    async def close(self) -> None:
        """Let go of connections."""
        await self._client.close()
