"""fastmcp's client, which is not ours, with an operator at its forms: the forms that were shown, and the answers."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from fastmcp import Client
from fastmcp.client.elicitation import ElicitResult
from fastmcp.client.transports import StreamableHttpTransport

from tests.support.operator import Operator

MODERN, LEGACY = "2026-07-28", "legacy"

Says = Callable[["Form"], Any | Awaitable[Any]]


@dataclass(frozen=True)
class Form:
    """One form as it was shown."""

    message: str
    schema: dict[str, Any]

    @property
    def field(self) -> str:
        """Return its one field."""
        [name] = self.schema["properties"]
        return str(name)

    def filled(self, value: Any) -> ElicitResult:
        """Return the form submitted with this."""
        return ElicitResult(action="accept", content={self.field: value})


def yes(form: Form) -> ElicitResult:
    """Accept everything."""
    return form.filled(True)


def decline(form: Form) -> ElicitResult:
    """Decline the form."""
    return ElicitResult(action="decline")


def dismiss(form: Form) -> ElicitResult:
    """Close the form."""
    return ElicitResult(action="cancel")


@dataclass
class Person:
    """The operator at the client: `forms` were shown so far; `says` answers the next."""

    says: Says
    forms: list[Form] = field(default_factory=list)

    async def __call__(self, message: str, response_type: Any, params: Any, context: Any) -> Any:
        """fastmcp's elicitation handler."""
        form = Form(message, dict(params.requested_schema))
        self.forms.append(form)
        text = self.says(form)
        return await text if isinstance(text, Awaitable) else text


_TRIES = 5


class Assistant:
    """The model's side: it calls tools, and reads their answers."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.heard: list[tuple[float, str | None]] = []

    async def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Return a tool's answer as data; its text equals the `message` in it."""
        for _ in range(_TRIES):
            answer = await self.client.call_tool(tool, arguments, progress_handler=self._hear, raise_on_error=False)
            # A busy machine may not accept a call in time, and reports it: the client makes it again, as it is asked
            # to.
            if not (answer.is_error and "did not answer in time" in answer.content[0].text):
                break
        assert not answer.is_error, answer.content[0].text
        data: dict[str, Any] = answer.structured_content
        assert answer.content[0].text == data["message"]
        return data

    async def refused(self, tool: str, **arguments: Any) -> tuple[str, str]:
        """Return (error type, text) of a call that is refused."""
        answer = await self.client.call_tool(tool, arguments, raise_on_error=False)
        assert answer.is_error, answer
        return answer.meta["iq/error"]["error_type"], answer.content[0].text

    async def _hear(self, progress: float, total: float | None, message: str | None) -> None:
        self.heard.append((progress, message))


@asynccontextmanager
async def assistant(
    operator: Operator, protocol: str, person: Person | None = None, at: str | None = None, **headers: str
) -> AsyncIterator[Assistant]:
    """Start a client of this operator, on a connection of this protocol; without an operator it shows no forms."""
    given = {"Authorization": operator.http.headers["authorization"], "X-User-Id": operator.user, **headers}
    transport = StreamableHttpTransport(at or f"{operator.base_url}/mcp", headers=given)
    async with Client(transport, elicitation_handler=person, mode=protocol) as client:
        yield Assistant(client)
