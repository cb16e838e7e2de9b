"""Bridges in history: commit messages that say a word of the task and one of the codebase's."""

from __future__ import annotations

from collections.abc import Sequence

from zeroin.index.history import History, bm25_commits
from zeroin.refine.cooccurrence import parts
from zeroin.refine.scores import ExpansionScores, Phrase
from zeroin.refine.vocabulary import Vocabulary
from zeroin.terms import WORD, analyse, analyse_word, cut, term_id
from zeroin.types import ExpansionSource

_COMMITS = 40
_PATHS = 8
_PATH_SHARE = 0.5  # of what the subject says, what the names of the touched files say


def from_commits(
    history: History | None,
    vocabulary: Vocabulary,
    phrases: Sequence[Phrase],
    task_terms: frozenset[str],
    found: ExpansionScores,
) -> None:
    """Credit what else the subjects of the most resembling commits say, and how the files they touched are named."""
    if history is None or not found.wants("commit"):
        return
    for phrase in phrases:
        wanted = {t for word in phrase for t in analyse_word(word)}
        commits, scores = bm25_commits(history, {term_id(t): 1.0 for t in sorted(wanted)}, _COMMITS)
        for commit, score in zip(commits.tolist(), scores.tolist(), strict=True):
            subject = history.subjects[commit]
            if len(wanted & set(analyse(subject))) < (2 if len(phrase) > 1 else 1):
                continue
            source = ExpansionSource("commit", history.commits[commit], None, cut(subject, 160))
            files = [history.paths[f] for f in history.files_of(commit)[:_PATHS].tolist()]
            for text, share in ((subject, 1.0), (" ".join(files), _PATH_SHARE)):
                for row in sorted(_rows(text, vocabulary, task_terms)):
                    amount = share * score / float(scores[0]) * float(vocabulary.weights[row])
                    found.add(phrase, row, "commit", amount, source)


def _rows(text: str, vocabulary: Vocabulary, task_terms: frozenset[str]) -> set[int]:
    terms = {term for word in WORD.findall(text) for term in parts(word)}
    return {vocabulary.number[t] for t in terms - task_terms if t in vocabulary.number}
