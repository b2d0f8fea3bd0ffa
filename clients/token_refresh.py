"""Updates the token of a running plan after its operator has signed in again."""

from clients.commands import PlanCommands
from clients.errors import ApiError, service_unavailable
from clients.temporal.plans import PlanClient
from contracts.chat_messages import PlanView, TokenRenewed
from contracts.enums import ServiceErrorType
from infra.stores.token_vault import TokenMissingError, Vault


class TokenRefresh:
    """Hands new tokens to plans; `token_ttl` in seconds."""

    def __init__(self, plans: PlanClient, vault: Vault, commands: PlanCommands, token_ttl: float) -> None:
        self._plans = plans
        self._vault = vault
        self._commands = commands
        self._token_ttl = token_ttl

    async def is_new(self, view: PlanView, token: str) -> bool:
        """Return whether the plan is running with another token than this one. Raises `ServiceUnavailableError`."""
        if view.token_ref is None or view.plan.settled:
            return False
        try:
            with service_unavailable():
                return await self._vault.get(view.token_ref) != token
        except TokenMissingError:
            return True

    async def apply(self, plan_id: str, user_id: str, token: str) -> None:
        """Give a plan the operator's new token. A plan that has ended wipes no token, so no copy must remain for it:
        the plan is checked before storing the token, because its own token is then gone, too, and again afterwards.
        Raises `ApiError`."""
        if (await self._plans.plan(plan_id)).plan.settled:
            return
        with service_unavailable():
            reference = await self._vault.put(token, self._token_ttl)
        try:
            await self._plans.token_renewed(plan_id, TokenRenewed(user_id=user_id, token_ref=reference))
            ended = (await self._plans.plan(plan_id)).plan.settled
        except ApiError as error:
            if error.kind is not ServiceErrorType.CONFLICT:
                raise
            ended = True
        if ended:
            await self._commands.wipe(reference)
