"""Where documents come from: work trees, plain folders, git revisions; and what follows from a path or from bytes."""
