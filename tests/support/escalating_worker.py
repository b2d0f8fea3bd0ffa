"""`python -m tests.support.escalating_worker`: `iq worker`, whose chats escalate messages that ask for staff."""

import asyncio
import logging

from cli.stack import processes
from infra.config.settings import settings
from tests.support.escalating import people_are_asked

if __name__ == "__main__":
    logging.basicConfig(level="INFO")
    with people_are_asked():
        asyncio.run(processes.run_worker(settings()))
