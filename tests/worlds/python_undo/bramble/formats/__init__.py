"""Text formats. Each module has read and write and nothing else that is public."""
