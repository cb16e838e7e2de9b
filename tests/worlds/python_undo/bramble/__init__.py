"""An outline editor for the terminal."""

__version__ = "0.9.1"
