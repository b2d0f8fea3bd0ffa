"""A list that a venue gives in pages: whether there is more of it, and how the next page is asked for and joined on."""

from collections.abc import Sequence

from contracts.action import AtomicAction, HttpRequest, RequestTemplate
from contracts.base import Answer
from registry.faults import UnrenderableError
from registry.request import build_request
from registry.scope import Scope
from registry.templates import evaluate


def goes_on(action: AtomicAction, scope: Scope) -> bool:
    """Whether there is more than the scope's `response` holds. Raises UnrenderableError."""
    pages = action.output.pages
    return pages is not None and bool(evaluate(pages.more, scope.names(action), f"{action.name}: output.pages.more"))


def next_page(action: AtomicAction, scope: Scope, number: int) -> HttpRequest | None:
    """What asks for the page behind the scope's `response`, the `number`-th of all, from 1; None where the venue gives
    no further ones. Raises UnrenderableError."""
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
    """A page with the rows of those before it in front. Raises UnrenderableError."""
    path = action.output.pages.rows if action.output.pages is not None else ""
    return _joined(path.split(".") if path else [], first, then, f"{action.name}: output.pages.rows")


def _joined(path: Sequence[str], first: Answer, then: Answer, where: str) -> Answer:
    if path and isinstance(first, dict) and isinstance(then, dict):
        return {**then, path[0]: _joined(path[1:], first.get(path[0]), then.get(path[0]), where)}
    if path or not isinstance(first, list) or not isinstance(then, list):
        raise UnrenderableError(where, "gives no list")
    # What is made between two reads pushes another row onto the next page, too.
    return [*first, *(row for row in then if row not in first)]
