"""A `Context` as JSON of the schema `zeroin.context/1` (published as `zeroin/schema/context.schema.json`)."""

from __future__ import annotations

import base64
import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from zeroin.answer import SECTIONS, Change, Context, Cycle, LessonsUsed, Pattern
from zeroin.config import MAX_TASK_CHARS
from zeroin.context.packing.passages import Selected
from zeroin.context.packing.select import select_listed
from zeroin.context.packing.texts import Read
from zeroin.context.redaction.quotes import quotes_of
from zeroin.context.rendering.code_json import LAYOUT, code_json
from zeroin.context.rendering.trim import NAMES, trim
from zeroin.context.tokens import estimate
from zeroin.errors import OptionError
from zeroin.tree import Skipped
from zeroin.types import Candidate, Evidence, Expansion, Gap, Judgment, Query, Reason, Search, Span

SCHEMA = "zeroin.context/1"
TOP_OF_CYCLE = 10  # ranked files shown of each cycle
TOLD_SHARE = (
    0.5  # of a budget that code is to fit into: what is told besides, as long as detail can be left out
)

# What JSON may hold raw but a terminal or a strict parser should not get: DEL, C1, bidi controls, line
# separators, lone surrogates.
_RISKY = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")

Json = dict[str, Any]


def render(context: Context, read: Read, *, code: bool = False) -> str:
    """The whole context as indented JSON, spans limited to those that fit the budget.

    With `code`, compact JSON that holds the code too and is itself within the budget. Raises `OptionError` for a budget
    that holds no answer of this form.
    """
    if code:
        return dumps(with_code(context, read), compact=True) + "\n"
    return dumps(to_json(context, read), indent=2) + "\n"


def dumps(value: object, *, indent: int | None = None, compact: bool = False) -> str:
    """JSON that every parser takes: risky characters as `\\uNNNN`, undecodable bytes as the text `\\xNN`."""
    separators = (",", ":") if compact else None
    text = json.dumps(value, ensure_ascii=False, indent=indent, separators=separators, allow_nan=False)
    return _RISKY.sub(_spelled, text)


def _spelled(match: re.Match[str]) -> str:
    code = ord(match[0])
    if 0xDC80 <= code <= 0xDCFF:
        return f"\\\\x{code - 0xDC00:02x}"
    return f"\\\\u{code:04x}" if 0xD800 <= code <= 0xDFFF else f"\\u{code:04x}"


def to_json(context: Context, read: Read) -> Json:
    """`context` as plain values; `read` gives the text that the spans are charged by."""
    context, quoted = quotes_of(context)
    chosen = {
        selected.judgment.path: tuple(passage.span for passage in selected.passages)
        for selected in select_listed(context, read, context.budget, pack="spans")
    }
    return {**_plain(context, chosen), "redacted": quoted}


def with_code(context: Context, read: Read) -> Json:
    """`context` as plain values with the code of its files, all of it within the budget.

    What does not fit is left out in the order of `trim`, and named. Raises `OptionError`.
    """
    context, quoted = quotes_of(context)
    value = {**_plain(context, {}), "pack": context.pack, "redacted": 10**6, "left_out": list(NAMES)}
    left_out = trim(value, int(context.budget * TOLD_SHARE), context.budget)
    room = context.budget - estimate(dumps(value, compact=True)) - 2
    if room < 0:
        raise OptionError(f"JSON with code needs a budget of {context.budget - room} tokens here")
    entries = [entry for section in SECTIONS for entry in value[section]]
    chosen = select_listed(context, read, room, LAYOUT, among={entry["path"] for entry in entries})
    by_path = {selected.judgment.path: selected for selected in chosen}
    for entry in entries:
        entry |= _shown(by_path.get(entry["path"]))
    value["redacted"] = quoted + sum(selected.hidden for selected in chosen)
    value["left_out"] = left_out
    return value


def _shown(selected: Selected | None) -> Json:
    """What is shown of a file, how, and whether more of it was asked for."""
    if selected is None:
        return {}
    shown: Json = {"shown": selected.shown, "spans": [], "code": code_json(selected.passages)}
    shown["spans"] = [span_json(passage.span) for passage in selected.passages]
    return {**shown, "fell_back": True} if selected.fell_back and not selected.whole else shown


