"""Why a file has its relevance: the features that moved the score most, each with what proves it.

A reason is given only if its evidence is found in the repository when it is written.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from zeroin.evaluate.change import CHANGE_GROUPS, change_reason
from zeroin.evaluate.information import Information
from zeroin.evaluate.passages import Passages
from zeroin.index.locate import locate
from zeroin.index.resemblance import files_of, resembling_commits
from zeroin.index.view import View
from zeroin.terms import STOPWORDS, analyse_word, term_id, weighted_terms
from zeroin.types import Candidate, Evidence, Origin, Query, Reason

_MAX_REASONS = 4
_LEAST = 0.15  # of the score: a smaller contribution is not why


@dataclass(frozen=True, slots=True)
class Explainer:
    """Writes reasons for the candidates of one cycle."""

    query: Query
    information: Information
    view: View
    best: tuple[int, ...]  # the documents judged most relevant, best first

    def reasons(
        self, candidate: Candidate, moved: Mapping[str, float], passages: Passages
    ) -> tuple[Reason, ...]:
        """Reasons in the order of how much their features moved the score."""
        groups: dict[str, float] = {}
        for feature, amount in moved.items():
            group = _GROUPS.get(feature)
            if group and amount > 0:
                groups[group] = groups.get(group, 0.0) + amount
        total = sum(groups.values()) or 1.0
        writers: dict[str, Callable[[Candidate, Passages], Reason | None]] = {
            "path": self._path,
            "symbols": self._symbols,
            "history": self._history,
            "passage": self._passage,
            "name": self._name,
            "graph": self._graph,
            "cochange": self._cochange,
            "followed": self._followed,
            **{group: partial(self._change, group) for group in CHANGE_GROUPS},
            "landmarks": self._landmark,
        }
        out: list[Reason] = []
        for group in sorted(groups, key=lambda g: (-groups[g], g)):
            if groups[group] / total < _LEAST and out:
                break
            reason = writers[group](candidate, passages)
            if reason:
                out.append(reason)
            if len(out) == _MAX_REASONS:
                break
        return tuple(out)

    def _path(self, candidate: Candidate, passages: Passages) -> Reason | None:
        for mention in self.query.paths:
            if any(doc == candidate.doc for doc, _ in locate(self.view, mention)):
                where = "is in the stack trace" if mention.frame is not None else "is named by the task"
                line = f", line {mention.line}" if mention.line else ""
                return Reason(
                    "path", f"{where}{line}", (Evidence(candidate.path, mention.line, text=mention.path),)
                )
        return None

    def _symbols(self, candidate: Candidate, passages: Passages) -> Reason | None:
        named = {
            part for m in self.query.symbols if m.origin is not Origin.LEARNED for part in _parts(m.name)
        }
        found = [d for d in self.view.snapshot.symbols.of_document(candidate.doc) if d.name in named][:3]
        if not found:
            return None
        text = "defines " + ", ".join(f"{d.name} (line {d.start})" for d in found) + ", named by the task"
        return Reason("symbol", text, tuple(Evidence(candidate.path, d.start, d.name) for d in found))

    def _history(self, candidate: Candidate, passages: Passages) -> Reason | None:
        history = self.view.history
        if history is None:
            return None
        terms = {term_id(t): w for t, w in weighted_terms(self.query.own).items()}
        for commit in resembling_commits(history, terms, 60)[0]:
            if any(self.view.history_docs[f] == candidate.doc for f in files_of(history, int(commit))):
                identity, subject = history.commits[int(commit)], history.subjects[int(commit)]
                text = f"commit {identity[:10]} “{_short(subject)}” resembles the task and changed it"
                return Reason("history", text, (Evidence(candidate.path, commit=identity, text=subject),))
        return None

    def _passage(self, candidate: Candidate, passages: Passages) -> Reason | None:
        if not passages.windows:
            return None
        window = passages.windows[0]
        lines = f"line {window.start}" if window.start == window.end else f"lines {window.start}–{window.end}"
        verb = "matches" if window.start == window.end else "match"
        words = [w for w in window.words if w.lower() not in STOPWORDS] or window.words
        text = f"{lines} {verb} {', '.join(words[:5])}"
        return Reason("passage", text, (Evidence(candidate.path, window.peak, text=" ".join(window.words)),))

    def _name(self, candidate: Candidate, passages: Passages) -> Reason | None:
        wanted = set(self.information.worth) | set(self.information.stand_ins)
        inside = [p for p in candidate.path.replace(".", "/").replace("-", "/").split("/") if p]
        words = list(dict.fromkeys(p for p in inside if wanted & set(analyse_word(p))))
        if not words:
            return None
        return Reason("name", f"its path says {', '.join(words[:4])}", (Evidence(candidate.path),))

    def _graph(self, candidate: Candidate, passages: Passages) -> Reason | None:
        snapshot = self.view.snapshot
        imported = set(snapshot.imports_of(candidate.doc).tolist())
        importers = set(snapshot.importers_of(candidate.doc).tolist())
        for doc in self.best:
            if doc != candidate.doc and (doc in imported or doc in importers):
                verb = "imports" if doc in imported else "is imported by"
                return Reason("graph", f"{verb} {self.view.paths[doc]}", (Evidence(self.view.paths[doc]),))
        return None

    def _cochange(self, candidate: Candidate, passages: Passages) -> Reason | None:
        history = self.view.history
        if history is None:
            return None
        for best in self.best:
            if best == candidate.doc:
                continue
            together = self.view.commits_of(best) & self.view.commits_of(candidate.doc)
            if together:
                commit = history.commits[min(together)]
                times = f"{len(together)} commit{'s' if len(together) > 1 else ''}"
                text = f"changed together with {self.view.paths[best]} in {times}"
                return Reason("cochange", text, (Evidence(self.view.paths[best], commit=commit),))
        return None

    def _change(self, group: str, candidate: Candidate, passages: Passages) -> Reason | None:
        return change_reason(group, self.query, candidate.doc, self.view)

    def _landmark(self, candidate: Candidate, passages: Passages) -> Reason | None:
        component = self.view.components.get(candidate.path, "")
        if not component:
            return Reason("landmark", "describes the whole", (Evidence(candidate.path),))
        importers = len(self.view.snapshot.importers_of(candidate.doc))
        used = f", imported by {importers} file{'s' if importers != 1 else ''}" if importers else ""
        whose = (
            f" of {component}" if component != candidate.path else ""
        )  # a file may be all of its component
        return Reason("landmark", f"is a landmark{whose}{used}", (Evidence(candidate.path),))

    def _followed(self, candidate: Candidate, passages: Passages) -> Reason | None:
        for mention in self.query.symbols:
            if mention.origin is not Origin.LEARNED:
                continue
            for row in self.view.snapshot.symbols.rows_of(mention.name):
                if int(self.view.snapshot.symbols.docs[row]) == candidate.doc:
                    line = int(self.view.snapshot.symbols.start[row])
                    text = f"defines {mention.name} (line {line}), which the files found refer to"
                    return Reason("followed", text, (Evidence(candidate.path, line, mention.name),))
            if candidate.doc in self.view.tied_to(mention.name):
                text = f"uses {mention.name} as the files found do, and few others"
                return Reason("followed", text, (Evidence(candidate.path, symbol=mention.name),))
        return None


_GROUPS = {
    "paths": "path",
    "symbols": "symbols",
    "symbols_rank": "symbols",
    "history": "history",
    "lexical": "passage",
    "title": "passage",
    "lexical_rank": "passage",
    "passage": "passage",
    "title_passage": "passage",
    "covered": "passage",
    "learned": "passage",
    "definitions": "passage",
    "path_terms": "name",
    "graph": "graph",
    "cochange": "cochange",
    "followed": "followed",
    "cochange_rank": "cochange",
    "landmarks": "landmarks",
    **{group: group for group in CHANGE_GROUPS},
}


def _parts(name: str) -> list[str]:
    return [p for p in name.replace("::", ".").replace("#", ".").replace("()", "").split(".") if p]


def _short(text: str, limit: int = 70) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"
