"""The default safety tier of an operation; an overlay overrides it where it is wrong."""

import re

from contracts.enums import SafetyTier
from registry.text import word_set, words_of

_SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
_RISKY = word_set("""
    delete deletes remove removes refund refunds cancel cancels cancellation void destroy purge wipe erase terminate
    revoke charge charges pay payment payments payout payouts transfer transfers capture reset drop close deactivate
    disable ban block reject clear truncate uninstall unsubscribe merge overwrite shutdown kill
""")


def is_read(method: str) -> bool:
    """Return whether a method only reads."""
    return method.upper() in _SAFE_METHODS


def default_tier(method: str, key: str, path: str = "") -> SafetyTier:
    """Return `high_risk` for DELETE, and for a write whose name or path contains delete, refund, cancel and the
    like."""
    if is_read(method):
        return SafetyTier.NORMAL
    fixed = re.sub(r"{[^}]*}", " ", path)
    risky = method.upper() == "DELETE" or not _RISKY.isdisjoint([*words_of(key), *words_of(fixed)])
    return SafetyTier.HIGH_RISK if risky else SafetyTier.NORMAL
