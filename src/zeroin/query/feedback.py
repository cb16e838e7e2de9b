"""Applies caller feedback between cycles: adds the caller's words to the query and its judgments as given."""

from collections.abc import Sequence
from dataclasses import replace

from zeroin.answer import Action, Change
from zeroin.config import Options, texts_of
from zeroin.errors import EmptyTaskError, OptionError
from zeroin.query.denials import denied_in_note
from zeroin.query.task import query_of, with_callers
from zeroin.types import Expansion, ExpansionSource, Feedback, Keyword, Origin, Query, Task

_NOTE_SHARE = 0.5  # weight of a word in a note, as a share of the same word in a task
_MAX_NOTE_WORDS = 40


def checked(feedback: Feedback) -> Feedback:
    """Return the feedback; a single text given in place of a list becomes a list.

    Raises `OptionError` for a value of another type, and for empty terms and focus areas.
    """
    if not isinstance(feedback, Feedback):
        raise OptionError(f"feedback must be a zeroin.Feedback, not {feedback!r}")
    if not isinstance(feedback.note, str):
        raise OptionError(f"note must be a text, not {feedback.note!r}")
    names = ("relevant", "irrelevant", "terms", "focus")
    lists = {name: texts_of(name, getattr(feedback, name)) for name in names}
    feedback = Feedback(note=feedback.note, **lists)
    for text in feedback.terms:
        if not all(part.strip() for part in text.split("=", 1)):
            raise OptionError(f"the term {text!r} is no word, and no pair such as 'rate limit=throttle'")
    if not all(text.strip() for text in feedback.focus):
        raise OptionError("a focus needs words: say what to look for next")
    return feedback


def apply_feedback(query: Query, feedback: Feedback) -> tuple[Query, tuple[Change, ...]]:
    """Return the query with the feedback applied, and the changes made. Paths are taken as they are."""
    judged = "the caller has read it and judged it so"
    changes = [Change(Action.RELEVANT, path, judged) for path in feedback.relevant]
    changes += [Change(Action.IRRELEVANT, path, judged) for path in feedback.irrelevant]
    relevant = _united([p for p in query.relevant if p not in feedback.irrelevant], feedback.relevant)
    irrelevant = _united([p for p in query.irrelevant if p not in feedback.relevant], feedback.irrelevant)
    words, pairs = _terms(feedback.terms)
    changes += [Change(Action.LEARN_TERM, p.code_word, f"the caller's word for “{p.task_word}”") for p in pairs]
    changes += [Change(Action.ADD_KEYWORD, word, "given by the caller") for word in words]
    changes += [Change(Action.FOCUS, area, "given by the caller") for area in feedback.focus]
    given = (*words, *(p.code_word for p in pairs))
    query = replace(
        query,
        keywords=with_callers(query.keywords, given, feedback.focus),
        focus_areas=_united(query.focus_areas, feedback.focus),
        terminology=(*query.terminology, *(p for p in pairs if p not in query.terminology)),
        must_read=_united(query.must_read, feedback.relevant),
        excludes=tuple(x for x in query.excludes if x not in feedback.relevant),
        pinned=tuple(x for x in query.pinned if x not in feedback.relevant),
        relevant=relevant,
        irrelevant=irrelevant,
    )
    if feedback.note.strip():
        changes.append(Change(Action.NOTE, " ".join(feedback.note.split()), "noted by the caller"))
        query = _noted(query, feedback.note)
    return query, tuple(changes)


def _united(first: Sequence[str], second: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*first, *second)))


def _terms(given: Sequence[str]) -> tuple[list[str], list[Expansion]]:
    """Return words alone, and pairs written `task word=code word`."""
    words: list[str] = []
    pairs: list[Expansion] = []
    for text in dict.fromkeys(given):
        task_word, equals, code_word = (part.strip() for part in text.partition("="))
        if equals:
            source = ExpansionSource("caller", "", text=text)
            pairs.append(Expansion(task_word, code_word, 1.0, (source,), "sure"))
        else:
            words.append(task_word)
    return words, pairs


def _noted(query: Query, note: str) -> Query:
    """Add the symbols, paths and words of a note; those that the query has already keep their weight.

    What the note denies is not added. A path that it denies is judged irrelevant, as if given so.
    """
    note, denied = denied_in_note(note)
    query = replace(query, irrelevant=_united(query.irrelevant, _paths_in(denied)))
    try:
        noted = query_of(Task(note), Options())
    except EmptyTaskError:
        return query
    words = [
        Keyword(k.text, _NOTE_SHARE * k.weight, Origin.CALLER, "noted by the caller")
        for k in noted.keywords[:_MAX_NOTE_WORDS]
    ]
    known = {s.name for s in query.symbols}
    return replace(
        query,
        keywords=with_callers(query.keywords, (), (), tuple(words)),
        symbols=(*query.symbols, *(s for s in noted.symbols if s.name not in known)),
        paths=(*query.paths, *(p for p in noted.paths if p not in query.paths)),
    )


def _paths_in(text: str) -> list[str]:
    """Return the words of a text that are written as a path within folders."""
    words = (word.strip(".,;:!?()'\"`") for word in text.split())
    return [word for word in words if "/" in word and "." in word]
