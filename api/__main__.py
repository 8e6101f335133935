"""`python -m api`: the HTTP service, until SIGTERM or SIGINT."""

import gc

if __name__ == "__main__":
    gc.disable()  # Imported modules stay in memory; collections during imports take a quarter of the time.
    from api.serve import main  # the collector is off first

    gc.freeze()
    gc.enable()
    main()
