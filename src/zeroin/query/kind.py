"""Which kind of request a task is: told from its form first, then from the words of its title.

A cascade: what a person labelled (a diff, a form, a commit's prefix) outweighs what a title's wording suggests, and the
title outweighs the body.
"""

from __future__ import annotations

import re

from zeroin.query.names import is_identifier
from zeroin.query.weights import SHORT_QUERY_WORDS
from zeroin.terms import STOPWORDS, WORD
from zeroin.types import Origin, Query, Role, Task, TaskKind

_HEAD_CHARS = 3_000  # where forms and labels stand
_TITLE_CHARS = 300
_BODY_CHARS = 600  # of the body, where the title's words say nothing

_LABELS: tuple[tuple[TaskKind, str], ...] = (
    (TaskKind.DOCUMENTATION, r"docs?|documentation"),
    (
        TaskKind.CONFIG,
        r"ci|cd|build|deps|dependenc(?:y|ies)|chore\(deps[^)]*\)|build\([^)]*\)|packaging|config",
    ),
    (
        TaskKind.REFACTORING,
        r"refactor\w*|refac|style|perf|performance|clean-?up|cleanup|ref|maint|mnt|test|tests|tst",
    ),
    (TaskKind.BUG, r"fix\w*|bugs?|bugfix|hotfix|regression|defect|错误"),
    (
        TaskKind.FEATURE,
        r"feat|feature(?: request)?|fea|fr|enh|enhancement|new|rfe|proposal|request|suggestion|improvement",
    ),
    (TaskKind.QUESTION, r"question|help"),
)
_LABEL = re.compile(
    r"^[\W_]{0,8}(?:title\W{1,6})?(?:[\[(【]\W{0,3})?(?:"
    + "|".join(f"(?P<k{i}>{words})" for i, (_, words) in enumerate(_LABELS))
    + r")(?:\([^)\n]{0,40}\)|/[\w.-]{1,40})?(?:!?[:：]\s|\s?[\])】]|\s?-\s|/\w)",
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
    r"\b(?:fix(?:e[sd])?|bugs?|bugfix|errors?|exceptions?|crash\w*|fail(?:s|ed|ing|ures?)?|broken|breaks?|breaking|wrong\w*|"
    r"incorrect\w*|regressions?|panics?|panicked|segfault\w*|leak(?:s|ing|ed)?|hangs?|deadlocks?|does(?:n['’]?t| not)|"
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
    r"restore|revert|ensure|make sure|handle)\b|\b(?:bugs?|crash(?:e[sd]|ing)?|fail(?:s|ed)|broken|breaks?|wrong\w*|incorrect\w*|"
    r"regressions?|segfaults?|leaks?|hangs?|deadlocks?|does(?:n['’]?t| not)|is(?:n['’]?t| not)|are(?:n['’]?t| not)|"
    r"not working|cannot|can(?:['’]t|not)|unable|raises?|throws?|ignored|no longer|never|by zero|"
    r"(?:returns?|is|gives?) (?:null|none|undefined|nil|empty)|loses?|lost|flicker\w*|flaky|stalls?|twice|typos?|stuck|"
    r"freezes?|won'?t|error when|error on|false (?:positive|negative)s?)\b|修复|错误|失败|报错|Fehler|kaputt|behebe\w*",
    re.IGNORECASE,
)
_ORDER = re.compile(
    r"^\W*(?:adds?|added|support|implement|allow|introduce|enable|extend|provide|expose|create|make|improve|enhance|"
    r"rename|replace|deprecate|upgrade|remove|simplify|reduce|convert|optimi[sz]e|migrate|refactor|move|extract|use|"
    r"bump|update|change|drop|添加|支持|新增|增加)(?:\s|$)|hinzufügen|unterstütz\w*",
    re.IGNORECASE,
)
_REWORK = re.compile(
    r"^\W*(?:(?:[\w./-]{1,30}: ?){0,2})(?:refactor\w*|restructur\w*|reorgani[sz]\w*|clean(?:s|ed|ing)?[- ]?ups?|tidy|"
    r"simplif\w+|extract(?:s|ed|ing)?|inline[sd]?|renam\w+|mov(?:e|es|ed|ing)|split(?:s|ting)?|merge|consolidat\w+|"
    r"unif(?:y|ies|ied)|dedup\w*|de-dup\w*|decoupl\w+|moderni[sz]\w+|reuse|rewrite|reworks?|rework|"
    r"(?:remov|drop|delet|eliminat)\w* (?:\w+ ){0,3}(?:unused|dead|obsolete|redundant|unnecessary|superfluous|legacy|"
    r"duplicated?|unneeded|deprecated|old)|"
    r"wrap\b|encapsulate|factor out|convert \w+ (?:to|into)|port\b|switch (?:to|from)|migrat\w+|"
    r"optimi[sz]\w+|speed up|use (?:\S+ ){1,6}(?:instead of|rather than|everywhere|for))\b|"
    r"\b(?:refactor\w*|restructure|tightly coupled|tight coupling|duplicated? (?:code|logic)|code duplication|"
    r"technical debt|clean ?up|unnecessarily complex|inconsistent naming|internal abstraction)\b|重构",
    re.IGNORECASE,
)
_WISH = re.compile(
    r"^\W*(?:(?:[\w./-]{1,30}: ?){0,2})(?:add(?:s|ed|ing)?|support(?:s|ed|ing)?|implement(?:s|ed|ing)?|"
    r"allow(?:s|ed|ing)?|introduc\w+|enabl\w+|extend(?:s|ed|ing)?|provid\w+|expos\w+|creat\w+|make|made|improv\w+|"
    r"enhanc\w+|include|show|display|use|accept|let|give|new|initial|optional\w*|option|ability|propos\w+|request|"
    r"suggestion|want|expand|expansion|deprecat\w+|configurable|custom|change|update|set|return|print|log|emit|"
    r"validate|check|detect|generate|refine|increase|reduce|lack of|添加|支持|新增|增加)(?:\s|$)|"
    r"\b(?:add(?:ing)? support|support for|feature request|option (?:to|for)|ability to|should (?:support|allow)|"
    r"allow\w*|would be (?:nice|great|useful)|make it possible|please (?:add|support)|no (?:way|option) to|"
    r"need(?:s|ed)? (?:to )?(?:add|support)|"
    r"lacks?|i hope|enable|configurable|is it possible|possibility|wish|"
    r"support)\b|建议|希望|hinzufügen|unterstütz\w*",
    re.IGNORECASE,
)
_DOCS = re.compile(
    r"\b(?:documentation|docs|readme|tutorials?|user guide|docstrings?|api reference|release notes|changelog|"
    r"comments?|mkdocs|sphinx)\b|\bdocument(?:s|ed|ing)? |^\W*documented\b|文档|Dokumentation",
    re.IGNORECASE,
)
_DOCS_FIRST = re.compile(
    r"^\W*(?:(?:add|update|improve|fix|correct|clarify|expand|write|extend|more|better|missing|minor|small|remove|"
    r"mention|explain|document)\w*)\b.{0,60}\b(?:documentation|docs?|readme|tutorials?|guide|docstrings?|"
    r"api reference|examples?|comments?|changelog)\b|^\W*(?:document|clarify)(?:s|ed|ing)?\b|"
    r"\b(?:typos?|spelling|wording|grammar)\b|^\W*(?:docs?|documentation|readme)\b|"
    r"\b(?:in|to|from) (?:the )?(?:docs|documentation|readme)\W*$",
    re.IGNORECASE,
)
_CONFIG = re.compile(
    r"^\W*(?:bump\w*|pin(?:s|ned|ning)?|upgrad\w+|updat\w+|downgrad\w+|requir\w+|drop\w*|remov\w+|add|allow|loosen|relax|"
    r"bring|support)\b.{0,50}(?:\bdependenc(?:y|ies)\b|\bdeps\b|\bversions? of\b|\bto v?\d+(?:\.\w+)*\b|\bfrom v?\d|"
    r"\brequirements?(?:\.txt)?\b|\bpackage\.json\b|"
    r"\b(?:node(?:\.?js)?|python|go|ruby|php|rust|java|jdk|msrv) v?\d[\d.]*\b)|"
    r"^\W*bump\w*\b|"
    r"\b(?:github actions?|workflows?\b.{0,20}\bci\b|dockerfile|docker image|docker-compose|pre-commit|makefile|"
    r"cmake\w*|dependabot|renovate|codecov|gitignore|editorconfig|eslint ?(?:config|rules?)|tsconfig|pyproject|"
    r"setup\.(?:py|cfg)|package\.json|cargo\.toml|go\.mod|gemfile|pom\.xml|build\.gradle\w*|travis|appveyor|"
    r"circle ?ci|azure pipelines|gitlab[- ]ci|build (?:script|system|config\w*|flags?)|lint(?:er|ing)? "
    r"(?:config\w*|rules?)|ci (?:build|job|config\w*|workflow|script)s?|release (?:script|workflow))\b",
    re.IGNORECASE,
)
_CI = re.compile(r"\bCI\b")

