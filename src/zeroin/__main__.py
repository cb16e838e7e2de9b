"""`python -m zeroin`, and what the command `zeroin` starts."""

import gc
import sys

# Containers made before the collector looks for cycles. What a command makes it mostly keeps until it ends, so that
# looking after every 700 (Python's own choice) is a tenth of its time and frees next to nothing.
_COLLECT_AFTER = 100_000


def run() -> None:
    """The command line; an interrupt while its modules are loaded is one line too."""
    gc.set_threshold(_COLLECT_AFTER)
    try:
        from zeroin.cli.main import main
    except KeyboardInterrupt:
        sys.stderr.write("zeroin: interrupted before anything was found\n")
        sys.exit(3)
    main()


if __name__ == "__main__":
    run()
