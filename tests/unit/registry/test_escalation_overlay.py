"""`escalation` in venue.yaml: the venue's webhook for escalations.

- An address is https, or http at this very machine; a secret is a variable's name, never a secret.
- A mistake is refused with file, line and key; a missing variable is reported at start.
"""

from pathlib import Path

import pytest

from registry import PackError
from registry.loading.folder_registry import FolderRegistry
from registry.loading.load import load_pack, read_here
from tests.support.shipped import shipped
from tests.support.stacks import copied_pack

RIGHT = 'escalation: {webhook: "https://desk.example.com/iq", secret: "${DESK_SECRET}"}'


def pack(folder: Path, says: str) -> Path:
    return copied_pack(folder, {"tariff: pro\n": f"tariff: pro\n{says}\n"})


def test_it_is_read(tmp_path: Path) -> None:
    found = load_pack(pack(tmp_path, RIGHT))
    assert found.webhook is not None
    assert (found.webhook.address, found.webhook.secret) == ("https://desk.example.com/iq", "DESK_SECRET")
    assert found.variables == ("DESK_SECRET",)
    assert not [f for f in found.findings if f.level == "error"]
    assert shipped("roller").webhook is None


def test_a_variable_that_is_not_set_is_asked_for(tmp_path: Path) -> None:
    with pytest.raises(PackError, match="needs DESK_SECRET"):
        FolderRegistry((pack(tmp_path, RIGHT),), {}, None, read_here, lambda _: False)


@pytest.mark.parametrize(
    "address",
    [
        "http://desk.example.com/iq", "ftp://desk.example.com", "https://", "https://anna:pw@desk.example.com/",
        "https://desk.example.com/#part", "https://desk.example.com/${PATH}", "//desk.example.com", "desk.example.com",
        "http://localhost.example.com/", "https://desk.example.com:443x/",
    ],
)  # fmt: skip
def test_an_address_that_is_none_is_refused(tmp_path: Path, address: str) -> None:
    with pytest.raises(PackError, match=r"venue\.yaml, line \d+, escalation\.webhook"):
        load_pack(pack(tmp_path, RIGHT.replace("https://desk.example.com/iq", address)))


@pytest.mark.parametrize("secret", ["hunter2", "${lower}", "x${DESK_SECRET}", ""])
def test_a_secret_that_is_written_down_is_refused(tmp_path: Path, secret: str) -> None:
    with pytest.raises(PackError, match=r"escalation\.secret"):
        load_pack(pack(tmp_path, RIGHT.replace("${DESK_SECRET}", secret)))


@pytest.mark.parametrize(
    "says", ['escalation: {webhook: "https://desk.example.com"}', 'escalation: {secret: "${DESK_SECRET}"}',
             RIGHT.replace("}\"}", "}\", retries: 3}")],
)  # fmt: skip
def test_both_and_nothing_else(tmp_path: Path, says: str) -> None:
    with pytest.raises(PackError, match="escalation"):
        load_pack(pack(tmp_path, says))
