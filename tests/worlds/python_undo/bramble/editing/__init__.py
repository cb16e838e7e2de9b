"""Changing outlines: operations, and the editor that carries them out."""
