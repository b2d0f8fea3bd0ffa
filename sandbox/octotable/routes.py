"""The operations of OctoTable, one handler each."""

import base64
from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from sandbox.kit.application import SandboxError
from sandbox.kit.document_store import DocumentStore, Json
from sandbox.octotable.auth import AUTH_PATH, PATH, Tokens
from sandbox.octotable.reservations import ROOMS, SERVICES, Reservations, Whole

_FORM = "application/x-www-form-urlencoded"


class ReservationListQuery(BaseModel):
    """The query for reservations; `next_cursor` continues after a page."""

    model_config = ConfigDict(extra="ignore")

    start_date: str = ""
    end_date: str = "9999"
    text_search: str = ""
    limit: int = Field(default=20, ge=1)
    next_cursor: str | None = None

    def holds(self, reservation: Json) -> bool:
        """Return whether a reservation matches the query."""
        customer = reservation["customer"]
        text = f"{customer['first_name']} {customer['last_name']} {customer['phone']}".casefold()
        within = self.start_date <= reservation["start_date"] <= self.end_date
        return within and self.text_search.casefold() in text


def api_routes(store: DocumentStore, reservations: Reservations, tokens: Tokens, page: int) -> APIRouter:
    """Return the routes of every operation over one store. `page` is the maximum of one page."""
    router = APIRouter()
    _add_tokens(router, tokens)
    _add_reads(router, reservations, page)
    _add_writes(router, store, reservations)
    return router


def _add_tokens(router: APIRouter, tokens: Tokens) -> None:
    @router.post(f"{PATH}/oauth2/token")
    @router.post(f"{AUTH_PATH}/oauth2/token")
    async def token(request: Request) -> Json:
        if request.headers.get("content-type", "").partition(";")[0].strip().lower() != _FORM:
            raise SandboxError(415, f"The body must be {_FORM}", "UnsupportedMediaTypeException")
        form = await request.form()
        if form.get("grant_type") != "client_credentials":
            raise SandboxError(400, "grant_type must be client_credentials", "BadRequestException")
        if not tokens.knows(form):
            raise SandboxError(401, "The client is not known", "UnauthorizedException")
        return {"access_token": tokens.give(), "expires_in": tokens.seconds, "type": "Bearer"}


def _add_reads(router: APIRouter, reservations: Reservations, page: int) -> None:
    @router.get(f"{PATH}/services")
    async def services() -> Json:
        return {"data": list(SERVICES)}

    @router.get(f"{PATH}/rooms")
    async def rooms() -> Json:
        return {"data": list(ROOMS)}

    @router.get(f"{PATH}/reservations")
    async def listed(asked: Annotated[ReservationListQuery, Query()]) -> Json:
        found = [reservation for reservation in reservations.all() if asked.holds(reservation)]
        return _paged(found, asked.next_cursor, min(asked.limit, page))

    @router.get(f"{PATH}/reservations/{{reservation}}")
    async def one(reservation: str) -> Json:
        return {"data": reservations.find(reservation)}


def _add_writes(router: APIRouter, store: DocumentStore, reservations: Reservations) -> None:
    @router.post(f"{PATH}/reservations")
    async def create(request: Request) -> Json:
        sent = await _sent(request)
        with store.transaction():
            made = reservations.make(_whole(sent, 400))
            store.note("create-reservation", str(made["id"]), sent)
        return {"data": made}

    @router.put(f"{PATH}/reservations/{{reservation}}")
    async def replace(request: Request, reservation: str) -> Json:
        sent = await _sent(request)
        with store.transaction():
            reservations.find(reservation)
            # In OctoTable an incomplete body is not a refusal, but a crash.
            after = reservations.replace(reservation, _whole(sent, 500))
            store.note("update-reservation", reservation, sent)
        return {"data": after}

    @router.delete(f"{PATH}/reservations/{{reservation}}")
    async def cancel(reservation: str) -> Json:
        with store.transaction():
            cancelled = reservations.cancel(reservation)
            store.note("cancel-reservation", reservation, {})
        return {"data": cancelled}


async def _sent(request: Request) -> Any:
    try:
        return await request.json()
    except ValueError:
        raise SandboxError(400, "The body is not JSON", "BadRequestException") from None


def _whole(sent: Any, status: int) -> Whole:
    try:
        return Whole.model_validate(sent)
    except ValidationError as error:
        first = error.errors()[0]
        class_name = "NullPointerException" if status == 500 else "BadRequestException"
        raise SandboxError(status, f"{'.'.join(map(str, first['loc']))}: {first['msg']}", class_name) from None


def _paged(found: Sequence[Json], cursor: str | None, size: int) -> Json:
    begin = _position(cursor)
    rest = begin + size < len(found)
    following = base64.urlsafe_b64encode(f"after:{begin + size}".encode()).decode() if rest else None
    return {"data": list(found[begin : begin + size]), "next_cursor": following}


def _position(cursor: str | None) -> int:
    if not cursor:
        return 0
    try:
        return int(base64.urlsafe_b64decode(cursor).decode().removeprefix("after:"))
    except ValueError:
        raise SandboxError(400, "next_cursor is not one of ours", "BadRequestException") from None