def _plain(context: Context, chosen: Mapping[str, Sequence[Span]]) -> Json:
    state = context.revision
    return {
        "schema": SCHEMA,
        "task": {
            "text": context.task.text[:MAX_TASK_CHARS],
            "purpose": context.task.purpose,
            "diff": [f.path for f in context.task.diff.files] if context.task.diff else None,
        },
        "repository": context.repository,
        "revision": {"commit": state.commit, "tree": state.tree, "dirty": state.dirty, "rev": state.rev},
        "budget": context.budget,
        **{
            section: [judgment_json(j, chosen.get(j.path, ())) for j in getattr(context, section)]
            for section in SECTIONS
        },
        "terminology": [term_json(t) for t in context.terminology],
        "patterns": [pattern_json(p) for p in context.patterns],
        "gaps": [gap_json(g) for g in context.gaps],
        "cycles": [cycle_json(c) for c in context.cycles],
        "stop_reason": {"code": context.stop_reason.code, "text": context.stop_reason.text},
        "sufficient": context.sufficient,
        "advice": {"kind": context.advice.kind, "text": context.advice.text} if context.advice else None,
        "ranking": ranking_json(context.ranking),
        "skipped": skipped_json(context.skipped),
        "warnings": list(context.warnings),
        "learned": learned_json(context.learned),
        "stats": {name: _number(value) for name, value in context.stats.items()},
        "run": context.run,
        "parent": context.parent,
        "stale": context.stale,
    }


def ranking_json(judgments: Sequence[Judgment]) -> list[Json]:
    """Path, relevance and role of each judged file, in the order given."""
    return [{**path_json(j.path), "relevance": _share(j.relevance), "role": str(j.role)} for j in judgments]


def path_json(path: str) -> Json:
    """A path; if it is no valid Unicode, its bytes too, so that the file can be found."""
    if not any("\ud800" <= c <= "\udfff" for c in path):
        return {"path": path}
    raw = path.encode("utf-8", "surrogateescape" if _only_bytes(path) else "surrogatepass")
    return {"path": path, "path_base64": base64.b64encode(raw).decode("ascii")}


def _only_bytes(path: str) -> bool:
    return all("\udc80" <= c <= "\udcff" for c in path if "\ud800" <= c <= "\udfff")


def judgment_json(judgment: Judgment, spans: Sequence[Span]) -> Json:
    """One file of the answer."""
    return {
        **path_json(judgment.path),
        "relevance": _share(judgment.relevance),
        "band": judgment.band,
        "role": str(judgment.role),
        "language": judgment.language,
        "cycle": judgment.cycle,
        "reasons": [reason_json(r) for r in judgment.reasons],
        "spans": [span_json(span) for span in spans],
        "missing_context": list(judgment.missing_context),
    }


def span_json(span: Span) -> Json:
    """Lines, the definition they belong to, and why."""
    return {"start": span.start, "end": span.end, "symbol": span.symbol, "why": span.why}


def reason_json(reason: Reason) -> Json:
    """A reason with its evidence."""
    return {"kind": reason.kind, "text": reason.text, "evidence": [evidence_json(e) for e in reason.evidence]}


def evidence_json(evidence: Evidence) -> Json:
    """A piece of evidence; what it does not have is left out."""
    values: Json = path_json(evidence.path) if evidence.path else {}
    if evidence.line is not None:
        values["line"] = evidence.line
    for name in ("symbol", "commit", "text"):
        if value := getattr(evidence, name):
            values[name] = value
    return values


def gap_json(gap: Gap) -> Json:
    """An open need."""
    return {
        "kind": gap.kind,
        "need": gap.need,
        "critical": gap.critical,
        "evidence": [evidence_json(e) for e in gap.evidence],
        "follow_up": gap.follow_up,
        "search": search_json(gap.search),
        "chance": _share(gap.precision),
        **outcome_json(gap),
    }


def outcome_json(gap: Gap) -> Json:
    """What came of a gap that was asked for, and which file closed it; nothing where it was not asked."""
    closed = {"closed_by": path_json(gap.closed_by)} if gap.closed_by else {}
    return {"outcome": gap.outcome, **closed} if gap.outcome else {}


