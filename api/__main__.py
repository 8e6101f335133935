"""`python -m api`: the HTTP service, until SIGTERM or SIGINT."""

import asyncio
import os
import signal
import sys

import structlog
import uvicorn

from adapters.keys import KeysUnusable
from adapters.object_store.port import ObjectStoreError
from api.app import create_app
from api.logs import configure_logs
from api.opening import open_services
from settings import Settings

log = structlog.get_logger(__name__)

GRACE_SECONDS = 10
"""How long requests under way may take to end when the service is stopped."""


async def serve(settings: Settings) -> None:
    """Serves until a signal to stop, then lets the requests under way end."""
    async with open_services(settings) as services:
        config = uvicorn.Config(
            create_app(services),
            host=settings.api_host,
            port=settings.api_port,
            log_config=None,
            # Ours names routes; uvicorn's would write the tokens of signing links into the log.
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=GRACE_SECONDS,
        )
        await uvicorn.Server(config).serve()


def main() -> None:
    configure_logs()
    for number in (signal.SIGTERM, signal.SIGINT):
        # uvicorn stops at these, then raises them once more for whoever handled them before; by then all is done.
        signal.signal(number, lambda *_: None)
    code = 0
    try:
        asyncio.run(serve(Settings()))
    except SystemExit as stop:  # how uvicorn says that its port is taken
        code = stop.code if isinstance(stop.code, int) else 1
    except (KeysUnusable, ObjectStoreError) as error:
        log.error(str(error))  # noqa: TRY400  # the message says what to do; a traceback would hide it
        code = 1
    except Exception:
        log.exception("the service could not go on")
        code = 1
    sys.stdout.flush()
    sys.stderr.flush()
    # Not a plain return: threads of the Temporal SDK can crash the interpreter while it takes itself apart.
    os._exit(code)


if __name__ == "__main__":
    main()