# Verbs of a sentence that tells what happens; a look-up of a few words has none of them.
_HAPPENS = re.compile(
    r"\b(?:is|are|was|were|has|have|had|gets?|got|should|must|will|would|could|returns|shows|displays|expires|jumps|"
    r"disappears|appears|renders|produces|overwrites|drops|resets|stays|remains|keeps|takes|gives|reports|emits|"
    r"prints|sends|causes|accepts|rejects|allows|becomes|adds|removes|deletes|creates|opens|closes|starts|stops|"
    r"ends|contains|requires|expects|goes|comes|leaves|happens|behaves|treats|converts|truncates|swallows|strips|"
    r"escapes|rounds|skips|includes|excludes|counts|clears|blocks|exits|terminates|sorts|saves|reads|writes|"
    r"outputs|replaces|points|refers|redirects|reloads|scrolls|moves|changes|ends up|runs|uses|makes|lets|"
    r"blank|empty|only|always|too (?:early|late|long|large|small|many|often|much|slow|short)|off by one|"
    r"after|before|when|while|if|despite|although|instead of|even (?:when|if|though)|unless|until)\b",
    re.IGNORECASE,
)
_TELLS = re.compile(
    r"\b(?:when|if|while|after|even (?:when|if|though)|instead of|despite|although|unless|only|always|too|should|must|"
    r"will|would|could|gets?|got|becomes|blank)\b",
    re.IGNORECASE,
)
_VERBAL = re.compile(
    r"^\W*(?:a |an |the )?(?:[\w.:()`'’-]+ ){1,5}?(?P<verb>[a-z]{3,}s|is|are|was|were|has|have)\b"
)
_NOUNS = frozenset(
    """
    access address alias axis basis bus canvas class cross css dns https its js les less loss news nodes pass process
    progress radius redis series sets status success this tls various windows as is settings options args params
    parameters headers requests responses files types tests errors messages events methods functions fields values
    keys names paths tokens hooks handlers plugins modules classes objects items users strings bytes lines commands
    arguments attributes callbacks children clients components connections dates defaults elements endpoints entries
    exceptions extensions features filters flags formats groups helpers images imports indexes interfaces jobs labels
    layers layouts levels links lists locks logs maps middlewares models modes nodes numbers operations operators
    outputs packages pages parsers patterns permissions pipelines pools ports primitives procedures prompts properties
    queries records resources results roles routes rules schemas scripts servers sessions sockets sources statements
    states streams structs styles subscriptions tables tags tasks templates themes threads timeouts timers tools
    traces transactions transforms trees tuples updates utilities variables versions views warnings widgets workers
    """.split()
)


