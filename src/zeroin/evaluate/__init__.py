"""EVALUATE: Candidates → Judgments: relevance, reasons, spans, and what is missing."""
