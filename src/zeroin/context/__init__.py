"""Judgments → answer: what fits the token budget, conventions of the codebase, and one renderer a format."""
