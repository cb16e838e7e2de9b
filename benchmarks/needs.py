"""What an answer says besides its files, read back: gaps, terminology, conventions, and changes of the query."""

import re
from collections.abc import Iterable

from benchmarks.claims import Findings
from benchmarks.facts import Facts, glob_matches
from benchmarks.sentences import ReasonChecker
from zeroin.index.view import View
from zeroin.terms import STOPWORDS, WORD, analyse, analyse_word, term_id
from zeroin.types import LOW, MEDIUM, Change, Context, Evidence, Gap, Pattern, Role, Term, TermSource

_NEAR = 2  # lines around a line of a bridge that may hold the codebase's word
_FILES_READ = 20
_HELD = 3  # files in hand where none reaches medium


class NeedChecker:
    """Checks gaps, terms, patterns and changes of one answer; `reasons` checks the evidence that they share."""

    def __init__(
        self, context: Context, view: View, facts: Facts, found: Findings, reasons: ReasonChecker
    ) -> None:
        self.context, self.view, self.facts, self.found = context, view, facts, found
        self._reasons = reasons
        self._listed = {j.path for j in (*context.files, *context.supporting)}

    # --- gaps -----------------------------------------------------------------------------------

    def gap(self, gap: Gap) -> None:
        """The sentence of a gap and what it names."""
        where = f"gap “{gap.need}”"
        if gap.kind == "aspect" and gap.need.startswith("of "):
            self._components(gap, where)
            return
        for evidence in gap.evidence:
            self._reasons.evidence(evidence, where)
        rules = {
            r"no file says “(.+)”: which word does this codebase use for it\?": self._unsaid,
            r"“(.+)” is said, but nothing is named so: which word does this codebase use for it\?": self._unnamed,
            r"no relevant file says “(.+)”: another word, or another part of the code\?": self._unheld,
            r"“(.+)” is said in passing only: no name in the relevant files carries it": self._in_passing,
            r"the task names (.+); no file defines or uses it": self._unknown,
        }
        for rule, check in rules.items():
            if match := re.fullmatch(rule, gap.need):
                check(match[1], where)
                return
        if gap.kind == "reference":
            self._missing(gap, where)
        elif gap.kind == "counterpart" and (
            match := re.fullmatch(r"(.+) tests (.+) and is not in hand", gap.need)
        ):
            self._open([match[1]], where)
            imports = self._reasons._imports(match[1], match[2])
            self._claim("import", imports, where, f"{match[1]} does not import {match[2]}")
        elif gap.kind == "dependency" and gap.need.endswith(", which the change touches, and is not in hand"):
            [evidence] = gap.evidence
            self._open([evidence.path], where)
            told = gap.need.startswith(f"{evidence.path} uses {evidence.symbol}, ")
            self._claim("sentence", told, where, "is not what its evidence says")
        else:
            self._claim("sentence", False, where, "is not understood")

    def _components(self, gap: Gap, where: str) -> None:
        match = re.fullmatch(r"of (\d+) components, (.+?)(?: and (\d+) more)? are not in hand", gap.need)
        if not self._claim("sentence", match is not None, where, "is not understood") or match is None:
            return
        known = set(self.view.components.values())
        for component in match[2].split(", "):
            self._claim("place", component in known, where, f"{component} is no component")
            inside = any(self.view.components.get(path) == component for path in self._listed)
            self._claim("in hand", not inside, where, f"a file of {component} is listed")
        more = len(match[2].split(", ")) + int(match[3] or 0)
        self._claim("count", more <= int(match[1]) <= len(known), where, f"there are {len(known)} components")

    def _unsaid(self, word: str, where: str) -> None:
        saying = self._holding(word, self.facts.files_that_say(word))
        self._claim("words", not saying, where, f"{', '.join(sorted(saying)[:3])} says it")

    def _holding(self, word: str, paths: Iterable[str]) -> set[str]:
        """Of `paths`, those that were analysed and whose words include `word`, in any case."""
        low, found = word.lower(), set()
        for path in paths:
            doc = self.view.numbers[path]
            if int(self.view.snapshot.lines[doc]) and low in {w.lower() for w in self.facts.words(path)}:
                found.add(path)
        return found

    def _unnamed(self, word: str, where: str) -> None:
        self._claim("words", self._says_a_form_of(word), where, f"no file says {word} in any form")
        symbols = self.view.snapshot.symbols
        named = len(symbols.rows_of(word)) or any(
            word.lower() in (p.lower() for p in re.split(r"[/.\-]", path)) for path in self.view.paths
        )
        self._claim("words", not named, where, f"something is named {word}")

    def _says_a_form_of(self, word: str) -> bool:
        """Whether the text of a file says the word or another form of it; looked for where the index has it."""
        content = self.view.snapshot.content
        for term in analyse_word(word):
            docs = content.docs[content.rows(term_id(term))][:_FILES_READ].tolist()
            said = (w for doc in docs for w in self.facts.words(self.view.paths[doc]))
            if any(term in analyse_word(w) for w in said):
                return True
        return False

    def _unheld(self, word: str, where: str) -> None:
        saying = self._holding(word, self._in_hand())
        self._claim("words", not saying, where, f"{', '.join(sorted(saying)[:3])} says it")

    def _in_passing(self, word: str, where: str) -> None:
        symbols = self.view.snapshot.symbols
        for path in self._in_hand():
            doc = self.view.numbers[path]
            if self.view.snapshot.role(doc) is Role.DOC:
                continue
            named = any(d.name == word for d in symbols.of_document(doc))
            self._claim("words", not named, where, f"{path} defines {word}")

    def _in_hand(self) -> list[str]:
        """What was in hand when the last gaps were found."""
        last = self.context.cycles[-1].judgments
        return [j.path for j in last if j.relevance >= MEDIUM] or [j.path for j in last[:_HELD]]

    def _unknown(self, name: str, where: str) -> None:
        told = all(part in self._reasons.said.text for part in re.split(r"::|\.", name))
        self._claim("mention", told, where, f"the task does not say {name}")
        defined = len(self.view.snapshot.symbols.rows_of(name.replace("::", ".").rpartition(".")[2]))
        self._claim("symbol", not defined, where, f"{name} is defined")

    def _missing(self, gap: Gap, where: str) -> None:
        """`X, Y and 2 more (path:line) is defined in A and B and implemented in C, not in hand`."""
        user = gap.evidence[0]
        pattern = (
            rf"(.+?)(?: and (\d+) more)? \({re.escape(user.path)}:(\d+)\) (?:is|are) defined in (.+?)"
            r"(?: and implemented in (.+))?, not in hand"
        )
        match = re.fullmatch(pattern, gap.need)
        if not self._claim("sentence", match is not None, where, "is not understood") or match is None:
            return
        self._claim("number", int(match[3]) == user.line, where, f"is seen in line {user.line}")
        names, homes = match[1].split(", "), [h for g in match.groups()[3:] if g for h in g.split(" and ")]
        first = self.facts.says(user.path, user.line, names[0])
        self._claim("symbol", first, where, f"{user.path}:{user.line} does not say {names[0]}")
        shown = {e.path for e in gap.evidence[1:]}
        self._claim("sentence", set(homes) == shown, where, f"its evidence is {sorted(shown)}")
        for name in names:
            defining = [h for h in homes if self._defines(h, name)]
            self._claim("symbol", bool(defining), where, f"none of {homes} defines {name}")
        self._open(homes, where)

    def _defines(self, path: str, name: str) -> bool:
        doc = self.view.doc_of(path)
        return doc is not None and any(d.name == name for d in self.view.snapshot.symbols.of_document(doc))

    def _open(self, paths: Iterable[str], where: str) -> None:
        waiting = [path for path in paths if path not in self._listed]
        self._claim("in hand", bool(waiting), where, "all of it is listed")

    # --- terminology ----------------------------------------------------------------------------

    def term(self, term: Term) -> None:
        """Every source of a pair says what it is cited for."""
        for source in term.sources:
            self._source(term, source, f"term {term.task_word} → {term.code_word}")

    def _source(self, term: Term, source: TermSource, where: str) -> None:
        wanted = {t for word in term.task_word.split() for t in analyse_word(word)}
        learned = set(analyse_word(term.code_word))
        if source.kind == "abbreviation":
            short, _, long = source.text.partition(" / ")
            holds = bool(short) and long.startswith(short)
            self._claim("words", holds, where, f"{short} does not begin {long}")
            return
        if source.kind == "commit":
            self._reasons.commit(source.where, where, subject=source.text)
            commit = self.facts.commits([source.where]).get(source.where)
            if commit is not None:
                said = set(analyse(commit.subject))
                named = said | {t for path in commit.files for t in analyse(path)}
                self._claim(
                    "words", bool(wanted & said), where, f"“{commit.subject}” says no {term.task_word}"
                )
                self._claim(
                    "words", bool(learned & named), where, f"{source.where[:10]}: no {term.code_word}"
                )
            return
        exists = self.facts.exists(source.where)
        lines = self.facts.lines(source.where)
        if not self._claim("path", exists, where, f"{source.where} does not exist"):
            return
        number = source.line or 0
        if not self._claim("line", 1 <= number <= len(lines), where, f"{source.where} has no line {number}"):
            return
        quoted = lines[number - 1].strip()[:160] == source.text
        self._claim("quote", quoted, where, f"{source.where}:{number} is “{lines[number - 1].strip()[:160]}”")
        said = {t for w in WORD.findall(lines[number - 1]) for t in analyse_word(w)}
        self._claim("words", bool(wanted & said), where, f"{source.where}:{number} says no {term.task_word}")
        around = lines[max(0, number - 1 - _NEAR) : number + _NEAR]
        near = {t for line in around for w in WORD.findall(line) for t in analyse_word(w)}
        self._claim("words", bool(learned & near), where, f"no {term.code_word} near {source.where}:{number}")

    # --- conventions ----------------------------------------------------------------------------

    def pattern(self, pattern: Pattern) -> None:
        """The paths of a convention exist and follow it, and its counts are right."""
        where = f"{pattern.kind} “{pattern.text}”"
        for path in pattern.evidence:
            self._claim("path", self.facts.exists(path), where, f"{path} does not exist")
            if pattern.glob:
                self._claim(
                    "place", glob_matches(pattern.glob, path), where, f"{path} is not in {pattern.glob}"
                )
        for path in re.findall(r"[\w@.+-]+(?:/[\w@.+-]+)+\.\w+", pattern.text):
            self._claim("path", path in self.view.numbers or "*" in pattern.text, where, f"no {path}")
        if match := re.search(r"the (\d+) files of (\S+)$", pattern.text):
            inside = self._inside(match[2], pattern.evidence)
            self._claim("count", int(match[1]) == inside, where, f"{match[2]} holds {inside} such files")
        if match := re.match(r"(\d+) of the (\d+) most relevant files", pattern.text):
            self._claim("count", int(match[1]) <= int(match[2]) <= len(self._good()), where, "too many")

    def _inside(self, glob: str, like: tuple[str, ...]) -> int:
        """Files of a glob that are for the same as those of `like`."""
        roles = {self.view.snapshot.role(self.view.numbers[p]) for p in like if p in self.view.numbers}
        paths = (p for p in self.view.paths if glob_matches(glob, p))
        return sum(1 for p in paths if self.view.snapshot.role(self.view.numbers[p]) in roles)

    def _good(self) -> list[str]:
        last = self.context.cycles[-1].judgments
        return [j.path for j in last if j.relevance >= LOW] or [j.path for j in last[:_HELD]]

    # --- changes of the query -------------------------------------------------------------------

    def change(self, change: Change) -> None:
        """What a change of the query cites is there, and says the word that it adds."""
        where = f"{change.action} {change.what}"
        for evidence in change.evidence:
            if change.action == "focus" and not self.facts.exists(evidence.path):
                continue  # a component is a folder
            self._reasons.evidence(evidence, where)
            if change.action == "add_keyword":
                self._keyword(change.what, evidence, where)
        if place := re.search(r"\((\S+):(\d+)\)", change.why):
            cited = {(e.path, e.line) for e in change.evidence}
            self._claim("number", (place[1], int(place[2])) in cited, where, f"“{change.why}” is not cited")

    def _keyword(self, word: str, evidence: Evidence, where: str) -> None:
        holds = self.facts.says(evidence.path, evidence.line, evidence.text) and word in evidence.text.lower()
        self._claim("words", holds and word not in STOPWORDS, where, f"{evidence.path}:{evidence.line}")

    def _claim(self, kind: str, holds: bool, where: str, told: str) -> bool:
        return self.found.claim(kind, holds, f"{where}: {told}")
