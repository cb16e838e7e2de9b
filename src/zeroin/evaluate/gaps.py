"""What is still missing (PATTERN P6): words the code avoids, symbols and dependencies not in hand, counterparts.

Each detector names what it misses, with evidence and the query that would close it; `gaps_chance` says what that is
worth, and here the most promising are kept, critical ones first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace

from zeroin.evaluate.gaps_chance import PULL, TOLD, Lead, with_chances
from zeroin.evaluate.gaps_counterparts import counterparts
from zeroin.evaluate.gaps_dependencies import dependencies
from zeroin.evaluate.gaps_hand import Hand
from zeroin.evaluate.gaps_references import references, unknown_symbols
from zeroin.evaluate.gaps_words import aspects, words_missing
from zeroin.evaluate.information import Information
from zeroin.evaluate.passages import Passages
from zeroin.evaluate.purpose_gaps import gaps_of_purpose
from zeroin.index.view import View
from zeroin.terms import WORD
from zeroin.types import Evidence, Gap, Judgment, Query, Task

_BY_CHANCE, _BY_PULL = 4, 6  # gaps that name files: a longer list is a ranking


@dataclass(frozen=True, slots=True)
class GapFinder:
    """Finds gaps in what is in hand after a cycle."""

    task: Task
    query: Query
    information: Information
    view: View

    def find(self, judgments: Sequence[Judgment], passages: Mapping[int, Passages]) -> tuple[Gap, ...]:
        """Gaps, critical ones first; `judgments` best first."""
        hand = Hand(self.task, self.query, self.information, self.view, judgments, passages)
        of_purpose = gaps_of_purpose(self.task, self.query, hand.files, self.view)
        kept = self.located(chosen(leads_of(hand), hand.followed))
        gaps = [*(lead.gap(hand.followed) for lead in kept), *of_purpose]
        return tuple(sorted(gaps, key=lambda g: not g.critical))

    def located(self, leads: Sequence[Lead]) -> list[Lead]:
        """The same with the lines of their evidence, whose files are read at once."""
        marks = {lead.mark for lead in leads if lead.mark is not None}
        self.view.prefetch(doc for doc, _ in marks)
        out = []
        for lead in leads:
            line = None if lead.mark is None else line_of(self.view.text(lead.mark[0]), lead.mark[1])
            if line is not None and lead.evidence:
                first: Evidence = replace(lead.evidence[0], line=line)
                lead = replace(lead, evidence=(first, *lead.evidence[1:]))
            out.append(lead)
        return out


def leads_of(hand: Hand) -> list[Lead]:
    """Everything that could be missing, with its chance. An overview asks for no name: its words are of structure."""
    surveys = hand.task.purpose == "architecture"
    return with_chances(
        [
            *([] if surveys else words_missing(hand)),
            *unknown_symbols(hand),
            *references(hand),
            *dependencies(hand),
            *counterparts(hand),
            *([] if surveys else aspects(hand)),
        ]
    )


def chosen(leads: Sequence[Lead], followed: Set[str] = frozenset()) -> list[Lead]:
    """Leads worth telling, a file once: those of the best chance, then those of the strongest pull.

    All symbols of a file told are kept beside it. What was `followed` already does not keep others from being told.
    The other references are kept for REFINE, which follows them whatever they are worth, with no chance: untold.
    """
    named: set[str] = set()
    out = [lead for lead in leads if not lead.search.paths]
    for sign, least, most in (("chance", TOLD, _BY_CHANCE), ("pull", PULL, _BY_PULL)):
        room = {True: most, False: most}
        for lead in sorted(leads, key=lambda one: (-one.signs[sign], -one.signs["chance"], one.need)):
            paths = set(lead.search.paths)
            old = paths <= followed
            if paths - named and lead.signs[sign] >= least and room[old]:
                room[old] -= 1
                named |= paths
                out.append(lead)
    told = {id(lead) for lead in out}
    for lead in leads:
        if lead.kind == "reference" and id(lead) not in told:
            open_ = not set(lead.search.paths) <= named
            out.append(replace(lead, signs={**lead.signs, "chance": 0.0}) if open_ else lead)
    return out


def line_of(text: str, name: str) -> int | None:
    """The first line of a text that says a name; None if none does."""
    for number, line in enumerate(text.split("\n"), start=1):
        if name in line and (name in WORD.findall(line) or not name.isidentifier()):
            return number
    return None
