"""The tools as a host sees them, and the limits of a call.

tools.json is the answer to tools/list, written by hand. It is part of every conversation of a host, so it is at most
`MAX_LISTED_BYTES` long. It allows unknown arguments: zeroin refuses them with a sentence, which a host might not.
"""

import json
from functools import cache
from typing import Any, Final

from zeroin.beside import text_beside

MAX_LISTED_BYTES: Final = 3_500

DEADLINE_S: Final = 45.0  # hosts give up after 60: by then an answer must have arrived
ENGINE_SHARE: Final = 0.8  # of the deadline; choosing the code and sending takes the rest

BUDGET: Final = 8_000  # tokens
LEAST_BUDGET: Final = 500
# The answer goes out twice, as text and as structured content. A host that counts both against its limit of
# 25,000 tokens still shows all of it.
MOST_BUDGET: Final = 12_000

INSTRUCTIONS: Final = (
    "zeroin says which few files of a repository matter for a task, with their code, the codebase's own words and "
    "what is still missing. Call find_context once before searching by hand when you do not know where the code "
    "lives; grep when you know the exact string."
)


@cache
def listed() -> dict[str, dict[str, Any]]:
    """Return the tools by name, each as tools/list describes it."""
    tools = json.loads(text_beside(__file__, "tools.json"))
    return {tool["name"]: tool for tool in tools}
