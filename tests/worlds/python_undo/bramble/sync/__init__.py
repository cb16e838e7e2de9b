"""Getting along with other programs that write the same file."""
