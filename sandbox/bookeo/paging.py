"""Lists in pages: the first by its own question, the others by the token that it gave."""

import secrets
from collections import OrderedDict
from typing import Any

from sandbox.bookeo.errors import RefusedError

MOST, USUAL = 300, 50
_KEPT = 50


class Pages:
    """The lists that were asked for lately, by token."""

    def __init__(self) -> None:
        self._lists: OrderedDict[str, tuple[list[Any], int]] = OrderedDict()

    def first(self, rows: list[Any], size: int | None) -> dict[str, Any]:
        """The first page of a list. Raises `RefusedError` for a size that is not allowed."""
        each = USUAL if size is None else size
        if not 1 <= each <= MOST:
            raise RefusedError(400, f"itemsPerPage must be from 1 to {MOST}")
        token = secrets.token_urlsafe(12)
        self._lists[token] = (rows, each)
        if len(self._lists) > _KEPT:
            self._lists.popitem(last=False)
        return self.page(token, 1)

    def page(self, token: str, number: int | None) -> dict[str, Any]:
        """One page of a list that was begun. Raises `RefusedError`."""
        if token not in self._lists:
            raise RefusedError(400, "The pageNavigationToken is unknown or has expired")
        rows, each = self._lists[token]
        at, pages = number or 1, max(1, -(-len(rows) // each))
        if not 1 <= at <= pages:
            raise RefusedError(400, f"There is no page {at}")
        info: dict[str, Any] = {"totalItems": len(rows), "totalPages": pages, "currentPage": at}
        if pages > 1:
            info["pageNavigationToken"] = token
        return {"data": rows[(at - 1) * each : at * each], "info": info}
