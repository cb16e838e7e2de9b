"""`python -m zeroin`, and what the command `zeroin` starts."""

import sys


def run() -> None:
    """The command line; an interrupt while its modules are loaded is one line too."""
    try:
        from zeroin.cli.main import main
    except KeyboardInterrupt:
        sys.stderr.write("zeroin: interrupted before anything was found\n")
        sys.exit(3)
    main()


if __name__ == "__main__":
    run()
