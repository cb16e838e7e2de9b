"""Why a file has its relevance: the evidence that moved the score most, each with what proves it.

A reason is given only if its evidence adds to the score and is found in the repository when it is written. Every
sentence here is read back by `benchmarks.reasons`: a new one needs its check there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

from zeroin.evaluate.dense_passage import nearest
from zeroin.evaluate.model.quoted import quoted_reason
from zeroin.evaluate.passages import TextMatch
from zeroin.evaluate.reasons.change import CHANGE_GROUPS, change_reason
from zeroin.evaluate.reasons.evidence import NONE, ROLE, by_evidence
from zeroin.evaluate.reasons.history import changes_reason, resembling, resembling_reason, together_reason
from zeroin.evaluate.reasons.landmark import landmark_reason
from zeroin.evaluate.reasons.wording import line_of, listed, once, parts_of
from zeroin.evaluate.task_terms import TaskTerms
from zeroin.index.locate import locate, stem_key
from zeroin.index.view import View
from zeroin.terms import STOPWORDS, analyse_word, split_identifier, stem, term_id
from zeroin.tree import Definition
from zeroin.types import Candidate, Evidence, Origin, Query, Reason, Role

_MAX_REASONS = 4
_LEAST = 0.15  # of what speaks for the file: a smaller contribution is not why
_MAX_NAMES = 3  # symbols of one sentence
# Kinds of evidence for a file that was judged elsewhere, the most telling first.
_STATED = (
    "literal",
    "path",
    "symbols",
    "followed",
    "asked",
    "definitions",
    "passage",
    "name",
    "history",
    "meaning",
    "retriever",
)
_TIES = ("callers", "namesake", "cochange", "graph")  # what ties a file to a change is told before its words
_FEW_USERS = 8  # a name that more files say singles nothing out
_READ_USERS = 3  # files read to find who refers to it
_LEAST_IMPORTERS = 2
_LINKS = re.compile(
    r"\s*(?:import|from|use|using|require|#\s*include|export|package|mod|source|load|alias)\b"
)
_SPELLED = re.compile(r"[\w$@.:~!?\-]+")  # a name that a sentence can hold: headings and operators are none
_ROLES: Mapping[Role, tuple[str, str]] = {
    Role.TEST: ("a test", "tests"),
    Role.DOC: ("documentation", "documentation"),
    Role.CONFIG: ("configuration", "configuration"),
    Role.EXAMPLE: ("an example", "examples"),
    Role.GENERATED: ("generated", "generated files"),
    Role.VENDORED: ("vendored", "vendored files"),
    Role.DATA: ("data", "data"),
}

Writer = Callable[[Candidate, TextMatch], Reason | None]


@dataclass(frozen=True)
class ReasonWriter:
    """Writes reasons for the candidates of one cycle."""

    query: Query
    terms: TaskTerms
    view: View
    best: tuple[int, ...]  # the documents judged most relevant, best first

    def reasons(
        self, candidate: Candidate, moved: Mapping[str, float], passages: TextMatch, quoted: float = 0.0
    ) -> tuple[Reason, ...]:
        """Reasons in the order of how much their evidence added to the score, `quoted` text too; doubts come last."""
        amounts = by_evidence(moved)
        amounts["literal"] = quoted
        role = amounts.pop(ROLE, 0.0)
        amounts.pop(NONE, None)
        if role > 0 and self._role(candidate, passages) is not None:
            amounts[ROLE] = role
        telling = {kind: amount for kind, amount in amounts.items() if amount > 0}
        total = sum(telling.values())
        out: list[Reason] = []
        change = any(mention.origin is Origin.DIFF for mention in self.query.paths)
        for kind in sorted(telling, key=lambda k: (change and k not in _TIES, -telling[k], k)):
            if len(out) == _MAX_REASONS:
                break
            if out and telling[kind] < _LEAST * total and kind not in CHANGE_GROUPS + _TIES * change:
                continue  # what ties it to a change is why, however little it adds
            reason = self._writers[kind](candidate, passages)
            if reason is not None and reason not in out:
                out.append(reason)
        if candidate.why and (found := self._retriever(candidate, passages)) is not None:
            out = [*out[: _MAX_REASONS - 1], found]
        if out and len(out) < _MAX_REASONS and role <= -_LEAST * total:
            against = self._against(candidate)
            out += [against] if against is not None else []
        return tuple(out)

    @cached_property
    def _writers(self) -> dict[str, Writer]:
        return {
            "literal": lambda candidate, _: quoted_reason(candidate, self.query, self.view),
            "path": self._path,
            "symbols": self._symbols,
            "names": self._names,
            "definitions": self._definitions,
            "passage": self._passage,
            "name": self._name,
            "history": self._history,
            "changes": self._changes,
            "cochange": self._cochange,
            "graph": self._graph,
            "hub": self._hub,
            "beside": self._beside,
            "kin": self._kin,
            "pattern": self._pattern,
            "followed": self._followed,
            "asked": self._asked,
            "retriever": self._retriever,
            "meaning": self._meaning,
            "landmarks": self._landmark,
            "language": self._language,
            ROLE: self._role,
            **{group: partial(self._change, group) for group in CHANGE_GROUPS},
        }

    # --- what the task names --------------------------------------------------------------------

    def _path(self, candidate: Candidate, passages: TextMatch) -> Reason | None:
        meant = [m for m in self.query.paths if any(d == candidate.doc for d, _ in locate(self.view, m))]
        if not meant:
            return None
        # The innermost frame says most; a line that this version of the file does not have says nothing.
        mention = min(meant, key=lambda m: (m.frame is None, m.frame or 0, m.line is None))
        last = int(self.view.snapshot.lines[candidate.doc])
        line = mention.line if mention.line and mention.line <= last else None
        where = "is in the stack trace" if mention.frame is not None else "is named by the task"
        text = f"{where}, line {line}" if line else where
        return Reason("path", text, (Evidence(candidate.path, line, text=mention.path),))

    def _symbols(self, candidate: Candidate, passages: TextMatch) -> Reason | None:
        weights: dict[str, float] = {}
        for mention in self.query.symbols:
            for part in parts_of(mention.name):
                weights[part] = max(weights.get(part, 0.0), mention.weight)
        named = [d for d in self._defined(candidate.doc) if d.name in weights]
        found = sorted(once(named), key=lambda d: (-weights[d.name], d.start))[:_MAX_NAMES]
        if not found:
            return None
        evidence = self._cited(candidate, found)
        return Reason("symbol", f"defines {listed(evidence)}, named by the task", evidence)

    def _names(self, candidate: Candidate, passages: TextMatch) -> Reason | None:
        """An identifier that the task names, that this file says and few others do."""
        names = self.view.snapshot.names
        rare: list[tuple[int, str]] = []
        for mention in self.query.symbols:
            name = (parts_of(mention.name) or [""])[-1]
            if not _SPELLED.fullmatch(name):
                continue
            docs = names.docs[names.rows(term_id(name))]
            if len(docs) <= _FEW_USERS and candidate.doc in docs:
                rare.append((len(docs), name))
        for count, name in sorted(set(rare)):
            line = line_of(name, self.view.text(candidate.doc))
            if line is not None:
                files = f"{count} files use" if count > 1 else "no other file uses"
                text = f"uses {name} (line {line}), named by the task; {files} it"
                return Reason("use", text, (Evidence(candidate.path, line, name),))
        return None

    # --- what the file says ---------------------------------------------------------------------

    def _definitions(self, candidate: Candidate, passages: TextMatch) -> Reason | None:
        """Definitions whose names are made of the task's words."""
        valued: list[tuple[float, int, Definition, list[str]]] = []
        for definition in once(self._defined(candidate.doc)):
            said: dict[str, str] = {}
            for part in split_identifier(definition.name):
                for term, _ in self.terms.matches(stem(part)):
                    said.setdefault(term, part)
            value = sum(self.terms.weights.get(term, 0.0) for term in said)
            if value > 0:
                valued.append((-value, definition.start, definition, list(said.values())))
        if not valued:
            return None
        best = sorted(valued, key=lambda v: v[:2])[:2]
        words = list(dict.fromkeys(word for *_, said in best for word in said))
        whose = "whose name says" if len(best) == 1 else "whose names say"
        evidence = self._cited(candidate, [d for _, _, d, _ in best])
        return Reason("definition", f"defines {listed(evidence)}, {whose} {', '.join(words)}", evidence)

    def _passage(self, candidate: Candidate, passages: TextMatch) -> Reason | None:
        if not passages.passages:
            return None
        window = passages.passages[0]
        lines = f"line {window.start}" if window.start == window.end else f"lines {window.start}–{window.end}"
        verb = "matches" if window.start == window.end else "match"
        words = [w for w in window.words if w.lower() not in STOPWORDS] or list(window.words)
        text = f"{lines} {verb} {', '.join(words[:5])}"
        return Reason("passage", text, (Evidence(candidate.path, window.peak, text=" ".join(window.words)),))

    def _name(self, candidate: Candidate, passages: TextMatch) -> Reason | None:
        wanted = set(self.terms.weights) | set(self.terms.expansions)
        inside = [p for p in candidate.path.replace(".", "/").replace("-", "/").split("/") if p]
        words = list(dict.fromkeys(p for p in inside if wanted & set(analyse_word(p))))
        if not words:
            return None
        return Reason("name", f"its path says {', '.join(words[:4])}", (Evidence(candidate.path),))

    # --- what was changed -----------------------------------------------------------------------

    def _history(self, candidate: Candidate, passages: TextMatch) -> Reason | None:
        return resembling_reason(candidate, self._resembling, self.view)

    @cached_property
    def _resembling(self) -> tuple[int, ...]:
        """Commits whose message resembles the task, best first."""
        return resembling(self.query, self.view)

    def _changes(self, candidate: Candidate, passages: TextMatch) -> Reason | None:
        return changes_reason(candidate, self.view)

    def _cochange(self, candidate: Candidate, passages: TextMatch) -> Reason | None:
        return together_reason(candidate, self.best, self.view)

    # --- where it stands ------------------------------------------------------------------------

    def _graph(self, candidate: Candidate, passages: TextMatch) -> Reason | None:
        snapshot = self.view.snapshot
        imported = set(snapshot.imports_of(candidate.doc).tolist())
        importers = set(snapshot.importers_of(candidate.doc).tolist())
        for doc in self.best:
            if doc != candidate.doc and doc in imported | importers:
                path = self.view.paths[doc]
                importer, target = (candidate.path, path) if doc in imported else (path, candidate.path)
                verb = "imports" if doc in imported else "is imported by"
                line = self._import_line(importer, target)
                place = f" (line {line})" if line and doc in imported else f":{line}" if line else ""
                return Reason("graph", f"{verb} {path}{place}", (Evidence(importer, line, text=target),))
        return None

    def _import_line(self, importer: str, target: str) -> int | None:
        """The line of `importer` that names `target`, where one line does."""
        name = target.rpartition("/")[2].partition(".")[0]
        if name in ("__init__", "index", "mod", "lib", "init"):
            name = target.rpartition("/")[0].rpartition("/")[2]
        for number, line in enumerate(self.view.text(self.view.numbers[importer]).split("\n"), 1):
            if name and name in line and ("require" in line or _LINKS.match(line)):
                return number
        return None

    def _hub(self, candidate: Candidate, passages: TextMatch) -> Reason | None:
        importers = len(self.view.snapshot.importers_of(candidate.doc))
        if importers < _LEAST_IMPORTERS:
            return None
        return Reason("hub", f"imported by {importers} files", (Evidence(candidate.path),))

    def _beside(self, candidate: Candidate, passages: TextMatch) -> Reason | None:
        folder = candidate.path.rpartition("/")[0]
        for doc in self.best:
            path = self.view.paths[doc]
            if folder and doc != candidate.doc and path.rpartition("/")[0] == folder:
                return Reason("beside", f"lies beside {path}", (Evidence(path),))
        return None

    def _kin(self, candidate: Candidate, passages: TextMatch) -> Reason | None:
        core = stem_key(candidate.path)
        for doc in self.best:
            if doc != candidate.doc and stem_key(self.view.paths[doc]) == core:
                path = self.view.paths[doc]
                return Reason("kin", f"is named like {path}", (Evidence(path),))
        return None

    def _pattern(self, candidate: Candidate, passages: TextMatch) -> Reason | None:
        for glob in self.query.patterns:
            if candidate.doc in self.view.matching([glob]):
                return Reason("pattern", f"lies in {glob}", (Evidence(candidate.path, text=glob),))
        return None

    def _meaning(self, candidate: Candidate, passages: TextMatch) -> Reason | None:
        near = nearest(self.query, self.view, candidate.doc)
        if near is None or not near.words:
            return None
        said = ", ".join(word for word, _ in near.words)
        evidence = tuple(Evidence(candidate.path, line, text=word) for word, line in near.words)
        return Reason(
            "meaning", f"lines {near.start}-{near.end} are near the task in meaning: {said}", evidence
        )

    def _followed(self, candidate: Candidate, passages: TextMatch) -> Reason | None:
        symbols = self.view.snapshot.symbols
        for gap in candidate.asked_by:
            if gap.kind != "reference" or not gap.search.symbols:
                continue
            name = gap.search.symbols[0]
            rows = [r for r in symbols.rows_of(name).tolist() if int(symbols.docs[r]) == candidate.doc]
            if rows:
                user = self._user(name, candidate.doc)
                if user is not None:
                    home = self._cited(candidate, [symbols.row(rows[0])])
                    text = f"defines {listed(home)}, which {user.path}:{user.line} refers to"
                    return Reason("followed", text, (*home, user))
            elif candidate.doc in self.view.docs_of_symbol(name):
                at = line_of(name, self.view.text(candidate.doc))
                others = len(self.view.users_of(name)) - 1
                if at is not None and others > 0:
                    files = f"{others} other file{'s' if others > 1 else ''}"
                    text = f"uses {name} (line {at}), as {files} do{'' if others > 1 else 'es'}"
                    return Reason("followed", text, (Evidence(candidate.path, at, name),))
        return None

    def _asked(self, candidate: Candidate, passages: TextMatch) -> Reason | None:
        """What a gap of an earlier cycle says of the file that its search brought."""
        gaps = [
            gap
            for gap in candidate.asked_by
            if gap.kind in ("dependency", "counterpart") and candidate.path in gap.search.paths
        ]
        if not gaps:
            return None
        best = max(gaps, key=lambda gap: gap.user_relevance)
        return Reason("asked", best.need, best.evidence)

    def _retriever(self, candidate: Candidate, passages: TextMatch) -> Reason | None:
        """What a caller's own retriever says of the file."""
        said = [f"{name}: {why}" if why else name for name, why in sorted(candidate.why.items())]
        if not said:
            return None
        return Reason("retriever", f"found by {'; '.join(said)}", (Evidence(candidate.path),))

    def stated(self, candidate: Candidate, passages: TextMatch) -> tuple[Reason, ...]:
        """Reasons for a file that somebody else judged: whatever evidence there is, the most telling kind first."""
        writers = (self._writers[kind] for kind in _STATED)
        found = [reason for writer in writers if (reason := writer(candidate, passages)) is not None]
        return tuple(dict.fromkeys(found))[:_MAX_REASONS]

    def _user(self, name: str, home: int) -> Evidence | None:
        """A file that refers to a symbol, one of the best if any does, and the line where it does."""
        names = self.view.snapshot.names
        users = set(names.docs[names.rows(term_id(name))].tolist()) - {home}
        ordered = [doc for doc in self.best if doc in users]
        ordered += sorted(users - set(ordered))[:_READ_USERS]
        for doc in ordered:
            line = line_of(name, self.view.text(doc))
            if line is not None:
                return Evidence(self.view.paths[doc], line, name)
        return None

    def _landmark(self, candidate: Candidate, passages: TextMatch) -> Reason | None:
        return landmark_reason(candidate.path, candidate.doc, self.view.overview)

    def _change(self, group: str, candidate: Candidate, passages: TextMatch) -> Reason | None:
        return change_reason(group, self.query, candidate.doc, self.view)

    # --- what it is for -------------------------------------------------------------------------

    def _language(self, candidate: Candidate, passages: TextMatch) -> Reason | None:
        language = self.view.snapshot.language(candidate.doc)
        if language not in self.query.languages:
            return None
        return Reason("language", f"is {language}, as the task", (Evidence(candidate.path, text=language),))

    def _role(self, candidate: Candidate, passages: TextMatch) -> Reason | None:
        role = self.view.snapshot.role(candidate.doc)
        if role not in _ROLES or role not in self.query.wanted_roles:
            return None
        what, kind = _ROLES[role]
        return Reason("role", f"is {what}, and the task is about {kind}", (Evidence(candidate.path),))

    def _against(self, candidate: Candidate) -> Reason | None:
        role = self.view.snapshot.role(candidate.doc)
        if role not in _ROLES or role in self.query.wanted_roles:
            return None
        what, kind = _ROLES[role]
        return Reason("role", f"is {what}, and the task is not about {kind}", (Evidence(candidate.path),))

    def _cited(self, candidate: Candidate, definitions: Sequence[Definition]) -> tuple[Evidence, ...]:
        """Definitions at the line that names them: they may begin with decorators or a comment."""
        lines = self.view.text(candidate.doc).split("\n")
        return tuple(
            Evidence(
                candidate.path,
                next(
                    (n for n in range(d.start, min(d.end, len(lines)) + 1) if d.name in lines[n - 1]), d.start
                ),
                d.name,
            )
            for d in definitions
        )

    def _defined(self, doc: int) -> list[Definition]:
        """Definitions of a document that a sentence can name."""
        return [d for d in self.view.snapshot.symbols.of_document(doc) if _SPELLED.fullmatch(d.name)]
