"""Imports as written → files of the repository; one module for each way in which languages import."""
