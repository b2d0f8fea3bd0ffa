r"""Where a parameter goes, written with dots: `path.id`, `body.guest.name`. A dot in a name is written `\.`."""

import re

_DOT = re.compile(r"(?<!\\)\.")


def split_path(path: str) -> list[str]:
    """The names in a dotted path; [] for an empty one."""
    return [part.replace("\\.", ".") for part in _DOT.split(path)] if path else []


def body_target(name: str) -> str:
    """The target of one property of the body."""
    return "body." + name.replace(".", "\\.")
