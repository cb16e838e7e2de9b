"""Gaps about files: imports, tests, files changed together, and counterparts (header, implementation, route …)."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence, Set
from dataclasses import replace
from itertools import chain, takewhile
from typing import NamedTuple

import numpy as np

from zeroin.evaluate.languages import imported_together, strangers
from zeroin.evaluate.reasons.subject import USUAL
from zeroin.gaps.references import MAX_DEFINERS, MIN_NAME, implementers, refers_outside
from zeroin.gaps.selection import GapCandidate, GapForm, Selection, named_parts, rare_users, said_part, surface_words
from zeroin.imports.tree import module_name
from zeroin.index.locate import changed_docs, docs_of_stem, stem_key
from zeroin.index.view import View
from zeroin.patterns import lazy_pattern, lines_with, literal
from zeroin.terms import STOPWORDS, WORD, split_identifier, stem, term_id
from zeroin.types import Edit, Evidence, Gap, Judgment, Role, Search
from zeroin.wording import first_of

_MAX_SAME_STEM = 4  # other files of the same name: with more of them the name is too common
_MAX_SETTINGS = 200  # of one file
_SPANS = 3  # best spans of a file in which settings are looked for
_ABSTRACT = frozenset({"interface", "trait", "protocol"})  # what other files implement, by declaration
_ROUTES = lazy_pattern(r"(?:^|[/_.-])(?:routes?|routers?|routing|urls|endpoints?)(?:[/_.-]|$)", re.IGNORECASE)
_HANDLERS = lazy_pattern(r"(?:controllers?|handlers?|views?|resources?|actions?|resolvers?)(?:[/_.-]|$)", re.IGNORECASE)
_MIGRATIONS = lazy_pattern(r"(?:^|/)(?:migrations?|migrate)/", re.IGNORECASE)
_MODELS = lazy_pattern(r"(?:^|[/_.-])(?:models?|entit(?:y|ies)|schemas?)(?:[/_.-]|$)", re.IGNORECASE)
_GENERIC_STEMS = frozenset("index main init mod lib util utils types common base core app config test".split())
_C_FAMILY = frozenset({"c", "cpp", "objc"})
_MAX_DEGREE = 60  # a file that imports more, or is imported by more, is tied to everything
_MIN_OVERLAP = 0.02
_MAX_DEPENDENCIES = 16
_NAMED_WORDS, _FEW_NAMED = 2, 5  # words of a file's names that a gap says; files that say a word which is never usual
# Files among tests that test nothing themselves.
_HELPERS = frozenset("conftest helper helpers fixtures support setup util utils common testutil __init__ mod".split())
_TESTED, _TESTS = 5, 2  # files whose tests are looked for, tests of each
_COCHANGE_FILES, _COMMITS = 4, 60  # files whose commits are looked at, the newest commits of each
_MAX_COMMIT_FILES = 30  # a commit that touches more files is left out
_MIN_TOGETHER, _TOGETHER_SHARE, _MAX_TOGETHER = 2, 0.2, 6  # commits, share of a file's commits, files
_MAX_CALLERS, _MAX_USERS = 3, 6  # gaps; a name used in more files is too common
_NAMED_PARTS = 4
_MAP_RELEVANCE, _MAP_FILES = 0.1, 12  # files that an overview lists


def _file_gap(
    selection: Selection, form: GapForm, other: int, need: str, user: str, user_relevance: float
) -> GapCandidate:
    """Return the gap of a file that `user` needs: by default its counterpart."""
    path = selection.view.paths[other]
    return GapCandidate(
        form,
        "counterpart",
        need,
        (Evidence(path), Evidence(user)),
        path,
        Search(paths=(path,)),
        selection.features_of([other], user_relevance),
    )


def dependencies(selection: Selection) -> list[GapCandidate]:
    """Return gaps of files that seed files import, or that import a seed file, best first."""
    view, snapshot = selection.view, selection.view.snapshot
    near: dict[tuple[GapForm, int], list[tuple[int, float]]] = defaultdict(list)
    neighbours = ((GapForm.IMPORTED, snapshot.imports_of), (GapForm.IMPORTER, snapshot.importers_of))
    for doc, judgment in selection.seeds:
        for form, neighbours_of in neighbours:
            docs = neighbours_of(doc).tolist()
            for other in docs if len(docs) <= _MAX_DEGREE else ():
                near[form, other].append((doc, judgment.relevance / len(docs) ** 0.5))
    valued: list[tuple[float, tuple[str, ...], GapForm, int, list[int]]] = []
    for (form, other), sources in near.items():
        if other in selection.excluded or snapshot.role(other) is not Role.IMPLEMENTATION:
            continue
        if form is GapForm.IMPORTED and len(snapshot.importers_of(other)) > rare_users(view):
            continue
        users = [doc for doc, _ in sources]
        value = (float(selection.overlaps[other]) + _MIN_OVERLAP) * sum(share for _, share in sources)
        pair = view.paths[users[0]], view.paths[other]
        valued.append((-value, pair if form is GapForm.IMPORTED else pair[::-1], form, other, users))
    best = sorted(valued)[:_MAX_DEPENDENCIES]
    return [_dependency(selection, form, other, users) for _, _, form, other, users in best]


def _dependency(selection: Selection, form: GapForm, other: int, sources: Sequence[int]) -> GapCandidate:
    """Return the gap of a file that the first of `sources` imports, or that imports it."""
    paths = selection.view.paths
    best = paths[sources[0]]
    said = ", ".join(f"“{word}”" for word in _named_words(selection, other))
    saying = f", whose names say {said}" if said else ""
    user, used = (sources[0], other) if form is GapForm.IMPORTED else (other, sources[0])
    group = imported_together(selection.view.snapshot.language(used))
    imported = f"the {group} of {paths[used]}" if group else paths[used]
    after, before = (saying, "") if form is GapForm.IMPORTED else ("", saying and f"{saying},")
    need = f"{paths[user]}{before} imports {imported}{after}"
    relevance = max(selection.relevance[paths[doc]] for doc in sources)
    one = _file_gap(selection, form, other, need, best, relevance)
    evidence = (Evidence(paths[user]), Evidence(paths[used]))
    return replace(one, kind="dependency", evidence=evidence, mark=(user, module_name(paths[used])))


def _named_words(selection: Selection, doc: int) -> list[str]:
    """Return the weightiest words of the task that this document's names say, as it spells them, and few others do."""
    if selection.overlaps[doc] < _MIN_OVERLAP:
        return []
    named, weights = selection.named_docs, selection.terms.weights
    surface = surface_words("\n".join((selection.task.text, *(keyword.text for keyword in selection.query.own))))
    most = max(_FEW_NAMED, USUAL * len(selection.view.snapshot))
    telling = [term for term in surface if term in weights and len(named[term]) <= most and doc in named[term]]
    best = sorted(telling, key=lambda term: (-weights[term], term))
    own = named_parts(selection.view, doc)
    said = dict.fromkeys(own.get(term) or said_part(surface[term], term, telling) for term in best)
    return [word for word in said if word.lower() not in STOPWORDS][:_NAMED_WORDS]


