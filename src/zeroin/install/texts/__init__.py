"""The texts that teach an agent the pattern: a prompt to paste, a skill, a subagent definition for each host."""

from zeroin.beside import table_beside, text_beside

SKILL_NAME = "zeroin"  # of the folder too, as agentskills.io wants it
AGENT_NAME = "zeroin-retriever"
AGENT_DESCRIPTION = (
    "Finds the few files of this repository that matter for a task, without changing anything. Use it before you fix, "
    "extend, review or explain code that you do not know yet. Give it the whole task in the user's words. It returns "
    "a table of files with relevance and reason, the codebase's own words for the task's, and what is still missing."
)
_SKILL = ("SKILL.md", "references/answers.md", "references/by-hand.md")


def prompt() -> str:
    """The pattern as a block of at most 15 lines to paste into any prompt; it works with grep alone."""
    return text_beside(__file__, "prompt.md")


def skill() -> dict[str, str]:
    """Return an Agent Skill in the form of agentskills.io: path inside the folder `SKILL_NAME` → content."""
    return {name: text_beside(__file__, f"skill/{name}") for name in _SKILL}


def agent(host: str) -> str:
    """Return the definition of a read-only subagent in the form of `host`, one of those in agents.toml."""
    values = {"{name}": AGENT_NAME, "{description}": AGENT_DESCRIPTION, "{body}": text_beside(__file__, "agent.md")}
    text: str = table_beside(__file__, "agents.toml")[host]
    for field, value in values.items():
        text = text.replace(field, value)
    return text
