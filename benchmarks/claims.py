"""Claims that were checked, and the words of the task that they are checked against."""

import re
from collections import Counter
from dataclasses import dataclass, field

from zeroin.answer import Context
from zeroin.terms import WORD, analyse, analyse_word

_OPTION = re.compile(r"--([A-Za-z][\w-]+)")


@dataclass(slots=True)
class Findings:
    """Claims that were checked, by kind, and those that do not hold."""

    claims: Counter[str] = field(default_factory=Counter)
    violations: list[str] = field(default_factory=list)

    def claim(self, kind: str, holds: bool, where: str, told: str) -> bool:
        self.claims[kind] += 1
        if not holds:
            self.violations.append(f"{kind}: {where}: {told}")
        return holds


class Said:
    """The words of the task, and those that stand for them."""

    def __init__(self, context: Context) -> None:
        task = context.task
        changed = task.diff.files if task.diff is not None else ()
        parts = [task.text, task.diff.message if task.diff is not None else ""]
        parts += [text for f in changed for text in (f.path, f.old_path or "", f.added, f.removed)]
        given = [k for c in context.cycles for k in c.query.own]
        # An option names the variable that holds it: --log-level is log_level in the code.
        options = [name.replace("-", "_") for part in parts for name in _OPTION.findall(part)]
        self.text = "\n".join([*parts, *options])
        self.lower = self.text.lower()
        own = {term for word in WORD.findall(self.text) for term in analyse_word(word)}
        caller = {t for k in given if k.origin == "caller" for t in analyse(k.text)}
        learned = {t for c in context.cycles for pair in c.terminology for t in analyse(pair.code_word)}
        self.own = own | caller
        # Words of the code by the phrase of the task that they stand for.
        self.phrases: dict[str, set[str]] = {}
        for keyword in given:
            if keyword.phrase and keyword.phrase in " ".join(self.text.split()):
                self.phrases.setdefault(keyword.phrase, set()).add(keyword.text)
        phrased = {t for words in self.phrases.values() for word in words for t in analyse(word)}
        self.terms = self.own | learned | phrased

    def stands_for(self, word: str, phrase: str) -> bool:
        """Whether a word is one that a phrase of the task stands for."""
        terms = set(analyse_word(word))
        return any(terms & set(analyse(known)) for known in self.phrases.get(phrase, ()))


def number(written: str) -> int:
    """Read a count as sentences have it: `1,234`."""
    return int(written.replace(",", ""))
