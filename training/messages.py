"""Messages of changes as tasks: what makes a message no task at all, and what is cut from one that is."""

# ruff: noqa: E501  (a pattern reads better on one line than cut in the middle of an alternative)

import re

from zeroin.terms import INTENT_WORDS, STOPWORDS, split_identifier, words

MAX_TASK_CHARS = 1_500
MOST_READ = 10_000  # characters of a message: whole logs were committed as messages
MIN_CONTENT_WORDS = 3

_BOT_AUTHORS = re.compile(
    r"\[bot\]|\b(?:bot|robot)\b|[a-z]bot\b(?<!abbot)(?<!talbot)|dependabot|renovate|greenkeeper|snyk|pyup|pre-?commit-ci"
    r"|github[ -]?actions?|weblate|imgbot|allcontributors|semantic-release|mergify|crowdin|transifex"
    r"|deepsource|codacy|jenkins|scala-steward|release-?please|auto-?release|travis[ -]?ci|circle-?ci|readthedocs",
    re.IGNORECASE,
)
# A bot that merges commits the work of people; these write it.
_BOT_COMMITTERS = re.compile(
    r"dependabot|renovate|greenkeeper|pyup|pre-?commit-ci|weblate|snyk|imgbot|allcontributors|scala-steward",
    re.IGNORECASE,
)

