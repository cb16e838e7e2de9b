"""The one rule for gaps: how often closing one like it led to a wanted file; hence critical, told, or nothing.

Two logistic models of the same signs, fitted on the tuning issues and checked on repositories left out
(docs/QUALITY.md, "Gaps"). The *chance* is that of the issues as they are: it decides what is critical. Where a
retriever missed a file, its own relevance says nothing, so the *pull* is told without it, from issues with a gold file
withheld: it decides what is told besides. Words for which no file is known have neither: what they are worth is how
often nothing wanted is in hand at all.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace

from zeroin.types import HIGH, MEDIUM, Evidence, Gap, GapKind, Search

CRITICAL = 0.25  # a gap is critical when closing it leads to a wanted file at least this often
TOLD = 0.1  # chance from which a gap is told whatever pulls
PULL = 0.06  # pull from which a gap is told whatever its chance

# Logits of the chance and of the pull. `judged`: log odds of the missing file's own relevance; `tie`: log share of the
# task's information that its names say; `agree`: in how many forms it is missing; `user`: log of the relevance of
# the file that needs it; then the form, beside "symbol".
_CHANCE = {"base": -0.03, "judged": 1.07, "tie": 0.15, "agree": 0.22, "user": 0.14}
_PULL = {"base": -1.34, "judged": 0.0, "tie": 0.82, "agree": 0.61, "user": 0.42}
_FLOOR, _MOST_JUDGED, _MOST_FORMS = 0.02, 0.95, 4
_FORMS = {  # chance, pull
    "symbol": (0.0, 0.0),
    "implemented": (0.29, 0.18),
    "imported": (-0.16, -0.36),
    "importer": (0.01, 0.07),
    "implementation": (-0.47, -0.56),
    "namesake": (0.25, 0.58),
    "tested": (0.31, 1.02),
    "route": (0.62, 1.14),
    "aspect": (0.05, -0.27),
    "elsewhere": (0.32, -0.41),
    "in passing": (-0.27, -0.41),
}
_OTHER = (-0.5, -0.5)  # forms that were met too seldom to be measured
# What lies behind an interface that a good file uses is asked for even where its names say nothing of the task: 22 % of
# 32 such references led to an edited file, 33 % of 12 where one was withheld.
_BEHIND_INTERFACE = 0.25
# Words that no file is known for: in how many issues no file in hand is wanted, by the best relevance in hand. Where
# it is medium, the words must be a good part of the title to be worth a question.
_NOTHING_GOOD, _NOTHING_SURE, _SOMETHING_SURE = 0.46, 0.37, 0.15
_LARGE_PART = 0.2  # of the title's information
_NEARLY_ALL = 0.6  # where the title names so little, what looks sure looks so by words said in passing


@dataclass(frozen=True, slots=True)
class Lead:
    """Something that is missing, and the signs from which its chance is told.

    `mark` is a document and a word in it: the first piece of evidence is the line that says it.
    """

    form: str
    kind: GapKind
    need: str
    evidence: tuple[Evidence, ...]
    follow_up: str
    search: Search = field(default_factory=Search)
    signs: Mapping[str, float] = field(default_factory=dict)
    mark: tuple[int, str] | None = None

    def gap(self, followed: Set[str] = frozenset()) -> Gap:
        """The gap that is told of it; never critical where all it names was `followed` before."""
        chance = self.signs.get("chance", 0.0)
        old = bool(self.search.paths) and set(self.search.paths) <= followed
        critical = chance >= CRITICAL and not old
        return Gap(self.kind, self.need, critical, self.evidence, self.follow_up, self.search, chance)


def with_chances(leads: Sequence[Lead]) -> list[Lead]:
    """Leads with their `chance` and `pull` among the signs, in the same order."""
    forms: dict[str, set[str]] = {}
    for lead in leads:
        for path in lead.search.paths:
            forms.setdefault(path, set()).add(lead.form)
    out = []
    for lead in leads:
        agree = min(_MOST_FORMS, max((len(forms[path]) for path in lead.search.paths), default=0))
        chance = pull = 0.0
        if lead.search.paths:
            chance, pull = (
                _share(lead, agree, weights, place) for place, weights in enumerate((_CHANCE, _PULL))
            )
        worth = {"chance": round(max(chance, _asked(lead)), 4), "pull": round(pull, 4)}
        out.append(replace(lead, signs={**lead.signs, **worth}))
    return out


def _share(lead: Lead, agree: int, weights: Mapping[str, float], place: int) -> float:
    """One of the two models for a lead that names a file."""
    judged = min(_MOST_JUDGED, max(_FLOOR, lead.signs["judged"]))
    logit = weights["base"] + weights["judged"] * math.log(judged / (1 - judged))
    logit += weights["tie"] * math.log(_FLOOR + lead.signs["tie"]) + weights["agree"] * agree
    logit += weights["user"] * math.log(_FLOOR + lead.signs["user"]) + _FORMS.get(lead.form, _OTHER)[place]
    return 1 / (1 + math.exp(-logit))


def _asked(lead: Lead) -> float:
    """What a lead is worth whatever file it names: words without a file, and what lies behind an interface."""
    best = lead.signs.get("user", 0.0)
    if lead.kind == "terminology":
        if best < MEDIUM:
            return _NOTHING_GOOD
        large = _LARGE_PART if best < HIGH else _NEARLY_ALL
        return _NOTHING_SURE if lead.signs.get("unnamed", 0.0) >= large else _SOMETHING_SURE
    return _BEHIND_INTERFACE if lead.form == "implemented" and best >= MEDIUM else 0.0
