"""The catalogue, the trailer and the outline of uploads: only what all readers act on alike (ISO 32000-2, 7.7.2)."""

from pikepdf import Array, Dictionary, Name, Object, Pdf, Stream, String

from application.uploads.pdf_keys import keep, key_set
from application.uploads.pdf_limits import PdfRefused
from application.uploads.plain_annotations import plain_action
from application.uploads.plain_pages import ACTIONS, DAMAGED

_CATALOGUE = key_set(
    "Type Pages PageLabels Names Dests ViewerPreferences PageLayout PageMode Outlines OpenAction "
    "AcroForm Metadata StructTreeRoot MarkInfo Lang OutputIntents OCProperties AF"
)
_NAMES = frozenset({"/Dests", "/EmbeddedFiles"})
_TRAILER = frozenset({"/Size", "/Root", "/Info"})
_INFO = key_set("Title Author Subject Keywords Creator Producer CreationDate ModDate Trapped")  # fmt: skip
_OUTLINE = key_set("Title Parent Prev Next First Last Count Dest A SE C F Type")
_PREFERENCES = key_set(
    "HideToolbar HideMenubar HideWindowUI FitWindow CenterWindow DisplayDocTitle Direction PrintScaling "
    "NonFullScreenPageMode Duplex PickTrayByPDFSize NumCopies"
)
_MAX_BOOKMARKS = 100_000


def plain_catalogue(pdf: Pdf, found: set[str]) -> None:
    """Keeps the known entries of the catalogue and the trailer. `found` receives what readers act on differently."""
    root = pdf.Root
    root[Name.Type] = Name.Catalog
    if Name.Collection in root:
        found.add("a collection of other files")
    if Name.AA in root:
        found.add(ACTIONS)
    keep(root, _CATALOGUE)
    keep(pdf.trailer, _TRAILER)
    names = root.get(Name.Names)
    if isinstance(names, Dictionary):
        keep(names, _NAMES)
    _plain_opening(root, found)
    preferences = root.get(Name.ViewerPreferences)
    if isinstance(preferences, Dictionary):
        keep(preferences, _PREFERENCES)
    _plain_info(pdf)
    _plain_outline(root.get(Name.Outlines), found)
    intents = root.get(Name.OutputIntents)
    for intent in intents if isinstance(intents, Array) else ():
        if isinstance(intent, Dictionary) and Name.DestOutputProfileRef in intent:
            del intent[Name.DestOutputProfileRef]


def _plain_opening(root: Object, found: set[str]) -> None:
    """Keeps a destination on opening; of an action only one that leads to a page."""
    opening = root.get(Name.OpenAction)
    if opening is None or isinstance(opening, Array):
        return
    holder = Dictionary(A=opening)
    removed = plain_action(holder)
    kept = holder.get(Name.A)
    if removed or kept is None or Name.GoTo != kept.S:
        found.add("actions on opening")
    if kept is not None and Name.GoTo == kept.S:
        root[Name.OpenAction] = kept
    else:
        del root[Name.OpenAction]


def _plain_info(pdf: Pdf) -> None:
    info = pdf.trailer.get(Name.Info)
    if info is None:
        return
    if not isinstance(info, Dictionary) or isinstance(info, Stream):
        del pdf.trailer[Name.Info]
        return
    keep(info, _INFO)
    keep(info, frozenset(key for key, value in info.items() if isinstance(value, String | Name)))


def _plain_outline(outline: Object | None, found: set[str]) -> None:
    """Removes the actions of bookmarks that lead elsewhere than to a page or an address."""
    waiting = [outline] if isinstance(outline, Dictionary) else []
    seen: set[tuple[int, int]] = set()
    while waiting:
        item = waiting.pop()
        if item.objgen in seen:
            continue
        seen.add(item.objgen)
        if len(seen) > _MAX_BOOKMARKS:
            raise PdfRefused(DAMAGED)
        keep(item, _OUTLINE)
        if plain_action(item):
            found.add(ACTIONS)
        waiting += [
            one
            for one in (item.get(Name.First), item.get(Name.Next))
            if isinstance(one, Dictionary) and one.is_indirect
        ]
