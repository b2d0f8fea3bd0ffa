"""Reading for the planner: look-ups, and freezing its writing calls into the steps of a plan."""

from temporalio import activity

from activities.heartbeat import beating
from activities.reads import read_snapshot, subject_of
from activities.registries import Registries
from activities.venue_client import Answered, VenueClient, VenueRefused
from contracts.action import AtomicAction
from contracts.effects import DraftedStep, DraftReply, DraftRequest, LookUpReply, LookUpRequest, ToolCall
from contracts.enums import ErrorType
from contracts.venue import VenueProfile
from reasoning import placeholders
from registry import Scope, TemplateFault, argument_problems, build_request, candidates, digest, observe, preview_lines


class LookUps:
    """Read-only work for a turn."""

    def __init__(self, registries: Registries, venues: VenueClient) -> None:
        self._registries = registries
        self._venues = venues

    @activity.defn(name="look_up")
    async def look_up(self, request: LookUpRequest) -> LookUpReply:
        """See `signatures.look_up`."""
        async with beating():
            pack = await self._registries.pack(request.venue_id)
            action = pack.actions.get(request.call.name)
            if action is None or not action.read_only:
                return LookUpReply(observation={"error": f"There is no look-up {request.call.name}."})
            problems = argument_problems(action, request.call.arguments)
            if problems:
                return LookUpReply(observation={"error": " ".join(problems)})
            scope = Scope.of(action, request.call.arguments, pack.profile)
            try:
                sent = build_request(action, scope)
                answer = await self._venues.send(
                    pack.profile.base_url, sent, request.token_ref, action=action, trace_id=request.trace_id
                )
            except VenueRefused as refused:
                if refused.failure.error_type is ErrorType.NOT_FOUND and action.output.candidates is not None:
                    return LookUpReply(observation={"found": 0}, candidates=())
                return LookUpReply(failure=refused.failure)
            except TemplateFault as fault:
                return LookUpReply(observation={"error": str(fault)})
            scope = scope.with_(request=sent, response=answer.body)
            found = tuple(candidates(action, answer.body, scope)) if action.output.candidates is not None else None
            return LookUpReply(observation=observe(action, answer.body, scope), candidates=found)

    @activity.defn(name="draft")
    async def draft(self, request: DraftRequest) -> DraftReply:
        """See `signatures.draft`."""
        async with beating():
            pack = await self._registries.pack(request.venue_id)
            steps: list[DraftedStep] = []
            problems: list[str] = []
            seen: dict[str, Answered] = {}
            for number, call in enumerate(request.calls, 1):
                action = pack.actions.get(call.name)
                if action is None or action.read_only:
                    problems.append(f"{call.name} is not an action that can be planned.")
                    continue
                found = argument_problems(action, call.arguments)
                found += placeholders.problems(number, call.arguments, [s.action for s in steps])
                if found:
                    problems += [f"{call.name}: {p}" for p in found]
                    continue
                try:
                    steps.append(await self._freeze(action, call, pack.profile, request, seen))
                except VenueRefused as refused:
                    return DraftReply(failure=refused.failure, profile=pack.profile)
                except TemplateFault as fault:
                    problems.append(f"{call.name}: {fault}")
            return DraftReply(steps=() if problems else tuple(steps), problems=tuple(problems), profile=pack.profile)

    async def _freeze(
        self, action: AtomicAction, call: ToolCall, profile: VenueProfile, request: DraftRequest,
        seen: dict[str, Answered],
    ) -> DraftedStep:  # fmt: skip
        step = DraftedStep(action=action, parameters=call.arguments)
        if placeholders.present(call.arguments):
            return step
        scope = Scope.of(action, call.arguments, profile)
        subject = mark = None
        if action.snapshot is not None:
            before, asked = await read_snapshot(self._venues, action, scope, request.token_ref, request.trace_id, seen)
            scope = scope.with_(before=before)
            subject = subject_of(asked)
            mark = digest(before, action.snapshot.covers, action.snapshot.ignore)
        scope = scope.with_(request=build_request(action, scope))
        return step.model_copy(
            update={"preview": tuple(preview_lines(action, scope)), "subject": subject, "digest": mark}
        )
