"""x"""

import re

_VARIABLE = re.compile(r"\$\{([A-Z][A-Z0-9_]*)\}")


def has_variables(text: str) -> bool:
    """Whether a text names something that is only known where it is sent from."""
    return _VARIABLE.search(text) is not None
