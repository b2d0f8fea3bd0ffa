"""Langfuse observations, one trace per request. Off and free without keys: langfuse is not even imported.

Personal data is masked before anything leaves the process: e-mail addresses, phone numbers and tokens wherever
they stand (booking specification, "Privacy/PII").
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache, partial
from typing import Any, Literal, Protocol

from contracts.base import Json
from infra.settings import Settings

_MASKS = (
    (re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"), "[email]"),
    (re.compile(r"(?i)bearer\s+[\w.~+/=-]+"), "Bearer [token]"),
    (re.compile(r"(?<![\w-])\+?\d[\d ()/.-]{6,}\d(?![\w-])"), "[number]"),
)


def mask(data: Json, **_: Json) -> Json:
    """The same JSON with personal patterns replaced. Dates and times stay readable."""
    if isinstance(data, str):
        for pattern, word in _MASKS:
            data = pattern.sub(partial(_masked, word), data)
        return data
    if isinstance(data, dict):
        return {k: mask(v) for k, v in data.items()}
    if isinstance(data, list | tuple):
        return [mask(v) for v in data]
    return data


def _masked(word: str, match: re.Match[str]) -> str:
    return match[0] if _is_date(match[0]) else word


def _is_date(text: str) -> bool:
    return re.fullmatch(r"\d{4}-\d\d-\d\d(?: \d\d(?:\.\d+)?)?", text.strip()) is not None


class Observation(Protocol):
    """What a caller may say about a finished call."""

    def update(self, **fields: Any) -> Any:
        """Set output, usage, level or status message."""


class _Silent:
    def update(self, **fields: Any) -> None:
        """Without keys nothing is recorded."""


class Tracer:
    """Opens observations. `trace_id` is any text: it is hashed to a Langfuse trace id."""

    def __init__(self, settings: Settings) -> None:
        self._client: Any = None
        if settings.langfuse_public_key and settings.langfuse_secret_key:
            from langfuse import Langfuse

            self._client = Langfuse(
                public_key=settings.langfuse_public_key,
                secret_key=settings.langfuse_secret_key,
                host=settings.langfuse_host,
                mask=mask,
            )

    @contextmanager
    def observe(
        self, kind: Literal["generation", "tool"], name: str, trace_id: str, **fields: Json
    ) -> Iterator[Observation]:
        """One model call (`generation`) or venue call (`tool`)."""
        if self._client is None:
            yield _Silent()
            return
        context = {"trace_id": self._client.create_trace_id(seed=trace_id or name)}
        with self._client.start_as_current_observation(
            as_type=kind, name=name, trace_context=context, **fields
        ) as observation:
            yield observation

    def flush(self) -> None:
        """Send what is still buffered; call before the process ends."""
        if self._client is not None:
            self._client.flush()


@lru_cache
def silent_tracer() -> Tracer:
    """A tracer that records nothing, for tests and tools."""
    return Tracer(Settings(langfuse_public_key=None, langfuse_secret_key=None))
