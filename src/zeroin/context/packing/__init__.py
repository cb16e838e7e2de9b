"""Which lines of the listed files fit the token budget."""
