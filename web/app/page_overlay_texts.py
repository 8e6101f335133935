"""The words about pages, and what is filled in on them."""

from collections.abc import Mapping

from layout.zones.zone import ZoneType


class LeafTexts:
    """The words in English. Braces are filled in."""

    page_picture: str = "{title}, page {number} of {count}"
    filled_in_by: str = "Filled in by"
    asked_title: str = "What is filled in"
    asked_count: str = "{count} places"
    asked_count_one: str = "1 place"
    asked_on: str = "page {number}"
    asked_required: str = "required"
    asked_optional: str = "optional"
    nothing_asked: str = "Nothing is filled in here."
    zone_types: Mapping[ZoneType, str] = {
        ZoneType.TEXT: "text",
        ZoneType.MULTILINE_TEXT: "several lines",
        ZoneType.DATE: "date",
        ZoneType.NUMBER: "number",
        ZoneType.EMAIL: "email address",
        ZoneType.AU_MOBILE: "mobile number",
        ZoneType.CHECKBOX: "tick box",
        ZoneType.RADIO: "choice",
        ZoneType.DROPDOWN: "list",
        ZoneType.INITIALS: "initials",
        ZoneType.SIGNATURE: "signature",
        ZoneType.SIGNER_NAME: "name",
        ZoneType.DATE_SIGNED: "date signed",
    }

    def count_asked(self, count: int) -> str:
        return self.asked_count_one if count == 1 else self.asked_count.format(count=count)
