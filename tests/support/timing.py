"""Limits on time in tests. A slow or busy machine takes longer while the product is right, so a limit is so wide that
only a real fault exceeds it. `IQ_SLOW=1` sets it to what is promised, on a machine that does nothing else; speed
itself is measured by `bench/`.
"""

import os


def at_most(promised: float, slack: float = 3) -> float:
    """Seconds that something may take which is promised to take this long."""
    return promised if os.environ.get("IQ_SLOW") else promised * slack
