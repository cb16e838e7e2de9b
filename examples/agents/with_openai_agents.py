"""An agent of the OpenAI Agents SDK that finds its context with zeroin.

    pip install 'zeroin[openai-agents]'
    python with_openai_agents.py path/to/repo "Add rate limiting to API endpoints"
"""

import sys

from agents import Agent, Model, Runner

from zeroin.adapters.openai_agents import context_tools


def agent(repository: str, model: str | Model | None = None) -> Agent:
    return Agent(
        name="Planner",
        instructions="Find the context with find_context. Then say which files to change, and how.",
        tools=context_tools(repository),
        model=model,
    )


if __name__ == "__main__":
    print(Runner.run_sync(agent(sys.argv[1]), sys.argv[2]).final_output)
