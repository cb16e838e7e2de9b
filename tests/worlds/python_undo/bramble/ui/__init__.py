"""Keys in, text out."""
