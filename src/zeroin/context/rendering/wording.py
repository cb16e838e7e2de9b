"""The sentences that several renderers share, cleaned, one line each."""

from collections.abc import Sequence
from itertools import pairwise

from zeroin.answer import Context, JudgeUse, Pattern, Terminology
from zeroin.context.clean import line, path_text
from zeroin.context.packing.passages import Selected
from zeroin.types import LOW, Evidence, Expansion, ExpansionSource, Gap, Judgment, Role, Span
from zeroin.wording import counted, first_of

_CHANGED = 8  # files of a change that are named
_MOST_WORD = 100  # characters of one word of a text
_MEMBERS = 3  # of several repositories that are named
_LEAST_SHARE = 0.005  # of a member that is named as likely, unless it is the likeliest


def reason_of(judgment: Judgment, *, limit: int = 300) -> str:
    """Return all reasons of a file as one line."""
    return shortened(line(judgment.reason), limit) or "no single reason stands out"


def role_note(judgment: Judgment) -> str:
    """Return the role of a file listed with the documents that is none: ` (generated)`, ` (vendored)` or ` (data)`."""
    return f" ({judgment.role})" if judgment.role in (Role.GENERATED, Role.VENDORED, Role.DATA) else ""


def term_of(term: Expansion) -> str:
    """Return how certain a learned word is, unless it is sure, its first source, and how many more there are."""
    doubt = "" if term.certainty == "sure" else f"{term.certainty}: "
    if not term.sources:
        return doubt.rstrip(": ")
    return doubt + first_of([source_of(source) for source in term.sources], 1)


def source_of(source: ExpansionSource) -> str:
    """Return one place where a word was learned, and what stands there."""
    where = path_text(source.where[:10] if source.kind == "commit" else source.where)
    place = f"{where}:{source.line}" if source.line else where
    text = shortened(line(source.text), 100)
    quoted = f" “{text}”" if where and text else f" ({text})" if text else ""
    return f"{line(source.kind)} {place}".rstrip() + quoted


def spoken_of(found: Terminology) -> list[str]:
    """Return sentences: in how many files each word of the text is itself part of a name, and which words name nothing.

    Words that a name of the code joins (`ratelimit`) are left out of the second.
    """
    named = [f"{word_of(word)} ({counted(files, 'file')})" for word, files in found.named.items() if files]
    joined = {w for t in found.terms if any(s.kind == "joined" for s in t.sources) for w in t.task_word.split()}
    unnamed = [word_of(word) for word, files in found.named.items() if not files and word not in joined]
    parts = [f"Words of the text that are part of names: {', '.join(named)}."] if named else []
    return parts + ([f"Nothing is named {' or '.join(unnamed)} here."] if unnamed else [])


def word_of(word: str) -> str:
    """Return a word of a text as it is shown."""
    return shortened(line(word), _MOST_WORD)


def beside_sufficient(context: Context) -> bool:
    """Tell whether there are gaps beside a sufficient answer, none critical: they are worth a look, not missing."""
    return context.sufficient and bool(context.gaps) and not any(gap.critical for gap in context.gaps)


def gap_of(gap: Gap) -> str:
    """Return what is missing, and where that shows."""
    need = shortened(line(gap.need), 300)
    proof = next(iter(proofs(gap.evidence, need)), "")
    return f"{need} (seen: {proof})" if proof else need


def missing_of(gap: Gap) -> str:
    """Return `gap_of`, and the outcome where the gap was searched for."""
    need, outcome = gap_of(gap), outcome_of(gap)
    if need.endswith("?") and outcome:
        return f"{need} {outcome[0].upper()}{outcome[1:]}"
    return "; ".join(part for part in (need, outcome) if part)


def outcome_of(gap: Gap) -> str:
    """Return what came of a gap that was asked for, in a few words; "" where it was not."""
    if gap.outcome == "closed":
        return f"looked for: {path_text(gap.closed_by)}"
    return {"absent": "looked for, nothing found", "open": "looked for, what was found is below 0.2"}.get(
        gap.outcome, ""
    )


def proofs(evidence: Sequence[Evidence], sentence: str) -> list[str]:
    """Return at most three pieces of evidence that `sentence` does not name already."""
    shown = [text for e in evidence if not (e.path and path_text(e.path) in sentence) and (text := evidence_of(e))]
    return [text for text in dict.fromkeys(shown) if text not in sentence][:3]


def evidence_of(evidence: Evidence) -> str:
    """Return a piece of evidence as `path:line symbol` or `commit abc1234`."""
    if evidence.path:
        place = path_text(evidence.path) + (f":{evidence.line}" if evidence.line else "")
        return f"{place} {line(evidence.symbol)}".rstrip()
    if evidence.commit:
        return f"commit {line(evidence.commit)[:10]}"
    return line(evidence.symbol) or shortened(line(evidence.text), 80)


