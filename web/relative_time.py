"""Relative times: "3 h ago", "in 2 days"."""

from datetime import datetime, timedelta

from web.texts import APP

_MINUTE, _HOUR, _DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
_LONGEST = 7 * _DAY
"""From this distance on, the day is shown instead of a number of days."""


def relative_time(at: datetime, now: datetime) -> str:
    """Returns how long ago `at` was, or how long it is until `at`; from a week on, the day in UTC."""
    words = APP.table("relative_times")
    apart = abs(at - now)
    if apart >= _LONGEST:
        return f"{at.day} {at:%b %Y}" if at.year != now.year else f"{at.day} {at:%b}"
    if apart < _MINUTE:
        return words["now"]
    unit, name = next((u, n) for u, n in ((_DAY, "days"), (_HOUR, "hours"), (_MINUTE, "minutes")) if apart >= u)
    count = apart // unit
    direction = "ago" if at <= now else "in"
    return words[f"{direction}_{name}{'_one' if count == 1 else ''}"].replace("{count}", str(count))
