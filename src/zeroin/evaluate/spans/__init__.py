"""Spans: which lines of a file an answer shows."""