def changed_together(selection: Selection) -> list[GapCandidate]:
    """Files that commits changed together with the best seed files, in a good share of these commits."""
    view, history = selection.view, selection.view.history
    found: list[GapCandidate] = []
    seen, of_read = set(selection.excluded), "commits read" if view.all_commits.partial else "commits"
    for doc, judgment in selection.seeds[:_COCHANGE_FILES]:
        commits = sorted(view.commits_of(doc))[:_COMMITS]
        every = view.changes_of(doc)  # the need also counts commits that touched many files
        counts: Counter[int] = Counter()
        for commit in commits if len(commits) >= _MIN_TOGETHER else ():
            files = view.history_docs[history.files_of(commit)]
            if len(files) <= _MAX_COMMIT_FILES:
                counts.update(set(files.tolist()) - {-1, doc})
        for other, count in counts.most_common(_MAX_TOGETHER):
            if other not in seen and count >= max(_MIN_TOGETHER, _TOGETHER_SHARE * len(commits)):
                seen.add(other)
                both = np.intersect1d(every, view.changes_of(other), assume_unique=True)
                times = f"{len(both)} of {len(every)} {of_read}"
                need = f"{view.paths[other]} was changed together with {judgment.path} in {times}"
                relevance = judgment.relevance * count / len(commits)
                found.append(_file_gap(selection, GapForm.TOGETHER, other, need, judgment.path, relevance))
    return found


