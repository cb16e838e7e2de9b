"""Task → Query: reads each part of the task by its kind and weighs what it names (PATTERN P2, P14)."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache, partial

from zeroin.config import MAX_TASK_CHARS, Options
from zeroin.errors import EmptyTaskError, InputError
from zeroin.query import mentions, purpose, traces
from zeroin.query import weights as w
from zeroin.query.builder import QueryBuilder
from zeroin.query.denials import without_denied
from zeroin.query.diff import names_of
from zeroin.query.instructions import is_report, request_of
from zeroin.query.kind import kind_of
from zeroin.query.names import NAMES, is_common, is_identifier, samples_in
from zeroin.query.native_words import Names, native_words
from zeroin.query.quotations import output_of, quotations_of
from zeroin.query.review import read_diff
from zeroin.query.segment import Kind, Segments, segment
from zeroin.query.traces import Trace
from zeroin.query.translation import NativeWords, in_english, language_of, translated
from zeroin.terms import STOPWORDS, WORD, analyse_word
from zeroin.tree import Diff
from zeroin.types import Keyword, Origin, Query, Task, TaskKind

_PROSE_WEIGHT = {Kind.PROSE: 1.0, Kind.COMPONENT: w.COMPONENT_PROSE, Kind.WEAK: w.WEAK_PROSE}
_FRAME_WEIGHT = {"own": w.PATH_FRAME, "package": w.PATH_FRAME_PACKAGE, "runtime": w.PATH_FRAME_RUNTIME}
# Marks of a trace whose frames cannot be read, behind prefixes of a log or as links.
_TRACE_MARKS = ("Traceback (most recent call", "stack backtrace:", "goroutine 1 [")
_MAX_FRAMES = 30  # of one trace: recursion repeats
_MAX_OUTPUT_CHARS = 10_000  # of a task that is read once more for the output in it: a longer one is no output alone
_MAX_PROMPT_CHARS = 8_000  # of a task that may say how to work: a longer one says enough of its own
_MESSAGE_WORDS = 6  # fewer quoted words are a name within a request


def query_of(task: Task, options: Options, native: NativeWords = ()) -> Query:
    """The first query of a task: broad, deterministic, made from the task and the caller's options alone.

    `native` words of another language than English are not translated.

    Raises `EmptyTaskError` when the task has no word, names no file, and neither a diff nor the caller names one.
    """
    text = task.text[:MAX_TASK_CHARS]
    if task.diff is not None and task.diff.message and task.diff.message not in text:
        text = f"{task.diff.message}\n\n{text}" if text.strip() else task.diff.message
    if task.diff is not None and text.strip() == names_of(task.diff):
        text = ""  # no words of the author: files are looked up by their paths
    if task.diff is None and len(text) <= _MAX_PROMPT_CHARS and not is_report(text):
        text = without_denied(request_of(text))
    segments = segment(text)
    # Before it is translated: a message stands in the code as it is written.
    quotations = quotations_of(segments) if task.diff is None else ()
    if language := language_of(text):
        segments = _in_english(segments, language, native)
    short = _is_short(in_english(text))
    bag = QueryBuilder(short=short, samples=samples_in(text))
    prose = _read(bag, segments)
    if short:
        _short_query(bag, segments.title)
    if task.diff is not None:
        read_diff(bag, task.diff)
    keywords = with_callers(bag.keywords(), options.keywords, options.focus)
    if not keywords:  # the task only names files or keys: their names are searched for
        named = " ".join(path.path for path in bag.paths()) if task.diff is None else names_of(task.diff)
        bag.text(named, Origin.PATH)
        for quotation in quotations:
            bag.text(quotation.text, Origin.QUOTED)
        keywords = bag.keywords()
    if not keywords:
        raise EmptyTaskError("the task has no word to search for")
    paths = bag.paths()
    sure = [p.path for p in paths if p.weight >= w.PATH_FRAME_PACKAGE and "/" in p.path]
    extensions = [path.rpartition(".")[2].lower() for path in sure]
    errors = [part.text.split("\n")[0].strip() for part in segments.parts if part.kind is Kind.ERROR]
    title = segments.title or (errors[0][: w.MAX_TITLE_CHARS] if errors else "")
    lines = [" ".join(line.split()) for part in prose for line in part.split("\n")]
    query = Query(
        keywords=keywords,
        symbols=bag.symbols(),
        paths=paths,
        quotations=quotations,
        includes=options.includes,
        excludes=options.excludes,
        pinned=options.excludes,
        focus_areas=options.focus,
        must_read=tuple(dict.fromkeys(f.path for f in task.diff.files)) if task.diff is not None else (),
        wanted_roles=purpose.wanted_roles(segments.title),
        languages=purpose.languages(segments, extensions, short=short),
        title=title,
        text="\n".join(filter(None, [title, *lines]))[: w.MAX_TEXT_CHARS],
    )
    return replace(query, kind=_kind_of(task, text, query))


def formulate(task: str | Task, options: Options, names: Names = tuple) -> tuple[Task, Query]:
    """Return a task with its purpose, and its first query.

    `names` returns the words by which the codebase names things, where it is known. A purpose that the caller gives
    stands. Raises `InputError`.
    """
    given = Task(task) if isinstance(task, str) else task
    if not (isinstance(given, Task) and isinstance(given.text, str) and isinstance(given.diff, Diff | None)):
        raise InputError(f"the task must be a text or a zeroin.Task, not {given!r}")
    query = _kept_query(given, options, native_words(given.text[:MAX_TASK_CHARS], names))
    implied = isinstance(task, str) or given.diff is not None
    chosen = options.purpose or (purpose.purpose_of(given, query) if implied else given.purpose)
    return replace(given, purpose=chosen), query


_kept_query = lru_cache(maxsize=2)(query_of)  # called before a repository is opened, and after


def naming_query(task: Task, query: Query, options: Options) -> tuple[str, Query]:
    """Return the text and the query that tell which of several repositories is asked.

    The words that ask for an overview tell nothing; what is said besides may.
    """
    if task.purpose != "architecture" or task.diff is not None:
        return task.text, query
    beside = purpose.text_beside_overview(task.text)
    try:
        return beside, query_of(replace(task, text=beside), options)
    except EmptyTaskError:
        return beside, replace(query, keywords=())


def pasted_in(task: Task, query: Query) -> tuple[str, ...]:
    """Return the messages that a task marks as quoted and the lines of output that it pastes."""
    messages = [q.text for q in query.quotations if q.marked and len(q.text.split()) >= _MESSAGE_WORDS]
    short = len(task.text) <= _MAX_OUTPUT_CHARS
    printed = [" ".join(line.split()) for line in output_of(segment(task.text))] if short else []
    return (*messages, *printed)


def _in_english(segments: Segments, language: str, native: NativeWords) -> Segments:
    """Return a task with title and prose in English words: headings, traces and code are read as they are."""
    read = partial(in_english, language=language, native=native)
    parts = [part._replace(text=read(part.text)) if part.kind in _PROSE_WEIGHT else part for part in segments.parts]
    return Segments(read(segments.title).strip(), parts, segments.traces)


def _kind_of(task: Task, text: str, query: Query) -> TaskKind:
    if task.diff is not None:
        return TaskKind.DIFF
    traced = any(p.frame is not None and p.origin is Origin.TRACE for p in query.paths)
    traced = traced or any(mark in text for mark in _TRACE_MARKS)
    failing = traced or any(k.origin is Origin.ERROR for k in query.keywords)
    return kind_of(query.title, in_english(text), traced=traced, failing=failing, roles=query.wanted_roles)


def _is_short(text: str) -> bool:
    """Tell whether a text is a search query: one line of a few words and no error message."""
    line = text.strip()
    words = len(WORD.findall(line[:1_000])) if "\n" not in line else w.SHORT_QUERY_WORDS + 1
    return words <= w.SHORT_QUERY_WORDS and not (": " in line and traces.is_error(line))


def notes_of(task: Task, names: Names = tuple) -> tuple[str, ...]:
    """Warnings about how the task was read."""
    notes = []
    if len(task.text) > MAX_TASK_CHARS:
        notes.append(f"the task is {len(task.text):,} characters long; only the first {MAX_TASK_CHARS:,} were read")
    text = task.text[:MAX_TASK_CHARS]
    if translation := translated(text, language_of(text), native_words(text, names)):
        words = [word for word in translation.words if word not in STOPWORDS]
        said = ", ".join(words) or "its words as they are"
        notes.append(f"the task is in {translation.language}; searched for {said}")
    return tuple(notes)


def _read(bag: QueryBuilder, segments: Segments) -> list[str]:
    """Add every part; returns the prose."""
    prose: list[str] = []
    if segments.title:
        mentions.read_prose(bag, segments.title, Origin.TITLE)
    code_left = w.MAX_CODE_CHARS
    for part in segments.parts:
        if part.kind in _PROSE_WEIGHT:
            plain = mentions.read_prose(bag, part.text, Origin.PROSE, _PROSE_WEIGHT[part.kind])
            prose += [plain] if part.kind is not Kind.WEAK else []
        elif part.kind is not Kind.CODE:
            read = mentions.read_error if part.kind is Kind.ERROR else mentions.read_source
            for line in dict.fromkeys(part.text.split("\n")):
                read(bag, line)
        elif code_left > 0:
            mentions.read_code(bag, part.text[:code_left])
            code_left -= len(part.text)
    for trace in segments.traces:
        _read_trace(bag, trace)
    return prose


def _read_trace(bag: QueryBuilder, trace: Trace) -> None:
    """Add the frames of a trace; frame 0 is the innermost whose file could be in a repository."""
    number, most = 0, w.MAX_MENTION if trace.ordered else w.PATH_COMPILER
    for frame in trace.frames:
        weight = min(_FRAME_WEIGHT[frame.origin], most)
        own = frame.origin != "runtime"
        if "." in frame.path[1:] and not set(frame.path) & set("<> :"):
            position = number if trace.ordered and own else None
            bag.path(frame.path, weight, Origin.TRACE, frame.line, position, frame.symbol)
        name = frame.symbol.rpartition(".")[2]
        if own and frame.symbol and not is_common(name):
            share = w.SYMBOL_FRAME if frame.origin == "own" else w.SYMBOL_FRAME_PACKAGE
            bag.symbol(frame.symbol, share * w.SYMBOL_FRAME_DECAY**number, Origin.TRACE)
            bag.word(name, Origin.TRACE)
        number += own
        if number >= _MAX_FRAMES:
            break


def _short_query(bag: QueryBuilder, title: str) -> None:
    """In a query of a few words a capitalised word may be a type, and a word beside an identifier its member."""
    found = [word for word in WORD.findall(title) if word.lower() not in STOPWORDS]
    content = [word for word in found if word.lower() not in NAMES.words("ask_words")]
    named = [word for word in content if not is_common(word)]
    for word in named:
        if word[:1].isupper() and len(word) > 2 and not is_identifier(word):
            bag.symbol(word, w.SYMBOL_SHORT, Origin.TITLE)
    typed = any(is_identifier(word) or word[:1].isupper() for word in named)
    if len(found) == 1 or (typed and len(found) <= 3):
        for word in filter(str.isidentifier, named):
            bag.symbol(word, w.SYMBOL_SHORT_WORD, Origin.TITLE)


def with_callers(
    keywords: tuple[Keyword, ...], words: Sequence[str], areas: Sequence[str], others: tuple[Keyword, ...] = ()
) -> tuple[Keyword, ...]:
    """The caller's words first and exactly as given, then those of its focus areas, the task's, and `others`.

    A word is not repeated: its first mention is kept.
    """
    given = tuple(
        Keyword(text, w.KEYWORD[Origin.CALLER], Origin.CALLER, "given by the caller")
        for text in dict.fromkeys(words)
        if text.strip()
    )
    focus = tuple(
        Keyword(word, w.FOCUS, Origin.CALLER, f"focus area {area!r}")
        for area in dict.fromkeys(areas)
        for word in dict.fromkeys(WORD.findall(area))
        if word.lower() not in STOPWORDS
    )
    out: list[Keyword] = []
    known: set[tuple[str, ...]] = set()
    for part in (given, focus, keywords, others):
        out += [k for k in part if analyse_word(k.text) not in known]
        known |= {analyse_word(k.text) for k in part}
    return tuple(out)