def pattern_of(pattern: Pattern) -> str:
    """Return a convention in words."""
    return shortened(line(pattern.text), 400)


def span_of(span: Span) -> str:
    """Return lines and the definition they belong to."""
    return f"{numbers_of(span)} {line(span.symbol)}".rstrip()


def numbers_of(span: Span) -> str:
    """Return the first and the last line of a span, once where they are the same."""
    return str(span.start) if span.start == span.end else f"{span.start}-{span.end}"


def ending_of(context: Context) -> str:
    """Return how many cycles ran, why the loop stopped, whether the answer is sufficient, and the run's name."""
    cycles = counted(len(context.cycles), "cycle")
    verdict = "sufficient" if context.sufficient else "not known to be sufficient"
    why = line(context.stop_reason.text)
    run = f"; run {context.run}" if context.run else ""
    return f"{cycles}; stopped: {why}; {verdict}{_judged(context.judge)}{_asked(context)}{run}"


def advice_of(context: Context) -> str:
    """Return the line of advice, "" where there is none or `ending_of` says it as the reason to stop."""
    advice, stop = context.advice, context.stop_reason
    return f"Advice: {line(advice.text)}" if advice is not None and advice.text != stop.text else ""


def _asked(context: Context) -> str:
    """Return which of several repositories the task is likely to be about; "" where one was asked.

    Where the likeliest by their words has no listed file, the files are what counts.
    """
    members, listed = context.members, context.listed
    if not members:
        return ""
    copies = sum(bool(member.copy_of) for member in members)
    others = [member for member in members if not member.copy_of]
    likely = [m for m in others if m.share >= _LEAST_SHARE] or others[:1]
    best = ", ".join(f"{line(m.name)} {m.share:.2f}" for m in likely[:_MEMBERS])
    known = not listed or any(j.path.startswith(f"{likely[0].name}:") for j in listed)
    several = len(members) == 1 or len({m.share for m in members}) > 1
    about = f", likely about: {best}" if several and known else ""
    searched = sum(member.searched for member in members)
    left_out = f" ({copies} near {'copy' if copies == 1 else 'copies'} left out)" if copies else ""
    return f"; {searched} of {counted(len(members), 'repository')} searched{left_out}{about}"


def _judged(use: JudgeUse | None) -> str:
    """Return what a language model was asked and what it took; "" where none was asked."""
    if use is None:
        return ""
    calls = counted(use.calls, "call") + (f", {use.cached} cached" if use.cached else "")
    cost = "" if use.cost is None else f", ${use.cost:.4f}"
    tokens = use.input_tokens + use.output_tokens
    return f"; {line(use.model)} graded {counted(use.graded, 'file')} ({calls}, {tokens:,} tokens{cost})"


def change_of(context: Context) -> str:
    """Return the files of a change that is reviewed, in a line; "" where the task is no change."""
    if context.task.diff is None:
        return ""
    names = [path_text(file.path) for file in context.task.diff.files]
    return f"reviewed, so not listed: {first_of(names, _CHANGED)}"


def shown_of(selected: Selected) -> str:
    """Return what is shown of a file where that is not just its spans."""
    if selected.fell_back:
        return "does not fit whole: spans"
    return {"whole": "whole file", "skeleton": "skeleton", "spans": ""}[selected.shown]


def redacted_of(count: int) -> str:
    """Return how many secrets are not shown."""
    return f"{count} value{' that looks' if count == 1 else 's that look'} like a secret redacted."


def reason_limit(budget: int) -> int:
    """Return the most characters of a file's reason in an answer of `budget` tokens."""
    return max(60, min(300, budget // 10))


def weak(context: Context) -> bool:
    """True when no file of the answer reaches relevance 0.2: what is listed is only the best available."""
    answer = (*context.files, *context.supporting)
    if context.task.diff is not None:  # for a review, tests and documents are answers too
        answer = context.listed
    return not any(j.relevance >= LOW for j in answer)


def unsure_of(context: Context) -> str:
    """Return the sentence above an answer of which nothing is sure."""
    files = (*context.files, *context.supporting)
    count = len(files)
    these = "this is the best available" if count == 1 else f"these {count} are the best available"
    if any(j.relevance < following.relevance for j, following in pairwise(files)):
        these += ", code before tests and documents"
    besides = " besides tests and documents" if context.tests or context.documents else ""
    found = these if count else "none was found"
    return f"Nothing is sure: no file{besides} reaches relevance {LOW}; {found}."


def shortened(text: str, limit: int) -> str:
    """`text` in at most `limit` characters: cut after a word (inside it if it is very long), with an ellipsis."""
    if len(text) <= limit:
        return text
    kept = text[: max(0, limit - 1)]
    if not text[len(kept)].isspace():
        whole = kept.rpartition(" ")[0]
        kept = whole if 2 * len(whole) >= len(kept) else kept
    return kept.rstrip(" ,;:") + "…"
