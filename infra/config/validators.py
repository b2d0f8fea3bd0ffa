"""The formats of settings, beyond their types: addresses, rates, levels. Each function returns the value or raises
`ValueError` with the mistake and an example; no message repeats a value that may hold a password."""

from urllib.parse import urlsplit

LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")


def address(value: str, example: str, schemes: tuple[str, ...] = ("http", "https")) -> str:
    """Return a URL with a scheme and a host. Raises `ValueError`."""
    try:
        parts = urlsplit(value)
        whole = parts.scheme in schemes and bool(parts.hostname) and parts.port != 0
    except ValueError:
        whole = False
    if not whole:
        begins = " or ".join(f"{scheme}://" for scheme in schemes)
        raise ValueError(f"is no address: it must begin with {begins} and name a host, such as {example}")
    return value


def redis_address(value: str) -> str:
    """Return an address that the Redis client accepts (RFC 3986 with the schemes of redis-py). Raises `ValueError`."""
    if value.startswith("unix://") and len(value) > len("unix://"):
        return value
    return address(value, "redis://127.0.0.1:6379/0", ("redis", "rediss"))


def host_and_port(value: str) -> str:
    """Return `host:port`, or a host alone, the form of Temporal's clients. Raises `ValueError`."""
    try:
        parts = urlsplit(f"//{value}")
        whole = bool(parts.hostname) and not (parts.path or parts.query) and parts.port != 0 and "@" not in value
    except ValueError:
        whole = False
    if not whole or "://" in value or any(c.isspace() for c in value):
        raise ValueError("is no host:port, such as 127.0.0.1:7233")
    return value


def rate(value: str) -> str:
    """Return a rate in the form of the package `limits`: `300/minute`. Raises `ValueError`."""
    from limits import parse

    try:
        amount = parse(value).amount
    except ValueError:
        amount = 0
    if amount < 1:
        raise ValueError("is no rate, such as 300/minute or 5/second")
    return value


def level(value: str) -> str:
    """Return a log level, in any case. Raises `ValueError`."""
    if value.upper() not in LEVELS:
        raise ValueError(f"is none of {', '.join(LEVELS)}")
    return value
