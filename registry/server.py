"""The address that a document's `servers` give."""

import re

from contracts.base import Node
from registry.nodes import entries_of, parts_of


def server_address(servers: Node) -> str | None:
    """The first server's address, its variables at their defaults, else at their first choice; None without one."""
    first = parts_of(next(iter(entries_of(servers)), None))
    url, variables = first.get("url"), parts_of(first.get("variables"))

    def filled(gap: re.Match[str]) -> str:
        variable = parts_of(variables.get(gap[1]))
        return str(variable.get("default", next(iter(entries_of(variable.get("enum"))), gap[0])))

    return re.sub(r"{([^{}]+)}", filled, url) if isinstance(url, str) else None