_TOOLS = (
    r"black|isort|flake8|pycodestyle|pep-?\s?8|pylint|ruff|autopep8|yapf|prettier|es-?lint|js-?hint|tslint|standard"
    r"|stylelint|gofmt|go fmt|goimports|golint|golangci(?:-lint)?|go vet|staticcheck|rustfmt|cargo fmt|clippy|clang-?(?:format|tidy)"
    r"|rubocop|checkstyle|spotless|ktlint|detekt|scalafmt|scalafix|swiftlint|stylecop|php-?cs(?:-fixer)?|psr-?\d+|phpstan"
    r"|ormolu|hlint|stylua|luacheck|shfmt|shellcheck|credo|mix format|mypy|pyright|biome|sonar\w*|linters?|lint(?:ing|s)?"
)
_LEAD = r"^(?:\w+(?:\([^)]*\))?!?:\s*)?"  # a conventional prefix may stand first
# A subject that matches is no task, or says nothing of where: the name is the filter's, as the summary counts it.
_SUBJECTS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (name, re.compile(pattern, re.IGNORECASE))
    for name, pattern in (
        ("merge", r"^merged? (?:branch|pull request|remote|tag|commit|pr\b|master|main|upstream|'|#|in\b|from\b)"),
        ("revert", r"^(?:\w+(?:\([^)]*\))?!?:\s*)?(?:revert|reapply|back(?:ed)? ?out|re-?revert|undo\b)"),
        (
            "unfinished",
            r"^(?:\[?wip\b|fixup!|squash!|amend!|te?mp\b|checkpoint|save\b|draft\b|\[draft\])|\bwip\b|work in progress",
        ),
        ("unfinished", r"^(?:initial|first) (?:commit|import|version|checkin|check-in)\b"),
        ("formatting", r"^style(?:\([^)]*\))?!?:"),
        (
            "formatting",
            _LEAD
            + r"(?:re-?)?(?:run|apply|appl(?:y|ied|ies) |appease|satisfy|please|make|fix(?:e[sd])?|silence|use|address|resolve|add|enable"
            r"|update|remove|some|more|minor|small|suppress)?\s*(?:the |some |more |new |all |few |a few |minor |various )*(?:"
            + _TOOLS
            + r")(?:\s+(?:errors?|warnings?|issues?|fix(?:es)?|problems?|complaints?|happy|format(?:ting)?|changes|violations?|failures?"
            r"|nits?|code|on|rules?|config\w*|formatting|suggestions?|findings?|and|&|,|/|\+|"
            + _TOOLS
            + r"))*[\s.!]*$",
        ),
        (
            "formatting",
            r"\b(?:white ?space|trailing (?:spaces?|whitespace|newlines?|commas?)|re-?format\w*|re-?indent\w*|indent(?:ation)?"
            r"|formatting|code ?style|coding style|style (?:fix|nit|change)\w*|blank lines?|line endings?|newline at (?:end|eof)"
            r"|import (?:order|sort)\w*|(?:sort|order|organi[sz]e|unused) imports?|cosmetics?|tidy(?:ing)?(?: up)?|auto-?format\w*)\b",
        ),
        (
            "typo",
            r"\b(?:typos?|spelling|mis-?spell\w*|misspelt|grammar|grammatical|wording|punctuation|capitali[sz]ation)\b",
        ),
        (
            "copyright",
            r"\bcopyrights?\b|\blicen[sc]e (?:header|year|date)s?\b|\b(?:update|bump|happy) (?:the )?(?:new )?years?\b",
        ),
        (
            "release",
            _LEAD
            + r"(?:(?:final |prepare |preparing |prep |prepped |cut |tag |make |new |draft |do )*(?:for )?(?:the )?(?:next |new |patch |minor |major )*"
            r"releas(?:e|ing|ed|es)(?:\s*(?:$|of\b|for\b|version|candidate|notes?|v?\d|rc|to\b|commit|branch|prep|[:(\[.#-]|\w+[ -]v?\d+\.\d))"
            r"|(?:set|update|bump|increase|increment|up|upgrade|change|new|next|raise|switch|move|sync|fix|correct)?\s*"
            r"(?:the |project |package |library |crate |gem |to |next |module |snapshot |dev |development |app |api )*"
            r"versions?(?: numbers?| strings?)?(?:\s*(?:$|bump|to\b|for\b|v?\d|up|update|number|[:.(=-]))"
            r"|v?\d+\.\d+[\w.+-]*(?:\s|$)(?!.*\b(?:support|compat))|\S{1,20} v?\d+\.\d+(?:\.\d+)?[\w.+-]*\s*$|(?:begin|start\w*|back to|open|post)[ -]"
            r"(?:the |next |new |v?[\d.]+ )*(?:dev\w*|development|release|version|iteration|snapshot|cycle)"
            r"|\[maven-release-plugin\]|\[gradle release|prepar\w+ (?:for |to )?(?:the )?(?:next |new )?(?:dev\w*|v?\d|version)|publish\b.{0,30}$)",
        ),
        (
            "release",
            r"\b(?:update|add|edit|fix|tweak|write|missing|prepare|generate)?\w*\s*(?:the |to )*(?:changelogs?|change log|changes\.(?:md|txt|rst)"
            r"|history\.(?:md|rst)|release[ -]?notes?|news entry|news fragment|whatsnew|change-?notes?|towncrier)\b(?:.{0,24})$",
        ),
        ("release", _LEAD + r"(?:\[?ci skip\]?|version packages|canary|lerna|publish$|nightly)"),
        (
            "dependency",
            r"^(?:chore|build|fix|ci|deps|feat|refactor|test|docs)?\(?(?:deps|dep|deps-dev|dependencies|dependency|npm|cargo|actions)\)?!?:",
        ),
        (
            "dependency",
            _LEAD
            + r"(?:auto-?)?(?:update|upgrade|bump|pin|unpin|lock|sync|refresh|roll|increase|raise|renew)(?:s|d|ed|ing)?\s+.{0,60}?"
            r"(?:\b(?:from|to)\b\s*`?[\"']?[v^~>=]*\d|\b(?:dependenc(?:y|ies)|requirements?|deps|dev-?deps|submodules?|lock ?files?|packages|crates"
            r"|modules|libs|libraries|gems|vendor(?:ed)?|tool ?chain|pre-?commit|gradle wrapper|wrapper)\b)",
        ),
        (
            "dependency",
            _LEAD
            + r"(?:bump(?:s|ed|ing)?|upgrade[sd]?|update[sd]?)\s+(?:the )?[\w@/.:-]+(?:\s+(?:version|plugin|action))?\s*[v^~>=]*\d[\w.-]*\s*$",
        ),
        ("dependency", _LEAD + r"bump(?:s|ed|ing)?\b"),
        (
            "dependency",
            r"^(?:go mod|cargo|npm|yarn|pnpm|poetry|bundle|mix) (?:tidy|update|audit|upgrade|lock|dedupe|install|vendor)",
        ),
        (
            "housekeeping",
            r"^(?:translated using|update translations?|(?:update|add) (?:authors|contributors|credits|thanks|copying|sponsors?|backers?|badges?|maintainers)"
            r"|auto(?:matic(?:ally)?|mated)?[ -](?:update|generat|commit|sync)|regenerate\w*\b|update generated|sync (?:with|from) upstream|\[?autofix"
            r"|docs?: (?:update|add) (?:contributors?|sponsors?|badges?)|(?:update|refresh) (?:snapshots?|goldens?|baselines?|fixtures?|screenshots?))\b",
        ),
        (
            "housekeeping",
            _LEAD
            + r"(?:oops|whoops|ugh|argh|more\b.{0,24}$|again\b|nits?\b|minor\b.{0,24}$|misc\b.{0,24}$|clean(?:ed|ing|s)?[ -]?ups?\b.{0,16}$|polish\w*\b.{0,24}$|another (?:fix|try|attempt)"
            r"|(?:(?:address|apply|incorporate|respond|react|implement|resolve|fix|handle|integrate)\w*\s+(?:to |some |the |all |more |pr |code |\w+'?s? ){0,3})?"
            r"(?:review|reviewer|feedback|code review|pr|suggestion|cr)s?'?\b(?:\s+(?:comments?|feedback|suggestions?|changes|remarks?|fix(?:es)?|notes?|from\b.*))*[\s.!]*$"
            r"|(?:try|trying|attempt)(?: to)? fix\w*\b.{0,20}$|fix(?:e[sd]|ing)?\s+(?:the |a |some |failing |broken |flaky |more |all |unit |last )*"
            r"(?:tests?|builds?|ci|compil\w+|merge|conflicts?|travis|pipeline|warnings?|errors?|links?|examples?|windows|mac\w*|linux|appveyor|docs?|bugs?|mistakes?)"
            r"(?:\s+(?:errors?|fail\w+|issues?|problems?|build|warnings?|again|tests?|conflicts?|link|for now|on \w+))*[\s.!]*$)",
        ),
    )
)
_REPEALABLE = frozenset({"dependency"})  # a body that says why makes a task of it
_BODY_WORDS = 8

