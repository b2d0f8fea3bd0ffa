"""Which names no model may see. Words are compared whole: `discard` holds no `card`."""

import re
from itertools import pairwise

from contracts.base import Json, Node, Schema
from registry.nodes import parts_of
from registry.words import word_set, words_of

_WORDS = word_set("""
    password passwd passcode passphrase pwd secret secrets token tokens credential credentials apikey authorization
    card cardnumber cvv cvv2 cvc pan iban pin ssn otp totp bearer jwt creditcard debitcard
""")
_PAIRS = word_set("""
    api_key app_key access_key private_key secret_key consumer_key encryption_key signing_key auth_key master_key
    account_number routing_number sort_code cc_number cc_num security_code social_security auth_code x_auth
""")
# Names written in one word: `clientsecret`, `accesstoken`. No word of English ends so and means something else.
_ENDING = re.compile(
    r"(passwords?|passwd|passphrase|passcode|secrets?|tokens?|apikeys?|(access|private|secret)key|(card|account)number)$"
)


def is_sensitive(name: str, schema: Node = None) -> bool:
    """True for the name of a secret or a payment detail, and for anything of format `password`."""
    if parts_of(schema).get("format") == "password":
        return True
    if name.lower() in ("cookie", "set-cookie"):
        return True
    words = words_of(name)
    pairs = (f"{first}_{second}" for first, second in pairwise(words))
    return any(w in _WORDS or _ENDING.search(w) for w in words) or not _PAIRS.isdisjoint(pairs)


def without_sensitive(schema: Schema) -> tuple[Schema, list[str]]:
    """A schema without sensitive properties, readOnly ones and defaults, at any depth; and the required ones lost."""
    result: Schema = {}
    lost: list[str] = []
    for key, value in schema.items():
        if key in ("default", "readOnly", "writeOnly", "nullable"):
            continue
        if key == "properties" and isinstance(value, dict):
            hidden = {n for n, s in value.items() if is_sensitive(n, s)}
            lost += [n for n in schema.get("required") or () if n in hidden]
            read_only = {n for n, s in value.items() if parts_of(s).get("readOnly")}
            shown = {n: _held(s) for n, s in value.items() if n not in hidden | read_only}
            result[key] = {n: part for n, (part, _) in shown.items()}
            lost += [name for _, inner in shown.values() for name in inner]
        elif key == "required" and isinstance(value, list):
            # A part of a choice may name what another part declares.
            declared = schema.get("properties") or {}
            result[key] = [n for n in value if n in declared or not is_sensitive(n)]
            lost += [n for n in value if n not in result[key]]
        elif key in ("enum", "const", "required"):
            result[key] = value
        else:
            result[key], inner_lost = _held(value)
            lost += inner_lost
    if isinstance(result.get("properties"), dict) and isinstance(result.get("required"), list):
        result["required"] = [n for n in result["required"] if n in result["properties"]]
    return result, lost


def _held(value: object) -> tuple[Json, list[str]]:
    """What a keyword holds, its schemas without what is sensitive."""
    if isinstance(value, list):
        parts = [_held(v) for v in value]
        return [part for part, _ in parts], [name for _, lost in parts for name in lost]
    return without_sensitive(value) if isinstance(value, dict) else (value, [])
