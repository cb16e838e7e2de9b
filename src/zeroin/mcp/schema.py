"""The tools as a host sees them: names, descriptions, schemas, and the limits of a call.

All of it lies in every conversation of a host, so it is kept under `MAX_LISTED_BYTES`; written out by hand, since
generated schemas carry titles and defaults that no model needs.
"""

from __future__ import annotations

from typing import Any, Final

from zeroin.types import PACKS, PURPOSES

MAX_LISTED_BYTES: Final = 3_500  # of the answer to tools/list

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

_STRING: Final = {"type": "string"}
_STRINGS: Final = {"type": "array", "items": _STRING}
_BUDGET: Final = {
    "type": "integer",
    "minimum": LEAST_BUDGET,
    "maximum": MOST_BUDGET,
    "default": BUDGET,
    "description": "Tokens",
}
_PATH: Final = {"type": "string", "description": "Folder; default: the working directory"}


def _said(schema: dict[str, Any], description: str) -> dict[str, Any]:
    return {**schema, "description": description}


# Name → title, description, properties, required (of find_context a task or a diff: no schema of a host says "or").
TOOLS: Final[dict[str, tuple[str, str, dict[str, Any], tuple[str, ...]]]] = {
    "find_context": (
        "Find the files for a task",
        "Which few files of a repository matter for a task: each with relevance 0-1, reason and code, then the "
        "codebase's own words, its conventions, and gaps (what is still missing). Use it FIRST when you do not know "
        "where the code lives: a bug, feature, review, unfamiliar codebase. Do not use it when you know the file or "
        "the exact string: read or grep. Relevance >= 0.7: read these; 0.5-0.7: supporting. If not sufficient: "
        "refine_context. Offline. On a large repository the first call takes up to 45 s and may be partial; the "
        "next goes on.",
        {
            "task": _said(
                _STRING,
                "The whole issue, question or change, in its own words; traces too. With diff: optional",
            ),
            "path": _PATH,
            "purpose": _said({**_STRING, "enum": list(PURPOSES)}, "Default: inferred"),
            "diff": _said(_STRING, "Change to review: revision, A..B, 'uncommitted', or the diff itself"),
            "keywords": _said(_STRINGS, "Words to search for too"),
            "include": _said(_STRINGS, "Globs: only these"),
            "exclude": _said(_STRINGS, "Globs: never these"),
            "pack": _said(
                {**_STRING, "enum": list(PACKS)}, "Code as spans (default), signatures or whole files"
            ),
            "budget": _BUDGET,
        },
        (),
    ),
    "refine_context": (
        "Go on with an answer",
        "One more cycle on a run of find_context, with what you learned by reading; your judgments override. Use it "
        "when the answer is not sufficient or off the mark. Gives a new run. With run alone: searches further.",
        {
            "run": _said(_STRING, "From the answer: r-..."),
            "relevant": _said(_STRINGS, "Paths that matter"),
            "irrelevant": _said(_STRINGS, "Paths that do not"),
            "terms": _said(_STRINGS, "The code's words: 'throttle' or 'rate limit=throttle'"),
            "focus": _said(_STRINGS, "What to look for next: 'router registration'"),
            "note": _said(_STRING, "What you learned; names and paths in it are searched for"),
            "budget": _BUDGET,
        },
        ("run",),
    ),
    "explain_terms": (
        "What the code calls it",
        "What this codebase calls the things that a text names (rate limit -> throttle), and where that is said. "
        "Use it when grep for your own word finds nothing.",
        {"text": _said(_STRING, "A word, a few, or a task"), "path": _PATH},
        ("text",),
    ),
}


def input_schema(tool: str) -> dict[str, Any]:
    """The JSON Schema of a tool's arguments. An unknown one is told by us, in words, rather than by a host."""
    _, _, properties, required = TOOLS[tool]
    schema: dict[str, Any] = {"type": "object", "properties": properties}
    return {**schema, "required": list(required)} if required else schema  # an empty list was no schema once
