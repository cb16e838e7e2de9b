"""One repository at one tree state, as the stages see it: snapshot, history, and file contents on demand."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from functools import cached_property, lru_cache, partial
from pathlib import PurePosixPath
from threading import Lock
from typing import Self

import numpy as np
from numpy.typing import NDArray

from zeroin.corpus.decode import decode
from zeroin.corpus.languages import language_of, named_language
from zeroin.corpus.roles import is_bookkeeping
from zeroin.imports.tree import Outward, module_name
from zeroin.index.components import components_of
from zeroin.index.dense import DenseScores, PathNearness, dense_scores, path_nearness
from zeroin.index.history import History, without_broad_commits
from zeroin.index.lexicon import Lexicon
from zeroin.index.literal import match_quotations
from zeroin.index.overview import Overview, overview_of
from zeroin.index.postings import distinct
from zeroin.index.quote_match import QuoteMatches
from zeroin.index.snapshot import ROLES, Snapshot
from zeroin.index.vocabulary import Vocabulary
from zeroin.parsing.facts import DEFINITIONS
from zeroin.protocols import Contents
from zeroin.terms import analyse, term_id, weighted_ids
from zeroin.tree import Entry, Import
from zeroin.types import Keyword, Query, Quotation, Role

_NOT_MODULES = frozenset({"text", "markdown", "rst", "json", "yaml", "toml", "html", "css"})
_PACKAGE_FILES = frozenset({"__init__", "index", "mod", "init"})
_RARE_USERS, _USER_SHARE = 8, 0.4
_CACHED_CHARS = 64_000_000
_KEPT_DENSE = 16
_KEPT_QUOTES = 4
_KEPT_NEARNESS = 2


class View:
    """A snapshot with its history and contents. Safe to share between threads."""

    def __init__(self, snapshot: Snapshot, history: History, contents: Contents, entries: Sequence[Entry]) -> None:
        self.snapshot = snapshot
        self.entries = entries
        self.contents = contents
        self.all_commits = history  # with those that touched most files
        self.unnamed = frozenset[int]()  # documents whose file's name is no evidence
        self.members: Sequence[str] = ()  # names of the repositories in it, where it joins several
        self.outward: Outward | None = None  # made when a question to several repositories needs it
        self._look(_Texts(contents, entries))

    def _look(self, texts: _Texts) -> None:
        self._texts = texts
        self._missing: tuple[tuple[str, ...], tuple[tuple[int, Import, str], ...]] = ((), ())
        self._lexicon = Lexicon()
        snapshot = self.snapshot  # the caches hold this and not the view, so that it is in no reference cycle
        self._dense = lru_cache(_KEPT_DENSE)(lambda terms, good, bad: dense_scores(snapshot, dict(terms), good, bad))
        self._nearness = lru_cache(_KEPT_NEARNESS)(lambda terms: path_nearness(snapshot, dict(terms)))
        self._quotes = lru_cache(_KEPT_QUOTES)(partial(_quotes, snapshot, texts))

    def blanked(self, snapshot: Snapshot, lines: Mapping[int, frozenset[int]], unnamed: frozenset[int]) -> Self:
        """Return the view with some lines (1-based) and file names blank; `snapshot` has them blank, too."""
        out = copy(self)
        out.unnamed = unnamed
        out.snapshot = snapshot
        out._look(_Texts(self.contents, self.entries, lines))
        return out

    @cached_property
    def paths(self) -> Sequence[str]:
        """Every document's path; its position is its `doc` number."""
        return tuple(entry.path for entry in self.entries)

    @cached_property
    def numbers(self) -> dict[str, int]:
        """Document numbers by path."""
        return {path: doc for doc, path in enumerate(self.paths)}

    def doc_of(self, path: str) -> int | None:
        return self.numbers.get(path)

    def docs_of(self, paths: Iterable[str]) -> list[int]:
        """Return the document numbers of those paths that exist, in their order."""
        return [doc for path in paths if (doc := self.doc_of(path)) is not None]

    @cached_property
    def history(self) -> History:
        """The commits, without the files of those that touched most documents, as they are no evidence."""
        return without_broad_commits(self.all_commits, self.history_docs, len(self.entries))

    @cached_property
    def history_docs(self) -> NDArray[np.int32]:
        """For every path of the history, its document number, or -1 where it no longer exists."""
        numbers = self.numbers
        return np.array([numbers.get(path, -1) for path in self.all_commits.paths], np.int32)

    def docs_of_symbol(self, name: str) -> dict[int, float]:
        """Return documents of a symbol with weights: 1 where it is defined, 0.4 where a rare one is used.

        The users of a rare interface are its implementations and its callers.
        """
        symbols = self.snapshot.symbols
        defining = symbols.docs[symbols.rows_of(name)].tolist()
        return dict.fromkeys(self.users_of(name), _USER_SHARE) | dict.fromkeys(defining, 1.0)

    def users_of(self, name: str) -> list[int]:
        """Return documents whose code uses an identifier; none if it is not rare."""
        docs = self.snapshot.names.holding(term_id(name))
        return list(docs.tolist()) if len(docs) <= _RARE_USERS else []

    def matching(self, globs: Sequence[str]) -> list[int]:
        """Return documents that any of the globs or exact paths names; globs follow the rules of gitignore.

        A leading `./`, as shells complete paths, means the top.
        """
        exact = {self.numbers[path] for g in globs if (path := g.removeprefix("./")) in self.numbers}
        patterns = [_anchored(g) for g in globs if g.removeprefix("./") not in self.numbers]
        if not patterns:
            return sorted(exact)
        from zeroin.corpus.globs import rules_of  # most questions have no glob

        rules = rules_of(patterns)
        return sorted(exact | {doc for doc, path in enumerate(self.paths) if rules and rules.decide(path)})

    def matches(self, glob: str) -> bool:
        """Tell whether a glob or exact path names any document, or would keep it (`!`); stops at the first."""
        if glob.removeprefix("./") in self.numbers:
            return True
        from zeroin.corpus.globs import rules_of

        rules = rules_of([_anchored(glob)])
        return rules is not None and any(map(rules.any_line.match, self.paths))

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The words by which the tree names things."""
        return self.snapshot.vocabulary()

    @cached_property
    def components(self) -> dict[str, str]:
        """The component of every path, "" outside all of them (`index.components`)."""
        documents = range(len(self.snapshot))
        roles, languages = map(self.snapshot.role, documents), map(self.snapshot.language, documents)
        return components_of(self.paths, list(roles), list(languages))

    @cached_property
    def overview(self) -> Overview:
        """The map of the parts (`index.overview`)."""
        return overview_of(self)

    def imports_of_missing(self, paths: tuple[str, ...]) -> tuple[tuple[int, Import, str], ...]:
        """Return the imports that mean one of some paths which the tree does not have: document, import, path.

        Those of the last `paths` are kept.
        """
        if self._missing[0] == paths:
            return self._missing[1]
        from zeroin.index.assembling import configs_of  # few questions are about a change that removes files
        from zeroin.index.edges import imports_of_missing

        content, docs = self.snapshot.content, set[int]()
        for path in paths:
            holders = [set(content.holding(term_id(term)).tolist()) for term in analyse(module_name(path))]
            docs |= set[int].intersection(*holders) if holders else set()
        missing = {path: language_of(path) or "text" for path in paths}
        configs = configs_of(self.contents, self.entries)
        found = tuple(imports_of_missing(self.snapshot, configs, missing, sorted(docs)))
        self._missing = paths, found
        return found

    @cached_property
    def degrees(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """How many files import each document, and how many it imports; shapes (D,)."""
        snapshot, size = self.snapshot, len(self.snapshot)
        return (
            np.bincount(snapshot.import_targets, minlength=size),
            np.bincount(snapshot.import_sources, minlength=size),
        )

    @cached_property
    def bookkeeping(self) -> NDArray[np.int64]:
        """Documents that change along with others (`corpus.roles.is_bookkeeping`), ascending."""
        roles, machine_made = self.snapshot.roles, (Role.GENERATED, Role.VENDORED)
        by_content = np.isin(roles, [ROLES.index(role) for role in machine_made])
        by_path = np.array([is_bookkeeping(path) for path in self.paths], np.bool_)
        return np.flatnonzero(by_content | by_path)

    @cached_property
    def language_shares(self) -> dict[str, float]:
        """Of the implementation files, the share that each language has."""
        inside = self.snapshot.languages[self.snapshot.roles == ROLES.index(Role.IMPLEMENTATION)]
        counts = np.bincount(inside, minlength=len(self.snapshot.language_names)) / max(1, len(inside))
        return dict(zip(self.snapshot.language_names, counts.tolist(), strict=False))

    def dense_scores(self, keywords: Sequence[Keyword], query: Query | None = None) -> DenseScores:
        """Return the similarity of every document to weighted words by their vectors; the last few answers are kept.

        With a `query`, its relevant and irrelevant documents count, too.
        """
        judged = (query.relevant, query.irrelevant) if query is not None else ((), ())
        good, bad = (tuple(self.docs_of(paths)) for paths in judged)
        return self._dense(tuple(weighted_ids(keywords).items()), good, bad)

    def path_nearness(self, keywords: Sequence[Keyword]) -> PathNearness:
        """Return how near every path is to each of some weighted words; the last answers are kept."""
        return self._nearness(tuple(weighted_ids(keywords).items()))

    def quote_matches(self, quotations: tuple[Quotation, ...]) -> QuoteMatches:
        """Return which files hold quoted text, and where; the last few answers are kept."""
        return self._quotes(quotations) if quotations else QuoteMatches()

    def identifier_df(self, name: str) -> int:
        """In how many documents an identifier occurs in code."""
        return self.snapshot.names.document_frequency(term_id(name))

    def commits_of(self, doc: int) -> frozenset[int]:
        """Return commits (rows of the history, newest first) that touched a document."""
        rows = np.flatnonzero(self._touched_docs == doc)
        return frozenset((np.searchsorted(self.history.file_ptr, rows, side="right") - 1).tolist())

    def changes_of(self, doc: int) -> NDArray[np.int64]:
        """Return commits (rows of `all_commits`, newest first) that touched a document, broad ones among them."""
        rows = np.flatnonzero(self.history_docs[self.all_commits.file_ids] == doc)
        return distinct(np.searchsorted(self.all_commits.file_ptr, rows, side="right") - 1)

    @cached_property
    def _touched_docs(self) -> NDArray[np.int32]:
        """The document of every (commit, file) row of the history, -1 where it no longer exists."""
        return self.history_docs[self.history.file_ids]

    @cached_property
    def by_name(self) -> dict[str, list[int]]:
        """Documents by lower-case file name."""
        out: dict[str, list[int]] = {}
        for doc, path in enumerate(self.paths):
            out.setdefault(path.rpartition("/")[2].lower(), []).append(doc)
        return out

    @cached_property
    def by_module(self) -> dict[str, list[int]]:
        """Documents of code by the module paths that could name them: every tail of the path, no suffix."""
        out: dict[str, list[int]] = {}
        for doc, path in enumerate(self.paths):
            if self.snapshot.language(doc) in _NOT_MODULES:
                continue
            parts = [p.lower() for p in PurePosixPath(path).with_suffix("").parts]
            if parts[-1] in _PACKAGE_FILES:
                parts = parts[:-1]
            for size in range(1, min(len(parts), 5) + 1):
                out.setdefault("/".join(parts[-size:]), []).append(doc)
        return out

    def docs_named(self, term: str) -> NDArray[np.int32]:
        """Return the documents in which a term is part of a name, of a definition or of the path, ascending."""
        identity = term_id(term)
        content, paths = self.snapshot.content, self.snapshot.path_terms
        return distinct(content.holding(identity, DEFINITIONS), paths.holding(identity))

    def name_df(self, term: str) -> int:
        """In how many documents a term is part of a name."""
        return len(self.docs_named(term))

    def text(self, doc: int) -> str:
        """Return the document's decoded text; "" where it cannot be read."""
        return self._texts.text(doc)

    @property
    def lexicon(self) -> Lexicon:
        """The words of the texts that questions have read; replaced by an empty lexicon when full."""
        if self._lexicon.full:
            self._lexicon = Lexicon()
        return self._lexicon

    def prefetch(self, docs: Iterable[int]) -> None:
        """Read several documents at once: one request to git instead of one each."""
        self._texts.prefetch(docs)


