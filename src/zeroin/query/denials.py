"""Takes out of a text what it says it is not about: "on the server, not the client" would find the client."""

import re

from zeroin.patterns import lazy_pattern

_BEFORE = r"(?:(?:[,;(–—]\s*|\s-\s)(?:and |but )?)"
_PLACE = r"(?:(?:in|on|at|about|from|for|by|with) )?"
_REST = r"[^,.;:!?()\n]{2,60}"
# With "the": "fails with ENOENT, not a directory" quotes a message, and "does not work" denies nothing.
_DENIED = lazy_pattern(
    rf"{_BEFORE}not {_PLACE}(?:the|any|my|our|those|its)\s{_REST}"
    rf"|{_BEFORE}?\b(?:i|we) (?:do not|don['’]t|did not|didn['’]t) mean\s[^,.;!?()\n]{{2,80}}"
    rf"|{_BEFORE}?\b(?:(?:i am|i['’]m|we are) )?not interested in\s[^.;!?()\n]{{2,80}}",
    re.IGNORECASE,
)
# A note of the caller about an answer denies what it has seen: there a bare "not gevent" says so, too.
_END = r"(?=[,;!?()\n]|\.(?:\s|$)|\s(?:but|rather|instead)\b|$)"
_NOTED = lazy_pattern(
    r"(?:^|(?<=[,;.!?:(])|\b(?:but|and)\b)\s*(?:(?:it|that|this|they) (?:is|are|was) |(?:it|that)['’]s )?"
    rf"(?:not|no|ignore|skip|exclude|leave out)\s{_PLACE}(?:the )?[^,;!?()\n]{{1,80}}?{_END}"
    r"|[^\s,;!?()]{1,120} (?:is|are) (?:irrelevant|unrelated|wrong|not it|not relevant|not what [^,;.!?\n]{1,60})",
    re.IGNORECASE,
)


def without_denied(text: str) -> str:
    """Return a task without the clauses that say what is not meant.

    The text itself where nothing would be left, and where one of them stands in a quotation or in code.
    """
    quoted = [text[: found.start()].count(mark) % 2 for found in _DENIED.finditer(text) for mark in '"`']
    left = text if any(quoted) else _DENIED.sub(" ", text)
    return left if left.strip() else text


def denied_in_note(note: str) -> tuple[str, str]:
    """Return what a note asks for, and what it denies."""
    denied = [found[0] for found in _NOTED.finditer(note)]
    return _NOTED.sub(" ", note), " ".join(denied)
