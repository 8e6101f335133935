"""Messages of errors in the form input of recipients. `make catalogues` extracts them for translation."""

from domain.session.fields import FieldKind
from domain.shared.languages import marked

FILL_IN = marked("Fill in “{label}”.")
CHOOSE = marked("Choose an option for “{label}”.")
CHOOSE_OFFERED = marked("Choose one of the options that are offered for “{label}”.")
INITIALS = marked("Add your initials to “{label}”.")
TICK = marked("Tick “{label}” to continue.")
TICK_SOME = marked("Tick at least one option of “{label}”.")
TICK_OFFERED = marked("Tick only options that are offered for “{label}”.")
SHORTEN = marked("Shorten “{label}” to {longest} characters.")
UNREADABLE = {
    FieldKind.DATE: marked("Write “{label}” as a date in the form {format}, for example {example}."),
    FieldKind.NUMBER: marked("Write “{label}” as a number, for example 1250.50."),
    FieldKind.EMAIL: marked("Write “{label}” as an email address, for example name@example.com."),
    FieldKind.AU_MOBILE: marked(
        "Write “{label}” as an Australian mobile number, for example 0491 570 156 or +61 491 570 156."
    ),
}
