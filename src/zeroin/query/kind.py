"""Which kind of request a task is: a cascade of what tells it.

What a person labelled (a diff, a form, a commit's prefix) outweighs a title's wording, and the title the body.
"""

from __future__ import annotations

import re

from zeroin.query.names import is_identifier
from zeroin.query.verbs import asked_by, without_scope
from zeroin.query.weights import SHORT_QUERY_WORDS
from zeroin.terms import STOPWORDS, WORD
from zeroin.types import Origin, Query, Role, Task, TaskKind

_HEAD_CHARS, _TITLE_CHARS = 3_000, 300  # where forms and labels stand
_MARKS_CHARS, _SHORT_TITLE = (
    30,
    80,
)  # what a title may have lost of its line; a longer one names tests in passing
_LEAST_WORDS, _BODY_CHARS = 4, 600  # of a headline; of the body, where the title's words say nothing

_LABELS: tuple[tuple[TaskKind, str], ...] = (
    (TaskKind.DOCUMENTATION, r"docs?|documentation|javadocs?"),
    (
        TaskKind.CONFIG,
        r"ci|cd|build|deps|dependenc(?:y|ies)|chore\((?:deps|ci|build|release|dev)[^)]*\)|build\([^)]*\)|"
        r"packaging|config",
    ),
    (
        TaskKind.REFACTORING,
        r"refactor\w*|refac|style|perf|performance|clean-?up|cleanup|ref|maint|mnt",
    ),
    (TaskKind.BUG, r"fix\w*|bugs?|bugfix|hotfix|regression|defect|错误"),
    (
        TaskKind.FEATURE,
        r"feat|feature(?: request)?|fea|fr|enh|enhancement|new|rfe|proposal|request|suggestion|improvement",
    ),
    (TaskKind.QUESTION, r"question|help"),
    (TaskKind.SYMBOL, r"chore|misc|internal|tests?|tst"),
)
_CHORE = TaskKind.SYMBOL  # stands for `chore:`, `test:`, which say only that behaviour stays
_LABEL = re.compile(
    r"^[\W_]{0,8}(?:title\W{1,6})?(?:[\[(【]\W{0,3})?(?:"
    + "|".join(f"(?P<k{i}>{words})" for i, (_, words) in enumerate(_LABELS))
    + r")(?:\([^)\n]{0,40}\)|/[\w.-]{1,40})?(?:!?[:：]\s|\s?[\])】]|\s-\s)",
    re.IGNORECASE,
)
# Substrings of the lower-cased head: forms are long, and a search for a few fixed strings is quick.
_FORM_FEATURE = (
    "feature request related to a problem",
    "describe the solution you",
    "# feature request",
    "**feature request",
    "feature idea",
    "the feature, motivation",
    "🚀",
    "feature pull request",
    "requesting a new feature",
    "requesting a feature",
)
_FORM_BUG = (
    "describe the bug",
    "bug report",
    "bug summary",
    "bug description",
    "to reproduce",
    "expected behav",
    "expected result",
    "actual behav",
    "actual result",
    "current behav",
    "🐛",
    "reporting a bug",
    "i'm reporting that",
    "重现步骤",
    "what went wrong",
)
_FORM_DOC = ("documentation issue", "documentation problem", "location of the documentation", "📚")

