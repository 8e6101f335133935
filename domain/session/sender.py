"""The person of an organisation who asks for signatures. Mails and pages name them; answers to mails go to them."""

from domain.shared.frozen_model import FrozenModel


class Sender(FrozenModel):
    """A person by name and email address."""

    name: str
    email: str
