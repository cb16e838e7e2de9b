"""Signals: what is known of each candidate, one module a kind of evidence, all columns over the pool.

Every module lists its columns in `NAMES` (name → meaning and unit) and computes them in `columns`.
"""