_MARKED = re.compile(
    r"^(?:[#*_\s\"']{0,6}(?:title|issue title|issue|summary)\W{1,6})?[#*_\s\"':]{0,6}", re.IGNORECASE
)
_ASKS = re.compile(
    r"^\W*(?:how (?:does|do|is|are|the|can|to|did|[\w.:-]+ (?:is|are|does|[a-z]{3,}s))\b|"
    r"how\b(?!.{0,40}\bfail)|where\b|"
    r"what(?:'s)?\b|which\b|who\b|when (?:does|is|are)\b|why (?:does|do|is|are)\b|explain\b|explore\b|understand\b|"
    r"find (?:where|the code|all|how)\b|show me\b|locate\b|look up\b|describe how\b|trace how\b|"
    r"(?:an? )?overview\b|wie\b|wo\b|welche\w*\b|was\b)|如何|哪里|怎么",
    re.IGNORECASE,
)
_FAULT = re.compile(
    r"^\W*(?:fix(?:e[sd]|ing)?|debug|repair|resolve[sd]?|correct(?:s|ed|ly)?|prevent(?:s|ed)?|avoid(?:s|ed)?|"
    r"don'?t|do not|stop|restore[sd]?|revert|work ?around|guard|ensure|make sure|properly|handle)\b|"
    r"\b(?:fix(?:e[sd])?|bugs?|bugfix|errors?|exceptions?|crash\w*|fail(?:s|ed|ing|ures?)?|broken|breaks?|"
    r"breaking|wrong\w*|"
    r"incorrect\w*|regressions?|panics?|panicked|segfault\w*|leak(?:s|ing|ed)?|hangs?|deadlocks?|does(?:n['’]?t|"
    r" not)|"
    r"do(?:n['’]?t| not)|is(?:n['’]?t| not)|are(?:n['’]?t| not)|not (?:being|working|updated|handled|respected)|"
    r"cannot|can(?:['’]t|not)|cant|unable|unexpected\w*|missing|invalid|raises?|throws?|ignor(?:ed|es)|"
    r"stops? working|no longer|mistake\w*|defect|vulnerab\w*|inconsisten\w*|never|typos?|problems?|issues? with|"
    r"undefined|nan|lost|loses?|flicker\w*|flaky|stalls?|twice|false[- ](?:positive|negative)s?|bad|"
    r"mismatch\w*|corrupt\w*|mishandl\w*|overflow\w*|race condition|crashing|misleading|confusing|outdated|"
    r"infinite|stuck|freez\w*|unnecessar\w*|poor|not (?:\w+ly )?\w+ed|won'?t|doesnt|isnt|fails)\b|"
    r"修复|错误|失败|异常|报错|问题|无效|Fehler|kaputt|defekt|behebe\w*",
    re.IGNORECASE,
)
# What a line of a few words must say to be more than a noun phrase: "error types" is looked for, not broken.
_BROKEN = re.compile(
    r"^\W*(?:fix(?:e[sd]|ing)?|debug|repair|resolve[sd]?|correct(?:s|ed)?|prevent|avoid|don'?t|do not|stop|"
    r"restore|revert|ensure|make sure|handle)\b|\b(?:bugs?|crash(?:e[sd]|ing)?|fail(?:s|ed)|broken|breaks?|"
    r"wrong\w*|incorrect\w*|"
    r"regressions?|segfaults?|leaks?|hangs?|deadlocks?|does(?:n['’]?t| not)|is(?:n['’]?t| not)|are(?:n['’]?t| not)|"
    r"not working|cannot|can(?:['’]t|not)|unable|raises?|throws?|ignored|no longer|never|by zero|"
    r"(?:returns?|is|gives?) (?:null|none|undefined|nil|empty)|loses?|lost|flicker\w*|flaky|stalls?|twice|"
    r"typos?|stuck|"
    r"freezes?|won'?t|error when|error on|false (?:positive|negative)s?)\b|修复|错误|失败|报错|Fehler|kaputt|behebe\w*",
    re.IGNORECASE,
)
# Words and forms that complaints and titles of issues have, and hardly any search: counted on the titles of real
# issues and on real searches.
_COMPLAINT = re.compile(
    r"\bnot\b|n['’`´]t\b|\b(?:dont|doesnt|isnt|wont|cant|didnt|couldnt|shouldnt)\b|\bmissing\b|^\W*(?:invalid|no)\b|"
    r"inconsisten|\b(?:problem|issue)s?\b|\bslow|\bpoor\b|excessive|inefficien|bottleneck|vulnerab|cve-|\bxss\b|"
    r"escalation|"
    r"\bbypass|\berrors? (?:when|on|in|while|if|for|from|after)\b|\berror: |\berror\W*$|infinit|endless|"
    r"duplicat|\bshould\b|"
    r"\b(?:can|may|might|could|would|must|will)\b|\blead(?:s|ing) to\b|\bcaus(?:es?|ing)\b|\bresult(?:s|ing) in\b|"
    r"\bdiffers?\b|difference (?:between|from)|outdated|out of date|incomplete|inadequate|ambiguous|ambiguity|"
    r"strange|"
    r"weird|useless|unnecessar|undesired|unexpected|erroneous|improper|misleading|confusing|mis+configur|\btoo\b|"
    r"\b(?:is|are|was|were|has|have|been|being)\b|\bseems?\b|\bfails?\b|\black|\bconsider\b|\bout of memory\b|"
    r"\b(?:memory|cpu) (?:usage|consumption)\b|useless|core dumped|overflows?\b|uninitiali[sz]ed|intermittent|"
    r"^(?:\S+ ){1,5}?(?:returns|shows|ignores|throws|raises|accepts|rejects|attempts|affects|generates|loops|behaves|"
    r"prevents|validates|expects|requires|breaks|produces|gives|uses|does|gets|treats|loses|drops|overwrites|"
    r"overrides|escapes|allows|makes|takes|listens|spends|increases|decreases|doubles|stops|starts|stays|stays|"
    r"ends)\b",
    re.IGNORECASE,
)
# Traces whose frames are not read, under prefixes of logs or as links, are traces all the same.
_TRACE_MARKS = ("Traceback (most recent call", "stack backtrace:", "goroutine 1 [")
_ERROR_TYPE = re.compile(r"\b\w+(?:Error|Exception|Warning)\b")
_TICKED = re.compile(r"`[^`]*`")
_FORMAL = re.compile(r"\.\s*$|\w\(\)|[<>=]|[\"“]|\bv?\d+\.\d|^\W?[\w./*-]+: |^\[|#\d")
_CAPITALS = 4  # as many capitalised words are a headline
_NITS = re.compile(
    r"\b(?:nits?|type (?:hints?|annotations?|ignores?)|typings?|naming|mypy|lint\w*|clippy|rubocop|code style|"
    r"static analysis|unused|allocations?|boxing|casting|duplicat\w+ code|warnings?)\W*$",
    re.IGNORECASE,
)
_COST = re.compile(
    r"^\W*avoid\w* (?:\w+ )?(?:cast|alloc|cop(?:y|ies)|box|unnecessar|redundant|duplicat|comput|clon)",
    re.IGNORECASE,
)
_INSTEAD = re.compile(
    r"^\W*(?:define|call|prefer|pass|write|store|generate|create|return)\w* .{1,60} (?:instead of|rather than)\b",
    re.IGNORECASE,
)
_REWORK = re.compile(
    r"\b(?:refactor\w*|restructure|rework\w*|tweaks|tightly coupled|tight coupling|duplicated? (?:code|logic)|"
    r"code duplication|"
    r"technical debt|clean(?:ing)? ?up|unnecessarily complex|inconsistent naming|internal abstraction|"
    r"performance (?:can be|improvements?|optimi[sz]ations?)|perf\b|(?:should|could|can) (?:\w+ )?(?:be )?"
    r"(?:optimi[sz]ed?|simplif\w+|removed|unified))\b|重构",
    re.IGNORECASE,
)
# What an order changes when behaviour stays as it is: how the code reads or how fast it is, and tests.
_UPKEEP = re.compile(
    r"\b(?:unused|dead code|redundant|obsolete|superfluous|duplicat\w+|readab\w+|maintainab\w+|performance|faster|"
    r"efficien\w+|allocations?|gc pressure|boilerplate|internals?|naming|nits?|type (?:hints?|annotations?|"
    r"ignores?)|speed|memory (?:usage|footprint)|nolint|noqa|(?:variable|method|function|parameter) names?|"
    r"typings?|warnings? in|lint(?:s|er|ers|ing)?(?!/)|nullability|constants?|magic numbers?|helper (?:method|"
    r"function|class)s?)\b",
    re.IGNORECASE,
)
_TESTS = re.compile(
    r"\b(?:unit |integration |regression |e2e |more |failing |missing )?(?:tests?|specs|testing|assertions?|"
    r"test ?cases?|"
    r"test suite|benchmarks?|fixtures?|coverage)\b",
    re.IGNORECASE,
)
_TEST_FAULT = re.compile(r"\b(?:flaky|fail\w*|broken|hang\w*|race|intermittent\w*)\b", re.IGNORECASE)
_WISH = re.compile(
    r"^\W*(?:optional\w*|option|ability|propos\w+|suggestion|want|expansion|configurable|custom|lack of)\b|"
    r"\b(?:add(?:ing)? support|support (?:for|of)|feature request|option (?:to|for)|ability to|"
    r"should (?:support|allow)|"
    r"allow\w*|would be (?:nice|great|useful)|make it possible|please (?:add|support)|no (?:way|option) to|"
    r"need(?:s|ed)? (?:to )?(?:be )?(?:add|support)\w*|lacks?|i hope|enable|configurable|is it possible|"
    r"possibility|wish|"
    r"support)\b|添加|支持|新增|增加|建议|希望|hinzufügen|unterstütz\w*",
    re.IGNORECASE,
)
_DOCS = re.compile(
    r"\b(?:documentation|docs?|readme(?:\.\w+)?|tutorials?|(?:user|style|migration|contributing|upgrade) guides?|"
    r"guidelines?|doc ?(?:strings?|blocks?|comments?)|javadocs?|kdocs?|phpdocs?|rustdocs?|api reference|"
    r"release notes?|"
    r"changelog|faq|mkdocs|sphinx|wiki|rtd|troubleshooting|(?:code|inline|header|outdated|stale|"
    r"misleading) comments?|"
    r"comment (?:about|for|on|in)|"
    r"\bhistory(?:\.\w+)? (?:to|for|entry)|entry to history|changelog entry|\w+\.(?:md|rst|adoc))\b|文档|Dokumentation",
    re.IGNORECASE,
)
_DOC_WORDING = re.compile(
    r"\b(?:typos?|spelling|wording|grammar|misspell\w*) (?:in|of|fix\w*)\b|^\W*(?:fix(?:e[sd])? )?(?:a |some |"
    r"minor )?typos?\b|"
    r"^\W*(?:docs?|documentation|readme)\b",
    re.IGNORECASE,
)
_DOC_SURE = re.compile(
    r"\b(?:doc ?strings?|readme|javadocs?|phpdocs?|kdocs?|release-notes|to document)\b|"
    r"^\W*(?:fix|correct|updat)\w* (?:broken |dead |the |some )*(?:links?|urls?)\b",
    re.IGNORECASE,
)
# Building, publishing or checking documents is no change of them.
_DOC_BUILD = re.compile(
    r"\bdocs? (?:parser|generator|comment parser|tests?)\b|\bdoc-?tests?\b", re.IGNORECASE
)
_CONFIG = re.compile(
    r"^\W*(?:bump\w*|(?:pin|unpin|upgrad\w+|updat\w+|downgrad\w+|requir\w+|drop\w*|remov\w+|add\w*|allow|loosen|"
    r"relax|"
    r"replac\w+|switch|migrat\w+|support|use)\b.{0,50}(?:\bdependenc(?:y|ies)\b|\bdeps\b|\bversions? of\b|"
    r"\bto v?\d+(?:\.\w+)+\b|\bto v\d+\b|\bfrom v?\d+\.|\brequirements?(?:\.txt)?\b|\bpackage\.json\b))|"
    r"^\W*(?:updat\w+|bump\w*|upgrad\w+) (?:to )?(?:zig|gradle|kotlin|rust|go|golang|node|ruby|scala|xcode|jdk|"
    r"webpack|babel|"
    r"typescript|eslint|toolchain|submodules?|dev tools)\b|"
    r"^[\w.@/-]{2,40} v?\d+(?:\.\d+)+ support$|"
    r"\b(?:github[ -]actions?|workflows?\b.{0,20}\bci\b|dockerfiles?|docker[ -](?:image|compose|build)|"
    r"pre-commit|makefiles?|"
    r"cmake\w*|meson|bazel|dependabot|renovate|issue templates?|pr templates?|codeowners|faster builds?|"
    r"^ignore \.\w+|codecov|"
    r"deepsource|netlify|nix (?:development )?(?:shell|flake)|"
    r"flake\.nix|"
    r"\.?gitignore|\.?editorconfig|(?:eslint|rubocop|prettier|lint\w*|ruff|mypy|clippy|"
    r"golangci\S*)[ -]?(?:config\w*|rules?)|"
    r"tsconfig|pyproject|setup\.(?:py|cfg)|package\.json|cargo\.toml|go\.mod|gemfile|gemspec|pom\.xml|"
    r"build\.gradle\w*|"
    r"[\w-]*requirements(?:\.txt)|[\w-]+-requirements|travis|appveyor|circle ?ci|azure pipelines|gitlab[- ]ci|"
    r"build (?:scripts?|systems?|config\w*|flags?|matrix|tools?)|compiler? flags?|include paths?|"
    r"ci (?:build|job|config\w*|workflow|script|matrix|pipeline)s?|coverage job|release (?:script|workflow|process)|"
    r"(?:test|run|build|deploy|benchmarks?|compile)\w* (?:\w+ ){0,2}(?:on|with|against|under) (?:node|python|"
    r"jdk|java|ruby|go|"
    r"php|fullopt|v?\d)\S*|makedist|packaging|msrv|tarball)\b",
    re.IGNORECASE,
)
_CI = re.compile(r"\bCI\b")

