"""The inputs of a sending limit, on the page of an API client and on the consent page."""

import re

from domain.shared.limits import MAX_RECIPIENTS_PER_DAY, InvalidDomain, SendingLimit, parse_domains
from web.texts import APP


def find_limit_problems(per_day: str, domains: str) -> dict[str, str]:
    """Returns the message for each invalid input, by its name."""
    problems: dict[str, str] = {}
    if per_day and not (re.fullmatch("[0-9]{1,6}", per_day) and int(per_day) <= MAX_RECIPIENTS_PER_DAY):
        problems["per_day"] = APP.per_day_wrong
    try:
        parse_domains(domains)
    except InvalidDomain as error:
        problems["domains"] = APP.domains_wrong.format(domain=error.text)
    return problems


def parse_limit(per_day: str, domains: str) -> SendingLimit:
    """Returns the sending limit of valid inputs. An empty input means no limit."""
    return SendingLimit(recipients_per_day=int(per_day) if per_day else None, domains=parse_domains(domains))