_TRAILER = re.compile(
    r"^\s*(?:[\w-]+-(?:by|to|id|revid|commit)|cc|git-svn-id|bug|issue|issues|link|links|url|refs?|references?|see(?: also)?|tickets?|jira|pr|pull request"
    r"|fix(?:es)?|close[sd]?|resolve[sd]?|related(?: to)?|relates(?: to)?|part of|differential revision|reviewed by|reviewers?|subscribers|approved by|tested by"
    r"|release note|test plan|credits?|authors?|co-?authors?|submitted by|reported by|patch by|thanks(?: to)?|h/t|discussion|task|story|backpatch(?:-through)?"
    r"|gh|fixes-issue|r|tbr|no_\w+|changelog|commit-queue|auto-submit|presubmit|upstream|origin|message-id|lore)\s*[:=]\s*(?P<rest>.*)$",
    re.IGNORECASE,
)
_REFERENCE = r"(?:(?:[\w.-]+/[\w.-]+)?#\d+|GH-\d+|gh-\d+|bpo-\d+|https?://\S+)"
_REFERENCE_TOKEN = re.compile(rf"{_REFERENCE}|@[\w-]+", re.IGNORECASE)
_REFERENCE_WORDS = frozenset(
    "fix fixes fixed close closes closed resolve resolves resolved ref refs reference references see also re cc via from for issue issues bug "
    "bugs ticket tickets pr prs pull request requests part of related relates to and addresses supersedes follow followup up on in discussion "
    "it this closing fixing implements implement depends by the".split()
)
_CLOSING = re.compile(
    rf"[\s,;-]*[(\[]?\b(?:fix(?:e[sd]|ing)?|clos(?:e[sd]?|ing)|resolv(?:e[sd]?|ing)|refs?|references?|see(?: also)?|re|part of|related to|relates to|addresses"
    rf"|backport(?: of)?|follow-?up (?:to|of)|cf\.?)\s*:?\s*(?:issues?|pr|bug|ticket|gh)?\s*{_REFERENCE}(?:\s*(?:,|and|&|\s)\s*{_REFERENCE})*[)\]]?[.:,;]*",
    re.IGNORECASE,
)
_PARENTHESISED = re.compile(
    rf"\s*[(\[]\s*(?:(?:pr|issue|bug|ticket|see|via|ref|from|cc)?\s*:?\s*{_REFERENCE}[\s,;&]*(?:and)?\s*)+[)\]]",
    re.IGNORECASE,
)
_TICKET_FIRST = re.compile(
    r"^\s*(?:\[?(?:gh|bpo|pr|issue|bug|ticket|fix(?:e[sd])?)?[\s-]*#?\d{2,6}\]?\s*[:.\]-]\s*|(?:gh|bpo)-\d+\s*:?\s*|#\d+\s*[:,-]?\s*"
    r"|(?:issue|bug|ticket|pr)s?\s*:?\s*#?\d+\s*[:,-]?\s*|\[(?!(?:utf|sha|iso|rfc|cve|ipv)-?\d)[A-Z][A-Z0-9_]*-\d+\]\s*[:.-]?\s*"
    r"|(?!(?:UTF|SHA|ISO|RFC|CVE|BASE|IPV|MD|AES|HTTP|ES|PEP)-?\d)[A-Z][A-Z0-9_]+-\d{1,6}(?:\s*[:.-]\s*|\s+))"
)
_EMOJI_CODE = re.compile(r"(?:^|(?<=\s)):[a-z][a-z0-9_+-]+:\s*")
_TRACKER_URL = re.compile(
    r"<?https?://\S+?/(?:pull|pulls|issues?|merge_requests|commits?|compare|browse|questions|discussions|jobs|builds|runs|projects|r/|D\d|c/|show_bug)"
    r"[^\s>)]*>?"
)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_EMAIL = re.compile(r"<?[\w.+-]+@[\w-]+\.[\w.-]+>?")
_MENTION = re.compile(
    r"(?:\b(?:thanks|thx|credits?|kudos|props|by|cc|from|h/t|suggested by|reported by)\b[\s,:]*(?:to |go to |goes to )?)(?:@[\w-]+[\s,]*(?:and )?)+",
    re.IGNORECASE,
)
_RULE = re.compile(r"^\s*(?:[-=*_#~]{3,}|[-*+]\s*\[[ xX]\].*|#+\s*|[-*+•]\s*)\s*$")
_HEADING = re.compile(
    r"^\s*#*\s*\**(?:description|summary|what|why|how|motivation|context|background|changes?|overview|details|type of change|checklist|test plan|testing|tests"
    r"|related issues?|issues?|screenshots?|notes?|what (?:does|is|do|did) .*\?|why .*\?|how .*\?|proposed changes|further comments|additional (?:context|notes|information)"
    r"|pr checklist|pull request checklist|release notes?|breaking changes?|tldr|tl;dr)\**\s*[:?]?\s*$",
    re.IGNORECASE,
)
_STOP_BODY = re.compile(
    r"^\s*(?:#+\s*|\**)(?:pr |pull request |contributor |review(?:er)? )?(?:checklist|test plan|how (?:has this been|was this|to) test(?:ed)?|screenshots?|type of change|testing)\b"
    r"|^\s*\(?cherry[ -]picked from|^\s*diff --git |^\s*conflicts:\s*$|^\s*# conflicts|^\s*squashed commit of|^\s*commit [0-9a-f]{40}\b|^\s*---+ ?>8",
    re.IGNORECASE,
)
_LIST_ITEM = re.compile(r"^\s*[*+-]\s+(?P<item>.*)$")
_BLANKS = re.compile(r"\n{3,}")
_NOT_TASK_WORDS = (
    STOPWORDS
    | INTENT_WORDS
    | frozenset(
        "fixed fixup updated update updates updating added adds removed removes removing changed minor small tweak tweaks cleanup clean code file files "
        "commit pr pull request review test tests testing bump version merge simple various several misc stuff todo now better work works working md py js "
        "ts go rs rb java cpp html txt yml yaml json readme refactoring refactored improved improves improving renamed moved move crashes crashed bugfix hotfix "
        "patch release chore feat docs doc style perf build ci deps wip function method class variable error errors warning warnings".split()
    )
)


