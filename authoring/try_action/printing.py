"""Prints values and requests for `iq actions try`."""

import json

from clients.venue.auth import redacted
from contracts.credentials import HttpRequest

_WIDE = 92
_MOST = 1500


def show_request(label: str, request: HttpRequest) -> None:
    """Print a request, secrets by their names."""
    shown = redacted(request)
    query = "&".join(f"{name}={value}" for name, value in shown.query)
    show(label, f"{shown.method} {shown.path}{'?' if query else ''}{query}")
    for name, value in shown.headers.items():
        print(f"  {name}: {value}")
    if shown.form is not None:
        print("\n".join(f"  {field.name}={field.value}" for field in shown.form))
    elif shown.body is not None:
        print(_indented(shown.body))


def show(label: str, value: object, before: str = "") -> None:
    """Print a value after its label, on one line if it is short."""
    if isinstance(value, str):
        print(f"{label}: {before}{value}")
        return
    flat = json.dumps(value, ensure_ascii=False)
    if len(flat) + len(label) + len(before) <= _WIDE:
        print(f"{label}: {before}{flat}")
    else:
        print(f"{label}: {before}".rstrip())
        print(_indented(value))


def _indented(value: object) -> str:
    flat = json.dumps(value, ensure_ascii=False)
    text = flat if len(flat) <= _WIDE else json.dumps(value, ensure_ascii=False, indent=2)
    text = text if len(text) <= _MOST else text[:_MOST] + "\n… (more than is shown)"
    return "\n".join(f"  {line}" for line in text.splitlines())
