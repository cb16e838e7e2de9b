"""An agent of Pydantic AI that finds its context with zeroin.

    pip install 'zeroin[pydantic-ai]' 'pydantic-ai-slim[anthropic]'
    python with_pydantic_ai.py path/to/repo "Add rate limiting to API endpoints" anthropic:claude-sonnet-4-5
"""

import sys

from pydantic_ai import Agent
from pydantic_ai.models import Model

from zeroin.adapters.pydantic_ai import context_toolset


def agent(repository: str, model: str | Model) -> Agent:
    return Agent(
        model,
        instructions="Find the context with find_context. Then say which files to change, and how.",
        toolsets=[context_toolset(repository)],
    )


if __name__ == "__main__":
    print(agent(sys.argv[1], sys.argv[3]).run_sync(sys.argv[2]).output)
