"""Which judged files, terms and gaps an answer lists, and whether that is sufficient."""
