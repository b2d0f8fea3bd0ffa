"""The service's OpenAPI document, which names every answer.

The tools read their bodies themselves, so that an error has the contract's wording and not the framework's. Their
request models are added to the document here.
"""

from typing import Any, Literal, Union

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from restaurant.schemas.responses import ErrorAnswer
from restaurant.tools.dispatch import TOOLS, Tool
from restaurant.vapi import VapiAnswer, VapiRequest

_REF = "#/components/schemas/{model}"


class Denied(BaseModel):
    """A request that reached no tool: no secret, or an unknown address."""

    ok: Literal[False] = False
    error_code: str
    message: str


class Health(BaseModel):
    """The service runs."""

    ok: Literal[True]


class CountsAnswer(BaseModel):
    """Calls since the process started, by tool and then by code; "ok" for calls that succeeded."""

    tools: dict[str, dict[str, int]]


DENIED: dict[int | str, dict[str, Any]] = {
    401: {"model": Denied, "description": "The secret is missing or wrong"},
    429: {"model": Denied, "description": "Too many wrong secrets from one address"},
}

_SUMMARIES = {
    "check_openings": "Whether a day, or a time of it, can be booked",
    "create_booking": "Book a table",
    "list_bookings": "The bookings of a phone from today on",
    "modify_booking": "Another day, time or number of people",
    "cancel_booking": "Cancel a booking",
    "faq": "The knowledge base's answer to a question",
    "is_open_now": "Whether it is open now, and when it opens today",
    "resolve_relative_day": "Resolve a spoken day",
    "resolve_relative_time": "Resolve a spoken time",
}


def post_kwargs(tool: Tool | None) -> dict[str, Any]:
    """Return the arguments of `add_api_route` for a tool's route, or for `/vapi`."""
    asked: list[type[BaseModel]] = [tool.request, VapiRequest] if tool else [VapiRequest]
    answered: Any = Union[(*tool.answer, *tool.errors, VapiAnswer)] if tool else VapiAnswer | ErrorAnswer
    refs = [{"$ref": _REF.format(model=model.__name__)} for model in asked]
    schema = refs[0] if len(refs) == 1 else {"anyOf": refs}
    return {
        "operation_id": tool.name if tool else "vapi",
        "summary": _SUMMARIES[tool.name] if tool else "Calls of a voice assistant, several in one message",
        "tags": ["tools"],
        "response_model": None,
        "responses": {200: {"model": answered, "description": "Every answer, business errors included"}, **DENIED},
        "openapi_extra": {"requestBody": {"required": True, "content": {"application/json": {"schema": schema}}}},
    }


def document_of(app: FastAPI) -> dict[str, Any]:
    """Return the document, built once."""
    if app.openapi_schema is None:
        made = get_openapi(title=app.title, version=app.version, description=app.description, routes=app.routes)
        asked: list[type[BaseModel]] = [*(tool.request for tool in TOOLS.values()), VapiRequest]
        models: list[tuple[type[BaseModel], Literal["validation"]]] = [(model, "validation") for model in asked]
        _, extra = models_json_schema(models, ref_template=_REF)
        components = made.setdefault("components", {})
        components.setdefault("schemas", {}).update(extra.get("$defs", {}))
        components["schemas"] = dict(sorted(components["schemas"].items()))
        components["securitySchemes"] = {
            "bearer": {"type": "http", "scheme": "bearer"},
            "vapi": {"type": "apiKey", "in": "header", "name": "X-Vapi-Secret"},
            "service": {"type": "apiKey", "in": "header", "name": "X-Service-Key"},
            "browser": {"type": "http", "scheme": "basic", "description": "Any name; the secret as the password"},
        }
        made["security"] = [{"bearer": []}, {"vapi": []}, {"service": []}, {"browser": []}]
        made["paths"]["/healthz"]["get"]["security"] = []
        app.openapi_schema = made
    return app.openapi_schema