# Not at the very beginning: "before and after filter hooks" are looked for.
_TELLS = re.compile(
    r"\b(?:when|if|while|after|even (?:when|if|though)|instead of|despite|although|unless|only|always|gets?|got|"
    r"becomes|"
    r"blank)\b",
    re.IGNORECASE,
)


def kind_of(task: Task, query: Query) -> TaskKind:
    """The kind of a task; `query` is the query of that task. Deterministic, well under 0.2 ms."""
    if task.diff is not None:
        return TaskKind.DIFF
    traced = any(p.frame is not None and p.origin is Origin.TRACE for p in query.paths)
    traced = traced or any(mark in task.text for mark in _TRACE_MARKS)
    failing = traced or any(k.origin is Origin.ERROR for k in query.keywords)
    return kind_in(query.title, task.text, traced=traced, failing=failing, roles=query.wanted_roles)


def kind_in(
    title: str, text: str, *, traced: bool, failing: bool, roles: frozenset[Role] = frozenset()
) -> TaskKind:
    """As `kind_of`, from a title, the text as written, and whether it holds a stack trace or an error."""
    head = text[: 2 * _HEAD_CHARS].strip()[:_HEAD_CHARS]
    line = "\n" not in head and len(head) <= len(title) + _MARKS_CHARS
    title = head if line or not title else title
    title = _MARKED.sub("", title[:_TITLE_CHARS].partition("\n")[0])
    label = _label(head)
    if traced and label is not TaskKind.FEATURE:
        return TaskKind.TRACE
    plain = without_scope(title)
    if line and label is None:
        found = _of_line(title, plain)
        if found is not None:
            return found
    if label is not None and label is not _CHORE:
        return label
    verb = asked_by(plain, search=_BROKEN.search(plain.partition(" ")[2]) is not None)
    found = _of_object(title, plain, verb, head, roles)
    if found is not None:
        return found
    found = _of_wording(plain, verb, head, failing=failing)
    return TaskKind.REFACTORING if label is _CHORE and found is TaskKind.FEATURE else found


