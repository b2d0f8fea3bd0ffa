"""`iq conversation`: one chat as its operator saw it, or its model calls."""

from clients.errors import ApiError
from clients.temporal.chats import ChatClient
from contracts.chat_completion import InternalMessage
from contracts.chat_messages import TranscriptEntry
from infra.config.settings import Settings
from infra.temporal.client import connect
from language.text.invisible import on_one_line
from registry.loading.folder_registry import FolderRegistry
from workflows.workflow_ids import chat_workflow


async def show(settings: Settings, session: str, venue: str, *, debug: bool) -> int:
    """Print the chat, decrypted; the exit code is 1 if it does not exist."""
    venue = venue or FolderRegistry(settings.packs, settings.venue_urls).default_venue.profile.venue_id
    chats = ChatClient(await connect(settings, wait=2), settings.task_queue)
    name = session if session.startswith("chat-") else chat_workflow(venue, session)
    try:
        view = await (chats.debug(name) if debug else chats.transcript(name, 0))
    except ApiError as error:
        print(f"iq: {error}")
        return 1
    if view is None:
        print(f"iq: there is no chat {name}")
        return 1
    lines = [_reasoned(entry) if isinstance(entry, InternalMessage) else _shown(entry) for entry in view.entries]
    print("\n".join(lines) or "Nothing yet.")
    return 0


def _reasoned(entry: InternalMessage) -> str:
    details = "".join(f"\n       {on_one_line(f'{name}: {value}')}" for name, value in entry.details.items())
    text = _indented(entry.text)
    return f"{entry.number:>4}  {entry.at:%H:%M:%S}  {entry.mode.value:<9} {entry.kind:<11} {text}{details}"


def _shown(entry: TranscriptEntry) -> str:
    return f"{entry.number:>4}  {entry.at:%H:%M:%S}  {entry.kind:<13} {_indented(entry.text)}"


def _indented(text: str) -> str:
    # No line of a message may look like a separate entry.
    return "\n       ".join(map(on_one_line, text.splitlines()))
