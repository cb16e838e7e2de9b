"""Features of candidates: one module a kind of evidence, every column computed over the whole pool.

Each module describes its columns in `NAMES` (name → meaning and unit) and computes them in `columns`.
"""