def _label(head: str) -> TaskKind | None:
    """What the author's own tag says: `[Feature]`, `fix(parser): …`, `DOC: …`."""
    match = _LABEL.match(head[:120])
    return _LABELS[int(match.lastgroup[1:])][0] if match is not None and match.lastgroup else None


def _of_line(title: str, plain: str) -> TaskKind | None:
    """The kind of a task of one line where that is a look-up or a question, else None."""
    words = len(WORD.findall(title))
    if words > 2 * SHORT_QUERY_WORDS:
        return None
    content = [word for word in WORD.findall(title) if word.lower() not in STOPWORDS]
    if _ASKS.match(title) and not _BROKEN.match(title):
        return TaskKind.QUESTION
    if _is_name(title, content):
        return TaskKind.SYMBOL
    if words > SHORT_QUERY_WORDS or asked_by(plain, search=True) is not None or _tells(title, words):
        return None
    return TaskKind.QUESTION


def _is_name(title: str, content: list[str]) -> bool:
    """Whether a line is nothing but the name of something in code, perhaps with its member."""
    if not content or len(content) > 3:
        return False
    if len(title.split()) == 1:
        return title.isascii()
    if asked_by(title, search=False) is not None or _COMPLAINT.search(title):
        return False
    return len(title.split()) <= 2 and all(is_identifier(word) or word[:1].isupper() for word in content)


