"""The outline itself, without any idea of files or screens."""