def kind_of(task: Task, query: Query) -> TaskKind:
    """The kind of a task; `query` is the query of that task. Deterministic, well under 0.2 ms."""
    if task.diff is not None:
        return TaskKind.DIFF
    traced = any(p.frame is not None and p.origin is Origin.TRACE for p in query.paths)
    failing = traced or any(k.origin is Origin.ERROR for k in query.keywords)
    named = tuple(s.name for s in query.symbols)
    return kind_in(
        query.title, task.text, traced=traced, failing=failing, named=named, roles=query.wanted_roles
    )


def kind_in(
    title: str,
    text: str,
    *,
    traced: bool,
    failing: bool,
    named: tuple[str, ...] = (),
    roles: frozenset[Role] = frozenset(),
) -> TaskKind:
    """As `kind_of`, from a title, the text as written, whether it holds a stack trace or error, and names in it."""
    head = text.strip()[:_HEAD_CHARS]
    title = title[:_TITLE_CHARS] or head[:_TITLE_CHARS].partition("\n")[0]
    line = "\n" not in head
    words = len(WORD.findall(title))
    label = _label(head)
    if line and words <= 2 * SHORT_QUERY_WORDS and label is None and not traced:
        found = _of_line(title, words)
        if found is not None:
            return found
    if traced and label is not TaskKind.FEATURE:
        return TaskKind.TRACE
    if label is not None and label is not TaskKind.BUG:
        return label
    if _DOCS_FIRST.search(title) or Role.DOC in roles or _first(head.lower(), _FORM_DOC) >= 0:
        return TaskKind.DOCUMENTATION
    if label is TaskKind.BUG:
        return label
    if _CONFIG.search(title) or _CI.search(title):
        return TaskKind.CONFIG
    return _of_wording(title, head, failing=failing)


