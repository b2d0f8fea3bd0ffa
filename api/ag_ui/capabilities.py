"""What this agent declares of itself (AG-UI 1.0, "Capabilities"): the shape is AG-UI's, the way to it ours."""

from ag_ui.core import PROTOCOL_VERSION
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
