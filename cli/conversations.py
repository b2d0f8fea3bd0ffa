"""`iq conversation`: one chat as its operator saw it, or how it was reasoned."""

from clients.chats import ChatClient
from clients.errors import RequestError
from contracts.assessment import InternalMessage
from contracts.messages import ShownEntry
from infra.settings import Settings
from infra.temporal import connect
from language.invisible import on_one_line
from registry import Registry
from workflows.ids import chat_workflow


async def show(settings: Settings, session: str, venue: str, *, debug: bool) -> int:
    """Print it, decrypted; the exit code is 1 where there is no such chat."""
    venue = venue or Registry(settings.packs, settings.venue_urls).default_venue.profile.venue_id
    chats = ChatClient(await connect(settings, wait=2), settings.task_queue)
    name = session if session.startswith("chat-") else chat_workflow(venue, session)
    try:
        view = await (chats.debug(name) if debug else chats.shown(name, 0))
    except RequestError as error:
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


def _shown(entry: ShownEntry) -> str:
    return f"{entry.number:>4}  {entry.at:%H:%M:%S}  {entry.kind:<13} {_indented(entry.text)}"


def _indented(text: str) -> str:
    # No line of a message may look like an entry of its own.
    return "\n       ".join(map(on_one_line, text.splitlines()))