def tests_of(selection: Selection) -> list[GapCandidate]:
    """Return gaps of tests that import a seed file or are named like it; for each file the nearest by name."""
    view = selection.view
    found: list[GapCandidate] = []
    seen, seeds = set(selection.excluded), {doc for doc, _ in selection.seeds}
    for doc, judgment in selection.seeds[:_TESTED]:
        if judgment.role is not Role.IMPLEMENTATION:
            continue
        key = stem_key(judgment.path)
        importers, alike = view.snapshot.importers_of(doc).tolist(), _same_stem(selection, key)
        near = {*importers, *alike}
        tests = [d for d in near if view.snapshot.role(d) is Role.TEST and d not in seen]
        tests.sort(key=lambda d: (key not in stem_key(view.paths[d]), len(view.paths[d]), view.paths[d]))
        for other in tests[:_TESTS]:
            seen.add(other)
            # Of several files called alike the test may mean another one, which nobody asks for unless it is a seed.
            meant = [doc] if other in importers else _meant(view, other, alike)
            tested = doc if doc in meant else next((d for d in meant if d in seeds), doc)
            need = f"{view.paths[other]} tests {view.paths[tested]}"
            one = _file_gap(selection, GapForm.TEST, other, need, view.paths[tested], judgment.relevance)
            name = view.paths[other].rpartition("/")[2].partition(".")[0]
            found.append(replace(one, shown=name.lower() not in _HELPERS and tested in meant))
    return found


def _same_stem(selection: Selection, key: str) -> Sequence[int]:
    """Return files of a stem key; none where the key is generic (`mod.rs` tests no other `mod.rs`)."""
    return docs_of_stem(selection.view, key) if len(key) >= MIN_NAME and key not in _GENERIC_STEMS else ()


def _meant(view: View, test: int, alike: Sequence[int]) -> list[int]:
    """Return which of the files called like a test it tests: what it imports, else those whose folders agree most.

    Only files count that its language can use, if there are any.
    """
    language, folders = view.snapshot.language, view.paths[test].split("/")[-2::-1]
    code = [d for d in alike if view.snapshot.role(d) is Role.IMPLEMENTATION]
    code = [d for d in code if not strangers(language(test), language(d))] or code
    imported = set(view.snapshot.imports_of(test).tolist())

    def agreement(doc: int) -> tuple[bool, int, int]:
        own = view.paths[doc].split("/")[-2::-1]
        tail = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(own, folders, strict=False)))
        return doc in imported, len({*own} & {*folders}), tail

    best = max(map(agreement, code), default=None)
    return [doc for doc in code if agreement(doc) == best]


class _Pair(NamedTuple):
    """A file that belongs to a seed file, and the symbol that ties them, if any."""

    form: GapForm
    doc: int
    need: str
    symbol: str = ""
    shown: bool = True


def counterparts(selection: Selection) -> list[GapCandidate]:
    """Missing halves of seed files, best file first, each once."""
    seen = set(selection.excluded)
    found: list[GapCandidate] = []
    for doc, judgment in selection.seeds:
        finders = (_paired_by_stem, _implementations, _routes, _settings, _migrations)
        pairs = chain.from_iterable(find(selection, doc, judgment) for find in finders)
        for form, other, need, symbol, shown in pairs:
            if other in seen:
                continue
            seen.add(other)
            one = _file_gap(selection, form, other, need, judgment.path, judgment.relevance)
            if symbol:
                path = selection.view.paths[other]
                one = replace(
                    one,
                    evidence=(Evidence(path, symbol=symbol), one.evidence[1]),
                    search=Search(symbols=(symbol,), paths=(path,)),
                    follow_up=f"{path} {symbol}",
                    mark=(other, symbol),
                )
            found.append(replace(one, shown=shown))
    return found


def _paired_by_stem(selection: Selection, doc: int, judgment: Judgment) -> Iterator[_Pair]:
    """Implementation files called alike: header and source, test and tested, component and style."""
    view = selection.view
    alike = [d for d in _same_stem(selection, stem_key(judgment.path)) if d != doc]
    form = GapForm.TESTED if judgment.role is Role.TEST else GapForm.SAME_STEM
    for other in alike if len(alike) <= _MAX_SAME_STEM else ():
        if view.snapshot.role(other) is Role.IMPLEMENTATION:
            need = f"{view.paths[other]} is named like {judgment.path}"
            is_test = form is GapForm.TESTED
            shown = other in _meant(view, doc, alike) if is_test else _are_halves(view, doc, other)
            yield _Pair(form, other, need, shown=shown)


