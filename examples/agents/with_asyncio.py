"""zeroin from an event loop, cycle by cycle; no framework, no model.

    pip install zeroin
    python with_asyncio.py path/to/repo "Add rate limiting to API endpoints"
"""

import asyncio
import sys

import zeroin


async def main(repository: str, task: str) -> zeroin.Context:
    async for event in zeroin.astream(task, repository, timeout_s=30):
        if isinstance(event, zeroin.Context):
            return event
        best = event.judgments[0].path if event.judgments else "nothing yet"
        print(f"cycle {event.number}: best {best}, {len(event.gaps)} gaps")
    raise RuntimeError("the stream always ends with the context")


if __name__ == "__main__":
    context = asyncio.run(main(sys.argv[1], sys.argv[2]))
    for judgment in context.files:
        print(f"{judgment.relevance:.2f} {judgment.path}: {judgment.reason}")
