"""Less of an answer, for the rare one whose page would be too large."""

from __future__ import annotations

from dataclasses import replace

from zeroin.answer import Context, Cycle

WARNING = "this page was shortened to stay readable: lists end early"


def thinned(context: Context, most: int) -> Context:
    """The answer with at most `most` of everything, and a warning that says so."""
    return replace(
        context,
        files=context.files[:most],
        supporting=context.supporting[:most],
        tests=context.tests[:most],
        documents=context.documents[:most],
        terminology=context.terminology[:most],
        patterns=context.patterns[:most],
        gaps=context.gaps[:most],
        cycles=tuple(_cycle(c, most) for c in context.cycles),
        ranking=context.ranking[:most],
        skipped=context.skipped[:most],
        warnings=(WARNING, *context.warnings[:most]),
    )


def _cycle(cycle: Cycle, most: int) -> Cycle:
    query = replace(
        cycle.query,
        keywords=cycle.query.keywords[:most],
        symbols=cycle.query.symbols[:most],
        paths=cycle.query.paths[:most],
        includes=cycle.query.includes[:most],
        terminology=cycle.query.terminology[:most],
    )
    return replace(
        cycle,
        query=query,
        changes=cycle.changes[:most],
        judgments=cycle.judgments[: 4 * most],
        gaps=cycle.gaps[:most],
        asked=cycle.asked[:most],
        terminology=cycle.terminology[:most],
    )
