"""What kind of file this is, and where it lies beside the best files; independent of the task's words."""

from collections import defaultdict

import numpy as np

from zeroin.evaluate.features.pool import Column, Pool
from zeroin.index.locate import stem_key
from zeroin.types import Role

_SCALE = 8.0
_BEST = 3
_ROLE_COLUMNS = {
    Role.IMPLEMENTATION: "is_implementation",
    Role.TEST: "is_test",
    Role.DOC: "is_doc",
    Role.CONFIG: "is_config",
}


def columns(pool: Pool, prior: Column) -> dict[str, Column]:
    """Compute the columns of the section; `prior` are first scores, by which the best files are chosen."""
    out = pool.columns("file")
    _kinds(pool, out)
    _folders(pool, prior, out)
    _relatives(pool, prior, out)
    return out


def _kinds(pool: Pool, out: dict[str, Column]) -> None:
    snapshot, docs, wanted = pool.view.snapshot, pool.docs, pool.query.languages
    for i, role in enumerate(pool.roles):
        if role in _ROLE_COLUMNS:
            out[_ROLE_COLUMNS[role]][i] = 1.0
        out["is_wanted_role"][i] = float(role in pool.query.wanted_roles)
        language = snapshot.language(int(docs[i]))
        out["language_match"][i] = float(language in wanted) if wanted else 0.5
        out["language_share"][i] = pool.view.language_shares.get(language, 0.0)
        out["depth"][i] = pool.candidates[i].path.count("/") / _SCALE
    importers, imports = pool.view.degrees
    for name, counts in (
        ("definitions_count", np.diff(snapshot.symbols.pointers)),
        ("importers", importers),
        ("imports", imports),
    ):
        out[name] = (np.log2(1.0 + counts[docs]) / _SCALE).astype(np.float32)


def _folders(pool: Pool, prior: Column, out: dict[str, Column]) -> None:
    order = np.argsort(-prior, kind="stable").tolist()
    share = np.clip(prior / max(float(prior[order[0]]), 1e-6), 0.0, 1.0)
    folders = [c.path.rpartition("/")[0] for c in pool.candidates]
    members: dict[str, list[int]] = defaultdict(list)
    for i in order:
        members[folders[i]].append(i)
    for inside in members.values():
        values = share[inside]
        out["package_support"][inside] = values.mean()
        if len(inside) > 1:
            out["folder_support"][inside] = values[0]
            out["folder_support"][inside[0]] = values[1]
    best = folders[order[0]]
    out["beside_best"] = np.array([_closeness(folder, best) for folder in folders], np.float32)
    out["beside_best"][order[0]] = 0.0


def _relatives(pool: Pool, prior: Column, out: dict[str, Column]) -> None:
    snapshot = pool.view.snapshot
    best = np.argsort(-prior, kind="stable")[:_BEST].tolist()
    for number, i in enumerate(best):
        doc, value = pool.candidates[i].doc, 1.0 if number == 0 else 0.5
        for name, others in (
            ("imported_by_best", snapshot.imports_of(doc)),
            ("imports_best", snapshot.importers_of(doc)),
        ):
            found = pool.inside(others)
            out[name][found] = np.maximum(out[name][found], value)
    stems = {stem_key(pool.candidates[i].path) for i in best}
    for i, candidate in enumerate(pool.candidates):
        same = stem_key(candidate.path) in stems
        out["same_stem_as_best"][i] = float(same and i not in best)
        if pool.roles[i] is Role.TEST:
            out["test_of_best"][i] = float(same or out["imports_best"][i] > 0)


def _closeness(folder: str, other: str) -> float:
    if folder == other:
        return 1.0
    return 0.5 if folder.rpartition("/")[0] == other or other.rpartition("/")[0] == folder else 0.0
