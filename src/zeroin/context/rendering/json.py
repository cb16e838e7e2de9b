"""A `Context` as JSON of the schema `zeroin.context/1`, which `structures` defines."""

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import groupby
from typing import Any, TypeVar

import msgspec
from msgspec import UNSET

from zeroin.answer import SECTIONS, Change, Context, Cycle, LessonsUsed, MemberState, Terminology
from zeroin.config import MAX_TASK_CHARS
from zeroin.context.clean import UNSEEN
from zeroin.context.packing.passages import Layout, Passage, Selected
from zeroin.context.packing.select import select_listed
from zeroin.context.packing.texts import Read, Row
from zeroin.context.redaction.quotes import quotes_of
from zeroin.context.rendering import structures
from zeroin.context.rendering.structures import CONTEXT, TERMS, Json, Structure, number, share
from zeroin.context.rendering.trim import NAMES, trim
from zeroin.context.tokens import estimate, weigh
from zeroin.errors import OptionError
from zeroin.patterns import lazy_pattern
from zeroin.tree import Skipped
from zeroin.types import Candidate, Evidence, Expansion, Gap, Judgment, Query, Reason, Span

TOP_OF_CYCLE = 10  # ranked files shown of each cycle
DETAIL_SHARE = 0.5  # share of the budget for all but the code, as far as leaving out detail achieves it

_RISKY = lazy_pattern(f"[{UNSEEN}\ud800-\udfff]")  # what JSON may hold raw but a reader should see

S = TypeVar("S", bound=Structure)


def render(context: Context, read: Read, *, code: bool = False) -> str:
    """Return the whole context as indented JSON, spans limited to those that fit the budget.

    With `code`, compact JSON that holds the code too and is itself within the budget. Raises `OptionError` for a budget
    that holds no answer of this form.
    """
    if code:
        return dumps(with_code(context, read), compact=True) + "\n"
    return dumps(to_json(context, read), indent=2) + "\n"


def dumps(value: object, *, indent: int | None = None, compact: bool = False) -> str:
    """Return JSON that every parser reads: invisible characters as `\\uNNNN`, undecodable bytes as the text `\\xNN`."""
    separators = (",", ":") if compact else None
    text = json.dumps(value, ensure_ascii=False, indent=indent, separators=separators, allow_nan=False)
    return _RISKY.sub(_spelled, text)


def _spelled(match: re.Match[str]) -> str:
    code = ord(match[0])
    if 0xDC80 <= code <= 0xDCFF:
        return f"\\\\x{code - 0xDC00:02x}"
    return f"\\\\u{code:04x}" if 0xD800 <= code <= 0xDFFF else json.dumps(match[0])[1:-1]


def to_json(context: Context, read: Read) -> Json:
    """Return `context` as plain values, with the spans whose text (from `read`) fits the budget."""
    context, quoted = quotes_of(context)
    chosen = {
        selected.judgment.path: [passage.span for passage in selected.passages]
        for selected in select_listed(context, read, context.budget, pack="spans")
    }
    answer = _answer(context, chosen)
    answer.redacted = quoted
    return plain(answer)


def with_code(context: Context, read: Read) -> Json:
    """Return `context` as plain values with the code of its files, all of it within the budget.

    What does not fit is left out in the order of `trim`, and named. Raises `OptionError`.
    """
    context, quoted = quotes_of(context)
    answer = _answer(context, {})
    answer.pack, answer.redacted, answer.left_out = context.pack, 10**6, list(NAMES)
    value = plain(answer)
    written = partial(dumps, compact=True)
    left_out = trim(value, int(context.budget * DETAIL_SHARE), context.budget, written)
    room = context.budget - estimate(written(value)) - 2
    if room < 0:
        raise OptionError(f"JSON with code needs a budget of {context.budget - room} tokens here")
    entries = [entry for section in SECTIONS for entry in value[section]]
    chosen = select_listed(context, read, room, LAYOUT, among={entry["path"] for entry in entries})
    by_path = {selected.judgment.path: selected for selected in chosen}
    for entry in entries:
        if (selected := by_path.get(entry["path"])) is not None:
            entry |= {name: msgspec.to_builtins(part) for name, part in shown_parts(selected).items()}
    value["redacted"] = quoted + sum(selected.hidden for selected in chosen)
    value["left_out"] = left_out
    return value


def plain(value: Structure) -> Json:
    """Return a structure as dictionaries and lists."""
    out: Json = msgspec.to_builtins(value)
    return out


