"""The scopes of each role."""

from application.role_rights import RIGHTS
from application.scopes import Scope
from domain.shared.roles import Role


def test_only_administrators_change_the_organisation() -> None:
    assert {role for role, rights in RIGHTS.items() if Scope.WRITE_ORGANISATION in rights} == {Role.ADMINISTRATOR}
