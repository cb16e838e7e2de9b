"""DISPATCH: Query → Candidates. One module a retriever; no retriever knows another."""