def is_bot(author: str, committer: str) -> bool:
    """Whether a change was written by a program; each argument is a name and an address."""
    return bool(_BOT_AUTHORS.search(author) or _BOT_COMMITTERS.search(committer))


def content_words(text: str) -> int:
    """How many distinct words of a text say something about the code; parts of compounds count."""
    found = {part for word in words(text) for part in split_identifier(word)}
    return sum(1 for part in found if len(part) > 1 and not part.isdigit() and part not in _NOT_TASK_WORDS)


def no_task(message: str, *, name: str = "") -> str:
    """The name of the filter that a message falls to, "" if it is a task; `name` is the repository's own.

    A formatter's own history is about formatting: in a repository of such a name that filter does not hold.
    """
    subject, _, body = message.strip().partition("\n")
    plain = _TICKET_FIRST.sub("", _without_references(_EMOJI_CODE.sub("", subject))).strip()
    if re.search(r"^\s*this reverts commit [0-9a-f]{7,}", body, re.IGNORECASE | re.MULTILINE):
        return "revert"
    domain = name.rpartition("/")[2].lower()
    for reason, pattern in _SUBJECTS:
        if not pattern.search(plain):
            continue
        if reason == "formatting" and _is_formatter(domain):
            continue
        if reason in ("formatting", "typo", "copyright") and content_words(clean(message)) > 10:
            continue  # a long message names it in passing
        if reason in _REPEALABLE and content_words(clean(body)) >= _BODY_WORDS:
            continue
        return reason
    return "few words" if content_words(clean(message)) < MIN_CONTENT_WORDS else ""


