"""`python -m api`: the HTTP service, until SIGTERM or SIGINT."""

import gc

gc.disable()  # Imported modules stay in memory; collections during imports take a quarter of the time.

from api.serve import main  # noqa: E402  # garbage collection is off first

if __name__ == "__main__":
    gc.freeze()
    gc.enable()
    main()
