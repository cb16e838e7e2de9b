"""Imports as written → files of the repository; one module for each language family.

A resolver returns document numbers, best first; an empty sequence where the import looks internal but has no file;
None where it is not of this repository.
"""
