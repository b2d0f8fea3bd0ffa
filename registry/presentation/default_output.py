"""The fields of a response that the model sees when its overlay declares none: only those that identify a resource.

Later steps refer to ids; names and moments serve questions to the operator. Everything else (addresses, notes, amounts)
is shown only if an author declares it.
"""

from contracts.base import Value
from registry.secrets.names import is_sensitive
from registry.text import word_set, words_of

_LAST = word_set("""
    id ids uid uuid guid reference ref number no code key name names title label status state type kind category
    date day time at on start starts end ends from to until begin begins count quantity capacity
""")
_PERSONAL = word_set("phone mobile fax account passport licence license tax vat street house postal post zip")
_DEEPEST, _ROWS, _CHARACTERS = 5, 30, 120


def identifying_fields(answer: Value) -> Value:
    """Return the ids, names, states and moments of a response; {"ok": true} where it has none."""
    kept = _kept(answer, _DEEPEST)
    return {"ok": True} if kept in (None, {}, []) else kept


def _kept(value: Value, deep: int) -> Value:
    if deep == 0:
        return None
    if isinstance(value, list):
        rows = [_kept(row, deep - 1) if isinstance(row, dict | list) else row for row in value[:_ROWS]]
        found: list[Value] = [row for row in rows if row not in (None, {}, [])]
        if found and len(value) > _ROWS:
            found.append(f"… {len(value) - _ROWS} more left out")
        return found
    if isinstance(value, dict):
        inner = {name: _field(name, one, deep) for name, one in value.items() if not is_sensitive(name)}
        return {name: one for name, one in inner.items() if one not in (None, {}, [])}
    return None


def _field(name: str, value: Value, deep: int) -> Value:
    words = words_of(name)
    if isinstance(value, dict) or (isinstance(value, list) and any(isinstance(row, dict | list) for row in value)):
        return _kept(value, deep - 1)
    if not words or words[-1] not in _LAST or not _PERSONAL.isdisjoint(words):
        return None
    return value[:_CHARACTERS] if isinstance(value, str) else value
