"""`python -m zeroin`, and what the command `zeroin` starts."""

import gc
import os
import signal
import sys

# Allocations between two runs of the garbage collector. A command keeps most of its objects until it ends: a run after
# every 700 (Python's default) takes a tenth of its time, one after every 100,000 3 to 4 %, and frees next to
# nothing. A question about some thousand files allocates 800,000.
_COLLECT_AFTER = 1_000_000

# Read when numpy is loaded. Our matrix products are small: a second thread mostly waits, and took a quarter of the
# processor time of a warm command (0.80 s against 0.59 s) without saving wall time.
_THREADS = "OPENBLAS_NUM_THREADS"


def run() -> None:
    """Run the command line; an interrupt while its modules are loaded prints one line, too."""
    gc.set_threshold(_COLLECT_AFTER)
    try:
        if os.environ.get("ZEROIN_SERVE", "") not in ("", "0"):
            from zeroin.serve.client import run_there

            code = run_there(sys.argv[1:])
            if code is not None:
                sys.exit(code)
        if "OMP_NUM_THREADS" not in os.environ:
            os.environ.setdefault(_THREADS, "1")
        from zeroin.cli.main import main
    except KeyboardInterrupt:
        sys.stderr.write("zeroin: interrupted before anything was found\n")
        sys.exit(3)
    try:
        main()
    finally:  # an interrupt while Python ends would kill a process that has done its work
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        gc.freeze()  # no collection of all objects at exit: it is a tenth of a warm command


if __name__ == "__main__":
    run()
