"""An operator's token comes in the `Authorization` header, as a bearer token, or with the session of the page.

- Another scheme, no token, one that is not ASCII and one of more than 8,192 characters are refused as a missing
  sign-in. The scheme is read in any case.
- A page's session takes precedence over every other credential of the request.
"""

import pytest

from api.auth.credentials import operator_token
from api.auth.page_session import PageSession
from clients.errors import ApiError
from contracts.enums import ServiceErrorType


@pytest.mark.parametrize("header", ["Bearer abc", "bearer abc", "BEARER   abc "])
async def test_a_token_in_the_header(header: str) -> None:
    assert await operator_token(None, header) == "abc"
    assert await operator_token(None, f"Bearer {'x' * 8192}") == "x" * 8192


@pytest.mark.parametrize(
    "header", [None, "", "abc", "Bearer", "Bearer ", "Basic abc", "Bearer t\u00f6ken", f"Bearer {'x' * 8193}"]
)
async def test_what_is_no_token(header: str | None) -> None:
    with pytest.raises(ApiError) as refused:
        await operator_token(None, header)
    assert refused.value.kind is ServiceErrorType.UNAUTHORIZED


async def test_a_page_s_session_counts_first() -> None:
    page = PageSession(kind="session", token="of-the-page", user_id="ann", venue_id="hall")
    assert await operator_token(page, "Bearer other") == "of-the-page"
