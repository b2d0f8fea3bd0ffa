"""Langfuse as a sink of observations: one trace per request.

Off and free without keys: langfuse is not even imported.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from infra.masking import mask
from infra.observe import Kind, Observation, Sink
from infra.settings import Settings


def langfuse_sinks(settings: Settings) -> list[Sink]:
    """The sink that the settings ask for, if any."""
    keys = settings.langfuse_public_key and settings.langfuse_secret_key
    return [LangfuseSink(settings)] if keys else []


class LangfuseSink:
    """Sends observations to Langfuse. `trace_id` is hashed to a Langfuse trace id, the same in every process."""

    def __init__(self, settings: Settings) -> None:
        from langfuse import Langfuse

        # Typed overloads, one a kind of observation: the kind is a value here.
        self._client: Any = Langfuse(
            public_key=settings.langfuse_public_key,
            secret_key=settings.langfuse_secret_key,
            host=settings.langfuse_host,
            # Masked already; what its own instrumentation adds is not.
            mask=mask,
        )

    @contextmanager
    def opened(self, kind: Kind, name: str, trace_id: str, fields: dict[str, Any]) -> Iterator[Observation]:
        """See `observe.Sink`."""
        error: BaseException | None = None
        with self._client.start_as_current_observation(
            as_type=kind, name=name, trace_context={"trace_id": self._trace(trace_id, name)}, **_told(fields)
        ) as observation:
            # The tracing library would send an error's text and stack, and those of its causes, unmasked.
            try:
                yield observation
            except BaseException as raised:
                observation.update(level="ERROR")
                error = raised
        if error is not None:
            raise error

    def noted(self, name: str, trace_id: str, fields: dict[str, Any]) -> None:
        """See `observe.Sink`."""
        trace = {"trace_id": self._trace(trace_id, name)}
        self._client.create_event(name=name, trace_context=trace, **_told(fields))

    def flush(self) -> None:
        """See `observe.Sink`."""
        self._client.flush()

    def _trace(self, trace_id: str, name: str) -> str:
        return str(self._client.create_trace_id(seed=trace_id or name))


def _told(fields: dict[str, Any]) -> dict[str, Any]:
    """The fields as Langfuse knows them: what is typed for the ledger is metadata here."""
    given = dict(fields)
    for name in ("usage", "outcome"):
        typed = given.pop(name, None)
        if typed is not None:
            # The request's own id is the caller's, and stands hashed as the trace's.
            told = typed.model_dump(mode="json", exclude_none=True, exclude={"trace_id"})
            given["metadata"] = {**(given.get("metadata") or {}), **told}
    return given
