"""Secrets replaced in everything that quotes the repository."""
