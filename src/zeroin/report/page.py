"""The whole page: one file that loads nothing, says so in its policy, and is the same for the same answer."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from hashlib import sha256
from importlib.resources import files
from string import Template

from zeroin import __version__
from zeroin.answer import Context
from zeroin.context.clean import line, path_text
from zeroin.context.redact import everything_of
from zeroin.context.texts import Read
from zeroin.context.wording import pattern_of, shortened
from zeroin.report.answer import answer, title_of
from zeroin.report.chart import chart, moves
from zeroin.report.code import MAX_FILES, code
from zeroin.report.cycles import gaps, strip
from zeroin.report.markup import Markup, el, join, path
from zeroin.report.place import place
from zeroin.report.story import courses, gap_lives
from zeroin.report.thin import thinned
from zeroin.report.words import growth, terms

MAX_BYTES = 1_000_000  # of the whole page
MAX_CYCLES = 8  # shown: the first, and the last ones
_LESS = (24, 8, 2)  # of everything, until the page is small enough
_FRAME = 4_000  # bytes of page.html, more or less

_POLICY = "default-src 'none'; style-src '{}'; script-src '{}'; base-uri 'none'; form-action 'none'"
_PURPOSES = {
    "fix": "To be fixed",
    "feature": "To be built",
    "review": "To be reviewed",
    "explore": "To be understood",
    "architecture": "Architecture",
}


def render(context: Context, read: Read, paths: Sequence[tuple[str, int]] = ()) -> str:
    """The answer as one HTML page of at most `MAX_BYTES`; `paths` are all files of the repository and their lines.

    Without `paths` there is no map. The same arguments give the same bytes. Secrets go before anything is shortened.
    """
    context = everything_of(context)
    if len(context.cycles) > MAX_CYCLES:
        context = replace(context, cycles=(context.cycles[0], *context.cycles[1 - MAX_CYCLES :]))
    text = _page(context, read, paths)
    for most in _LESS:
        if len(text.encode()) <= MAX_BYTES:
            break
        text = _page(thinned(context, most), read, paths if most > _LESS[-1] else ())
    return text


def _page(context: Context, read: Read, paths: Sequence[tuple[str, int]]) -> str:
    listed = [j.path for j in context.listed]
    links = {name: f"file-{i}" for i, name in enumerate(dict.fromkeys(listed[:MAX_FILES]), 1)}
    style, script = _part("style.css"), _part("script.js")
    parts = {
        "policy": _POLICY.format(_hash(style), _hash(script)),
        "title": el("title", f"{title_of(context)} – zeroin"),
        "style": style,
        "script": script,
        "head": _head(context),
        "body": _body(context, paths, links),
        "besides": _besides(context) or "",
        "foot": _foot(context),
        "nav": el("a", "Code", href="#code") + "\n" if links else "",
    }
    room = MAX_BYTES - sum(len(part.encode()) for part in parts.values()) - _FRAME
    return Template(_part("page.html")).substitute(
        parts, code=code(context, read, links, room) if links else ""
    )


@cache
def _part(name: str) -> str:
    """A file of this package; line ends as LF, which is what a browser hashes."""
    return files("zeroin.report").joinpath(name).read_text(encoding="utf-8").replace("\r\n", "\n")


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(sha256(text.encode("utf-8")).digest()).decode("ascii")


def _head(context: Context) -> Markup:
    state = context.revision
    name = context.repository.rstrip("/").rpartition("/")[2] or context.repository
    commit = state.commit[:10] or state.tree[:10]
    return join(
        el("b", path_text(name)),
        el("span", path_text(state.rev), class_="rev")
        if state.rev and not state.commit.startswith(state.rev)
        else None,
        el("span", path_text(commit), " with changes" if state.dirty else "", class_="rev")
        if commit
        else None,
        el("span", _PURPOSES.get(context.task.purpose, ""), class_="rev"),
    )


def _body(context: Context, paths: Sequence[tuple[str, int]], links: Mapping[str, str]) -> Markup:
    followed, lives = courses(context), gap_lives(context)
    numbers = [c.number for c in context.cycles]
    return join(
        answer(context, links, followed),
        place(context, paths, links),
        el(
            "section",
            el("div", el("h2", "How it came about", id="course-title"), _filter(numbers), class_="bar-head"),
            strip(context, lives),
            el("h3", "How relevance moved" if len(numbers) > 1 else "How relevant each file is"),
            [chart(followed, numbers, links), moves(followed, numbers, links)]
            if followed
            else el("p", "No file reached 0.2 in any cycle.", class_="quiet"),
            el("h3", "How the question grew" if len(numbers) > 1 else "What was asked"),
            growth(context),
            el("h3", "Words learned here"),
            terms(context),
            el("h3", "What was missing, and what became of it"),
            gaps(context, lives),
            id="course",
            aria_labelledby="course-title",
        ),
    )


def _filter(numbers: Sequence[int]) -> Markup | None:
    """Buttons that show one cycle alone; they need the script, and stay hidden without it."""
    if len(numbers) < 2:
        return None
    return el(
        "div",
        el("button", "All cycles", type="button", data_show="all", aria_pressed="true"),
        [el("button", f"Cycle {n}", type="button", data_show=n, aria_pressed="false") for n in numbers],
        class_="filter",
        role="group",
        aria_label="Show",
        hidden=True,
    )


def _besides(context: Context) -> Markup | None:
    """Conventions seen, files judged irrelevant with evidence, and what was not searched."""
    dropped = [j for j in context.ranking if j.irrelevant_because][:20]
    reasons: dict[str, int] = {}
    for skipped in context.skipped:
        reasons[line(skipped.reason)] = reasons.get(line(skipped.reason), 0) + 1
    used = context.learned.used if context.learned is not None else ()
    parts = [
        _list("Conventions", [el("li", pattern_of(p)) for p in context.patterns[:20]]),
        _list(
            "Judged irrelevant, with evidence",
            [
                el(
                    "li",
                    path(j.path),
                    el("span", shortened(line(j.irrelevant_because), 200), class_="because"),
                )
                for j in dropped
            ],
        ),
        _list(
            "Earlier tasks that counted",
            [el("li", shortened(line(t.title), 200), f" ({t.resemblance:.2f} alike)") for t in used[:20]],
        ),
        _list(
            f"Not searched: {len(context.skipped)} files",
            [
                el("li", f"{count} {shortened(reason, 120)}")
                for reason, count in sorted(reasons.items(), key=lambda kv: (-kv[1], kv[0]))[:20]
            ],
        ),
    ]
    if not any(parts):
        return None
    return el(
        "section",
        el("h2", "Besides", id="besides-title"),
        el("div", parts, class_="columns"),
        id="besides",
        aria_labelledby="besides-title",
    )


def _list(title: str, rows: Sequence[Markup]) -> Markup | None:
    return el("div", el("h3", title), el("ul", rows)) if rows else None


def _foot(context: Context) -> Markup:
    run = line(context.run)
    searched, commits = int(context.stats.get("documents", 0)), int(context.stats.get("commits", 0))
    return join(
        el(
            "p",
            "Continue with ",
            el("code", f"zeroin more {run}"),
            " or argue with it: ",
            el("code", f"zeroin refine {run} --relevant PATH --term WORD"),
        )
        if run
        else None,
        el("p", "The tree has changed since this run was kept: it was evaluated anew.")
        if context.stale
        else None,
        el(
            "p",
            f"Made by zeroin {__version__} from {searched:,} files{f' and {commits:,} commits' if commits else ''}, "
            "offline.",
        ),
    )
