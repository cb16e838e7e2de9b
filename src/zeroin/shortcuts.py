"""Find tasks that need no loop (PATTERN P13): the repository fits the budget, or the task names its files."""

import numpy as np

from zeroin.answer import Advice
from zeroin.index.locate import locate
from zeroin.index.view import View
from zeroin.patterns import lazy_pattern
from zeroin.query.quotations import output_of
from zeroin.query.segment import segment
from zeroin.terms import STOPWORDS, words
from zeroin.types import UNREAD_ROLES, Origin, Query, Role, Task

_BYTES_A_TOKEN = 3.2  # the low end for code, so that "fits" is never promised wrongly
_SHORT_TASK_WORDS = 60  # a longer text mentions files in passing
_EXACT = 0.99
_BESIDE = (Role.TEST, *UNREAD_ROLES)
# Within a line: `failed at shop.Cart.add (Cart.java:7)`.
_FRAME = lazy_pattern(r"\bat \S{1,200} ?\(\S{1,200}:\d{1,7}\)")


def find_shortcut(task: Task, query: Query, view: View, budget: int) -> Advice | None:
    """Return advice where the loop is not needed: the repository fits the budget, or the task names its files."""
    tokens, snapshot = size_in_tokens(view), view.snapshot
    # The size of a file that was not read in time may be unknown (0).
    if 0 < tokens <= budget and bool((snapshot.analysed | (snapshot.sizes > 0)).all()):
        aside = "" if snapshot.is_read().all() else ", data and generated files aside,"
        text = f"the whole repository{aside} is about {tokens:,} tokens and fits the budget of {budget:,}"
        return Advice("small_repository", f"{text}: read it all")
    if task.diff is not None or task.purpose in ("explore", "architecture"):
        return None
    if sum(1 for _ in words(task.text)) > _SHORT_TASK_WORDS or _is_pasted(task.text):
        return None
    named = named_files(query, view)
    if len(named) == 1:
        text = f"the task names one file, {named[0]}, and it exists: no search was needed"
        return Advice("single_file", text)
    if named:
        text = f"the task names {len(named)} files, and all exist: no search was needed"
        return Advice("exact_files", text)
    home = _only_home(task, query, view)
    if home:
        return Advice("single_file", f"everything that the task names is defined in {home}")
    return None


def _is_pasted(text: str) -> bool:
    """Tell whether a task is an error: the files that it names are where it was noticed."""
    segments = segment(text)
    return bool(segments.traces or output_of(segments)) or _FRAME.search(text) is not None


def size_in_tokens(view: View) -> int:
    """Estimate the tokens of all files that people read."""
    return int(view.snapshot.sizes[view.snapshot.is_read()].sum(dtype=np.int64) / _BYTES_A_TOKEN)


def named_files(query: Query, view: View) -> tuple[str, ...]:
    """Return the files that the task names, if every path means exactly one file and none is from a trace."""
    found: list[str] = []
    for mention in query.paths:
        if mention.frame is not None or mention.origin is Origin.TRACE:
            return ()
        if "/" not in mention.path and "." not in mention.path:
            continue
        docs = [doc for doc, confidence in locate(view, mention) if confidence >= _EXACT]
        if len(docs) != 1 or ("/" not in mention.path and _is_anyones(view, docs[0])):
            return ()
        found.append(view.paths[docs[0]])
    return tuple(dict.fromkeys(found))


def _is_anyones(view: View, doc: int) -> bool:
    """Tell a file whose bare name may mean that of the user's own project: a lock file, one of a test or the data."""
    return view.snapshot.role(doc) in _BESIDE or view.paths[doc].endswith(".lock")


def _only_home(task: Task, query: Query, view: View) -> str:
    """Return the file that alone defines and uses all symbols that a very short task names; "" if there is none."""
    symbols = view.snapshot.symbols
    content = [w for w in words(task.text) if w.lower() not in STOPWORDS]
    if not query.symbols or len(content) > 8:
        return ""
    homes: set[int] = set()
    for mention in query.symbols:
        name = mention.name.replace("::", ".").rpartition(".")[2].strip("()")
        if mention.origin is Origin.TITLE:  # a plain word, such as the first of "Coupons are lost", names nothing
            return ""
        docs = symbols.homes_of(name)
        if len(docs) != 1 or view.identifier_df(name) > 1:
            return ""
        homes |= docs
        # A heading of a document that happens to be a word of the task is no definition.
        if any(view.snapshot.role(doc) is Role.DOC for doc in docs):
            return ""
    return view.paths[homes.pop()] if len(homes) == 1 else ""
