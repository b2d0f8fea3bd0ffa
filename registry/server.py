"""The address that a document's `servers` give."""

import re

from contracts.base import Json


def server_address(servers: Json) -> str | None:
    """The first server's address, its variables at their defaults, else at their first choice; None without one."""
    first = servers[0] if isinstance(servers, list) and servers else None
    if not isinstance(first, dict) or not isinstance(first.get("url"), str):
        return None
    variables = first.get("variables")

    def filled(gap: re.Match[str]) -> str:
        variable = variables.get(gap[1]) if isinstance(variables, dict) else None
        if not isinstance(variable, dict):
            return gap[0]
        choices = variable.get("enum")
        value = variable.get("default", choices[0] if isinstance(choices, list) and choices else gap[0])
        return str(value)

    return re.sub(r"{([^{}]+)}", filled, first["url"])
