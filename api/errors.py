"""Every failure as the one documented body: `{"type": "error", "error": ServiceError}` with its HTTP status."""

import logging

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from clients.errors import ApiError
from contracts.enums import ServiceErrorType
from contracts.errors import ErrorBody, ServiceError
from infra.crypto.keyring import KeyringError
from language.messages.catalogue import activate_locale, translate
from reasoning import error_messages

log = logging.getLogger(__name__)

_BY_STATUS = {kind.http_status: kind for kind in ServiceErrorType}


def error_response(error: ServiceError) -> JSONResponse:
    """Return the error as an HTTP response, with `Retry-After` if it helps."""
    headers = {"Retry-After": str(max(1, round(error.retry_after_seconds)))} if error.retry_after_seconds else None
    body = ErrorBody(error=error).model_dump(mode="json", exclude_none=True)
    return JSONResponse(body, status_code=error.error_type.http_status, headers=headers)


def install(app: FastAPI) -> None:
    """Add the exception handlers that give every error one shape, FastAPI's own included."""

    @app.exception_handler(ApiError)
    async def _desk(request: Request, error: ApiError) -> JSONResponse:
        return _counted(request, error.answer)

    @app.exception_handler(RequestValidationError)
    async def _invalid(request: Request, error: RequestValidationError) -> JSONResponse:
        body = error.body if isinstance(error.body, dict) else {}
        pack = request.app.state.services.registries.registry.venue(str(body.get("venue_id")))
        if pack is not None:
            activate_locale(pack.profile.locale, pack.profile.words)
        return _counted(request, explained(error))

    @app.exception_handler(HTTPException)
    async def _http(request: Request, error: HTTPException) -> JSONResponse:
        if error.status_code == 405:
            answer = _counted(request, _plain(ServiceErrorType.INVALID_REQUEST, translate("refuse.no_method")))
            answer.status_code = 405
            return answer
        kind = _BY_STATUS.get(error.status_code, ServiceErrorType.INVALID_REQUEST)
        message = translate("refuse.no_address" if error.status_code == 404 else "refuse.unreadable")
        return _counted(request, _plain(kind, message))

    @app.exception_handler(KeyringError)
    async def _locked(request: Request, error: KeyringError) -> JSONResponse:
        # The text has no personal data, and without the key's id on-call cannot know which key is missing.
        log.error(
            "what Temporal keeps, or a worker says, cannot be read with the keys of this process: %s Give it the "
            "IQ_KEYS of the others, or put the missing key behind the first",
            error,
        )
        return _counted(request, error_messages.unavailable_error("service"))

    app.add_exception_handler(Exception, unexpected)


def unexpected(request: Request, error: Exception) -> JSONResponse:
    """Return the response to an unforeseen error, and log the error for on-call."""
    route = getattr(request.scope.get("route"), "path", "–")
    log.error("unexpected in %s %s", request.method, route, exc_info=error)
    return _counted(request, error_messages.unavailable_error("service"))


def _counted(request: Request, error: ServiceError) -> JSONResponse:
    request.app.state.services.observer.count("refusal", error_type=error.error_type.value)
    return error_response(error)


def _plain(kind: ServiceErrorType, message: str) -> ServiceError:
    return ServiceError(error_type=kind, message=message)


_FAULTS = frozenset(
    "missing extra_forbidden string_type string_too_short string_too_long string_pattern_mismatch json_invalid "
    "unseen_character less_than_equal greater_than_equal".split()
)
"""pydantic's names for invalid fields, each with a sentence in the catalogue."""


def explained(error: RequestValidationError) -> ServiceError:
    """Return the first few problems by field, without repeating what was sent."""
    rows = []
    for problem in error.errors()[:3]:
        where = ".".join(
            str(p) for p in problem["loc"] if isinstance(p, str) and p not in ("body", "query", "path", "header")
        )
        kind = problem["type"] if problem["type"] in _FAULTS else "other"
        field = where if where and kind != "json_invalid" else translate("invalid.body")
        limits = problem.get("ctx", {})
        most = limits.get("max_length", limits.get("le"))
        rows.append(translate(f"invalid.{kind}", field=field, most=most, least=limits.get("ge")))
    return ServiceError(
        error_type=ServiceErrorType.INVALID_REQUEST,
        message=translate("refuse.invalid", problems=rows),
        suggestions=[translate("refuse.invalid_next")],
    )


_DESCRIPTIONS = {
    ServiceErrorType.INVALID_REQUEST: "Something in the request is not valid",
    ServiceErrorType.UNAUTHORIZED: "No operator token, or one the venue does not accept",
    ServiceErrorType.FORBIDDEN: "It belongs to another user",
    ServiceErrorType.NOT_FOUND: "No such plan, session or venue",
    ServiceErrorType.CONFLICT: "Not possible in the plan's present state, which is attached",
    ServiceErrorType.TOO_LARGE: "The request is too large",
    ServiceErrorType.RATE_LIMITED: "Too many requests",
    ServiceErrorType.SERVICE_UNAVAILABLE: "Something needed is down or too slow: the message names it, and says "
    "what became of what was asked. Where `plan` is attached, that is how it was last seen",
}


def documented(*kinds: ServiceErrorType) -> dict[int | str, dict[str, object]]:
    """Return these errors for a route's entry in the API documentation."""
    return {
        kind.http_status: {
            "model": ErrorBody,
            "description": _DESCRIPTIONS[kind],
            "content": {
                "application/json": {
                    "example": {
                        "type": "error",
                        "error": {"error_type": kind.value, "message": _DESCRIPTIONS[kind] + ".", "suggestions": []},
                    }
                }
            },
        }
        for kind in kinds
    }
