"""EVALUATE: candidates → judgments.

`task_terms.py` and `passages.py` match texts with the task; `features/` → `model/` give a relevance,
`reasons/` and `spans/` what an answer shows of it. `judge.py` and `annotate.py` put them together.
"""
