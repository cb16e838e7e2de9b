"""Reasons from a file's own text, names and path: each function checks the fact that its docstring states."""

from zeroin.evaluate.dense_passage import nearest_lines, word_pairs
from zeroin.evaluate.reasons.subject import USUAL, Subject, line_of, listed
from zeroin.evaluate.spans.candidates import filled
from zeroin.evaluate.spans.select import telling_words
from zeroin.index.locate import locate
from zeroin.patterns import lazy_pattern
from zeroin.terms import analyse_word, shortened, split_identifier, stem, term_id
from zeroin.tree import Definition
from zeroin.types import Evidence, Reason, Role

_MAX_NAMES = 3  # symbols of one sentence
_MAX_DEFINITIONS = 2
_VERBATIM = 0.8  # share of the weight of a quoted text
_FEW_USERS = 8  # a name that more files hold is too common for a reason
_SHARED = frozenset({"package", "namespace", "extension", "impl"})  # kinds of definitions that many files open
# In code they are statements, whatever the task means by the word.
_STATEMENTS = frozenset(
    "break case catch class const continue def else end false finally for function if import let new null private"
    " public raise return self static switch this throw true try var while".split()
)
_SPELLED = lazy_pattern(r"[\w$@.:~!?\-]+")  # a name that fits into a sentence, unlike headings and operators


def quoted(s: Subject) -> Reason | None:
    """It holds text that the task quotes, or uses the constant that holds it."""
    match = s.view.quote_matches(s.query.quotations).by_doc.get(s.doc)
    if match is None:
        return None
    what = "has" if match.quotation.name else "contains the quoted text"
    text = f"{what} “{shortened(match.words)}” (line {match.line})"
    if match.through:
        text = f"uses {match.through} (line {match.line}), which holds the quoted text"
    return s.reason("literal", text, Evidence(s.path, match.line, text=match.words))


def is_verbatim(s: Subject) -> bool:
    """Tell whether a string of it holds nearly all of a text that the task quotes, and no other file more."""
    match = s.view.quote_matches(s.query.quotations).by_doc.get(s.doc)
    return match is not None and match.best and match.string and match.share >= _VERBATIM


def mentioned(s: Subject) -> Reason | None:
    """The task names its path, or it is in the trace: the innermost frame first."""
    meant = [m for m in s.query.paths if any(doc == s.doc for doc, _ in locate(s.view, m))]
    if not meant:
        return None
    mention = min(meant, key=lambda m: (m.frame is None, m.frame or 0, m.line is None))
    # A line that this version of the file does not have is left out.
    line = mention.line if mention.line and mention.line <= int(s.view.snapshot.lines[s.doc]) else None
    where = "is in the stack trace" if mention.frame is not None else "is named by the task"
    text = f"{where}, line {line}" if line else where
    return s.reason("path", text, Evidence(s.path, line, text=mention.path))


def symbols(s: Subject) -> Reason | None:
    """It defines symbols that the task names."""
    weights: dict[str, float] = {}
    for mention in s.query.symbols:
        for part in mention.parts:
            weights[part] = max(weights.get(part, 0.0), mention.weight)
    named = [d for d in _defined(s) if d.name in weights]
    found = sorted(named, key=lambda d: (-weights[d.name], d.start))[:_MAX_NAMES]
    if not found:
        return None
    evidence = s.cited(found)
    return s.reason("symbol", f"defines {listed(evidence)}, named by the task", *evidence)


def rare_name(s: Subject) -> Reason | None:
    """It uses an identifier that the task names and few files hold, and does not define it."""
    names = s.view.snapshot.names
    own = {definition.name for definition in s.view.snapshot.symbols.of_document(s.doc)}
    rare: set[tuple[int, str]] = set()
    for mention in s.query.symbols:
        name = (mention.parts or [""])[-1]
        docs = names.docs[names.rows(term_id(name))] if _SPELLED.fullmatch(name) else ()
        # "DNS" stands in texts and comments of files whose code has no such name.
        if len(docs) <= _FEW_USERS and s.doc in docs and name not in own and not (name.isalpha() and name.isupper()):
            rare.add((len(docs), name))
    for count, name in sorted(rare):
        line = line_of(name, s.text)
        if line is not None:
            files = f"{count} files use" if count > 1 else "no other file uses"
            text = f"uses {name} (line {line}), named by the task; {files} it"
            return s.reason("use", text, Evidence(s.path, line, name))
    return None


