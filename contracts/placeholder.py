"""`{{step_2.booking.id}}`: a whole text that stands for what an earlier step will have put out.

Each room takes less than the form allows: `registry/arguments.py` what it lets through unchecked,
`reasoning/placeholders.py` what it can follow.
"""

import re

_WHOLE = re.compile(r"\{\{\s*step_([0-9]+)\.([\w.\[\]-]+)\s*\}\}")


def step_output(value: object) -> tuple[str, str] | None:
    """(step, field) as they are written, when the value is a placeholder, else None."""
    match = _WHOLE.fullmatch(value) if isinstance(value, str) else None
    return (match[1], match[2]) if match else None
