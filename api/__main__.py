"""`python -m api`: the HTTP service, until SIGTERM or SIGINT."""

import gc

from adapters.processes.stop_signals import end_at_stop_signals

if __name__ == "__main__":
    end_at_stop_signals()
    gc.disable()  # Imported modules stay in memory; collections during imports take a quarter of the time.
    from api.serve import main  # the collector is off first

    gc.freeze()
    gc.enable()
    main()
