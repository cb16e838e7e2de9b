"""A language model in the evaluator's seat: it grades the candidates that the built-in evaluator is unsure of.

The grades are evidence beside the built-in relevance (`fusion`), never a ranking of their own. Nothing here runs, and
nothing leaves the machine, unless the user names a model.
"""
