"""An agent of the Claude Agent SDK that finds its context with zeroin, in the process of this program.

    pip install 'zeroin[claude-agent]'
    python with_claude_agent.py path/to/repo "Add rate limiting to API endpoints"
"""

import asyncio
import sys

from claude_agent_sdk import ClaudeAgentOptions, ResultMessage, query

from zeroin.adapters.claude_agent import ALLOWED_TOOLS, context_server


def options(repository: str) -> ClaudeAgentOptions:
    return ClaudeAgentOptions(
        system_prompt="Find the context with find_context. Then say which files to change, and how.",
        cwd=repository,
        mcp_servers={"zeroin": context_server(repository)},
        allowed_tools=["Read", *ALLOWED_TOOLS],
    )


async def main(repository: str, task: str) -> None:
    async for message in query(prompt=task, options=options(repository)):
        if isinstance(message, ResultMessage):
            print(message.result)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2]))
