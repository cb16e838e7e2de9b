"""Conventions of the code around the relevant files: location, naming, sibling and tests."""