def shown_parts(selected: Selected) -> dict[str, Any]:
    """Return what is shown of a file, how, and whether more of it was asked for: fields of a file."""
    parts: dict[str, Any] = {
        "shown": selected.shown,
        "spans": [_copy(structures.Span, passage.span) for passage in selected.passages],
        "code": blocks_of(selected.passages),
    }
    return {**parts, "fell_back": True} if selected.fell_back else parts


def ranking_json(judgments: Sequence[Judgment]) -> list[Json]:
    """Return path, relevance and role of each judged file, in the order given."""
    return [plain(_ranked(j)) for j in judgments]


def path_json(path: str) -> Json:
    """Return a path; if it is no valid Unicode, its bytes too."""
    return plain(structures.Located(path=path))


def gap_json(gap: Gap) -> Json:
    """Return an open need."""
    return plain(_gap(gap))


def term_json(term: Expansion) -> Json:
    """Return a learned pair of words and where it was seen."""
    return plain(_term(term))


def terminology_json(found: Terminology) -> Json:
    """Return the codebase's words for those of a text."""
    return plain(
        _copy(
            structures.Terminology,
            found,
            schema=TERMS,
            revision=_copy(structures.Revision, found.revision),
            terms=[_term(term) for term in found.terms],
            named=dict(found.named),
        )
    )


def _copy(kind: type[S], value: object, **given: object) -> S:
    """Return a structure with the fields that `value` has by the same names, and those that are `given`."""
    names = [name for name in kind.__struct_fields__ if name not in given and hasattr(value, name)]
    return kind(**{name: _listed(getattr(value, name)) for name in names}, **given)


def _listed(value: object) -> object:
    return list(value) if isinstance(value, Sequence) and not isinstance(value, str) else value


def _answer(context: Context, chosen: Mapping[str, Sequence[Span]]) -> structures.Answer:
    task, diff = context.task, context.task.diff
    text, touched = task.text[:MAX_TASK_CHARS], [f.path for f in diff.files] if diff is not None else None
    advice = context.advice
    return _copy(
        structures.Answer,
        context,
        schema=CONTEXT,
        task=structures.Task(text=text, purpose=task.purpose, diff=touched),
        revision=_copy(structures.Revision, context.revision),
        **{name: [_file(j, chosen.get(j.path, ())) for j in getattr(context, name)] for name in SECTIONS},
        terminology=[_term(t) for t in context.terminology],
        patterns=[_copy(structures.Pattern, p) for p in context.patterns],
        gaps=[_gap(g) for g in context.gaps],
        cycles=[_cycle(c) for c in context.cycles],
        stop_reason=_copy(structures.StopReason, context.stop_reason),
        advice=_copy(structures.Advice, advice) if advice is not None else None,
        ranking=[_ranked(j) for j in context.ranking],
        skipped=_skipped(context.skipped),
        learned=_learned(context.learned),
        judge=_copy(structures.JudgeUse, context.judge) if context.judge is not None else UNSET,
        repositories=[_member(member) for member in context.members] or UNSET,
        stats={name: number(value) for name, value in context.stats.items()},
        pack=UNSET,
    )


def _member(member: MemberState) -> structures.Member:
    revision = _copy(structures.Revision, member.revision)
    original = member.copy_of or UNSET
    return _copy(structures.Member, member, revision=revision, share=share(member.share), copy_of=original)


def _file(judgment: Judgment, spans: Sequence[Span]) -> structures.File:
    shown = [_copy(structures.Span, span) for span in spans]
    reasons = [_with_evidence(structures.Reason, reason) for reason in judgment.reasons]
    relevance = share(judgment.relevance)
    return _copy(structures.File, judgment, relevance=relevance, reasons=reasons, spans=shown)


def _ranked(judgment: Judgment) -> structures.Ranked:
    return _copy(structures.Ranked, judgment, relevance=share(judgment.relevance))


def _with_evidence(kind: type[S], value: Reason | Change) -> S:
    return _copy(kind, value, evidence=_evidence(value.evidence))


def _evidence(evidence: Sequence[Evidence]) -> list[structures.Evidence]:
    return [_copy(structures.Evidence, e) for e in evidence]


def _gap(gap: Gap) -> structures.Gap:
    search = _copy(structures.Search, gap.search, paths=[structures.Located(path=path) for path in gap.search.paths])
    return _copy(
        structures.Gap,
        gap,
        evidence=_evidence(gap.evidence),
        search=search,
        chance=share(gap.precision),
        outcome=gap.outcome or UNSET,
        closed_by=structures.Located(path=gap.closed_by) if gap.outcome and gap.closed_by else UNSET,
    )


