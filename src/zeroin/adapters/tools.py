"""The tools without a framework: plain functions that return Markdown, by the names and words of the MCP server."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from zeroin.aio import in_thread
from zeroin.context.clean import path_text
from zeroin.errors import OptionError
from zeroin.mcp.arguments import Arguments
from zeroin.mcp.roots import Roots
from zeroin.mcp.schema import BUDGET, DEADLINE_S, INSTRUCTIONS, TOOLS, input_schema
from zeroin.mcp.tools import Tool, explain_terms, find_context, refine_context
from zeroin.mcp.work import Work
from zeroin.protocols import Progress

__all__ = ["INSTRUCTIONS", "ContextTools", "ToolForm"]

_DO: Final[dict[str, Tool]] = {
    "find_context": find_context,
    "refine_context": refine_context,
    "explain_terms": explain_terms,
}


def _advice(_allowed: Sequence[Path], folder: Path | None) -> str:
    """What the program that made the tools would do; a model cannot."""
    other = f": {path_text(str(folder))} would have to be one of their roots" if folder is not None else ""
    return f"these tools were given no other folder{other}"


@dataclass(frozen=True, slots=True)
class ToolForm:
    """What a framework needs to know of a tool; `parameters` is a JSON Schema of its own."""

    name: str
    description: str
    parameters: dict[str, Any]


class ContextTools:
    """The three tools over the repositories below `roots`; the first root is the default repository.

    A path outside the roots is refused, also where a link leads there. `budget` is in tokens, where the model names
    none; `timeout_s` bounds a call, which then returns the best so far. Raises `RepositoryError` for a root that is no
    folder. All methods raise `ZeroinError` with a sentence that a model can act on.
    """

    def __init__(self, *roots: str | Path, budget: int = BUDGET, timeout_s: float = DEADLINE_S) -> None:
        if timeout_s <= 0:
            raise OptionError(f"timeout {timeout_s} is not above 0 seconds")
        given = roots or (".",)
        self._roots = Roots(given, Path(given[0]).expanduser(), _advice)
        self._budget = budget
        self._timeout_s = timeout_s

    @property
    def forms(self) -> tuple[ToolForm, ...]:
        """Names, descriptions and schemas."""
        return tuple(
            ToolForm(name, description, deepcopy(input_schema(name)))
            for name, (_, description, _, _) in TOOLS.items()
        )

    def find_context(
        self,
        task: str = "",
        path: str = "",
        *,
        purpose: str = "",
        diff: str = "",
        keywords: Sequence[str] = (),
        include: Sequence[str] = (),
        exclude: Sequence[str] = (),
        pack: str = "",
        budget: int | None = None,
    ) -> str:
        """Which few files matter for `task`, with their code, the codebase's words and what is missing.

        With `diff`, a change to review, `task` may be left out.
        """
        given = {"task": task, "path": path, "purpose": purpose, "diff": diff, "pack": pack, "budget": budget}
        lists = {"keywords": list(keywords), "include": list(include), "exclude": list(exclude)}
        return self.call("find_context", {**given, **lists})

    def refine_context(
        self,
        run: str,
        *,
        relevant: Sequence[str] = (),
        irrelevant: Sequence[str] = (),
        terms: Sequence[str] = (),
        focus: Sequence[str] = (),
        note: str = "",
        budget: int | None = None,
    ) -> str:
        """One more cycle on the run of an earlier answer, which applies what the caller has read."""
        lists = {"relevant": relevant, "irrelevant": irrelevant, "terms": terms, "focus": focus}
        given = {name: list(values) for name, values in lists.items()}
        return self.call("refine_context", {"run": run, "note": note, "budget": budget, **given})

    def explain_terms(self, text: str, path: str = "") -> str:
        """What the codebase calls the things that `text` names, and where that was learned."""
        return self.call("explain_terms", {"text": text, "path": path})

    def call(self, name: str, arguments: Mapping[str, Any], progress: Progress | None = None) -> str:
        """A tool by its name, with the arguments that a model sent."""
        if name not in _DO:
            raise OptionError(f"there is no tool {name}; there are {', '.join(_DO)}")
        given = dict(arguments)
        if "budget" in TOOLS[name][2] and given.get("budget") is None:
            given["budget"] = self._budget
        work = _Call(self._timeout_s, progress)
        return _DO[name](Arguments(name, given), self._roots, work).text

    async def acall(self, name: str, arguments: Mapping[str, Any], progress: Progress | None = None) -> str:
        """The same in a thread: the event loop goes on, and cancelling the task ends the work."""
        return await in_thread(lambda watch: self.call(name, arguments, watch), progress)


class _Call(Work):
    """A call that reports to a `Progress`, which may raise to end it."""

    def __init__(self, deadline_s: float, progress: Progress | None) -> None:
        super().__init__(deadline_s)
        self._report = progress

    def progress(self, what: str, done: int, total: int) -> None:
        super().progress(what, done, total)
        if self._report is not None:
            self._report(what, done, total)

    def say(self, message: str) -> None:
        self.progress(message, 0, 0)
