"""What is still missing (PATTERN P6): words the code avoids, symbols and dependencies not in hand, counterparts.

A gap is critical when the task cannot be done well without closing it: a main word of the task that no
relevant file says, or a symbol in the heart of a relevant file, tied to the task, whose definition is not in hand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from zeroin.evaluate.information import Information
from zeroin.evaluate.passages import Passages
from zeroin.evaluate.purpose_gaps import gaps_of_purpose
from zeroin.index.view import View
from zeroin.terms import INTENT_WORDS, WORD, analyse_word, term_id
from zeroin.types import MEDIUM, Evidence, Gap, Judgment, Query, Role, Task

_MAIN_SHARE = 0.12  # a title term that carries this share of the title's information is a main word
_MAX_DEFINERS = 2  # a symbol defined in more files is a convention, not a missing piece
_MAX_REFERENCES = 10
# A symbol used in more files is a tool of everybody's, not a missing piece.
_RARE_FILES, _RARE_SHARE = 8, 0.03
_MIN_NAME = 4
_SAME_HOME = 0.3  # what a reference is worth that leads where another already leads
_ABSTRACT = frozenset({"interface", "trait", "protocol", "type", "class"})  # what other files implement
# Files whose references are followed; fewer good ones are filled up with the best there are.
_ANCHORS, _ENOUGH_ANCHORS = 10, 2
_ANCHOR_SHARE = 0.02  # of the best file's relevance that a file must have for its references to matter


@dataclass(frozen=True, slots=True)
class GapFinder:
    """Finds gaps in what is in hand after a cycle."""

    task: Task
    query: Query
    information: Information
    view: View

    def find(self, judgments: Sequence[Judgment], passages: Mapping[int, Passages]) -> tuple[Gap, ...]:
        """Gaps, critical ones first; `judgments` best first."""
        good = [j for j in judgments if j.relevance >= MEDIUM]
        in_hand = good or list(judgments[:3])
        surveys = self.task.purpose == "architecture"  # words like "structure" ask for no name in the code
        gaps = [
            *([] if surveys else self._words(in_hand, passages)),
            *self._named_symbols(),
            *self._references(in_hand, good if len(good) >= _ENOUGH_ANCHORS else judgments[:_ANCHORS]),
            *gaps_of_purpose(self.task, self.query, in_hand, self.view),
        ]
        return tuple(sorted(gaps, key=lambda g: not g.critical))

    def _implementers(self, name: str) -> list[int]:
        """Files with a definition whose first line says the name: `class JwtCodecs implements JwtCodec`."""
        snapshot = self.view.snapshot
        rows = snapshot.symbols.rows_of(name)
        if not any(snapshot.symbols.row(int(row)).kind in _ABSTRACT for row in rows):
            return []
        found = []
        for doc in self.view.users_of(name):
            lines = self.view.text(doc).split("\n")
            starts = {
                d.start for d in snapshot.symbols.of_document(doc) if d.name != name and d.start <= len(lines)
            }
            if any(name in WORD.findall(lines[start - 1]) for start in starts):
                found.append(doc)
        return found[:_MAX_DEFINERS]

    def _words(self, in_hand: Sequence[Judgment], passages: Mapping[int, Passages]) -> list[Gap]:
        """Main words of the title that no file in hand says in its code."""
        info, content = self.information, self.view.snapshot.content
        said: set[str] = set()
        for judgment in in_hand:
            doc = self.view.doc_of(judgment.path)
            if doc is not None and judgment.role is not Role.DOC:
                said |= self._defines(doc) | _stood_for(passages.get(doc, Passages()), info)
        surface = {
            term: word
            for word in WORD.findall(self.query.title or self.task.text[:2000])[::-1]
            for term in analyse_word(word)
        }
        gaps = []
        for term in sorted(info.title, key=lambda t: (-info.worth[t], t)):
            share = info.worth[term] / info.title_total if info.title_total else 0.0
            word = surface.get(term, term)
            if share < _MAIN_SHARE or term in said or word.lower() in INTENT_WORDS:
                continue
            if not content.document_frequency(term_id(term)):
                if content.document_frequency(term_id(word.lower())):
                    continue  # the code writes it as a compound, which the index keeps unstemmed
                need = f"no file says “{word}”: which word does this codebase use for it?"
                gaps.append(Gap("terminology", need, True, (Evidence(text=word),), word))
            elif not self.view.named_in(term):
                need = f"“{word}” is said, but nothing is named so: which word does this codebase use for it?"
                gaps.append(Gap("terminology", need, True, (Evidence(text=word),), word))
            elif not any(term in passages[d].terms for d in self._docs(in_hand) if d in passages):
                need = f"no relevant file says “{word}”: another word, or another part of the code?"
                gaps.append(Gap("terminology", need, True, (Evidence(text=word),), word))
            else:
                need = f"“{word}” is said in passing only: no name in the relevant files carries it"
                gaps.append(Gap("aspect", need, False, (Evidence(text=word),), word))
        return gaps[:3]

    def _docs(self, judgments: Sequence[Judgment]) -> list[int]:
        return [d for j in judgments if (d := self.view.doc_of(j.path)) is not None]

    def _defines(self, doc: int) -> set[str]:
        """Task terms (stand-ins included) that the names of a document carry: its definitions and its path."""
        symbols = self.view.snapshot.symbols
        words = {
            symbols.names[int(symbols.name[row])]
            for row in range(int(symbols.pointers[doc]), int(symbols.pointers[doc + 1]))
        }
        words |= set(WORD.findall(self.view.paths[doc]))
        found: set[str] = set()
        for word in words:
            for term in analyse_word(word):
                found |= {task_term for task_term, _ in self.information.matches(term)}
        return found

    def _named_symbols(self) -> list[Gap]:
        """Symbols that the task names and that are neither defined nor used anywhere."""
        gaps = []
        for mention in self.query.symbols[:10]:
            name = mention.name.replace("::", ".").rpartition(".")[2].strip("()")
            if mention.weight < 1.0 or len(name) < _MIN_NAME or "." in mention.name:
                continue
            if len(self.view.snapshot.symbols.rows_of(name)) or self.view.used_in(name):
                continue
            need = f"the task names {name}; no file defines or uses it"
            gaps.append(Gap("reference", need, False, (Evidence(symbol=name),), name))
        return gaps[:3]

    def _references(self, in_hand: Sequence[Judgment], anchors: Sequence[Judgment]) -> list[Gap]:
        """Symbols used in the heart of files in hand whose only definitions are not in hand."""
        snapshot = self.view.snapshot
        held = set(self._docs(in_hand)) | {
            doc for path in self.query.must_read if (doc := self.view.doc_of(path)) is not None
        }
        uses: Counter[str] = Counter()
        first: dict[str, Evidence] = {}
        users: dict[str, set[str]] = {}
        least = _ANCHOR_SHARE * anchors[0].relevance if anchors else 0.0
        for judgment in anchors[:_ANCHORS]:
            doc = self.view.doc_of(judgment.path)
            if doc is None or judgment.role in (Role.DOC, Role.CONFIG) or judgment.relevance < least:
                continue
            lines = self.view.text(doc).split("\n")
            for span in judgment.spans[:3]:
                for number in range(span.start, min(span.end, len(lines)) + 1):
                    for word in WORD.findall(lines[number - 1]):
                        uses[word] += 1
                        users.setdefault(word, set()).add(judgment.path)
                        first.setdefault(word, Evidence(judgment.path, number, word))
        rare = max(_RARE_FILES, _RARE_SHARE * len(snapshot))
        missing: dict[str, set[int]] = {}
        for name in uses:
            if len(name) < _MIN_NAME or self.view.used_in(name) > rare:
                continue
            definers = {int(d) for d in snapshot.symbols.docs[snapshot.symbols.rows_of(name)]}
            if not definers or len(definers) > _MAX_DEFINERS or definers & held:
                continue
            if any(snapshot.role(d) is Role.IMPLEMENTATION for d in definers):
                missing[name] = definers
        from_home = Counter(d for definers in missing.values() for d in definers)
        gaps: list[tuple[float, Gap]] = []
        for name, definers in missing.items():
            tied = any(self.information.matches(t) for t in analyse_word(name))
            together = max(from_home[d] for d in definers)
            critical = tied or len(users[name]) > 1 or together > 1
            homes = [self.view.paths[d] for d in sorted(definers)]
            doing = [self.view.paths[d] for d in self._implementers(name) if d not in held | definers]
            evidence = first[name]
            need = f"{name} ({evidence.path}:{evidence.line}) is defined in {' and '.join(homes)}"
            need += f" and implemented in {' and '.join(doing)}" if doing else ""
            homes, need = homes + doing, f"{need}, not in hand"
            rarity = snapshot.names.idf(term_id(name))
            value = (
                rarity * (1 + 0.5 * min(uses[name], 4)) * (2.0 if tied else 1.0) * len(users[name]) * together
            )
            everywhere = (evidence, *(Evidence(home, symbol=name) for home in homes))
            gaps.append((value, Gap("reference", need, critical, everywhere, name)))
        return _spread(gaps)


def _stood_for(passages: Passages, info: Information) -> set[str]:
    """Task terms that a learned word stands for in a file."""
    standing = {task for pairs in info.stand_ins.values() for task, _ in pairs}
    return standing & passages.terms


def _spread(gaps: Sequence[tuple[float, Gap]]) -> list[Gap]:
    """The most valuable references, those that lead to a file not yet led to before more of the same."""
    waiting = sorted(gaps, key=lambda g: (-g[0], g[1].need))
    led: set[str] = set()
    out: list[Gap] = []
    while waiting and len(out) < _MAX_REFERENCES:
        best = max(
            waiting, key=lambda g: g[0] * (1.0 if {e.path for e in g[1].evidence[1:]} - led else _SAME_HOME)
        )
        waiting.remove(best)
        led |= {e.path for e in best[1].evidence[1:]}
        out.append(best[1])
    return out
