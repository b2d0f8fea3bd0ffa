"""Paging of lists: whether there are more rows, how to request the next page and how to join it on."""

from collections.abc import Sequence

from contracts.action import AtomicAction, RequestTemplate
from contracts.base import Answer
from contracts.credentials import HttpRequest
from registry.errors import TemplateRenderError
from registry.http.request import build_request
from registry.templating.scope import Scope
from registry.templating.templates import evaluate


def goes_on(action: AtomicAction, scope: Scope) -> bool:
    """Return whether there are more rows than the scope's `response` holds. Raises TemplateRenderError."""
    pages = action.output.pages
    return pages is not None and bool(evaluate(pages.more, scope.names(action), f"{action.name}: output.pages.more"))


def next_page(action: AtomicAction, scope: Scope, number: int) -> HttpRequest | None:
    """Return the request of the page after the scope's `response`, the `number`-th of all, counted from 1; None where
    the venue has no further pages. Raises TemplateRenderError."""
    other = action.output.pages.next if action.output.pages is not None else None
    if other is None:
        return None
    usual = action.request or RequestTemplate()
    asked = RequestTemplate(
        path={**usual.path, **other.path},
        query={**usual.query, **other.query},
        header={**usual.header, **other.header},
        body={**usual.body, **other.body}
        if isinstance(usual.body, dict) and isinstance(other.body, dict)
        else other.body or usual.body,
    )
    scope = scope.with_(parameters={**scope.parameters, "next_page": number})
    return build_request(action.model_copy(update={"request": asked}), scope)


def joined(action: AtomicAction, first: Answer, then: Answer) -> Answer:
    """Return a page with the rows of the earlier pages in front. Raises TemplateRenderError."""
    path = action.output.pages.rows if action.output.pages is not None else ""
    return _joined(path.split(".") if path else [], first, then, f"{action.name}: output.pages.rows")


def _joined(path: Sequence[str], first: Answer, then: Answer, where: str) -> Answer:
    if path and isinstance(first, dict) and isinstance(then, dict):
        return {**then, path[0]: _joined(path[1:], first.get(path[0]), then.get(path[0]), where)}
    if path or not isinstance(first, list) or not isinstance(then, list):
        raise TemplateRenderError(where, "gives no list")
    # A row that was created between two reads shifts another row onto the next page, too.
    return [*first, *(row for row in then if row not in first)]