def _are_halves(view: View, doc: int, other: int) -> bool:
    """Whether two files called alike lie in one folder, or are a header and its source.

    Elsewhere the name alone says little: `tokens/alias.cs` and `events/alias.cs` are two things.
    """
    folders = {view.paths[d].rpartition("/")[0] for d in (doc, other)}
    suffixes = {view.paths[d].rpartition(".")[2] for d in (doc, other)}
    languages = {view.snapshot.language(d) for d in (doc, other)}
    return len(folders) == 1 or (len(suffixes) == 2 and languages <= _C_FAMILY)


def _implementations(selection: Selection, doc: int, judgment: Judgment) -> Iterator[_Pair]:
    """Yield files that implement an interface which a seed file declares."""
    view, symbols = selection.view, selection.view.snapshot.symbols
    for definition in symbols.of_document(doc):
        name = definition.name
        if definition.kind not in _ABSTRACT or not selection.says_task(name):
            continue
        few = len(symbols.rows_of(name)) <= MAX_DEFINERS
        for other in implementers(view, name) if few else ():
            if other != doc and view.snapshot.role(other) is Role.IMPLEMENTATION:
                need = f"{view.paths[other]} implements {name} of {judgment.path}"
                yield _Pair(GapForm.IMPLEMENTATION, other, need, name)


def _routes(selection: Selection, doc: int, judgment: Judgment) -> Iterator[_Pair]:
    """Yield files of routes that name what a handler among the seed files defines."""
    view, path = selection.view, judgment.path
    if _ROUTES.search(path) or not _HANDLERS.search(path):
        return
    for definition in view.snapshot.symbols.of_document(doc):
        name = definition.name
        for other in view.users_of(name) if len(name) >= MIN_NAME else ():
            is_route = other != doc and _ROUTES.search(view.paths[other])
            if is_route and view.snapshot.role(other) is Role.IMPLEMENTATION:
                # A plain word (`list`) means the handler only where its file is imported.
                sure = len(split_identifier(name)) > 1 or doc in view.snapshot.imports_of(other)
                need = f"{view.paths[other]} routes to {name} of {path}"
                yield _Pair(GapForm.ROUTE, other, need, name, sure)


def _settings(selection: Selection, doc: int, judgment: Judgment) -> Iterator[_Pair]:
    """Readers of a setting that a seed file holds, and files that hold the settings that a seed file reads."""
    view, symbols = selection.view, selection.view.snapshot.symbols
    if judgment.role is Role.CONFIG:
        keys = [definition.name for definition in symbols.of_document(doc)][:_MAX_SETTINGS]
        for key in (k for k in keys if _is_setting(selection, k)):
            for other in view.users_of(key):
                if view.snapshot.role(other) is Role.IMPLEMENTATION:
                    need = f"{view.paths[other]} reads {key} of {judgment.path}"
                    yield _Pair(GapForm.READER, other, need, key)
        return
    lines = view.text(doc).split("\n")
    spans = (lines[span.start - 1 : span.end] for span in judgment.spans[:_SPANS])
    words = {word for line in chain.from_iterable(spans) for word in WORD.findall(line)}
    for word in sorted(w for w in words if _is_setting(selection, w)):
        homes = sorted(symbols.homes_of(word))
        if len(homes) <= MAX_DEFINERS and all(view.snapshot.role(d) is Role.CONFIG for d in homes):
            for other in homes:
                need = f"{view.paths[other]} sets {word}, which {judgment.path} reads"
                yield _Pair(GapForm.SETTING, other, need, word)


def _is_setting(selection: Selection, name: str) -> bool:
    """Whether a name can be the key of a setting that the task is about: a compound that says a word of it."""
    return len(name) >= MIN_NAME and len(split_identifier(name)) > 1 and selection.says_task(name)


def _migrations(selection: Selection, doc: int, judgment: Judgment) -> Iterator[_Pair]:
    """Yield the newest migration of a model, and the model that a migration changes."""
    paths, path, role = selection.view.paths, judgment.path, selection.view.snapshot.role
    if _MIGRATIONS.search(path):
        words = _name_stems(path)
        for other, name in enumerate(paths):
            is_model = _MODELS.search(name) and not _MIGRATIONS.search(name) and _model_stem(name) in words
            if is_model and role(other) is Role.IMPLEMENTATION:
                yield _Pair(GapForm.MODEL, other, f"{name} is the model that {path} changes")
    elif _MODELS.search(path):
        model = _model_stem(path)
        if model and selection.says_task(model):
            own = [d for d, p in enumerate(paths) if _MIGRATIONS.search(p) and model in _name_stems(p)]
            own = [d for d in own if role(d) is not Role.DOC]
            for other in own[-1:]:  # they are numbered: the last by name is the newest
                yield _Pair(GapForm.MIGRATION, other, f"{paths[other]} migrates the model {path}")


