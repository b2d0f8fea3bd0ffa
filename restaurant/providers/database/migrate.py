"""The sheet's table is made, and brought up to date, by whichever process starts first. The others wait for it."""

from pathlib import Path

from infra.ledger.migrate import Migrations
from restaurant.providers.database.schema import HEAD, VERSIONS

_SCRIPTS = Path(__file__).parent / "migrations"

bring_up_to_date = Migrations(_SCRIPTS, HEAD, 7_250_771_815_114, VERSIONS).bring_up_to_date
