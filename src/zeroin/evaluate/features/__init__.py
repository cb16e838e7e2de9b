"""Features of candidates: `table.py` lists all columns, each other module computes one section over the whole pool."""
