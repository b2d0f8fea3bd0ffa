"""Everything that is checked of one compiled overlay, in the order in which one mistake is told once: what is tried on
the sample comes last, and only where nothing else is wrong."""

from contracts.action import AtomicAction
from contracts.venue import VenueProfile
from registry.answer_paths import check_paths
from registry.bound_names import check_bound_names
from registry.checks import check, check_sampled
from registry.constants import check_constants
from registry.document import Document
from registry.findings import Findings
from registry.left_out import check_left_out, try_without
from registry.overlay import OverlayFile
from registry.previewed import check_previewed
from registry.refusal_paths import check_codes
from registry.sample import try_sample
from registry.unfilled import check_unfilled
from registry.unprocessed import check_unprocessed
from registry.whose import check_whose


def check_whole(
    action: AtomicAction, overlay: OverlayFile, document: Document, venue: VenueProfile, findings: Findings
) -> None:
    """Add a finding for whatever is wrong with `action`, which `overlay` was made into."""
    check(action, findings)
    check_constants(action, findings)
    check_unfilled(overlay, findings)
    check_previewed(action, overlay, findings)
    check_bound_names(action, overlay, findings)
    check_codes(action, overlay, document, findings)
    check_paths(action, overlay, document, findings)
    linked = overlay.compensation is not None and overlay.compensation.action is not None
    check_whose(action, findings)
    check_unprocessed(action, overlay, findings)
    told = check_left_out(action, venue, findings, linked=linked)
    sample = overlay.sample
    check_sampled(action, sample, findings)
    if sample is not None and not sample.declined and not findings.fatal:
        try_sample(action, sample, venue, findings)
    if sample is not None and not sample.declined and not findings.fatal:
        try_without(action, sample, venue, told, findings)
