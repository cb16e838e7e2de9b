"""Choose the files that a model grades, and pack them into requests: those whose grade may change the answer."""

from collections.abc import Collection, Mapping, Sequence
from hashlib import sha256

from zeroin.llm_judge.prompt import Part
from zeroin.types import Judgment

# Assumed share of right grades, for the expected gain of a grade.
_ACCURACY = 0.9
# Least expected gain of grading a file, and of a call.
_LEAST_OF_FILE, _LEAST_OF_CALL = 0.0005, 0.1
MOST_ASKED, ASKED_LATER = 64, 12  # files that are considered; after some are graded
_TOKENS_A_FILE = 320  # of the budget; few files take fewer
# Files that are surely not useful, graded with the others: their grades show how far to trust the judge. They come
# first, so that a bias for the first files shows in their grades.
CONTROLS, _FILES_A_CONTROL = 4, 4
_CONTROL = 0.02  # most relevance of such a file
REPLY_TOKENS = 45  # expected in the reply, a file
BATCH = 32  # files of one request; a second one pays for instructions and task again


def gain(relevance: float) -> float:
    """Return how much a grade is expected to reduce the variance p (1 - p) of a file's relevance p."""
    high = _ACCURACY * relevance + (1 - _ACCURACY) * (1 - relevance)
    return relevance * (1 - relevance) * (1 - _ACCURACY * (1 - _ACCURACY) / (high * (1 - high)))


def worth_asking(judgments: Sequence[Judgment], graded: Collection[str], tokens: int) -> list[Judgment]:
    """Return files to grade, greatest expected gain first; none where their total gain is not worth a call."""
    most = min(ASKED_LATER if graded else MOST_ASKED, tokens // _TOKENS_A_FILE)
    best = [j for j in judgments if j.path not in graded and gain(j.relevance) >= _LEAST_OF_FILE]
    best = sorted(best, key=lambda j: (-gain(j.relevance), j.path))[:most]
    return best if sum(gain(j.relevance) for j in best) >= _LEAST_OF_CALL else []


def controls(judgments: Sequence[Judgment], asked: Sequence[Judgment], graded: Collection[str]) -> list[Judgment]:
    """Return files that are surely not useful, spread over the pool."""
    known = {j.path for j in asked}.union(graded)
    others = [j for j in judgments if j.relevance <= _CONTROL and j.read and j.path not in known]
    most = min(CONTROLS, len(asked) // _FILES_A_CONTROL)
    return others[:: max(1, len(others) // most)][:most] if most else []


def batches(wanted: Sequence[Part], spare: Sequence[Part], frame: int, tokens: int, calls: int) -> list[list[Part]]:
    """Return the files of each request, as many as the budget allows, some of the `spare` ones first in each.

    `frame` are the tokens of a request without files. The `wanted` files are shuffled (by a hash of the path), so that
    their order says nothing of their relevance.
    """
    for count in range(1, calls + 1):
        left = tokens - count * frame
        first = fitting(spare, left // 3)
        rest = fitting(wanted, left - sum(part.tokens + REPLY_TOKENS for part in first))
        if len(first) + len(rest) <= count * BATCH or count == calls:
            break
    else:
        return []
    drawn = rest[: count * BATCH - len(first)]
    drawn = sorted(drawn, key=lambda part: sha256(part.path.encode("utf-8", "replace")).digest())
    return [[*first[n::count], *drawn[n::count]] for n in range(count)] if drawn else []


def fitting(parts: Sequence[Part], tokens: int) -> Sequence[Part]:
    for count, part in enumerate(parts):
        tokens -= part.tokens + REPLY_TOKENS
        if tokens < 0:
            return parts[:count]
    return parts


def expected(parts: Sequence[Part], relevance: Mapping[str, float]) -> float:
    return round(sum(gain(relevance[part.path]) for part in parts), 3)