def _tells(title: str, words: int) -> bool:
    """Whether a line tells what happens, or is a headline, rather than a phrase that names something to be found."""
    if _BROKEN.search(title) or (words > 1 and _COMPLAINT.search(title)):
        return True
    if not title.isascii() and _FAULT.search(title):
        return True
    if words < _LEAST_WORDS:
        return False
    if "`" in title and len(WORD.findall(_TICKED.sub(" ", title))) >= _LEAST_WORDS:
        return True
    if (
        _FORMAL.search(title)
        or _ERROR_TYPE.search(title)
        or _TELLS.search(" ".join(title.split()[_LEAST_WORDS - 1 :]))
    ):
        return True
    return sum(word.istitle() for word in title.split()) >= _CAPITALS


def _of_object(
    title: str, plain: str, verb: TaskKind | None, head: str, roles: frozenset[Role]
) -> TaskKind | None:
    """The kind that what a title is about makes plain: documents, build and dependencies, tests."""
    if (
        _DOC_WORDING.search(plain)
        or (_DOC_SURE.search(title) and not _DOC_BUILD.search(title))
        or _first(head.lower(), _FORM_DOC) >= 0
    ):
        return TaskKind.DOCUMENTATION
    if (verb is not None or Role.DOC in roles) and _DOCS.search(title) and not _DOC_BUILD.search(title):
        return TaskKind.DOCUMENTATION
    if verb in (TaskKind.DOCUMENTATION, TaskKind.CONFIG):
        return verb
    if (_CONFIG.search(plain) or _CONFIG.search(title) or _CI.search(title)) and not (
        verb is None and _FAULT.search(plain)
    ):
        return TaskKind.CONFIG
    if verb is not None and _TESTS.search(plain) and len(plain) < _SHORT_TITLE:
        return TaskKind.BUG if _TEST_FAULT.search(plain) else TaskKind.REFACTORING
    return None


