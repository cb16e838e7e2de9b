"""What an answer says is missing, read back: every sentence of a gap, against the index and the texts."""

import re
from collections.abc import Callable, Iterable, Sequence

from benchmarks.claims import Findings
from benchmarks.facts import Facts
from benchmarks.sentences import GROUP, ReasonChecker
from zeroin.answer import Context
from zeroin.index.view import View
from zeroin.terms import WORD, analyse_word, split_identifier, stem, term_id
from zeroin.types import MEDIUM, Evidence, Gap, Reason, Role

_FILES_READ = 20
_SELECTED = 3  # files that are selected where none reaches the bound


class GapChecker:
    """Checks the gaps of one answer; `reasons` checks the evidence that they share."""

    def __init__(self, context: Context, view: View, facts: Facts, found: Findings, reasons: ReasonChecker) -> None:
        self.context, self.view, self.facts, self._claim = context, view, facts, found.claim
        self._reasons = reasons
        self._listed = {j.path for j in context.listed}
        self._words: dict[str, Callable[[str, str], None]] = {
            r"no file says “(.+)”: which word does this codebase use for it\?": self._unsaid,
            r"“(.+)” is said, but nothing is named so: which word does this codebase use for it\?": self._unnamed,
            r"no relevant file says “(.+)”: another word, or another part of the code\?": self._elsewhere,
            r"“(.+)” is said in passing only: no name in the relevant files carries it": self._in_passing,
            r"the task names (.+); no file defines or uses it": self._unknown,
            r"no file contains the quoted text “(.+)”": self._unquoted,
            r"no file contains (\S+)": self._unwritten,
        }
        self._pairs: dict[str, Callable[..., None]] = {
            r"(?P<open>.+) tests (?P<other>.+)": self._tests,
            rf"(?P<other>.+) imports {GROUP}(?P<open>.+), whose names say “(?P<name>.+)”": self._imported,
            rf"(?P<open>.+), whose names say “(?P<name>.+)”, imports {GROUP}(?P<other>.+)": self._importer,
            rf"(?P<open>.+) imports {GROUP}(?P<other>.+)": self._imports,
            r"(?P<open>.+) is named like (?P<other>.+)": self._half,
            r"(?P<open>.+) implements (?P<name>\S+) of (?P<other>.+)": self._implementer,
            r"(?P<open>.+) (?:routes to|reads) (?P<name>\S+) of (?P<other>.+)": self._user,
            r"(?P<open>.+) sets (?P<name>\S+), which (?P<other>.+) reads": self._setter,
            r"(?P<open>.+) is the model that (?P<other>.+) changes": self._model,
            r"(?P<open>.+) migrates the model (?P<other>.+)": self._migration,
            r"(?P<open>.+) was changed together with (?P<other>.+) in (?P<name>\d+ of \d+) commits.*": self._together,
        }

    def gap(self, gap: Gap) -> None:
        """The sentence of a gap and what it names."""
        where = f"gap “{gap.need}”"
        if gap.form == "undefined":
            told = self._reasons.undefined(gap.evidence, gap.search.paths[0], gap.need)
            self._claim("sentence", told, where, "is not what its evidence says")
            return
        if gap.kind == "aspect" and gap.need.startswith("of "):
            self._components(gap, where)
            return
        for evidence in gap.evidence:
            self._reasons.evidence(evidence, where)
        for rule, check in self._words.items():
            if match := re.fullmatch(rule, gap.need):
                check(match[1], where)
                self._homes(match[1], gap.evidence[1:], where)
                return
        if gap.kind == "reference":
            self._missing(gap, where)
            return
        if gap.kind == "aspect" and (
            match := re.fullmatch(r"no selected path or definition says (“.+”); (.+) does", gap.need)
        ):
            self._aspect(match[1].strip("“”").split("”, “"), match[2], gap, where)
            return
        if gap.kind == "dependency" and gap.need.endswith(", which the change touches"):
            [evidence] = gap.evidence
            self._open([evidence.path], where)
            told = gap.need.startswith(f"{evidence.path} uses {evidence.symbol}, ")
            self._claim("sentence", told, where, "is not what its evidence says")
            return
        opened = self._related(gap.need, gap.evidence, gap.search.paths, where)
        if self._claim("sentence", opened is not None, where, "is not understood") and opened is not None:
            self._open([opened], where)

    def asked(self, path: str, reason: Reason) -> bool:
        """A gap of an earlier cycle, as the reason for a file that its search brought."""
        where = f"{path} “{reason.text}”"
        gaps = [g for c in self.context.cycles for g in c.asked if g.need == reason.text]
        named = any(path in gap.search.paths for gap in gaps)
        self._claim("asked", named, where, f"no gap that was asked names {path}")
        return self._related(reason.text, reason.evidence, (path,), where) is not None

    def _related(self, need: str, shown: Sequence[Evidence], missing: Sequence[str], where: str) -> str | None:
        """Checks what two files have to do with one another; the missing one, None if no rule knows the sentence."""
        for rule, relation in self._pairs.items():
            match = re.fullmatch(rule, need)
            if match is None:
                continue
            named = match.groupdict()
            opened, other = named["open"], named["other"]
            if relation == self._imports and opened not in missing:  # either may be the missing one
                opened, other = other, opened
            for path in (opened, other):
                self._claim("path", self.facts.exists(path), where, f"{path} does not exist")
            paths = {e.path for e in shown}
            right = opened in paths and paths <= {opened, other}
            self._claim("sentence", right, where, f"its evidence is {sorted(paths)}")
            if relation == self._imports:
                relation(named["open"], named["other"], where)
            elif "name" in named:
                relation(opened, named["name"], other, where)
            else:
                relation(opened, other, where)
            self._line_names_it(shown, (opened, other), where)
            return opened
        return None

    # --- files that belong to files in hand ------------------------------------------------------

    def _line_names_it(self, shown: Sequence[Evidence], parts: Iterable[str], where: str) -> None:
        """A line that is cited for a file, without a symbol, says the name of the other file."""
        first = shown[0]
        if first.line is None or first.symbol:
            return
        names = [p.partition(".")[0] for path in parts if path != first.path for p in path.split("/")[-2:]]
        holds = any(self.facts.says(first.path, first.line, name) for name in names)
        self._claim("import", holds, where, f"{first.path}:{first.line} names none of {names}")

    def _tests(self, missing: str, selected: str, where: str) -> None:
        if not self._reasons._imports(missing, selected):
            self._half(missing, selected, where)

    def _imports(self, importer: str, target: str, where: str) -> None:
        holds = self._reasons._imports(importer, target)
        self._claim("import", holds, where, f"{importer} does not import {target}")

    def _together(self, missing: str, counts: str, selected: str, where: str) -> None:
        together, looked_at = map(int, counts.split(" of "))
        self._claim("count", together <= looked_at, where, f"{together} are more than {looked_at}")
        for count, paths in ((together, (missing, selected)), (looked_at, (selected,))):
            listed = frozenset.intersection(*(self.facts.commits_that_touched(p) for p in paths))
            self._claim("count", count <= len(listed), where, f"{count} commits, git lists {len(listed)}")

    def _imported(self, missing: str, words: str, selected: str, where: str) -> None:
        self._imports(selected, missing, where)
        self._named_after(missing, words, where)

    def _importer(self, missing: str, words: str, selected: str, where: str) -> None:
        self._imports(missing, selected, where)
        self._named_after(missing, words, where)

    def _named_after(self, path: str, words: str, where: str) -> None:
        for word in words.split("”, “"):
            said = self._names(path) & self._reasons.said.terms & set(analyse_word(word))
            self._claim("words", bool(said), where, f"no name of {path} says {word}, or the task does not")

    def _half(self, missing: str, selected: str, where: str) -> None:
        self._reasons._alike(missing, selected)

    def _implementer(self, missing: str, name: str, selected: str, where: str) -> None:
        self._claim("symbol", self._defines(selected, name), where, f"{selected} does not define {name}")
        self._implements(missing, name, where)

    def _implements(self, path: str, name: str, where: str) -> None:
        """The first line of a definition, by another name, says `name`."""
        doc = self.view.doc_of(path)
        starts = [] if doc is None else self.view.snapshot.symbols.of_document(doc)
        holds = any(d.name != name and self.facts.says(path, d.start, name) for d in starts)
        self._claim("symbol", holds, where, f"no definition of {path} says {name}")

    def _user(self, missing: str, name: str, selected: str, where: str) -> None:
        self._claim("symbol", self._defines(selected, name), where, f"{selected} does not define {name}")
        self._claim("symbol", name in self.facts.words(missing), where, f"{missing} does not say {name}")

    def _setter(self, missing: str, name: str, selected: str, where: str) -> None:
        self._user(selected, name, missing, where)

    def _model(self, missing: str, selected: str, where: str) -> None:
        core = stem(missing.rpartition("/")[2].partition(".")[0].lower())
        words = {stem(part) for part in split_identifier(selected.rpartition("/")[2])}
        right = core in words and "migrat" in selected.lower()
        self._claim("name", right, where, f"{selected} is not named as a migration of {core}")

    def _migration(self, missing: str, selected: str, where: str) -> None:
        self._model(selected, missing, where)

    # --- words -----------------------------------------------------------------------------------

    def _aspect(self, words: list[str], path: str, gap: Gap, where: str) -> None:
        """Names of the file say each word of the task, those of no file in hand do."""
        self._open([path], where)
        shown = [e.text for e in gap.evidence[:-1]], gap.evidence[-1].path
        self._claim("sentence", shown == (words, path), where, f"its evidence is {shown}")
        own, selected = self._names(path), {t for one in self._selected() for t in self._names(one)}
        for word in words:
            terms = set(analyse_word(word))
            self._claim("mention", word in self._reasons.said.text, where, f"the task does not say {word}")
            self._claim("words", bool(terms & own), where, f"no name of {path} says {word}")
            self._claim("words", bool(terms & own - selected), where, f"a selected name says {word}")

    def _names(self, path: str) -> set[str]:
        """Terms of a file's path and of what it defines."""
        doc = self.view.doc_of(path)
        defined = [] if doc is None else [d.name for d in self.view.snapshot.symbols.of_document(doc)]
        words = [w for name in (path, *defined) for w in WORD.findall(name)]
        return {t for word in words for t in analyse_word(word)}

    def _homes(self, word: str, evidence: Iterable[Evidence], where: str) -> None:
        """Files that a gap of words points at are not in hand, and named so."""
        selected = set(self._selected())
        for path in (e.path for e in evidence):
            self._claim("in hand", path not in selected, where, f"{path} is selected")
            named = bool(self._names(path) & set(analyse_word(word)))
            self._claim("words", named, where, f"no name of {path} says {word}")

    def _components(self, gap: Gap, where: str) -> None:
        match = re.fullmatch(r"of (\d+) parts, (.+?)(?: and (\d+) more)? are not selected", gap.need)
        if not self._claim("sentence", match is not None, where, "is not understood") or match is None:
            return
        known = set(self.view.components.values())
        for component in match[2].split(", "):
            self._claim("place", component in known, where, f"{component} is no component")
            inside = any(self.view.components.get(path) == component for path in self._selected())
            self._claim("in hand", not inside, where, f"a file of {component} is selected")
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

    def _elsewhere(self, word: str, where: str) -> None:
        saying = self._holding(word, self._selected())
        self._claim("words", not saying, where, f"{', '.join(sorted(saying)[:3])} says it")

    def _in_passing(self, word: str, where: str) -> None:
        symbols = self.view.snapshot.symbols
        for path in self._selected():
            doc = self.view.numbers[path]
            if self.view.snapshot.role(doc) is Role.DOC:
                continue
            named = any(d.name == word for d in symbols.of_document(doc))
            self._claim("words", not named, where, f"{path} defines {word}")

    def _selected(self) -> list[str]:
        """What was selected when the last gaps were found."""
        last = self.context.cycles[-1].judgments
        return [j.path for j in last if j.relevance >= MEDIUM] or [j.path for j in last[:_SELECTED]]

    def _unknown(self, name: str, where: str) -> None:
        told = all(part in self._reasons.said.text for part in re.split(r"::|\.", name))
        self._claim("mention", told, where, f"the task does not say {name}")
        defined = len(self.view.snapshot.symbols.rows_of(name.replace("::", ".").rpartition(".")[2]))
        self._claim("symbol", not defined, where, f"{name} is defined")

    def _unquoted(self, text: str, where: str) -> None:
        """The task quotes the text, and no file holds three words in a row of what is fixed in it."""
        start = text.removesuffix("…")
        found = [q for q in self.context.cycles[-1].query.quotations if q.text.startswith(start)]
        if not self._claim("mention", bool(found), where, "the task does not quote it"):
            return
        words = [re.findall(r"[^\W_]+", piece) for piece in found[0].fixed]
        most = min(3, max(map(len, words)))
        parts = [run[i : i + most] for run in words for i in range(len(run) - most + 1)]
        runs = [r"[\W_]+".join(map(re.escape, part)) for part in parts]
        pattern = re.compile("|".join(runs), re.IGNORECASE)
        holding = [path for path in self.view.paths if pattern.search("\n".join(self.facts.lines(path)))]
        self._claim("words", not holding, where, f"{holding[:1]} holds a part of it")

    def _unwritten(self, name: str, where: str) -> None:
        """The task names a flag or a key, and no file holds it whole."""
        named = any(q.name and q.text == name for q in self.context.cycles[-1].query.quotations)
        self._claim("mention", named, where, "the task does not name it")
        whole = re.compile(rf"(?<![\w.-]){re.escape(name)}(?![\w-]|\.\w)")
        holding = [path for path in self.view.paths if whole.search("\n".join(self.facts.lines(path)))]
        self._claim("words", not holding, where, f"{holding[:1]} holds it")

    def _missing(self, gap: Gap, where: str) -> None:
        """`X, Y and 2 more (path:3, 7) are defined in A and B`, `X (path:3) is defined in A and implemented in C`."""
        users = {e.symbol: e for e in gap.evidence if e.line}
        files = "|".join(sorted({re.escape(e.path) for e in users.values()}, key=len, reverse=True))
        group = rf"([^()]+?)(?: and \d+ more)? \(({files}):([\d, ]+)\)"
        pattern = (
            rf"({group}(?:, {group})*)(?: and \d+ more)? (?:is|are) defined(?: or implemented)? in (.+?)"
            r"(?: and implemented in (.+))?"
        )
        match = re.fullmatch(pattern, gap.need)
        if not self._claim("sentence", match is not None, where, "is not understood") or match is None:
            return
        names, homes = [], [h for g in match.groups()[-2:] if g for h in g.split(" and ")]
        for said, path, lines in re.findall(group, match[1]):
            own = said.removeprefix(", ").split(", ")
            seen = {users[name].line for name in own if name in users and users[name].path == path}
            self._claim("number", seen == set(map(int, lines.split(", "))), where, f"is seen in lines {seen}")
            for name in own:
                says = any(self.facts.says(path, int(line), name) for line in lines.split(", "))
                self._claim("symbol", says, where, f"{path}:{lines} does not say {name}")
            names += own
        for doer in match[match.re.groups].split(" and ") if match[match.re.groups] else ():
            self._implements(doer, names[0], where)
        shown = {e.path for e in gap.evidence if not e.line}
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
