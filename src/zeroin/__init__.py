"""zeroin: which few files of this repository matter for this task, and what is still missing?"""

__version__ = "0.1.0"