def _is_formatter(name: str) -> bool:
    return (
        re.search(rf"^(?:{_TOOLS}|tree-sitter|pygments|rouge|sqlfluff|sqlglot|pycodestyle|astroid|mypy)$", name)
        is not None
    )


def _without_references(text: str) -> str:
    text = _TRACKER_URL.sub("", _PARENTHESISED.sub("", text))
    return _CLOSING.sub("", text)


def clean(message: str) -> str:
    """The message as a task: no trailers, references to trackers, people, templates; at most 1,500 characters."""
    message = message[:MOST_READ].replace("\r", "")
    message = _EMAIL.sub("", _MENTION.sub("", _COMMENT.sub("", message)))
    subject, _, body = message.strip().partition("\n")
    subject = _EMOJI_CODE.sub("", subject)
    subject = _without_references(_TICKET_FIRST.sub("", subject)).strip(" \t-–:;,*")
    lines = [subject]
    for raw in body.split("\n"):
        if _STOP_BODY.search(raw):
            break
        line = _clean_line(raw)
        if line is not None and line.strip().lower().strip("*- .") != subject.lower().strip("*- ."):
            lines.append(line)
    text = _BLANKS.sub("\n\n", "\n".join(lines)).strip()
    if len(text) <= MAX_TASK_CHARS:
        return text
    cut = text[:MAX_TASK_CHARS]
    return cut[: max(cut.rfind("\n"), cut.rfind(" "), MAX_TASK_CHARS - 200)].rstrip()


def _clean_line(raw: str) -> str | None:
    """A line of the body without references, or None if nothing of it belongs to a task."""
    if not raw.strip():
        return ""
    if _RULE.match(raw) or _HEADING.match(raw) or _only_refers(raw):
        return None
    trailer = _TRAILER.match(raw)
    if trailer and not _is_prose(raw, trailer["rest"]):
        return None
    item = _LIST_ITEM.match(raw)
    if item and any(pattern.search(item["item"]) for _, pattern in _SUBJECTS):
        return None
    if re.match(r"^\s*Merge (?:branch|pull request|remote)|^\s*\[skip ci\]", raw, re.IGNORECASE):
        return None
    line = _without_references(raw).rstrip()
    return line if line.strip(" *-+#.:,") else None


def _only_refers(line: str) -> bool:
    """Whether nothing of a line is left without references to a tracker and the words that join them."""
    rest, count = _REFERENCE_TOKEN.subn(" ", line)
    return count > 0 and all(word.lower() in _REFERENCE_WORDS for word in words(rest))


def _is_prose(raw: str, rest: str) -> bool:
    """`Issue: the parser loops` is prose; `Reviewed-by: somebody` and `Issue: 123` are not."""
    label = raw.split(":")[0].strip().lower()
    return (
        label in {"bug", "issue", "changelog", "see", "task", "discussion", "fix", "fixes"} and content_words(rest) >= 4
    )
