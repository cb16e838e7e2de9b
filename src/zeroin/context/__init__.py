"""Judgments → answer: what is listed, what is shown of it within the budget, without secrets, in which format."""
