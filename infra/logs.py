"""What is kept out of logs, whatever the log level: what other people's clients would write of a call."""

import logging

_TALKATIVE = ("httpx", "httpx2", "httpcore", "openai", "urllib3", "langfuse", "mcp", "alembic.runtime.plugins")


def quiet_clients() -> None:
    """Let HTTP and model clients log warnings only: below that they log addresses, which hold what was searched for,
    and whole prompts."""
    for name in _TALKATIVE:
        logging.getLogger(name).setLevel(logging.WARNING)
