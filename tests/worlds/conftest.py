"""The worlds are material, not tests: whatever tests they bring along are their own business."""

collect_ignore_glob = ["go_*", "java_*", "python_*"]