def definitions(s: Subject) -> Reason | None:
    """It defines names that are made of the task's words."""
    valued: list[tuple[float, int, Definition, list[str]]] = []
    for definition in _defined(s):
        words: dict[str, str] = {}
        for part in split_identifier(definition.name):
            for term, _ in s.terms.matches(stem(part)):
                words.setdefault(term, part)
        value = sum(s.terms.weights.get(term, 0.0) for term in words)
        if value > 0:
            valued.append((-value, definition.start, definition, list(words.values())))
    if not valued:
        return None
    best = sorted(valued, key=lambda v: v[:2])[:_MAX_DEFINITIONS]
    matched = dict.fromkeys(word for *_, words in best for word in words)
    whose = "whose name says" if len(best) == 1 else "whose names say"
    evidence = s.cited([d for _, _, d, _ in best])
    return s.reason("definition", f"defines {listed(evidence)}, {whose} {s.worded(matched)}", *evidence)


def passage(s: Subject) -> Reason | None:
    """Its best span that matches words of the task."""
    for span in s.question.spans.of(s.view, s.query, s.doc, s.match, s.terms):
        inside = [line for line in s.match.lines if span.start <= line.number <= span.end]
        if inside and all(line.links for line in inside):
            continue  # the names of other files, or of its own package
        code = s.view.snapshot.role(s.doc) is not Role.DOC
        words = [word for word in telling_words(inside, s.terms) if not (code and word in _STATEMENTS)]
        words = s.telling(words) if s.strict else words
        if words:
            one = span.start == span.end
            lines = f"line {span.start} matches" if one else f"lines {span.start}-{span.end} match"
            peak = max(inside, key=lambda line: line.value(s.terms.weights)).number
            evidence = Evidence(s.path, peak, text=" ".join(words))
            return s.reason("passage", f"{lines} {s.worded(words)}", evidence)
    return None


def path_words(s: Subject) -> Reason | None:
    """Its path holds words of the task that most other paths do not hold."""
    wanted = s.terms.weights.keys() | s.terms.expansions.keys()
    parts = [p for p in s.path.replace(".", "/").replace("-", "/").split("/") if p]
    said = list(dict.fromkeys(p for p in parts if wanted & set(analyse_word(p))))
    words = [word for word in said if s.share(word, s.view.snapshot.path_terms) < USUAL] or ([] if s.strict else said)
    return s.reason("name", f"its path says {s.worded(words[:4])}") if words else None


def dense(s: Subject) -> Reason | None:
    """Its nearest passage by the encoder, with its words that are near words of the task."""
    nearest = nearest_lines(s.query, s.view, s.doc, 1)
    if not nearest:
        return None
    start, end = filled(s.view.text(s.doc).split("\n"), *nearest[0])
    if start > end:
        return None  # the text cannot be read any more
    where, verbs = (f"line {start}", ("says", "is")) if start == end else (f"lines {start}-{end}", ("say", "are"))
    groups: dict[str, list[str]] = {}
    pairs = word_pairs(s.query, s.view, s.doc, (start, end))
    if s.strict and pairs:
        kept = s.telling([pair.said for pair in pairs])
        pairs = [pair for pair in pairs if pair.said in kept]
        if not pairs:
            return None
    for pair in pairs:
        groups.setdefault("" if pair.same else pair.asked, []).append(pair.said)
    if not pairs:
        text = f"{where} {verbs[1]} its nearest to the task by dense retrieval; no single word says why"
        return s.reason("dense", text, Evidence(s.path, start))
    own = groups.pop("", [])
    said = [", ".join(own)] if own else []
    said += [f"{', '.join(words)} for “{asked}”" for asked, words in groups.items()]
    evidence = [Evidence(s.path, pair.line, text=pair.said) for pair in pairs]
    return s.reason("dense", f"{where} {verbs[0]} {'; '.join(said)}", *evidence)


def language(s: Subject) -> Reason | None:
    """It is in the language of the task."""
    name = s.view.snapshot.language(s.doc)
    if name not in s.query.languages:
        return None
    return s.reason("language", f"is {name}, as the task", Evidence(s.path, text=name))


def pattern(s: Subject) -> Reason | None:
    """It lies where a learned pattern says."""
    for glob in s.query.patterns:
        if s.doc in s.view.matching([glob]):
            return s.reason("pattern", f"lies in {glob}", Evidence(s.path, text=glob))
    return None


def retriever(s: Subject) -> Reason | None:
    """A caller's own retriever found it."""
    found = [f"{name}: {why}" if why else name for name, why in sorted(s.candidate.why.items())]
    return s.reason("retriever", f"found by {'; '.join(found)}") if found else None


def _defined(s: Subject) -> list[Definition]:
    """List definitions that a sentence can name, the first of every name; its package is that of other files, too."""
    first: dict[str, Definition] = {}
    for definition in s.view.snapshot.symbols.of_document(s.doc):
        if _SPELLED.fullmatch(definition.name) and definition.kind not in _SHARED:
            first.setdefault(definition.name, definition)
    return list(first.values())