def _label(head: str) -> TaskKind | None:
    """What the author's own tag says: `[Feature]`, `fix(parser): …`, `DOC: …`."""
    match = _LABEL.match(head[:120])
    return _LABELS[int(match.lastgroup[1:])][0] if match is not None and match.lastgroup else None


def _of_line(title: str, words: int) -> TaskKind | None:
    """The kind of a task of one line where that is a look-up or a question, else None."""
    content = [word for word in WORD.findall(title) if word.lower() not in STOPWORDS]
    if _ASKS.match(title) and not _FAULT.match(title):
        return TaskKind.QUESTION
    if _is_name(title, content):
        return TaskKind.SYMBOL
    if words > SHORT_QUERY_WORDS or _BROKEN.search(title) or _ORDER.match(title) or _tells(title, words):
        return None
    return TaskKind.QUESTION


def _is_name(title: str, content: list[str]) -> bool:
    """Whether a line is nothing but the name of something in code, perhaps with its member."""
    if not content or len(content) > 3:
        return False
    if len(title.split()) == 1:
        return True
    return len(content) <= 2 and all(is_identifier(word) or word[:1].isupper() for word in content)


def _tells(title: str, words: int) -> bool:
    """Whether a line is a sentence that tells what happens, rather than a phrase that names something."""
    if words < 3:
        return False
    if _TELLS.search(title):
        return True
    match = _VERBAL.match(title)
    return match is not None and match.group("verb") not in _NOUNS and _HAPPENS.search(title) is not None


def _first(text: str, phrases: tuple[str, ...]) -> int:
    """Where the first of some phrases stands in a lower-case text, -1 if none does."""
    return min((at for phrase in phrases if (at := text.find(phrase)) >= 0), default=-1)


def _of_wording(title: str, head: str, *, failing: bool) -> TaskKind:
    """Bug, feature or refactoring, from the title's words; the body's form decides where those say nothing."""
    wish, fault, rework = _WISH.search(title), _FAULT.search(title), _REWORK.search(title)
    lower = head.lower()
    asks_feature, reports = _first(lower, _FORM_FEATURE), _first(lower, _FORM_BUG)
    if rework and rework.start() == 0 and not (fault and fault.start() == 0):
        return TaskKind.REFACTORING
    if asks_feature >= 0 and not 0 <= reports < asks_feature:
        return TaskKind.FEATURE
    if wish and (wish.start() == 0 or not fault) and not failing:
        return TaskKind.FEATURE
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
