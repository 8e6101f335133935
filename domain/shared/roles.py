"""The roles of users."""

from enum import StrEnum


class Role(StrEnum):
    """The role of a user in their organisation. `application.role_rights` lists the rights of each role."""

    ADMINISTRATOR = "administrator"
    SENDER = "sender"
    VIEWER = "viewer"