def _first(text: str, phrases: tuple[str, ...]) -> int:
    """Where the first of some phrases stands in a lower-case text, -1 if none does."""
    return min((at for phrase in phrases if (at := text.find(phrase)) >= 0), default=-1)


def _of_wording(title: str, verb: TaskKind | None, head: str, *, failing: bool) -> TaskKind:
    """Bug, feature or refactoring, from the title's words; the body's form decides where those say nothing."""
    lower = head.lower()
    asks, reports = _first(lower, _FORM_FEATURE), _first(lower, _FORM_BUG)
    if asks >= 0 and not 0 <= reports < asks:
        return TaskKind.FEATURE
    if verb is TaskKind.REFACTORING and not _BROKEN.search(title.partition(" ")[2]):
        return verb
    if verb is TaskKind.BUG:
        return TaskKind.REFACTORING if _NITS.search(title) or _COST.match(title) else verb
    if verb is TaskKind.FEATURE and not failing:
        return TaskKind.REFACTORING if _UPKEEP.search(title) or _INSTEAD.search(title) else verb
    wish, fault, rework = _WISH.search(title), _FAULT.search(title), _REWORK.search(title)
    if wish and (wish.start() == 0 or not fault) and not failing:
        return TaskKind.FEATURE
    if rework and not fault:
        return TaskKind.REFACTORING
    if fault or failing or reports >= 0:
        return TaskKind.BUG
    if rework:
        return TaskKind.REFACTORING
    if wish:
        return TaskKind.FEATURE
    if _ASKS.match(title) and title.rstrip().endswith("?"):
        return TaskKind.QUESTION
    body = head[:_BODY_CHARS]
    return TaskKind.FEATURE if _WISH.search(body) and not _FAULT.search(body) else TaskKind.BUG
