"""The roles of users."""

from enum import StrEnum


class Role(StrEnum):
    """What a user may do in their organisation. `application.role_rights` lists the rights of each."""

    ADMINISTRATOR = "administrator"
    SENDER = "sender"
    VIEWER = "viewer"
