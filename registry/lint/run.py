"""Runs all checks of one compiled overlay, in an order in which each mistake is reported once. The sample runs last,
and only if no other check failed."""

from contracts.action import AtomicAction
from contracts.venue import VenueProfile
from registry.lint.constants import check_constants
from registry.lint.error_paths import check_codes, check_unprocessed
from registry.lint.inputs import check_bound_names
from registry.lint.optional_parameters import check_left_out, try_without
from registry.lint.ownership import check_exchanged, check_whose
from registry.lint.response_paths import check_paths
from registry.lint.rules import check, check_sampled
from registry.lint.sample import try_sample
from registry.lint.unpreviewed_values import check_previewed
from registry.lint.unverified_values import check_verified
from registry.lint.variables import check_unfilled
from registry.openapi.document import Document
from registry.overlays.findings import Findings
from registry.overlays.models import OverlayFile


def run_all_checks(
    action: AtomicAction, overlay: OverlayFile, document: Document, venue: VenueProfile, findings: Findings
) -> None:
    """Add a finding for each problem of `action`, which was compiled from `overlay`."""
    check(action, findings)
    check_constants(action, findings)
    check_unfilled(overlay, findings)
    check_previewed(action, overlay, findings)
    check_bound_names(action, overlay, findings)
    check_codes(action, overlay, document, findings)
    check_paths(action, overlay, document, findings)
    linked = overlay.compensation is not None and overlay.compensation.action is not None
    check_whose(action, findings)
    check_exchanged(action, findings)
    check_unprocessed(action, overlay, findings)
    if not findings.fatal:
        check_verified(action, overlay, findings)
    names = check_left_out(action, venue, findings, linked=linked)
    sample = overlay.sample
    check_sampled(action, sample, findings)
    if sample is not None and not sample.declined and not findings.fatal:
        try_sample(action, sample, venue, findings)
    if sample is not None and not sample.declined and not findings.fatal:
        try_without(action, sample, venue, names, findings)
