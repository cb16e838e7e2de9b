"""Imports as written → files of the repository; one module a language family.

A resolver answers with document numbers, best first; with nothing where the import looks internal but has no
file; with None where it is not of this repository.
"""
