"""Every sentence of an answer, read back: one that no rule here understands is a violation, so add its check."""

import re
from collections.abc import Callable, Iterable, Sequence

from benchmarks.claims import Findings, Said, number
from benchmarks.excerpts import ExcerptChecker
from benchmarks.facts import KNOWN_COMMITS, SWEEP, Facts
from zeroin.answer import Context
from zeroin.index.view import View
from zeroin.terms import analyse_word, split_identifier, stem, term_id
from zeroin.types import Evidence, Judgment, Reason

_EXACT_COUNTS = 6  # paths of one answer whose commits git is asked to list: it takes seconds each
GROUP = "(?:the (?:package|namespace) of )?"  # before the file that an import of Go or C# leads to
_TIED = re.compile("(?:uses|has its own) |defines .*, (?:which the change uses|named by the change)")

_UNCOUNTED = re.compile(  # what is said of a landmark and not counted again
    r"changed in [\d,]+ of [\d,]+ commits(?: read)?|uses .+|used by .+|the README of the whole|"
    r"its name (?:says that it is about the whole|begins with README)"
)


class ReasonChecker:
    """Checks the reasons and spans of one answer."""

    def __init__(self, context: Context, view: View, facts: Facts, found: Findings) -> None:
        self.context, self.view, self.facts, self._claim = context, view, facts, found.claim
        self.said, self._counted = Said(context), 0
        self._excerpts = ExcerptChecker(context, view, facts, found)
        self._rules: dict[str, Callable[[str, Reason], bool]] = {
            "literal": self._excerpts.literal,
            "path": self._path,
            "symbol": self._symbol,
            "use": self._use,
            "definition": self._definition,
            "passage": self._passage,
            "dense": self._excerpts.dense,
            "name": self._name,
            "history": self._history,
            "changes": self._changes,
            "cochange": self._cochange,
            "graph": self._graph,
            "hub": self._hub,
            "beside": self._beside,
            "kin": self._kin,
            "pattern": self._pattern,
            "followed": self._followed,
            "landmark": self._landmark,
            "language": self._excerpts.language,
            "role": self._excerpts.role,
            "change": self._excerpts.change,
            "against": self._excerpts.against,
            "retriever": self._excerpts.retriever,
            "read": self._excerpts.read,
        }

    def also(self, kind: str, rule: Callable[[str, Reason], bool]) -> None:
        """A rule for one more kind of reason."""
        self._rules[kind] = rule

    def judgment(self, judgment: Judgment) -> None:
        """Check everything that is said of one file."""
        path = judgment.path
        if not self._claim("path", self.facts.exists(path), path, "no such file"):
            return
        for reason in judgment.reasons:
            rule = self._rules.get(reason.kind)
            if rule is None or not rule(path, reason):
                self._claim("sentence", False, path, f"{reason.kind} “{reason.text}” is not understood")
            for evidence in reason.evidence:
                self.evidence(evidence, f"{path} “{reason.text}”")
        for span in judgment.spans:
            self._excerpts.span(path, span)
        if judgment.reasons and judgment.spans:
            self._excerpts.cited(path, judgment.reasons[0], judgment.spans)
        if judgment.irrelevant_because:
            self._excerpts.irrelevant(path, judgment.irrelevant_because)

    def evidence(self, evidence: Evidence, where: str) -> None:
        """What a piece of evidence names is there: path, line, symbol on the line, commit."""
        facts = self.facts
        if evidence.path:
            exists = facts.exists(evidence.path)
            if not self._claim("path", exists, where, f"{evidence.path} does not exist"):
                return
        if evidence.path and evidence.line is not None:
            inside = 1 <= evidence.line <= len(facts.lines(evidence.path))
            self._claim("line", inside, where, f"{evidence.path} has no line {evidence.line}")
        if evidence.path and evidence.symbol:
            if evidence.line is None:
                holds = any(evidence.symbol in text for text in facts.lines(evidence.path))
            else:
                holds = facts.says(evidence.path, evidence.line, evidence.symbol)
            self._claim("symbol", holds, where, f"{evidence.symbol} is not at {_at(evidence)}")
        if evidence.commit:
            self.commit(evidence.commit, where, subject=evidence.text if not evidence.line else "")

    def commit(self, identity: str, where: str, *, subject: str = "", touched: str = "") -> None:
        """A commit exists, lies before the searched revision, says and touched what is claimed."""
        commit = self.facts.commits([identity]).get(identity)
        if not self._claim("commit", commit is not None, where, f"{identity} is no commit") or commit is None:
            return
        self._claim("commit", identity in self.facts.ancestors, where, f"{identity} is no ancestor")
        if subject:
            same = _plain(commit.subject).startswith(_plain(subject.removesuffix("…")))
            self._claim("subject", same, where, f"{identity[:10]} is called “{commit.subject}”")
        if touched:
            self._claim("commit", touched in commit.files, where, f"{identity[:10]} did not touch {touched}")

    # --- reasons, by kind -----------------------------------------------------------------------

    def _path(self, path: str, reason: Reason) -> bool:
        match = re.fullmatch(r"is (?:in the stack trace|named by the task)(?:, line (\d+))?", reason.text)
        if match is None:
            if re.fullmatch(r"lies beside .+, which the change touches", reason.text):
                return self._tied(path, reason)
            return False
        [evidence] = reason.evidence
        self._number(path, match[1], evidence.line, reason)
        parts = [p.lower() for p in re.split(r"[\\/]+|::|\.|#", evidence.text) if p]
        told = all(part in self.said.lower for part in parts[-2:])
        self._claim("mention", told, path, f"the task does not say {evidence.text}")
        own = {p.lower() for p in re.split(r"[/.]", path)}
        self._claim("mention", bool(own & set(parts)), path, f"{evidence.text} does not mean this file")
        if match[1]:
            self._claim("number", match[1] in self.said.text, path, f"the task does not say line {match[1]}")
        return True

    def _symbol(self, path: str, reason: Reason) -> bool:
        if self.context.task.diff is not None and _TIED.match(reason.text):
            return self._tied(path, reason)
        if self.context.task.diff is not None and reason.text.startswith("does not define "):
            return self.undefined(reason.evidence, path, reason.text)
        listed = ", ".join(f"{e.symbol} (line {e.line})" for e in reason.evidence)
        for evidence in reason.evidence:
            self._defined(evidence)
            self._claim("mention", evidence.symbol in self.said.text, path, f"no {evidence.symbol} in the task")
        return reason.text == f"defines {listed}, named by the task"

    def undefined(self, shown: Sequence[Evidence], path: str, text: str) -> bool:
        """Names that the change says and that the file at `path` does not."""
        names, own = {e.symbol for e in shown}, "\n".join(self.facts.lines(path))
        self._claim("absence", not any(name in own for name in names), path, "a name is there")
        self._claim("mention", all(name in self.said.text for name in names), path, "a name is not in the change")
        return all(name in text for name in names)

    def _defined(self, evidence: Evidence) -> None:
        doc = self.view.doc_of(evidence.path)
        rows = self.view.snapshot.symbols.of_document(doc) if doc is not None else ()
        line = evidence.line or 0
        known = any(d.name == evidence.symbol and d.start <= line <= max(d.start, d.end) for d in rows)
        self._claim("symbol", known, evidence.path, f"{evidence.symbol} is not defined at {_at(evidence)}")

    def _use(self, path: str, reason: Reason) -> bool:
        [evidence] = reason.evidence
        match = re.fullmatch(
            rf"uses {re.escape(evidence.symbol)} \(line (\d+)\), named by the task; "
            r"(?:(\d+) files use|no other file uses) it",
            reason.text,
        )
        if match is None:
            return False
        self._number(path, match[1], evidence.line, reason)
        self._claim("mention", evidence.symbol in self.said.text, path, f"no {evidence.symbol} in the task")
        count = int(match[2] or 1)
        right = count == self.view.identifier_df(evidence.symbol)
        self._claim("count", right, path, f"{evidence.symbol} is not in {count} files")
        return True

    def _definition(self, path: str, reason: Reason) -> bool:
        listed = ", ".join(f"{e.symbol} (line {e.line})" for e in reason.evidence)
        match = re.fullmatch(re.escape(f"defines {listed}, whose name") + r"(?: says|s say) (.+)", reason.text)
        if match is None:
            return False
        for evidence in reason.evidence:
            self._defined(evidence)
        parts = {part for e in reason.evidence for part in split_identifier(e.symbol)}
        for word in self._worded(match[1], path):
            self._claim("words", word in parts, path, f"no name says {word}")
            self._claim("words", stem(word) in self.said.terms, path, f"the task does not say {word}")
        return True

    def _worded(self, text: str, path: str) -> list[str]:
        """The words that a sentence lists; those with a phrase must be what it stands for."""
        groups = (group.partition(" for “") for group in text.split("; "))
        pairs = [(word, phrase.removesuffix("”")) for said, _, phrase in groups for word in said.split(", ")]
        for word, phrase in pairs:
            self._claim("mention", not phrase or self.said.stands_for(word, phrase), path, f"{word} is not “{phrase}”")
        return [word for word, _ in pairs]

    def _passage(self, path: str, reason: Reason) -> bool:
        match = re.fullmatch(r"lines? (\d+)(?:-(\d+))? match(?:es)? (.+)", reason.text)
        if match is None:
            return False
        first, last = int(match[1]), int(match[2] or match[1])
        [evidence] = reason.evidence
        total = len(self.facts.lines(path))
        if not self._claim("line", 1 <= first <= last <= total, path, f"has no lines {first}-{last}"):
            return True
        self._claim("line", first <= (evidence.line or 0) <= last, path, f"{evidence.line} is not in them")
        inside = self.facts.words(path, first, last)
        for word in {*self._worded(match[3], path), *evidence.text.split()}:
            self._claim("words", word in inside, path, f"lines {first}-{last} do not say {word}")
            known = bool(set(analyse_word(word)) & self.said.terms)
            self._claim("words", known, path, f"the task does not say {word}")
        return True

    def _name(self, path: str, reason: Reason) -> bool:
        if reason.text.startswith("is named like "):
            return self._tied(path, reason)
        if not reason.text.startswith("its path says "):
            return False
        for word in self._worded(reason.text.removeprefix("its path says "), path):
            self._claim("words", word in re.split(r"[/.\-]", path), path, f"its path does not say {word}")
            known = bool(set(analyse_word(word)) & self.said.terms)
            self._claim("words", known, path, f"the task does not say {word}")
        return True

    def _history(self, path: str, reason: Reason) -> bool:
        match = re.fullmatch(r"commit (\w+) “(.*)” resembles the task and changed it", reason.text)
        [evidence] = reason.evidence
        if match is None or not evidence.commit.startswith(match[1]):
            return False
        self.commit(evidence.commit, path, subject=match[2], touched=path)
        commit = self.facts.commits([evidence.commit]).get(evidence.commit)
        alike = commit is not None and self._resembles(commit.id)
        self._claim("resembles", alike, path, f"{evidence.commit[:10]} says nothing of the task")
        return True

    def _resembles(self, identity: str) -> bool:
        history = self.view.history
        rows = history.commits.tolist()
        if identity not in rows:
            return False
        row = rows.index(identity)
        said = {term_id(t) for t in self.said.terms}
        hits = (history.messages.docs == row).nonzero()[0]
        terms = history.messages.term_ids[history.messages.pointers.searchsorted(hits, side="right") - 1]
        return bool(said & set(terms.tolist()))

    def _changes(self, path: str, reason: Reason) -> bool:
        match = re.fullmatch(r"changed in (at least )?([\d,]+) commits?, last in (\w+) “(.*)”", reason.text)
        [evidence] = reason.evidence
        if match is None or not evidence.commit.startswith(match[3]):
            return False
        self.commit(evidence.commit, path, subject=match[4], touched=path)
        self._count_commits(path, number(match[2]), (path,), least=bool(match[1]))
        return True

    def _cochange(self, path: str, reason: Reason) -> bool:
        [evidence] = reason.evidence
        match = re.fullmatch(
            rf"changed together with {re.escape(evidence.path)} in (at least )?([\d,]+) commits?", reason.text
        )
        if match is None:
            return False
        for touched in (path, evidence.path):
            self.commit(evidence.commit, path, touched=touched)
        self._count_commits(path, number(match[2]), (path, evidence.path), least=bool(match[1]))
        return True

    def _count_commits(self, where: str, count: int, paths: Iterable[str], *, least: bool = False) -> None:
        """So many commits, or at `least` as many, touched all of `paths`; git may list sweeps and old ones besides."""
        self._counted += 1
        if self._counted > _EXACT_COUNTS:
            return
        listed = frozenset.intersection(*(self.facts.commits_that_touched(p) for p in paths))
        told = f"{count} commits, git lists {len(listed)}"
        if least or count > len(listed) or len(self.facts.ancestors) > KNOWN_COMMITS:
            self._claim("count", count <= len(listed), where, told)
            return
        commits = self.facts.commits(listed)
        narrow = sum(1 for i in listed if i in commits and len(commits[i].files) <= SWEEP)
        self._claim("count", count == narrow, where, f"{told}, {narrow} of them no sweeps")

    def _graph(self, path: str, reason: Reason) -> bool:
        [evidence] = reason.evidence
        importer, target = evidence.path, evidence.text
        other = target if importer == path else importer
        line = evidence.line
        rules = {
            rf"imports {re.escape(other)} \(line {line}\)" if line else f"imports {GROUP}{re.escape(other)}": importer,
            re.escape(f"is imported by {other}:{line}" if line else f"is imported by {other}"): target,
            rf"is in a (?:package|namespace) that {re.escape(other)} imports": target,
        }
        self._claim("import", self._imports(importer, target), path, f"{importer} does not import {target}")
        if line:
            names = [p.partition(".")[0] for p in target.split("/")[-2:]]
            holds = any(self.facts.says(importer, line, name) for name in names)
            self._claim("import", holds, path, f"{importer}:{line} does not name {target}")
        return any(whose == path and re.fullmatch(rule, reason.text) for rule, whose in rules.items())

    def _imports(self, importer: str, target: str) -> bool:
        a, b = self.view.doc_of(importer), self.view.doc_of(target)
        return a is not None and b is not None and b in self.view.snapshot.imports_of(a)

    def _hub(self, path: str, reason: Reason) -> bool:
        match = re.fullmatch(r"imported by (\d+) files", reason.text)
        return match is not None and self._importers(path, int(match[1]))

    def _importers(self, path: str, count: int) -> bool:
        doc = self.view.doc_of(path)
        known = len(set(self.view.snapshot.importers_of(doc).tolist())) if doc is not None else 0
        return self._claim("count", count == known, path, f"{known} files import it, not {count}") or True

    def _beside(self, path: str, reason: Reason) -> bool:
        [evidence] = reason.evidence
        same = evidence.path.rpartition("/")[0] == path.rpartition("/")[0] and evidence.path != path
        self._claim("place", same, path, f"does not lie beside {evidence.path}")
        return reason.text == f"lies beside {evidence.path}"

    def _kin(self, path: str, reason: Reason) -> bool:
        [evidence] = reason.evidence
        self._alike(path, evidence.path)
        return reason.text == f"is named like {evidence.path}"

    def _alike(self, path: str, other: str) -> None:
        names = [re.sub(r"[^a-z0-9]", "", p.rpartition("/")[2].partition(".")[0].lower()) for p in (path, other)]
        short, long = sorted(names, key=len)
        self._claim("name", bool(short) and short in long, path, f"is not named like {other}")

    def _tied(self, path: str, reason: Reason) -> bool:
        """What a change has to do with a file that it does not touch."""
        changed = {f.path for f in self.context.task.diff.files} if self.context.task.diff else set()
        first = reason.evidence[0]
        if reason.kind == "symbol":
            for evidence in reason.evidence:
                self._says(evidence)
                self._claim("mention", evidence.symbol in self.said.text, path, f"no {evidence.symbol} there")
            return all(f"{e.symbol} (line {e.line})" in reason.text for e in reason.evidence)
        self._claim("change", first.path in changed, path, f"the change does not touch {first.path}")
        if reason.kind == "name":
            self._alike(path, first.path)
            return reason.text == f"is named like {first.path}, which the change touches"
        same = first.path.rpartition("/")[0] == path.rpartition("/")[0]
        self._claim("place", same, path, f"does not lie beside {first.path}")
        return reason.text == f"lies beside {first.path}, which the change touches"

    def _pattern(self, path: str, reason: Reason) -> bool:
        [evidence] = reason.evidence
        inside = self.view.doc_of(path) in self.view.matching([evidence.text])
        self._claim("place", inside, path, f"does not lie in {evidence.text}")
        return reason.text == f"lies in {evidence.text}"

    def _followed(self, path: str, reason: Reason) -> bool:
        first = reason.evidence[0]
        if len(reason.evidence) == 2:
            user = reason.evidence[1]
            self._defined(first)
            told = f"defines {first.symbol} (line {first.line}), which {user.path}:{user.line} refers to"
            return reason.text == told and self._says(user)
        match = re.fullmatch(
            rf"uses {re.escape(first.symbol)} \(line {first.line}\), as ([\d,]+) other files? do(?:es)?", reason.text
        )
        if match is None:
            return False
        others = self.view.identifier_df(first.symbol) - 1
        self._claim("count", number(match[1]) == others, path, f"{others} other files use {first.symbol}")
        return self._says(first)

    def _says(self, evidence: Evidence) -> bool:
        """The line of a use says the symbol itself, whatever comes below."""
        holds = self.facts.says(evidence.path, evidence.line, evidence.symbol)
        self._claim("symbol", holds, evidence.path, f"{evidence.symbol} is not at {_at(evidence)}")
        return True

    def _landmark(self, path: str, reason: Reason) -> bool:
        """Every part of the sentence has a form that is known, and what can be counted again is right."""
        component = self.view.components.get(path, "")
        for told in reason.text.split("; "):
            if match := re.fullmatch(r"(?:stands for|another file of) (\S+)(?: \(.+\))?", told):
                self._claim("place", match[1] == component, path, f"is of {component}, not {match[1]}")
            elif told.startswith("a part of its own"):
                self._claim("place", path == component, path, f"is of {component}")
            elif match := re.fullmatch(r"imported by (\d+) files(?:, in \d+ other parts?)?", told):
                self._importers(path, int(match[1]))
            elif match := re.fullmatch(r"(?:entry point|entry point `.*`|main module) by (.+)", told):
                named = match[1] == "its name" or self.view.doc_of(match[1]) is not None
                self._claim("place", named, path, f"there is no {match[1]}")
            elif match := re.fullmatch(r"names (\d+) of \d+ parts?: (.+?)(?: and \d+ more)?", told):
                parts = set(self.view.components.values())
                for part in match[2].split(", "):
                    self._claim("place", part in parts, path, f"{part} is no part")
            elif not _UNCOUNTED.fullmatch(told):
                return False
        return True

    def _number(self, path: str, told: str | None, meant: int | None, reason: Reason) -> None:
        right = (int(told) if told else None) == meant
        self._claim("number", right, path, f"“{reason.text}” is about line {meant}")


def _at(evidence: Evidence) -> str:
    return f"{evidence.path}:{evidence.line}" if evidence.line else evidence.path


def _plain(text: str) -> str:
    return " ".join(text.split())
