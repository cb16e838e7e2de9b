"""Gaps about neighbours: files that selected ones import, that import them, or that are the other half of one.

The other half is known by name, import, symbol or commit: a test, a header, an implementation, a route, a setting.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from zeroin.gaps.references import MAX_DEFINERS, MIN_NAME, implementers, stem_of
from zeroin.gaps.selection import GapCandidate, Selection
from zeroin.index.locate import changed_docs, stem_key
from zeroin.index.view import View
from zeroin.terms import WORD, split_identifier, stem, term_id
from zeroin.types import Evidence, Gap, Judgment, Query, Role, Search

_MAX_NAMESAKES = 4  # a name that more files share says nothing of belonging together
_MAX_KEYS = 200
_ABSTRACT = frozenset({"interface", "trait", "protocol"})  # what other files implement, by declaration
_ROUTES = re.compile(r"(?:^|[/_.-])(?:routes?|routers?|routing|urls|endpoints?)(?:[/_.-]|$)", re.IGNORECASE)
_HANDLERS = re.compile(
    r"(?:controllers?|handlers?|views?|resources?|actions?|resolvers?)(?:[/_.-]|$)", re.IGNORECASE
)
_MIGRATIONS = re.compile(r"(?:^|/)(?:migrations?|migrate)/", re.IGNORECASE)
_MODELS = re.compile(r"(?:^|[/_.-])(?:models?|entit(?:y|ies)|schemas?)(?:[/_.-]|$)", re.IGNORECASE)
_NOT_MEANT = frozenset("index main init mod lib util utils types common base core app config test".split())
_MAX_FAN = 60  # a file that imports more, or is imported by more, is tied to everything
_LEAST_TIE = 0.02
_MAX_DEPENDENCIES = 16
_TESTED, _TESTS = 5, 2  # files whose tests are looked for, tests of each
_MOST_CHANGED, _COMMITS = 4, 60  # files whose commits are looked at, the newest commits of each
_FEW_FILES = 30  # a commit that touches more says nothing of what belongs together
_LEAST_COMMITS, _TOGETHER_SHARE, _TOGETHER = 2, 0.2, 6
CALLER = "caller"  # the form of a gap whose file uses what a change alters: the text was looked through
_MAX_GAPS = 3  # of a kind: more is a list, not a need
_RARE_USERS = 6  # a name used in more files is common property: its users are not all at stake
_NAMED = 4  # parts that one gap names
_ON_THE_MAP, _MAP_FILES = 0.1, 12  # of the files that an overview lists


def dependencies(selection: Selection) -> list[GapCandidate]:
    """Modules that selected files import (`imported`), and files that import those (`importer`), best first."""
    view, snapshot = selection.view, selection.view.snapshot
    near: dict[tuple[str, int], list[tuple[int, float]]] = defaultdict(list)
    for doc, judgment in selection.seeds:
        imported, importers = snapshot.imports_of(doc).tolist(), snapshot.importers_of(doc).tolist()
        for form, docs in (("imported", imported), ("importer", importers)):
            if len(docs) <= _MAX_FAN:
                for other in docs:
                    near[form, other].append((doc, judgment.relevance / len(docs) ** 0.5))
    valued: list[tuple[float, GapCandidate]] = []
    for (form, other), sources in near.items():
        if other in selection.excluded or snapshot.role(other) is not Role.IMPLEMENTATION:
            continue
        if form == "imported" and len(snapshot.importers_of(other)) > selection.rare:
            continue
        path, best = view.paths[other], view.paths[sources[0][0]]
        user, used = (sources[0][0], path) if form == "imported" else (other, best)
        # Its path or what it defines: a file need not be named so to be about it.
        saying = "whose names say words of the task" if selection.overlaps[other] >= _LEAST_TIE else ""
        if form == "imported":
            need = f"{best} imports {path}{', ' if saying else ''}{saying}"
        else:
            need = f"{path}{f', {saying},' if saying else ''} imports {best}"
        evidence = (Evidence(view.paths[user]), Evidence(used))
        worth = selection.features_of(
            [other], max(selection.relevance[view.paths[doc]] for doc, _ in sources)
        )
        search = Search(paths=(path,))
        value = (worth.overlap + _LEAST_TIE) * sum(share for _, share in sources)
        mark = (user, stem_of(used))
        valued.append((value, GapCandidate(form, "dependency", need, evidence, path, search, worth, mark)))
    valued.sort(key=lambda pair: (-pair[0], pair[1].need))
    return [one for _, one in valued[:_MAX_DEPENDENCIES]]


def changed_together(selection: Selection) -> list[GapCandidate]:
    """Files that commits changed together with the best selected ones, in a good share of these commits."""
    view = selection.view
    history = view.history
    if history is None:
        return []
    found: list[GapCandidate] = []
    seen: set[int] = set(selection.excluded)
    for doc, judgment in selection.seeds[:_MOST_CHANGED]:
        commits = sorted(view.commits_of(doc))
        if len(commits) < _LEAST_COMMITS:
            continue
        counts: Counter[int] = Counter()
        for commit in commits[:_COMMITS]:
            files = view.history_docs[
                history.file_ids[history.file_ptr[commit] : history.file_ptr[commit + 1]]
            ]
            if len(files) <= _FEW_FILES:
                counts.update(set(files.tolist()) - {-1, doc})
        for other, count in counts.most_common(_TOGETHER):
            if (
                other in seen
                or count < _LEAST_COMMITS
                or count < _TOGETHER_SHARE * min(len(commits), _COMMITS)
            ):
                continue
            seen.add(other)
            path = view.paths[other]
            seen_in = min(len(commits), _COMMITS)
            need = f"{path} was changed together with {judgment.path} in {count} of {seen_in} commits"
            worth = selection.features_of([other], judgment.relevance * count / seen_in)
            evidence = (Evidence(path), Evidence(judgment.path))
            found.append(
                GapCandidate("together", "counterpart", need, evidence, path, Search(paths=(path,)), worth)
            )
    return found


def tests_of(selection: Selection) -> list[GapCandidate]:
    """Tests that import a selected file, or are named like it; the nearest by name of each."""
    view = selection.view
    found: list[GapCandidate] = []
    seen = set(selection.excluded)
    for doc, judgment in selection.seeds[:_TESTED]:
        if judgment.role is not Role.IMPLEMENTATION:
            continue
        core = stem_key(judgment.path)
        telling = len(core) >= MIN_NAME and core not in _NOT_MEANT  # `mod.rs` tests no other `mod.rs`
        alike = selection.docs_by_stem.get(core, ()) if telling else ()
        near = {*view.snapshot.importers_of(doc).tolist(), *alike}
        tests = [d for d in near if view.snapshot.role(d) is Role.TEST and d not in seen]
        tests.sort(key=lambda d: (core not in stem_key(view.paths[d]), len(view.paths[d]), view.paths[d]))
        for other in tests[:_TESTS]:
            seen.add(other)
            path = view.paths[other]
            worth = selection.features_of([other], judgment.relevance)
            evidence = (Evidence(path), Evidence(judgment.path))
            need = f"{path} tests {judgment.path}"
            found.append(
                GapCandidate("test", "counterpart", need, evidence, path, Search(paths=(path,)), worth)
            )
    return found


def counterparts(selection: Selection) -> list[GapCandidate]:
    """Missing halves of files selected, best file first, each once."""
    seen: set[int] = set(selection.excluded)
    found: list[GapCandidate] = []
    for doc, judgment in selection.seeds:
        for form, other, symbol, need in (
            *_namesakes(selection, doc, judgment),
            *_interfaces(selection, doc),
            *_routes(selection, doc),
            *_settings(selection, doc, judgment),
            *_migrations(selection, doc),
        ):
            if other in seen:
                continue
            seen.add(other)
            path = selection.view.paths[other]
            worth = selection.features_of([other], judgment.relevance)
            evidence = (Evidence(path, symbol=symbol), Evidence(judgment.path))
            search = Search(symbols=(symbol,) if symbol else (), paths=(path,))
            mark = (other, symbol) if symbol else None
            follow_up = f"{path} {symbol}".strip()
            found.append(GapCandidate(form, "counterpart", need, evidence, follow_up, search, worth, mark))
    return found


def _namesakes(selection: Selection, doc: int, judgment: Judgment) -> Iterator[tuple[str, int, str, str]]:
    """Files called alike: header and source, test and tested, component and style."""
    view = selection.view
    core = stem_key(judgment.path)
    alike = [d for d in selection.docs_by_stem.get(core, ()) if d != doc]
    if len(core) < MIN_NAME or core in _NOT_MEANT or not 0 < len(alike) <= _MAX_NAMESAKES:
        return
    for other in alike:
        role, path = view.snapshot.role(other), view.paths[other]
        if role is Role.IMPLEMENTATION:
            form = "tested" if judgment.role is Role.TEST else "namesake"
            yield (
                form,
                other,
                "",
                f"{path} is the other half of {judgment.path} by its name",
            )


def _interfaces(selection: Selection, doc: int) -> Iterator[tuple[str, int, str, str]]:
    """Implementations of what a file selected declares."""
    view = selection.view
    for definition in view.snapshot.symbols.of_document(doc):
        if definition.kind in _ABSTRACT and selection.says_task(definition.name):
            if len(view.snapshot.symbols.rows_of(definition.name)) > MAX_DEFINERS:
                continue
            for other in implementers(view, definition.name):
                if other != doc and view.snapshot.role(other) is Role.IMPLEMENTATION:
                    need = f"{view.paths[other]} implements {definition.name} of {view.paths[doc]}"
                    yield "implementation", other, definition.name, need


def _routes(selection: Selection, doc: int) -> Iterator[tuple[str, int, str, str]]:
    """Files of routes that name what a handler selected defines."""
    view, path = selection.view, selection.view.paths[doc]
    if _ROUTES.search(path) or not _HANDLERS.search(path):
        return
    for definition in view.snapshot.symbols.of_document(doc):
        if len(definition.name) < MIN_NAME:
            continue
        for other in view.users_of(definition.name):
            if (
                other != doc
                and _ROUTES.search(view.paths[other])
                and view.snapshot.role(other) is Role.IMPLEMENTATION
            ):
                need = f"{view.paths[other]} routes to {definition.name} of {path}"
                yield "route", other, definition.name, need


def _settings(selection: Selection, doc: int, judgment: Judgment) -> Iterator[tuple[str, int, str, str]]:
    """Readers of a setting that a file selected holds, and settings that the heart of a file selected reads."""
    view, symbols = selection.view, selection.view.snapshot.symbols
    if judgment.role is Role.CONFIG:
        for definition in tuple(symbols.of_document(doc))[:_MAX_KEYS]:
            if _is_key(definition.name) and selection.says_task(definition.name):
                for other in view.users_of(definition.name):
                    if view.snapshot.role(other) is Role.IMPLEMENTATION:
                        need = f"{view.paths[other]} reads {definition.name} of {judgment.path}"
                        yield "reader", other, definition.name, need
        return
    lines = view.text(doc).split("\n")
    words = {
        word
        for span in judgment.spans[:3]
        for line in lines[span.start - 1 : span.end]
        for word in WORD.findall(line)
    }
    for word in sorted(words):
        if _is_key(word) and selection.says_task(word):
            homes = {int(d) for d in symbols.docs[symbols.rows_of(word)]}
            if 0 < len(homes) <= 2 and all(view.snapshot.role(d) is Role.CONFIG for d in homes):
                for other in sorted(homes):
                    yield (
                        "setting",
                        other,
                        word,
                        f"{view.paths[other]} sets {word}, which {judgment.path} reads",
                    )


def _migrations(selection: Selection, doc: int) -> Iterator[tuple[str, int, str, str]]:
    """Migrations whose name says the model selected, and the model that a migration selected is about."""
    view, path = selection.view, selection.view.paths[doc]
    if _MIGRATIONS.search(path):
        words = _words(path)
        for other, name in enumerate(view.paths):
            if _MODELS.search(name) and not _MIGRATIONS.search(name) and _core(name) in words:
                yield "model", other, "", f"{name} is the model that {path} changes"
    elif _MODELS.search(path):
        core = _core(path)
        if not core or not selection.says_task(core):
            return
        own = [d for d, name in enumerate(view.paths) if _MIGRATIONS.search(name) and core in _words(name)]
        for other in own[-1:]:  # they are numbered: the last by name is the newest
            yield "migration", other, "", f"{view.paths[other]} migrates the model {path}"


def _core(path: str) -> str:
    """The stem of a model's file name; "" for a name that says nothing."""
    core = stem(path.rpartition("/")[2].partition(".")[0].lower())
    return core if len(core) >= MIN_NAME and core not in ("model", "schema", "entiti") else ""


