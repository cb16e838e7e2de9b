"""The bytes of one file → its facts: definitions, imports as written, terms, passages."""
