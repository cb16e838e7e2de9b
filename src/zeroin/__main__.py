"""`python -m zeroin`."""

from zeroin.cli.main import main

if __name__ == "__main__":
    main()
