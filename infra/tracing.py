"""Langfuse observations, one trace per request. Off and free without keys: langfuse is not even imported.

Personal data is masked before anything leaves the process: e-mail addresses, phone numbers and tokens wherever
they stand (`docs/state-model.md`, "Personal data"). Names look like any other word, so callers leave them out
(`infra/personal.py`, `clients/traced.py`).
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
    # A line break inside JSON inside text is written \\n: the n is no part of a word.
    (re.compile(r"(?:(?<![\w-])|(?<=\\[nrt]))\+?\d[\d ()/.-]{6,}\d(?![\w-])"), "[number]"),
)
_DATE = re.compile(
    r"(?<!\d)(?:(?:19|20)\d\d-\d\d-\d\d|\d\d?[/.]\d\d?[/.](?:19|20)\d\d)(?!\d)(?: \d\d?(?:\.\d+)?(?!\d))?"
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
    return match[0] if _only_dates(match[0]) else word


def _only_dates(text: str) -> bool:
    """Dates, the hour after one, and what stands between them."""
    return _DATE.search(text) is not None and not re.search(r"\d", _DATE.sub("", text))


class Observation(Protocol):
    """What a caller may say about a call."""

    def update(self, **fields: Any) -> Any:
        """Set input, output, usage, level or status message. A function stands for what it returns, and is called
        only when something is recorded."""


class _Silent:
    def update(self, **fields: Any) -> None:
        """Without keys nothing is recorded."""


class _Recorded:
    def __init__(self, observation: Any) -> None:
        self._observation = observation

    def update(self, **fields: Any) -> None:
        """Work out what was left open, and record it."""
        self._observation.update(**{k: v() if callable(v) else v for k, v in fields.items()})


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
            # The tracing library would send an error's text and stack, and those of its causes, unmasked.
            error: BaseException | None = None
            try:
                yield _Recorded(observation)
            except BaseException as raised:
                observation.update(level="ERROR")
                error = raised
        if error is not None:
            raise error

    def flush(self) -> None:
        """Send what is still buffered; call before the process ends."""
        if self._client is not None:
            self._client.flush()


@lru_cache
def silent_tracer() -> Tracer:
    """A tracer that records nothing, for tests and tools."""
    return Tracer(Settings(langfuse_public_key=None, langfuse_secret_key=None))
