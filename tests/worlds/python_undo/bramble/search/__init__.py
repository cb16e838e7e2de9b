"""Finding lines."""
