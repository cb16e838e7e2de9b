"""Reasons: why a file has its relevance, in sentences with evidence.

`writer.py` chooses the kinds of evidence that are shown, the other modules write one sentence each.
"""
