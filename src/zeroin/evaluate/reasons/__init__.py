"""Reasons: why a file has its relevance, in sentences with evidence.

`evidence.py` says what each feature is evidence of, `writer.py` chooses the kinds that are shown, the other modules
write one sentence each.
"""
