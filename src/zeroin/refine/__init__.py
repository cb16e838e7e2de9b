"""REFINE: (Query, judgments, gaps) → next Query, every change with its reason."""