def search_json(search: Search) -> Json:
    """What would close a gap; only the parts that there are."""
    parts: Json = {}
    if search.symbols:
        parts["symbols"] = list(search.symbols)
    if search.paths:
        parts["paths"] = [path_json(path) for path in search.paths]
    if search.words:
        parts["words"] = list(search.words)
    if search.scope:
        parts["scope"] = search.scope
    return parts


def term_json(term: Expansion) -> Json:
    """A learned pair of words and where it was seen."""
    sources = [{"kind": s.kind, "where": s.where, "line": s.line, "text": s.text} for s in term.sources]
    return {
        "task_word": term.task_word,
        "code_word": term.code_word,
        "weight": _share(term.weight),
        "certainty": term.certainty,
        "sources": sources,
    }


def pattern_json(pattern: Pattern) -> Json:
    """A convention and the paths that show it."""
    return {
        "kind": pattern.kind,
        "text": pattern.text,
        "glob": pattern.glob,
        "evidence": list(pattern.evidence),
    }


def cycle_json(cycle: Cycle) -> Json:
    """One cycle: its query, what changed in it and why, how much it found."""
    return {
        "number": cycle.number,
        "seconds": _number(cycle.seconds),
        "query": query_json(cycle.query),
        "changes": [change_json(c) for c in cycle.changes],
        "candidates": len(cycle.candidates),
        "best_candidates": [candidate_json(c) for c in cycle.candidates[:TOP_OF_CYCLE]],
        "judgments": ranking_json(cycle.judgments[:TOP_OF_CYCLE]),
        "gaps": [gap_json(g) for g in cycle.gaps if g.shown],
        "asked": [gap_json(g) for g in cycle.asked],
    }


def candidate_json(candidate: Candidate) -> Json:
    """A candidate, its first-stage score and its rank in the retrievers that found it."""
    return {
        **path_json(candidate.path),
        "score": _number(candidate.score),
        "ranks": dict(sorted(candidate.ranks.items())),
    }


def change_json(change: Change) -> Json:
    """A change of the query."""
    return {
        "action": change.action,
        "what": change.what,
        "why": change.why,
        "evidence": [evidence_json(e) for e in change.evidence],
    }


def query_json(query: Query) -> Json:
    """A query: its weighted words, symbols and paths, globs and focus."""
    return {
        "title": query.title,
        "keywords": [
            {"text": k.text, "weight": _number(k.weight), "origin": str(k.origin), "why": k.why}
            for k in query.keywords
        ],
        "symbols": [
            {"name": s.name, "weight": _number(s.weight), "origin": str(s.origin)} for s in query.symbols
        ],
        "paths": [
            {**path_json(p.path), "weight": _number(p.weight), "origin": str(p.origin), "line": p.line}
            for p in query.paths
        ],
        "patterns": list(query.patterns),
        "includes": list(query.includes),
        "excludes": list(query.excludes),
        "focus_areas": list(query.focus_areas),
        "must_read": list(query.must_read),
        "relevant": list(query.relevant),
        "irrelevant": list(query.irrelevant),
        "wanted_roles": sorted(str(role) for role in query.wanted_roles),
        "languages": sorted(query.languages),
    }


def learned_json(learned: LessonsUsed | None) -> Json | None:
    """Which learned state an answer was given with, and the earlier tasks that moved it."""
    if learned is None:
        return None
    used = [{"id": t.id, "title": t.title, "similarity": _share(t.similarity)} for t in learned.used]
    return {"digest": learned.digest, "tasks": learned.tasks, "used": used}


def skipped_json(skipped: Sequence[Skipped]) -> Json:
    """How many files were not searched, by reason."""
    counts = Counter(s.reason for s in skipped)
    return {"files": len(skipped), "reasons": dict(sorted(counts.items(), key=lambda kv: (-kv[1], kv[0])))}


def _share(value: float) -> float:
    return round(min(1.0, max(0.0, float(value))), 4)


def _number(value: float) -> float:
    """Finite and short: JSON knows no NaN."""
    number = float(value)
    return round(number, 6) if abs(number) < 1e15 else 0.0
