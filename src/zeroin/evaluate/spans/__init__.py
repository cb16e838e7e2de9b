"""Which lines of a file an answer shows."""
