"""Gaps of the kind *counterpart*: the other half of a file in hand, known by name, import or symbol."""

from __future__ import annotations

import re
from collections.abc import Iterator

from zeroin.evaluate.gaps_chance import Lead
from zeroin.evaluate.gaps_hand import Hand
from zeroin.evaluate.gaps_references import implementers
from zeroin.index.locate import core_of
from zeroin.terms import WORD, split_identifier, stem
from zeroin.types import Evidence, Judgment, Role, Search

_MIN_NAME = 4
_MAX_NAMESAKES = 4  # a name that more files share says nothing of belonging together
_MAX_DEFINERS = 2  # a name defined in more files is a convention
_MAX_KEYS = 200
_ABSTRACT = frozenset({"interface", "trait", "protocol"})  # what other files implement, by declaration
_ROUTES = re.compile(r"(?:^|[/_.-])(?:routes?|routers?|routing|urls|endpoints?)(?:[/_.-]|$)", re.IGNORECASE)
_HANDLERS = re.compile(
    r"(?:controllers?|handlers?|views?|resources?|actions?|resolvers?)(?:[/_.-]|$)", re.IGNORECASE
)
_MIGRATIONS = re.compile(r"(?:^|/)(?:migrations?|migrate)/", re.IGNORECASE)
_MODELS = re.compile(r"(?:^|[/_.-])(?:models?|entit(?:y|ies)|schemas?)(?:[/_.-]|$)", re.IGNORECASE)
_NOT_MEANT = frozenset("index main init mod lib util utils types common base core app config test".split())


def counterparts(hand: Hand) -> list[Lead]:
    """Missing halves of files in hand, best file first, each once."""
    seen: set[int] = set(hand.closed)
    leads: list[Lead] = []
    for doc, judgment in hand.anchors:
        for form, other, symbol, need in (
            *_namesakes(hand, doc, judgment),
            *_interfaces(hand, doc),
            *_routes(hand, doc),
            *_settings(hand, doc, judgment),
            *_migrations(hand, doc),
        ):
            if other in seen:
                continue
            seen.add(other)
            path = hand.view.paths[other]
            signs = hand.signs([other], judgment.relevance)
            evidence = (Evidence(path, symbol=symbol), Evidence(judgment.path))
            search = Search(symbols=(symbol,) if symbol else (), paths=(path,))
            mark = (other, symbol) if symbol else None
            follow_up = f"{path} {symbol}".strip()
            leads.append(Lead(form, "counterpart", need, evidence, follow_up, search, signs, mark))
    return leads


def _namesakes(hand: Hand, doc: int, judgment: Judgment) -> Iterator[tuple[str, int, str, str]]:
    """Files called alike: header and source, test and tested, component and style."""
    view = hand.view
    core = core_of(judgment.path)
    alike = [d for d in hand.cores.get(core, ()) if d != doc]
    if len(core) < _MIN_NAME or core in _NOT_MEANT or not 0 < len(alike) <= _MAX_NAMESAKES:
        return
    for other in alike:
        role, path = view.snapshot.role(other), view.paths[other]
        if role is Role.IMPLEMENTATION:
            form = "tested" if judgment.role is Role.TEST else "namesake"
            yield (
                form,
                other,
                "",
                f"{path} is the other half of {judgment.path} by its name, and is not in hand",
            )


def _interfaces(hand: Hand, doc: int) -> Iterator[tuple[str, int, str, str]]:
    """Implementations of what a file in hand declares."""
    view = hand.view
    for definition in view.snapshot.symbols.of_document(doc):
        if definition.kind in _ABSTRACT and hand.says_task(definition.name):
            if len(view.snapshot.symbols.rows_of(definition.name)) > _MAX_DEFINERS:
                continue
            for other in implementers(hand, definition.name):
                if other != doc and view.snapshot.role(other) is Role.IMPLEMENTATION:
                    need = f"{view.paths[other]} implements {definition.name} of {view.paths[doc]}, and is not in hand"
                    yield "implementation", other, definition.name, need


def _routes(hand: Hand, doc: int) -> Iterator[tuple[str, int, str, str]]:
    """Files of routes that name what a handler in hand defines."""
    view, path = hand.view, hand.view.paths[doc]
    if _ROUTES.search(path) or not _HANDLERS.search(path):
        return
    for definition in view.snapshot.symbols.of_document(doc):
        if len(definition.name) < _MIN_NAME:
            continue
        for other in view.users_of(definition.name):
            if (
                other != doc
                and _ROUTES.search(view.paths[other])
                and view.snapshot.role(other) is Role.IMPLEMENTATION
            ):
                need = f"{view.paths[other]} routes to {definition.name} of {path}, and is not in hand"
                yield "route", other, definition.name, need


def _settings(hand: Hand, doc: int, judgment: Judgment) -> Iterator[tuple[str, int, str, str]]:
    """Readers of a setting that a file in hand holds, and settings that the heart of a file in hand reads."""
    view, symbols = hand.view, hand.view.snapshot.symbols
    if judgment.role is Role.CONFIG:
        for definition in tuple(symbols.of_document(doc))[:_MAX_KEYS]:
            if _is_key(definition.name) and hand.says_task(definition.name):
                for other in view.users_of(definition.name):
                    if view.snapshot.role(other) is Role.IMPLEMENTATION:
                        need = f"{view.paths[other]} reads {definition.name} of {judgment.path}, and is not in hand"
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
        if _is_key(word) and hand.says_task(word):
            homes = {int(d) for d in symbols.docs[symbols.rows_of(word)]}
            if 0 < len(homes) <= 2 and all(view.snapshot.role(d) is Role.CONFIG for d in homes):
                for other in sorted(homes):
                    yield (
                        "setting",
                        other,
                        word,
                        f"{view.paths[other]} sets {word}, which {judgment.path} reads",
                    )


def _migrations(hand: Hand, doc: int) -> Iterator[tuple[str, int, str, str]]:
    """Migrations whose name says the model in hand, and the model that a migration in hand is about."""
    view, path = hand.view, hand.view.paths[doc]
    if _MIGRATIONS.search(path):
        words = _words(path)
        for other, name in enumerate(view.paths):
            if _MODELS.search(name) and not _MIGRATIONS.search(name) and _core(name) in words:
                yield "model", other, "", f"{name} is the model that {path} changes, and is not in hand"
    elif _MODELS.search(path):
        core = _core(path)
        if not core or not hand.says_task(core):
            return
        own = [d for d, name in enumerate(view.paths) if _MIGRATIONS.search(name) and core in _words(name)]
        for other in own[-1:]:  # they are numbered: the last by name is the newest
            yield "migration", other, "", f"{view.paths[other]} migrates the model {path}, and is not in hand"


def _core(path: str) -> str:
    """The stem of a model's file name; "" for a name that says nothing."""
    core = stem(path.rpartition("/")[2].partition(".")[0].lower())
    return core if len(core) >= _MIN_NAME and core not in ("model", "schema", "entiti") else ""


def _words(path: str) -> set[str]:
    """Stems of the words of a file's name."""
    return {stem(part) for part in split_identifier(path.rpartition("/")[2])}


def _is_key(name: str) -> bool:
    """Whether a name is told from a common word: a compound or in capitals."""
    return len(name) >= _MIN_NAME and len(split_identifier(name)) > 1
