"""Where documents come from: work trees, plain folders, git revisions; and what a path or its bytes say."""
