"""An operator who has signed in again while a plan is at work: the plan goes on with the new token."""

import asyncio

from clients.errors import RequestError, UnansweredError
from clients.plans import PlanClient
from clients.words import Words
from contracts.enums import ServiceErrorType
from contracts.messages import PlanView, SignedIn
from infra.claims import AWAY
from infra.vault import TokenMissingError, Vault

_STORE_WITHIN = 1.0
"""Seconds for one call of the token store."""


class SignIn:
    """Hands new tokens to plans; `token_ttl` in seconds."""

    def __init__(self, plans: PlanClient, vault: Vault, words: Words, token_ttl: float) -> None:
        self._plans = plans
        self._vault = vault
        self._words = words
        self._token_ttl = token_ttl

    async def differs(self, view: PlanView, token: str) -> bool:
        """Whether the plan is at work with another token than this one. Raises `UnansweredError`."""
        if view.token_ref is None or view.plan.settled:
            return False
        try:
            async with asyncio.timeout(_STORE_WITHIN):
                return await self._vault.get(view.token_ref) != token
        except TokenMissingError:
            return True
        except AWAY:
            raise UnansweredError("store") from None

    async def hand_over(self, plan_id: str, user_id: str, token: str) -> None:
        """Give a plan the operator's new token. A plan that has ended meanwhile wipes nothing any more, so none is kept
        for it: it is looked at before, since its own token is gone, too, once it has ended, and after. Raises
        `RequestError`."""
        if (await self._plans.plan(plan_id)).plan.settled:
            return
        try:
            async with asyncio.timeout(_STORE_WITHIN):
                reference = await self._vault.put(token, self._token_ttl)
        except AWAY:
            raise UnansweredError("store") from None
        try:
            await self._plans.signed_in(plan_id, SignedIn(user_id=user_id, token_ref=reference))
            ended = (await self._plans.plan(plan_id)).plan.settled
        except RequestError as error:
            if error.kind is not ServiceErrorType.CONFLICT:
                raise
            ended = True
        if ended:
            await self._words.wipe(reference)
