"""Trained models as data, and what applies them without the library that trained them."""
