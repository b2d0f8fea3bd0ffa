"""Variables of packs: an override wins for as long as it lasts, then the environment counts again."""

import pytest

from infra.config.pack_variables import MissingVariableError, is_set, override, variable

NAME = "IQ_TEST_PACK_KEY"


def test_what_is_lent_counts_while_it_is_lent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(NAME, "real")
    with override({NAME: "outer"}), override({NAME: "inner"}):
        assert variable(NAME) == "inner"
    assert variable(NAME) == "real"
    monkeypatch.delenv(NAME)
    with override({NAME: "lent"}):
        assert is_set(NAME)
    assert not is_set(NAME)
    with pytest.raises(MissingVariableError):
        variable(NAME)


def test_two_that_lend_the_same_let_go_of_their_own() -> None:
    values = {NAME: "same"}
    first, second = override(values), override(values)
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert variable(NAME) == "same"
    second.__exit__(None, None, None)
    assert not is_set(NAME)