def _term(term: Expansion) -> structures.Term:
    sources = [_copy(structures.TermSource, source) for source in term.sources]
    return _copy(structures.Term, term, weight=share(term.weight), sources=sources)


def _cycle(cycle: Cycle) -> structures.Cycle:
    return _copy(
        structures.Cycle,
        cycle,
        seconds=number(cycle.seconds),
        query=_query(cycle.query),
        changes=[_with_evidence(structures.Change, change) for change in cycle.changes],
        candidates=len(cycle.candidates),
        best_candidates=[_candidate(c) for c in cycle.candidates[:TOP_OF_CYCLE]],
        judgments=[_ranked(j) for j in cycle.judgments[:TOP_OF_CYCLE]],
        gaps=[_gap(g) for g in cycle.gaps if g.shown],
        asked=[_gap(g) for g in cycle.asked],
    )


def _candidate(candidate: Candidate) -> structures.Candidate:
    ranks = dict(sorted(candidate.ranks.items()))
    return _copy(structures.Candidate, candidate, score=number(candidate.score), ranks=ranks)


def _query(query: Query) -> structures.Query:
    return _copy(
        structures.Query,
        query,
        keywords=[_copy(structures.Keyword, k, weight=number(k.weight)) for k in query.keywords],
        symbols=[_copy(structures.Symbol, s, weight=number(s.weight)) for s in query.symbols],
        paths=[_copy(structures.PathMention, p, weight=number(p.weight)) for p in query.paths],
        wanted_roles=sorted(query.wanted_roles),
        languages=sorted(query.languages),
    )


def _learned(learned: LessonsUsed | None) -> structures.Learned | None:
    if learned is None:
        return None
    return _copy(
        structures.Learned,
        learned,
        used=[_copy(structures.LearnedTask, t, similarity=share(t.similarity)) for t in learned.used],
    )


def _skipped(skipped: Sequence[Skipped]) -> structures.Skipped:
    counts = Counter(s.reason for s in skipped)
    return structures.Skipped(files=len(skipped), reasons=dict(sorted(counts.items(), key=lambda kv: (-kv[1], kv[0]))))


# --- code ---------------------------------------------------------------------------------------


def blocks_of(passages: Sequence[Passage]) -> list[structures.Block]:
    """Return code as in the file, in blocks of adjacent lines; signatures around a span are marked."""
    blocks: list[structures.Block] = []
    for passage in passages:
        heads = len(passage.heads)
        blocks += [_block(run, enclosing=True) for run in runs(passage.rows[:heads])]
        blocks += [_block(run) for run in runs(passage.rows[heads:])]
        if passage.cut and len(passage.rows) > heads:
            blocks[-1].cut = True
    return blocks


def runs(rows: Sequence[Row]) -> list[list[Row]]:
    """Return rows grouped where nothing is left out between them."""
    grouped = groupby(enumerate(rows), key=lambda item: item[1][0] - item[0])
    return [[row for _, row in group] for _, group in grouped]


def _block(run: Sequence[Row], *, enclosing: bool = False) -> structures.Block:
    text = "\n".join(text for _, text in run)
    return structures.Block(start=run[0][0], end=run[-1][0], text=text, enclosing=enclosing or UNSET)


def _compact(value: Structure) -> str:
    return json.dumps(plain(value), ensure_ascii=False, separators=(",", ":")) + ","


def _row(number: int, text: str) -> float:
    return weigh(json.dumps(text + "\n", ensure_ascii=False)[1:-1])


def _around(passage: Passage) -> float:
    """Return tokens of a passage besides its lines, and besides what every gap costs."""
    numbers = [number for number, _ in passage.rows]
    adjoining = bool(passage.heads) and passage.span.start - 1 in numbers
    return _EMPTY * (2 if adjoining else 1) + _CUT + weigh(_compact(_copy(structures.Span, passage.span)))


_EMPTY = weigh(_compact(structures.Block(start=999_999, end=999_999, text="", enclosing=True)))
_CUT = weigh(',"cut":true')
LAYOUT = Layout(
    row=_row,
    passage=_around,
    file=lambda judgment: weigh('"shown":"skeleton","spans":[],"code":[],"fell_back":true,'),
    gap=_EMPTY,
)
