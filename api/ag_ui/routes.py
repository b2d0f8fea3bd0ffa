"""`POST /v1/ag-ui`: a run, as server-sent events. `GET /v1/ag-ui/capabilities`: what a run can do.

A request that is rejected before its run begins gets an HTTP error like any other. Later errors are a RUN_ERROR, whose
`code` is the same `error_type`.

The capabilities have the shape of AG-UI 1.0 ("Capabilities"); the address is ours.
"""

import time
from typing import Annotated

from ag_ui.core import PROTOCOL_VERSION, BaseEvent
from ag_ui.core.capabilities import (
    AgentCapabilities,
    ExecutionCapabilities,
    HumanInTheLoopCapabilities,
    IdentityCapabilities,
    MultiAgentCapabilities,
    MultimodalCapabilities,
    MultimodalInputCapabilities,
    MultimodalOutputCapabilities,
    OutputCapabilities,
    ReasoningCapabilities,
    StateCapabilities,
    ToolsCapabilities,
    TransportCapabilities,
)
from ag_ui.encoder import EventEncoder
from fastapi import APIRouter, Depends, Response
from sse_starlette import EventSourceResponse

from api.ag_ui.request import RunRequest, asked
from api.ag_ui.run import Run
from api.auth.credentials import OwnToken
from api.dependencies import (
    ChatsDep,
    CommandsDep,
    LastShownDep,
    LimitsDep,
    PlansDep,
    RegistriesDep,
    SettingsDep,
    TokenCheck,
    TurnsDep,
)
from api.errors import documented
from api.routes.events import PlanStreamsDep, SessionStreamsDep, StreamsDep
from api.routes.messages import TurnHandler, pack_of
from api.routes.plans import PlanAccess, TokenRefreshDep
from clients.errors import api_error, service_unavailable
from contracts.enums import ServiceErrorType as E
from language.messages.catalogue import translate
from workflows.workflow_ids import chat_workflow

_NEITHER = MultimodalInputCapabilities(image=False, audio=False, video=False, pdf=False, file=False)

CAPABILITIES = AgentCapabilities(
    identity=IdentityCapabilities(
        name="iQ booking updates",
        description="Turns plain language into a plan for a venue's bookings, and carries it out once it is confirmed.",
    ),
    transport=TransportCapabilities(
        streaming=True, websocket=False, http_binary=False, push_notifications=False, resumable=False
    ),
    tools=ToolsCapabilities(supported=True, parallel_calls=False, client_provided=False),
    output=OutputCapabilities(structured_output=False),
    state=StateCapabilities(snapshots=True, deltas=True, persistent_state=True),
    multi_agent=MultiAgentCapabilities(supported=False),
    reasoning=ReasoningCapabilities(supported=False),
    multimodal=MultimodalCapabilities(input=_NEITHER, output=MultimodalOutputCapabilities(image=False, audio=False)),
    execution=ExecutionCapabilities(code_execution=False),
    human_in_the_loop=HumanInTheLoopCapabilities(
        supported=True, approvals=True, interventions=True, feedback=False, interrupts=True, approve_with_edits=False
    ),
    custom={"iq": {"protocolVersion": PROTOCOL_VERSION, "commands": ["watch", "skip", "cancel", "undo"]}},
)


router = APIRouter(prefix="/ag-ui", tags=["ag-ui"])

_ERRORS = documented(E.INVALID_REQUEST, E.UNAUTHORIZED, E.FORBIDDEN, E.NOT_FOUND, E.RATE_LIMITED, E.SERVICE_UNAVAILABLE)

_ENCODER = EventEncoder()
_SOONER = 10.0
"""Seconds before the stream would be cut off at which the run itself ends it."""


async def caller(
    plans: PlansDep,
    registries: RegistriesDep,
    sign_in: TokenRefreshDep,
    tokens: TokenCheck,
    shown: LastShownDep,
    commands: CommandsDep,
    token: OwnToken,
) -> PlanAccess:
    """Return the access of the calling operator. The chat page cannot use it, because its session checks fields that a
    run's input does not have."""
    return PlanAccess(plans, registries, sign_in, commands, tokens, shown, token, None, None)


async def hearing(
    settings: SettingsDep, sayings: TurnsDep, tokens: TokenCheck, registries: RegistriesDep
) -> TurnHandler:
    """Return the handler of a run's messages."""
    return TurnHandler(settings, sayings, tokens, registries)


@router.get("/capabilities", summary="What an AG-UI run can do")
async def capabilities() -> AgentCapabilities:
    """Return AG-UI 1.0's `AgentCapabilities`."""
    return CAPABILITIES


@router.post("", response_class=EventSourceResponse, responses=_ERRORS, summary="An AG-UI run")
async def run(
    asked: Annotated[RunRequest, Depends(asked)],
    by: Annotated[PlanAccess, Depends(caller)],
    hearing: Annotated[TurnHandler, Depends(hearing)],
    commands: CommandsDep,
    chats: ChatsDep,
    watching: PlanStreamsDep,
    sessions: SessionStreamsDep,
    limits: LimitsDep,
    streams: StreamsDep,
) -> Response:
    """Run a turn in a thread, which is a session. A message is a turn as by `POST /v1/requests`; `resume` answers what
    waits: a plan to confirm, a question. Closing the stream stops nothing: the same run requested again is sent again
    and continues."""
    pack = pack_of(by.registries, asked.venue_id)
    await by.tokens.verify(pack, by.token)
    if asked.message is not None:
        await limits.count(venue=pack.profile.venue_id, user=asked.user_id)
    with service_unavailable("unavailable.unseen_chat"):
        view = await chats.session(chat_workflow(pack.profile.venue_id, asked.thread_id))
    if view is not None and view.owner not in (None, asked.user_id):
        raise api_error(E.FORBIDDEN, translate("refuse.foreign_chat"), translate("refuse.foreign_chat_next"))
    owner = streams.reserve(asked.user_id, by.token)
    until = time.monotonic() + streams.longest - _SOONER
    one = Run(asked, pack, by, commands, chats, watching, sessions, hearing, until)
    return streams.response(owner, one.events(), _written, _stays, line_end="\n")


def _written(event: BaseEvent) -> bytes:
    return _ENCODER.encode(event).encode()


async def _stays() -> bool:
    return True
