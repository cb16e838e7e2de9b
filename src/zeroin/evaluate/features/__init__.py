"""Features of candidates: `columns.txt` lists all, each module computes one section over the whole pool."""
