"""Cycles one after another: what a cycle judged of files is among the features of the next."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from training.dataset import FOLDS, Rows, fold_of, rows_of
from training.features import Measured
from training.quality import Scored
from zeroin.evaluate.features import previous_cycle
from zeroin.evaluate.features.table import COLUMN
from zeroin.evaluate.model.ranker import judged_scores
from zeroin.models.trees import ObliviousTrees

Fit = Callable[[Rows], ObliviousTrees]
Held = dict[str, float]  # path → log odds
Key = tuple[str, str, bool]


def key_of(task: Measured) -> Key:
    """Names a task and the way it is asked: cycle by cycle, or at once."""
    return task.kind, task.id, task.once


def holding(task: Measured, held: Mapping[str, float]) -> Measured:
    """The task with the columns of what was held of its files."""
    rows = task.rows.copy()
    was_read = rows[:, COLUMN["previously_read"]] > 0
    read = frozenset(path for path, value in zip(task.paths, was_read, strict=True) if value)
    for name, column in previous_cycle.columns_of(task.paths, held, read).items():
        rows[:, COLUMN[name]] = column
    return replace(task, rows=rows)


def judged(tasks: Sequence[Measured], trees: Callable[[Measured], ObliviousTrees]) -> list[Scored]:
    """Every task with the scores of its candidates, cycle after cycle as the product judges them."""
    held: dict[Key, Held] = {}
    out: list[Scored] = []
    for task in sorted(tasks, key=lambda one: one.cycle):
        known = held.setdefault(key_of(task), {})
        told = holding(task, known)
        scores = judged_scores(trees(task), told.rows)
        known |= dict(zip(task.paths, scores.tolist(), strict=True))
        out.append((told, scores))
    return out


def rows_of_cycles(tasks: Sequence[Measured], fit: Fit) -> Rows:
    """Training rows of all cycles: later ones are told what models that never saw their repository made of the first.

    `fit` trains these models, one a fold, on first cycles alone.
    """
    first = [task for task in tasks if task.cycle == 1]
    if len(first) == len(tasks):
        return rows_of(tasks)
    held: dict[Key, Held] = {}
    for fold in sorted({fold_of(task.repo) for task in first}):
        trees = fit(rows_of([task for task in first if fold_of(task.repo) != fold]))
        for task in (one for one in first if fold_of(one.repo) == fold):
            scores = trees.predict(task.rows)
            held[key_of(task)] = dict(zip(task.paths, scores.tolist(), strict=True))
    return rows_of([t if t.cycle == 1 else holding(t, held.get(key_of(t), {})) for t in tasks])


def cross_fit(
    tasks: Sequence[Measured], fit: Fit, tell: Fit | None = None
) -> tuple[list[ObliviousTrees], list[Scored]]:
    """One model a fold, fitted without it, and every task's scores by the model of its fold.

    `tell` trains the models whose judgments of first cycles later ones are told; by default `fit` does.
    """
    models = []
    for fold in range(FOLDS):
        others = [task for task in tasks if fold_of(task.repo) != fold]
        models.append(fit(rows_of_cycles(others, tell or fit)))
    return models, judged(tasks, lambda task: models[fold_of(task.repo)])


def latest(scored: Sequence[Scored]) -> list[Scored]:
    """Each task in the last cycle that was measured of it: what is shown, and so what is calibrated."""
    by_task = {key_of(t): (t, found) for t, found in sorted(scored, key=lambda pair: pair[0].cycle)}
    return list(by_task.values())