def _words(path: str) -> set[str]:
    """Stems of the words of a file's name."""
    return {stem(part) for part in split_identifier(path.rpartition("/")[2])}


def _is_key(name: str) -> bool:
    """Whether a name is told from a common word: a compound or in capitals."""
    return len(name) >= MIN_NAME and len(split_identifier(name)) > 1


def gaps_of_purpose(selection: Selection) -> list[Gap]:
    """Gaps that only this purpose has, none of them critical."""
    task, query, view = selection.task, selection.query, selection.view
    if task.purpose == "architecture":
        listed = [j for j in selection.judgments if j.relevance >= _ON_THE_MAP][:_MAP_FILES]
        return components_missing(listed, view)
    return callers_missing(query, selection.files, view) if task.purpose == "review" else []


def callers_missing(query: Query, selected: Sequence[Judgment], view: View) -> list[Gap]:
    """Files that use a rare name whose definition the change alters or removes, and that are not in selection."""
    held = {doc for j in selected if (doc := view.doc_of(j.path)) is not None}
    changed = set(changed_docs(query, view))
    names = view.snapshot.names
    gaps: dict[int, Gap] = {}
    for mention in query.symbols:
        if mention.edit not in ("signature", "removed") or len(mention.name) < MIN_NAME:
            continue
        rows = names.rows(term_id(mention.name))
        users = {int(doc) for doc in names.docs[rows]} - changed
        if not 0 < len(users) <= _RARE_USERS:
            continue
        for doc in sorted(users - held - set(gaps)):
            if view.snapshot.role(doc) in (Role.IMPLEMENTATION, Role.TEST):
                path = view.paths[doc]
                need = f"{path} uses {mention.name}, which the change touches"
                search = Search(symbols=(mention.name,), paths=(path,))
                evidence = (Evidence(path, symbol=mention.name),)
                gaps[doc] = Gap("dependency", need, False, evidence, mention.name, search, form=CALLER)
    return list(gaps.values())[:_MAX_GAPS]


def components_missing(selected: Sequence[Judgment], view: View) -> list[Gap]:
    """One gap that names the parts, those of most weight first, of which no file is in selection."""
    parts = view.overview.parts
    known = {view.components.get(j.path, "") for j in selected}
    missing = [part for part in parts if part not in known]
    if not missing:
        return []
    more = f" and {len(missing) - _NAMED} more" if len(missing) > _NAMED else ""
    need = f"of {len(parts)} parts, {', '.join(missing[:_NAMED])}{more} are not selected"
    evidence = tuple(Evidence(text=part) for part in missing[:_NAMED])
    name = missing[0].rstrip("/").rpartition("/")[2]
    search = Search(words=tuple(split_identifier(name)), scope=f"/{missing[0].rstrip('/')}/**")
    return [Gap("aspect", need, False, evidence, name, search, form="part left out")]
