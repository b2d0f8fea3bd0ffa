"""Answers that are an envelope, `{status: success, data: {…}}`: what they are about lies one level down, and what lies
beside it says that the API answered, of which a refusal says more."""

import re

from registry.shapes import Shape

_INSIDE = ("data", "result", "response", "payload", "item", "body", "content")
_AROUND = frozenset(
    "status success ok code message messages error errors meta metadata pagination paging links warnings timestamp "
    "time version request_id requestId trace_id traceId".split()
)
_NAME = re.compile(r"[A-Za-z_]\w*")
WENT_WELL = frozenset({"success", "successful", "succeeded", "ok", "true"})
_WENT_WRONG = frozenset({"error", "errors", "fail", "failed", "failure", "false"})


def inside_of(answer: Shape) -> str:
    """The name under which the thing itself stands in an answer; "" where the answer is the thing."""
    names = {*answer.names()}
    found = next((name for name in _INSIDE if name in names), "")
    inner = answer.child(found) if found else None
    if inner is None or answer.is_list or names - _AROUND - {found}:
        return ""
    return found if not inner.free and inner.rows().names() else ""


def says_only_that_it_went(parent: Shape, name: str) -> list[str]:
    """The words that a field of an envelope may be, where they say only whether the API answered; [] for any other."""
    shape = parent.child(name) if not parent.is_list else None
    words = shape.words() if shape is not None and (inside_of(parent) or len({*shape.words()}) == 1) else []
    known = {word.lower() for word in words}
    return words if known & WENT_WELL and known <= WENT_WELL | _WENT_WRONG else []


def is_thing(shape: Shape | None, name: str) -> bool:
    """Whether what stands under a name can be read as one thing, with fields that templates can name."""
    return shape is not None and not shape.is_list and not shape.free and bool(_NAME.fullmatch(name))
