"""What may be added to a sealed PDF: what keeps the seal checkable, and nothing else. ETSI EN 319 142-1, 5.4 and 5.5.

Stricter than the library's own policy, which lets titles and other metadata change, and objects be added that nothing
leads to.
"""

from pyhanko.pdf_utils.reader import HistoricalResolver
from pyhanko.sign.diff_analysis import (
    CatalogModificationRule,
    DiffResult,
    DSSCompareRule,
    FormUpdatingRule,
    GenericFieldModificationRule,
    ModificationLevel,
    ObjectStreamRule,
    SigFieldCreationRule,
    SigFieldModificationRule,
    StandardDiffPolicy,
    SuspiciousModification,
    XrefStreamRule,
)
from pyhanko.sign.fields import FieldMDPSpec, MDPPerm

from adapters.verification.metadata import SameMetadata

_MAY_CHANGE = frozenset({"/AcroForm", "/DSS", "/Extensions", "/Metadata", "/Version"})
_LEADS = ("/Root", "/Encrypt")


class OnlyEvidence(StandardDiffPolicy):
    """Lets stores of certificates and revocations be added, and document timestamps."""

    def __init__(self) -> None:
        kept = ModificationLevel.LTA_UPDATES
        super().__init__(
            global_rules=[
                CatalogModificationRule(ignored_keys=set(_MAY_CHANGE)),  # type: ignore[no-untyped-call]
                XrefStreamRule().as_qualified(kept),
                ObjectStreamRule().as_qualified(kept),
                DSSCompareRule().as_qualified(kept),
                SameMetadata().as_qualified(kept),
            ],
            form_rule=FormUpdatingRule(
                field_rules=[
                    SigFieldCreationRule(),  # type: ignore[no-untyped-call]
                    SigFieldModificationRule(),
                    GenericFieldModificationRule(),
                ]
            ),
            ignore_orphaned_objects=False,
        )

    def apply(
        self,
        old: HistoricalResolver,
        new: HistoricalResolver,
        field_mdp_spec: FieldMDPSpec | None = None,
        doc_mdp: MDPPerm | None = None,
    ) -> DiffResult:
        """What `new` changes; raises `SuspiciousModification` for what nobody adds to keep a seal checkable."""
        if any(_lead(old, key) != _lead(new, key) for key in _LEADS):
            raise SuspiciousModification("the trailer leads elsewhere")
        if not new.explicit_refs_in_revision():  # type: ignore[no-untyped-call]
            raise SuspiciousModification("an update without anything in it")
        return super().apply(old, new, field_mdp_spec, doc_mdp)


def _lead(revision: HistoricalResolver, key: str) -> object:
    return revision.trailer_view.raw_get(key) if key in revision.trailer_view else None
