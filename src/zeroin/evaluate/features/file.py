"""Place: what kind of file this is and where it stands in the repository, whatever the task's words."""

from __future__ import annotations

import numpy as np

from zeroin.evaluate.features.pool import Column, Pool
from zeroin.index.locate import stem_key
from zeroin.types import Role

NAMES: dict[str, str] = {
    "is_implementation": "1 for implementation",
    "is_test": "1 for a test file, whatever the task",
    "is_doc": "1 for documentation, whatever the task",
    "is_config": "1 for configuration, whatever the task",
    "is_wanted_role": "1 for a role besides implementation that the task is about",
    "language_told": "1 for the language that the task names or shows, 0.5 where it shows none, else 0",
    "language_share": "share of the implementation files that are in this file's language, 0–1",
    "definitions_count": "log2(1 + definitions), divided by 8",
    "importers": "log2(1 + files that import it), divided by 8",
    "imports": "log2(1 + files that it imports), divided by 8",
    "depth": "folders above the file, divided by 8",
    "folder_support": "first score of the best other file of its folder, share of the best",
    "package_support": "mean first score of the pool's files in its folder, share of the best",
    "beside_best": "1 if it lies in the folder of the best file, 0.5 one folder up or down",
    "kin_of_best": "1 if it is named like one of the three best files, marks of tests aside",
    "imports_best": "1 if it imports the best file, 0.5 one of the next two",
    "imported_by_best": "1 if the best file imports it, 0.5 one of the next two",
    "test_of_best": "1 for a test that imports one of the three best files or is named like it",
}

_SCALE = 8.0
_BEST = 3


def columns(pool: Pool, prior: Column) -> dict[str, Column]:
    """The columns of `NAMES`; `prior` are first scores, by which the best files are chosen."""
    out = {name: pool.zeros() for name in NAMES}
    if not len(pool):
        return out
    _kinds(pool, out)
    _neighbours(pool, prior, out)
    return out


def _kinds(pool: Pool, out: dict[str, Column]) -> None:
    snapshot, docs = pool.view.snapshot, pool.docs
    role_columns = {
        Role.IMPLEMENTATION: "is_implementation",
        Role.TEST: "is_test",
        Role.DOC: "is_doc",
        Role.CONFIG: "is_config",
    }
    shares = pool.view.language_shares
    told = pool.query.languages
    for place, (doc, role) in enumerate(zip(docs.tolist(), pool.roles, strict=True)):
        column = role_columns.get(role)
        if column:
            out[column][place] = 1.0
        out["is_wanted_role"][place] = float(role in pool.query.wanted_roles)
        language = snapshot.language(doc)
        out["language_told"][place] = 0.5 if not told else float(language in told)
        out["language_share"][place] = shares.get(language, 0.0)
        out["depth"][place] = pool.candidates[place].path.count("/") / _SCALE
    defined = np.diff(snapshot.symbols.pointers)[docs]
    out["definitions_count"] = (np.log2(1.0 + defined) / _SCALE).astype(np.float32)
    importers, imports = pool.view.degrees
    out["importers"] = (np.log2(1.0 + importers[docs]) / _SCALE).astype(np.float32)
    out["imports"] = (np.log2(1.0 + imports[docs]) / _SCALE).astype(np.float32)


def _neighbours(pool: Pool, prior: Column, out: dict[str, Column]) -> None:
    order = np.argsort(-prior, kind="stable")
    scale = max(float(prior[order[0]]), 1e-6)
    share = np.clip(prior / scale, 0.0, 1.0)
    folders = [c.path.rpartition("/")[0] for c in pool.candidates]
    members: dict[str, list[int]] = {}
    for place in order.tolist():
        members.setdefault(folders[place], []).append(place)
    for inside in members.values():
        values = share[inside]
        out["package_support"][inside] = values.mean()
        if len(inside) > 1:
            out["folder_support"][inside] = values[0]
            out["folder_support"][inside[0]] = values[1]
    best = order[:_BEST].tolist()
    top = folders[best[0]]
    near = [_nearness(folder, top) for folder in folders]
    out["beside_best"] = np.array(near, np.float32)
    out["beside_best"][best[0]] = 0.0
    cores = {stem_key(pool.candidates[place].path) for place in best}
    for number, place in enumerate(best):
        doc, worth = pool.candidates[place].doc, 1.0 if number == 0 else 0.5
        for name, others in (
            ("imported_by_best", pool.view.snapshot.imports_of(doc)),
            ("imports_best", pool.view.snapshot.importers_of(doc)),
        ):
            places = pool.index[others]
            places = places[places >= 0]
            out[name][places] = np.maximum(out[name][places], worth)
    for place, candidate in enumerate(pool.candidates):
        kin = stem_key(candidate.path) in cores
        out["kin_of_best"][place] = float(kin and place not in best)
        if pool.roles[place] is Role.TEST:
            out["test_of_best"][place] = float(kin or out["imports_best"][place] > 0)


def _nearness(folder: str, top: str) -> float:
    if folder == top:
        return 1.0
    return 0.5 if folder.rpartition("/")[0] == top or top.rpartition("/")[0] == folder else 0.0
