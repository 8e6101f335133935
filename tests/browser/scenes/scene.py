from collections.abc import Awaitable, Callable

from tests.browser.house import House
from tests.browser.visitor import Visitor

Scene = Callable[[House, Visitor], Awaitable[None]]
