"""How many documents a property is tried on: few by default; ZEROIN_TEST_EXAMPLES=20 tries twenty times as many."""

import os

from hypothesis import settings


def tried_on(examples: int) -> settings:
    """A decorator for `@given`: so many examples, times the factor that the environment names."""
    return settings(max_examples=int(examples * float(os.environ.get("ZEROIN_TEST_EXAMPLES") or 1)))
