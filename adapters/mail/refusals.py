"""Classifies the responses of mail servers: whether a refusal is about the recipient's address (RFC 5321, 3463, 7505).

A refusal is about the address only if the response says so. Every other one is about the service: its credentials, its
sender address, its host name, the size of its mails, its reputation.
"""

import re

_ADDRESS = frozenset(
    {"1.1", "1.2", "1.3", "1.4", "1.6", "1.9", "1.10", "2.1", "2.2", "2.4", "4.4", "6.7", "7.17", "7.18"}
)
"""Enhanced status codes without their class that are about the recipient's address: mailbox, domain, syntax, full."""

_SERVICE = frozenset({"1.7", "1.8", "2.3"})
"""Enhanced status codes of these subjects that are about the sender's address or the size."""

_UNDECIDED_SUBJECTS = frozenset({"0", "1", "2", "4", "5"})
"""Subjects whose other codes servers use for various causes, so that the text decides. The rest are the mail system
(3), the content (6) and the policy (7), which are about the service unless the text names the address."""

_ENHANCED = re.compile(r"[245]\.(\d{1,3})\.(\d{1,3})\b")

_SAYS_SERVICE = re.compile(
    r"\bsender\b|\bfrom address|\b(helo|ehlo)\b|\brelay(?! recipient)|\brelaying|client host|\bauth|log ?in\b|log on\b"
    r"|credential|\b(spf|dkim|dmarc|ptr|rdns|rbl|dnsbl|starttls|tls|ssl|ip)\b|encrypt|reverse|spam|virus|malware"
    r"|black ?list|block ?list|deny ?list|\bblocked|reputation|\bbanned|policy|\brate\b|too many|grey ?list|gray ?list"
    r"|(daily|hourly|sending|sender|your|message|outgoing) (quota|limit|rate|size)|too (large|big)|bulk|not permitted"
    r"|content|not accepting mail from|rcpthosts",
    re.IGNORECASE,
)
_SAYS_ADDRESS = re.compile(
    r"(no such|unknown|invalid|bad|nonexistent|non-existent|inactive|disabled|suspended) "
    r"(local )?(user|recipient|mailbox|address|account|destination|domain|host)"
    r"|(user|recipient|mailbox|account|email address|domain|host)\b.{0,60}?(unknown|not exist|n't exist|not found"
    r"|unavailable|disabled|inactive|invalid|is full|over quota|suspended|not have an?|n't have an?|no longer)"
    r"|recipient address rejected|recipient rejected|not a valid (user|recipient|mailbox|address)|not our customer",
    re.IGNORECASE,
)


def is_about_address(code: int, text: str, *, at_content: bool) -> bool:
    """Returns whether the permanent refusal (`code` of 500 and above) is about the address of the recipient.

    `at_content`: it answers the content of the mail; otherwise it answers the command that names the recipient.
    """
    enhanced = _ENHANCED.match(text.lstrip())
    subject, kind = (enhanced[1], f"{enhanced[1]}.{enhanced[2]}") if enhanced else ("0", "0.0")
    if kind in _ADDRESS or kind in _SERVICE:
        return kind in _ADDRESS
    if _SAYS_SERVICE.search(text):
        return False
    if _SAYS_ADDRESS.search(text):
        return True
    return not at_content and subject in _UNDECIDED_SUBJECTS and code in _ADDRESS_CODES


_ADDRESS_CODES = frozenset({550, 551, 552, 553, 556})
"""Codes that answer the command with the recipient and are about their mailbox or domain, if the text says nothing."""
