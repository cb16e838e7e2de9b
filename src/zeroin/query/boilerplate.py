"""What issue forms add to a report: template headings, checklists, version dumps, log lines."""

from __future__ import annotations

import re

from zeroin.terms import WORD

# Headings of forms: their own words say nothing.
_TEMPLATE = frozenset(
    """
    actual behavior|actual behaviour|actual result|actual results|actual output|additional|additional context
    additional details|additional info|additional information|additional notes|affected code|alternatives
    another context|anything else|any other things|background|body|bug|bug description|bug report|bug summary
    checklist|code|code example|code sample|code snippet|code to reproduce|code to reproduce issue
    code sample a copy pastable example if possible|complete verbose output|context|current behavior
    current behaviour|current output|debug info|describe alternatives youve considered|describe the bug
    describe the current behavior|describe the problem|describe the proposed behavior|describe the solution youd like
    describe your issue|desc|description|description motivation|description of the problem|detailed description
    documentation problem|error|error log|error logs|error message|error messages and logs
    error message and stack trace if applicable|example|example code|example use|examples
    exact steps to reproduce the issue
    expected|expected behavior|expected behaviour|expected output|expected result|expected results|feature
    feature description|feature request|first check|full traceback|fully reproducible code snippet
    give us as much detail as possible|how to reproduce|how to reproduce it|how to reproduce the bug|impact|information
    introduction|is this a regression|is your feature request related to a problem|issue|issue description
    issue title|likely cause of bug|location of the documentation|log output|logs|mcve|minimal example
    minimal reproducible example|more info|motivation|motivation or use case|note|notes|observed|observed behavior
    observed behaviour|observed result|other|other info logs|output|overview|pitch|possible solution|problem
    problem description|problem statement|proposal|proposed change|proposed changes|proposed solution|question
    regression
    related issues|relevant log output|reproducible code example|reproducible example|reproducing code example
    reproduction|reproduction script|reproduction steps|reproduction url|result|results|screenshots|screenshots videos
    solution|stack trace|stacktrace|step to reproduce|steps|steps to reproduce|steps to reproduce for bugs
    steps to reproduce the behavior|steps to reproduce the behaviour|steps to reproduce the problem|suggested fix
    suggested fix for documentation|suggestions|summary|tell us about it|test case|the feature motivation and pitch
    the problem|to reproduce|traceback|use case|use cases|user story|webserver logs|what did you do|what did you expect
    what did you expect to happen|what did you see instead|what does this pr do|what happened|what happened instead
    what happened what you expected to happen|what is expected|what is the current behavior
    what is the expected behavior|what is the problem|what went wrong|what you expected|what you expected to happen|why
    provide a description that is worded well enough to be understood|title|acceptance criteria|repro|repro steps
    provide verbose output that clearly demonstrates the problem|actual result with screenshots or logs
    问题描述|重现步骤|期待的正确结果|相关日志输出|附加信息|预期行为|实际行为|复现步骤
    """.replace("\n", "|").split("|")
)
_TEMPLATE_PREFIXES = (
    "additional context",
    "steps to reproduce",
    "expected behav",
    "is your feature request",
    "describe the solution",
    "describe alternatives",
    "describe the bug",
    "what did you expect",
    "minimal reproduc",
)
_TEMPLATE_HEADINGS = frozenset(" ".join(t.split()) for t in _TEMPLATE if t.strip())

# Sections about the reporter's machine or duties: their content is dropped unless it is prose.
_MACHINE = re.compile(
    r"^(?:your |current |my |the |build |runtime |relevant |package |installed |software )*"
    r"(?:environment|environments|env|system info|system information|system|versions?|version info|version information|"
    r"versions? dependencies|installed versions|operating systems?|os|platform|platform information|specifications|"
    r"device information|hardware|configuration changes|dependencies|debug information|diagnostics information|"
    r"issue severity|severity|region|labels|type of issue|issue type|os used|os environment|os version|desktop|"
    r"smartphone|browser|browsers?|(?:[\w.-]+ ){1,4}versions?|version of [\w.-]+|packages|pip freeze|pip list|"
    r"conda list|"
    r"output of .{0,60}versions?.*|os platform.*|yarn version.*|where did you encounter.*|host os|"
    r"installation method|model input dumps|what version of .{0,60}|"
    r"(?:scipy numpy )?python version(?: and system information)?|环境信息|环境|版本信息)(?: please .*| output.*| used|"
    r" details?| python .*| if relevant.*)?$"
)
_DUTIES = re.compile(
    r"code of conduct|search before|pre ?submission|before submitting|duplicate check|willing to (?:submit|work)|"
    r"your contribution|issues? policy|issue template|checked other|version(?:s)? checks?|first check|"
    r"have you spent some time|who can help|cc list|feedback period|submitted pull requests|backers|i confirm that|"
    r"prerequisites?$|^checklist$|^tips$|how did you install|are you willing"
)
_COMPONENT = re.compile(
    r"component|module|affected area|^area$|integration causing|crates?$|^package$|subsystem|^where$"
)

_CHECKBOX = re.compile(r"^\s{0,12}(?:[-*+]|\d{1,2}\.)?\s{0,4}\[([ xX✓])\]\s{0,4}(.*)")
_PLEDGE = re.compile(
    r"\b(?:i have|i've|i am|i'm|i confirm|i agree|i searched|i checked|i understand|i would like|i read|i will|"
    r"i'd like|"
    r"this is (?:not )?a|this issue|there (?:are|is) no|make sure|please|latest (?:stable |release )?version|"
    r"duplicates?|"
    r"read and|searched|code of conduct|yes i am|yes,? i|no,? i|my issue|i verified|already reported|"
    r"submit a pr|contributing|issue tracker|open issues)\b"
)

