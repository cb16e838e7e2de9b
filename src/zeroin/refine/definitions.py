"""Definitions in prose: where somebody wrote that one thing is called another.

"A voucher is called a rebate" defines a word; "after `close` is called" runs a function. In code the second is far more
frequent, so that "called" needs a name behind it, and no clause of time before it.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from zeroin.patterns import lazy_pattern
from zeroin.terms import STOPWORDS, WORD

_CALLED = r"(?:is|are|also|we|usually|often|sometimes)[ \t]+(?:also[ \t]+)?called"
_CUE = lazy_pattern(
    rf"\b(?:(?P<name>(?P<called>{_CALLED})|known as|a\.?k\.?a\.?(?=[\s\"'`*,]))"
    r"|(?P<noun>(?:an?|the|our|another) (?:word|name|term) for)(?: what [^.;]{1,40}? call)?"
    r"|stands for|synonym(?: of| for)?|we say(?=\s+[\"'`*“])|speaks? of"
    r"|what (?:[\w'’-]+ ){1,3}?calls? (?P<one>[^.;]{1,40}?) (?:is|are)|what (?:[\w'’-]+ ){1,3}?call)(?!\w)",
    re.IGNORECASE,
)
# What follows a cue that names something: a name in marks, or one to three words and the end of the clause.
_MARKED = lazy_pattern(r"\s*(?:an?\s+|the\s+|just\s+|simply\s+)?[\"'`*“‘]+(?P<name>[^\"'`*“”’]{2,40})[\"'`*”’]")
_NAME = lazy_pattern(
    r"\s*(?P<article>(?:an?|the|our|its)\s+)?"
    r"(?!(?:when|by|from|with|on|in|for|after|before|if|once|to|at|only|every|each|again|during|until|while|as|via|and"
    r"|but|or|it|this|that|twice|is|are|not|never|always|just|then|there|here|so|unless|because|since|no|more|than|upon"
    r"|inside|within|without|through|using|per|multiple|several|many|first|last|prior|concurrently|any\w*|\w+ly"
    r"|\w+ing(?!\s*(?:[,.;:)]|$))|exactly|single|second|third|few|couple|lot|number|periodically|anew|next|later"
    r"|whenever|where|which)\b)"
    r"[\w-]{3,40}(?:[ \t]+[\w-]+){0,2}?\s*(?=[,.;:)(]|$"
    r"|\b(?:in|here|and|or|by|for|because|as|but|throughout|which|that)\b)",
    re.IGNORECASE,
)
# A clause of time before "called", or a subject that is run: neither defines a word.
_WHEN = lazy_pattern(
    r"\b(?:when|whenever|after|before|until|once|if|unless|while|as soon as|since|where"
    r"|(?:each|every|first|last) time)\b"
    r"[^,.;:]*$",
    re.IGNORECASE,
)
_RUN = lazy_pattern(
    r"(?:\)|\b(?:function|method|callback|hook|handler|closure|block|constructor|destructor|procedure|routine|filter"
    r"|listener|it|this|they|these|which|that)s?)[`*'\"]*\s*$",
    re.IGNORECASE,
)
# "A lease is not a synonym for a lock", "no longer known as": what denies a cue stands right before it.
_DENIED = lazy_pattern(
    r"(?:\b(?:not|no|never|nor|cannot|no longer)|n['’]t)(?:[ \t]+(?:be|been|just|an?|the)){0,2}[ \t]*$", re.IGNORECASE
)
# "The third kind of restart is called a refork": of several kinds that is no other word for all of them.
_KIND = lazy_pattern(r"\b(?:kind|type|sort|form|variety|variant|flavou?r|categor(?:y|ie)|subset)s? of\b", re.IGNORECASE)
# What "a name for" says of a thing: "X is a name for Y", "X, our word for Y". "Pick a name for Y" names nothing.
_SAYS = lazy_pattern(r"(?:\b(?:is|are|was|were)(?:[ \t]+\w+)?|[^\w\s])\s*$", re.IGNORECASE)
_SENTENCE_END = lazy_pattern(r"[.!?;](?=[\s\"'`)*]|$)")
_BEFORE_WORDS, _AFTER_WORDS, _REACH = 5, 8, 120  # of a cue; the last in characters


class Definition(NamedTuple):
    """A definition in prose: the words before and after its cue, each nearest first.

    `named`: how many of the words after it are a name in quotation marks or backticks.
    """

    before: tuple[str, ...]
    after: tuple[str, ...]
    named: int = 0


def definitions(passage: str) -> Iterator[Definition]:
    """Yield what a passage of prose defines, in order."""
    for cue in _CUE.finditer(passage):
        start = _SENTENCE_END.split(passage[max(0, cue.start() - _REACH) : cue.start()])[-1]
        end = _SENTENCE_END.split(passage[cue.end() : cue.end() + _REACH].lstrip(" ,:"))[0]
        if _DENIED.search(start) or (cue["noun"] and not _SAYS.search(start)):
            continue
        marked = _MARKED.match(end)
        if cue["name"] and not _names(start, end, marked is not None, run=bool(cue["called"])):
            continue
        start = cue["one"] or start  # "what users call undo is the reverting of entries"
        after = tuple(content_words(marked["name"] if marked else end))[:_AFTER_WORDS]
        yield Definition(tuple(content_words(start)[::-1][:_BEFORE_WORDS]), after, len(after) if marked else 0)


def content_words(text: str) -> list[str]:
    """Return the words of a text without stop words."""
    return [word for word in WORD.findall(text) if word.lower() not in STOPWORDS]


def _names(start: str, end: str, marked: bool, *, run: bool) -> bool:
    """Tell whether a name of the whole follows a cue; with `run` (the cue is "called"), not where a function is."""
    if _KIND.search(start) or (run and _WHEN.search(start)):
        return False
    if marked:
        return True
    return _NAME.match(end) is not None and not (run and _RUN.search(start))