class _Texts:
    """Decoded contents, read when asked for; the last used are kept."""

    def __init__(
        self, source: Contents, entries: Sequence[Entry], blank: Mapping[int, frozenset[int]] | None = None
    ) -> None:
        self._source = source
        self._entries = entries
        self._blank = blank or {}
        self._texts: OrderedDict[int, str] = OrderedDict()
        self._chars = 0
        self._lock = Lock()

    def text(self, doc: int) -> str:
        with self._lock:
            if doc in self._texts:
                self._texts.move_to_end(doc)
                return self._texts[doc]
        self.prefetch([doc])
        with self._lock:
            return self._texts.get(doc, "")

    def prefetch(self, docs: Iterable[int]) -> None:
        with self._lock:
            wanted = sorted({doc for doc in docs if doc not in self._texts})
        if not wanted:
            return  # spare a process of git
        by_path = {self._entries[doc].path: doc for doc in wanted}
        for entry, data in self._source.read([self._entries[doc] for doc in wanted]):
            text = decode(data, named_language(entry.path)).text if data is not None else ""
            if blank := self._blank.get(by_path[entry.path]):
                text = without_lines(text, blank)
            with self._lock:
                if by_path[entry.path] not in self._texts:  # else another thread read it meanwhile
                    self._texts[by_path[entry.path]] = text
                    self._chars += len(text)
                while self._chars > _CACHED_CHARS and len(self._texts) > 1:
                    self._chars -= len(self._texts.popitem(last=False)[1])


def without_lines(text: str, lines: frozenset[int]) -> str:
    """Return a text with some of its lines (1-based) blank."""
    rows = enumerate(text.split("\n"), start=1)
    return "\n".join("" if number in lines else row for number, row in rows)


def _anchored(glob: str) -> str:
    """Return a glob that begins with `./`, the top in a shell, with `/`, the top in gitignore."""
    return f"/{glob[2:]}" if glob.startswith("./") else glob


def _quotes(snapshot: Snapshot, texts: _Texts, quotations: tuple[Quotation, ...]) -> QuoteMatches:
    found = match_quotations(quotations, snapshot, texts.text, texts.prefetch)
    if not any(match.sure for match in found.by_doc.values()):
        return found
    from zeroin.index.constants import with_users

    return replace(found, by_doc=with_users(found.by_doc, snapshot, texts.text))
