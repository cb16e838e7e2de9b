"""What is still missing (PATTERN P6): gaps are found, asked for by the next cycle, and have an outcome."""
