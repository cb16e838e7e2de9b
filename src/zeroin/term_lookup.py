"""Look up the codebase's words for those of a text: `zeroin terms`."""

from pathlib import Path

from zeroin.answer import Terminology
from zeroin.config import MAX_TASK_CHARS
from zeroin.context.redaction.quotes import terms_of
from zeroin.corpus.source import open_source
from zeroin.errors import EmptyTaskError, InputError
from zeroin.index.gather import Effort, silent
from zeroin.index.opening import Opened, open_index
from zeroin.models.encoder import encoder
from zeroin.protocols import Progress
from zeroin.refine.compounds import joined_terms
from zeroin.refine.evidence import confirmed
from zeroin.refine.expand import ExpansionLearner


def terminology(
    text: str, repository: str | Path = ".", *, rev: str | None = None, jobs: int = 0, progress: Progress | None = None
) -> Terminology:
    """Return the words of `repository` for those of `text`, each with a weight and where the pair was found.

    Raises `InputError` for what cannot be used, `GitError` when git fails.
    """
    if not isinstance(text, str):
        raise InputError(f"the text must be a text, not {text!r}")
    if not text.strip():
        raise EmptyTaskError("there is no word to look for")
    effort = Effort(jobs=jobs, progress=progress or silent)
    return terminology_of(open_index(open_source(repository, rev), effort), text)


def terminology_of(opened: Opened, text: str) -> Terminology:
    """Return `terminology` of a repository that is open already."""
    learner, asked = ExpansionLearner(opened.view, encoder()), text[:MAX_TASK_CHARS]
    joined = joined_terms(opened.view, asked)
    known = {term.code_word for term in joined}
    learned = [t for t in confirmed(learner.pairs(asked), opened.view, ()) if t.code_word not in known]
    return Terminology(
        text=asked,
        repository=str(opened.root),
        revision=opened.tree,
        terms=terms_of([*joined, *learned]),
        named=learner.named(asked),
        warnings=tuple(opened.warnings),
    )