def _model_stem(path: str) -> str:
    """Return the stem of a model's file name; "" for a generic one."""
    name = stem(path.rpartition("/")[2].partition(".")[0].lower())
    return name if len(name) >= MIN_NAME and name not in ("model", "schema", "entiti") else ""


def _name_stems(path: str) -> set[str]:
    return set(map(stem, split_identifier(path.rpartition("/")[2])))


def gaps_of_purpose(selection: Selection) -> list[Gap]:
    """Return gaps that only a review or an overview has, none of them critical."""
    if selection.task.purpose == "architecture":
        listed = [j for j in selection.judgments if j.relevance >= _MAP_RELEVANCE][:_MAP_FILES]
        return missing_components(listed, selection.view)
    return _missing_callers(selection) if selection.task.purpose == "review" else []


def _missing_callers(selection: Selection) -> list[Gap]:
    """Return files not selected that use a rare name whose definition the change alters or removes.

    A gap does not hold if the file only spells the name alike; its search runs all the same.
    """
    query, view = selection.query, selection.view
    changed, names = set(changed_docs(query, view)), view.snapshot.names
    gaps: dict[int, Gap] = {}
    for mention in query.symbols:
        if mention.edit not in ("signature", "removed", "moved") or len(mention.name) < MIN_NAME:
            continue
        users = {int(doc) for doc in names.holding(term_id(mention.name))} - changed
        missing = users.difference(selection.docs, gaps) if 0 < len(users) <= _MAX_USERS else ()
        for doc in sorted(missing):
            if view.snapshot.role(doc) in (Role.IMPLEMENTATION, Role.TEST):
                path, name = view.paths[doc], mention.name
                need = f"{path} uses {name}, which the change touches"
                search, evidence = Search(symbols=(name,), paths=(path,)), (Evidence(path, symbol=name),)
                holds = _uses_changed(view, doc, name, mention.edit, changed)
                gap = Gap("dependency", need, False, evidence, name, search, form=GapForm.CALLER, holds=holds)
                gaps[doc] = gap
    return list(gaps.values())[:_MAX_CALLERS]


def _uses_changed(view: View, doc: int, name: str, edit: Edit, changed: Set[int]) -> bool:
    """Whether a document means the definition of a name that `changed` ones have, or had.

    False if the document declares the name itself, or if no changed file defines an altered name. If an unchanged file
    also defines it, or it is a plain word that no file defines any more, the document must import a changed file.
    """
    language = view.snapshot.language
    homes = {d for d in view.snapshot.symbols.homes_of(name) if not strangers(language(doc), language(d))}
    if doc in homes or (edit == "signature" and homes.isdisjoint(changed)):
        return False
    elsewhere = bool(homes - changed) or (not homes and len(split_identifier(name)) == 1)
    if elsewhere and changed.isdisjoint(view.snapshot.imports_of(doc).tolist()):
        return False
    text = view.text(doc)
    lines = (number for number, line in lines_with(text, name) if name in WORD.findall(line))
    return any(refers_outside(name, number, text, language(doc)) for number in lines)


def missing_components(listed: Sequence[Judgment], view: View) -> list[Gap]:
    """Return one gap of the parts without a listed file: of all repositories, or of the only one with a listed file."""
    of = {j.path.partition("/")[0] for j in listed} if view.members else set()
    parts = [part for part in view.overview.parts if len(of) != 1 or part.partition("/")[0] in of]
    known = {part for j in listed for part in (view.components.get(j.path, ""), j.path)}
    missing = [part for part in parts if part not in known]
    if not missing:
        return []
    verb = "is" if len(missing) == 1 else "are"
    need = f"of {len(parts)} parts, {first_of(missing, _NAMED_PARTS)} {verb} not selected"
    evidence = tuple(Evidence(text=part) for part in missing[:_NAMED_PARTS])
    name = missing[0].rstrip("/").rpartition("/")[2]
    search = Search(words=tuple(split_identifier(name)), scope=f"/{literal(missing[0].rstrip('/'))}/**")
    return [Gap("aspect", need, False, evidence, name, search, form=GapForm.PART)]