_EMPTY = re.compile(
    r"^[\s*_>#-]*(?:_?no response_?|n/?a|none|no|yes|not applicable|-+|\.+|as above|see above|same as above|"
    r"a clear and concise description.*|if applicable, add screenshots.*|add any other context.*|"
    r"<!--.*|thank(?:s| you).{0,40}|cc:? @.*|/?cc @.*|signed-off-by:.*|co-authored-by:.*|reported by.{0,60}|"
    r"(?:best|kind|warm)? ?regards,?.{0,40}|sent from my .{0,40}|cheers,?.{0,20}|_?originally posted by.*|"
    r"discussed in http.*|do not (?:remove|delete).{0,120}template.*)[\s*_.!]*$",
    re.IGNORECASE,
)

_VERSION_VALUE = re.compile(r"[\"'`(]{0,3}\bv?\d{1,6}(?:\.[\w*+-]{1,40}){1,5}")
_VERSION_NAME = re.compile(r"[\s>*+\-`•]{0,12}[\w.@/\-\[\] ()*`&+]{1,60}(?:[:=@\s|])[:=\s*`]{0,12}")
_MACHINE_LINE = re.compile(
    r"^[\s>*+\-`•]{0,12}\**(?:os|operating system|platform|browser|device|machine|processor|byteorder|python-bits|"
    r"os-release|"
    r"lc_all|lang|locale|arch|architecture|cpu|gpu|cuda|kernel|shell|terminal|desktop|time ?zone|node|npm|yarn|commit|"
    r"python(?: version)?|version|distributor id|codename|release|linux|darwin|gcc|compiler|jdk|java|ide|"
    r"os ?信息|jdk ?信息|版本信息)\**\s{0,6}(?:[:=]|\s-\s).{0,160}$",
    re.IGNORECASE,
)

_UNAME = re.compile(r"\bSMP\b.{0,80}\b(?:x86_64|aarch64|GNU/Linux)|^No LSB modules|^Linux version ")
_STAMP = re.compile(
    r"^\s{0,8}(?:\[?\w[\w-]{0,20}\]\s?|\d{1,9}: ?)?[\[(\"]?(?:\d{4}[-/]\d\d[-/]\d\d[T ,]{1,2})?\d\d:\d\d:\d\d"
    r"(?:[.,]\d{1,9})?"
    r"(?: ?UTC| ?Z|[+-]\d\d:?\d\d)?[\])\"]?"
)
_LEVEL = re.compile(
    r"^\s{0,8}\[?(?:DEBUG|INFO|TRACE|WARN(?:ING)?|ERROR|FATAL|CRITICAL|VERBOSE|NOTICE|debug|info|warn)\b[\]:\s]"
)
_LOUD = re.compile(r"\b(?:ERROR|FATAL|CRITICAL|SEVERE|Exception|Error|error|panic|failed|Failed)\b")


def heading_key(text: str) -> str:
    """A heading reduced to its lower-case words, for comparison with the known ones."""
    return " ".join(WORD.findall(text.lower().replace("'", "").replace("’", "")))


def section_of(heading: str) -> str:
    """What a heading announces: `template`, `machine`, `duties`, `component`, or "" for one of the author's own."""
    key = heading_key(heading)[:120]
    if not key:
        return "template"
    if key in _TEMPLATE_HEADINGS or key.startswith(_TEMPLATE_PREFIXES):
        return "template"
    if _MACHINE.match(key):
        return "machine"
    if _DUTIES.search(key):
        return "duties"
    if len(key) <= 60 and _COMPONENT.search(key):
        return "component"
    return ""


def checkbox(line: str) -> tuple[bool, str] | None:
    """Whether a checklist item is ticked, and its text; None for other lines."""
    match = _CHECKBOX.match(line)
    return None if match is None else (match.group(1) != " ", match.group(2))


def is_pledge(text: str) -> bool:
    """Whether a checklist item is a promise to the maintainers and not about the problem."""
    return len(text) < 6 or _PLEDGE.search(text[:200].lower()) is not None


def is_filler(line: str) -> bool:
    """Whether a line is a form's placeholder, a greeting or a signature."""
    return len(line) < 200 and _EMPTY.match(line) is not None


def is_version_line(line: str) -> bool:
    """Whether a short line states a version or a fact of the machine (`numpy==1.2`, `- OS: Linux`)."""
    if len(line) > 160:
        return False
    if _MACHINE_LINE.match(line) or _UNAME.search(line):
        return True
    value = _VERSION_VALUE.search(line)
    if value is None or not _VERSION_NAME.fullmatch(line, 0, value.start()):
        return False
    return len(WORD.findall(line[value.end() :])) <= 8 and "(" not in line[: value.start()]


def is_log_line(line: str) -> bool:
    """Whether a line starts like one of a log: a time stamp or a level."""
    return bool(_STAMP.match(line[:80]) or _LEVEL.match(line[:40]))


def without_stamp(line: str) -> str:
    """A log line without its leading time."""
    return _STAMP.sub("", line, count=1)


def is_loud(line: str) -> bool:
    """Whether a log line reports a failure."""
    return _LOUD.search(line[:400]) is not None
