"""Repositories to ask about, a plain one and a hostile one, and what every page must be."""

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

from tests.repositories import repository
from zeroin import engine
from zeroin.session import Session
from zeroin.types import Feedback

TASK = "Add rate limiting to API endpoints"
EXAMPLE = Path(__file__).parents[2] / "examples/rate-limiting"
FILES = {
    path.relative_to(EXAMPLE).as_posix(): path.read_text(encoding="utf-8")
    for path in sorted(EXAMPLE.rglob("*"))
    if path.is_file()
}

# What the caller has read besides: enough files for some to be folded away.
READ = tuple(
    f"src/{name}.ts" for name in ("middleware/throttle", "middleware/index", "config/defaults", "routes/partners")
)
READ += tuple(f"src/{name}.ts" for name in ("http/router-setup", "middleware/window-counter", "routes/index"))

EVIL = (
    "</script></style></title><script>owned()</script><img src=x onerror=owned()>"
    "]]>--><svg/onload=owned()>\"'><b>&amp;&#x202e;\u202e\u2066\x00\x1b[31m\x9b2J\ufeff\ud800`"
)
EVIL_FILES = {
    "src/<script>owned()<script>.py": f"# throttle {EVIL.replace(chr(0), '')}\n"
    "def throttle(rate, limit):\n    return 1\n",
    'src/"onmouseover="owned().py': "def rate_limit():\n    '''</style><script>owned()</script>'''\n",
    "src/a\u202egpj.py": "def throttle_client():\n    return 'rate limit'  # \u202e\u2066 </pre></code>\n",
    "src/]]><!--.md": "# throttle\n\nrate limit is called throttle </style>\n",
    "src/line\nbreak.py": "def limit_rate():\n    return 'throttle'\n",
    "src/nul.py": "def throttle():\n    return 'rate limit \x00'\n",
}
EVIL_MESSAGE = "Throttle: rate limit </script><script>owned()</script>\u202e"


def build(folder: Path, files: dict[str, str], message: str) -> Path:
    """A repository of `files` in one commit."""
    plain = {name: text.encode("utf-8", "replace").decode() for name, text in files.items()}
    return repository(folder, plain, message)


def asked(folder: Path, task: str) -> Session:
    """A question with all its cycles done."""
    session = engine.open_session(task, folder, jobs=1, always_loop=True)
    session.run()
    session.apply(Feedback(relevant=tuple(path for path in READ if path in session.opened.view.numbers)))
    session.run()
    return session


_LOOSE = frozenset({"meta", "wbr"})
_ELEMENTS = frozenset(
    """
    html head meta title style body script a header p b span nav button main section div h1 h2 h3 h4 h5 ol ul li dl dt
    dd details summary pre code mark article footer strong wbr svg rect circle path
    """.split()
)
_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]"
)


@dataclass
class Page(HTMLParser):
    """A page as its elements: raises `AssertionError` for what no report may hold."""

    text: str
    open: list[str] = field(default_factory=list)
    elements: list[tuple[str, dict[str, str | None]]] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    own: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)
        assert not (found := _UNSEEN.search(self.text)), f"a control character: {found[0]!r}"
        self.feed(self.text)
        self.close()
        assert self.open == [], f"left open: {self.open}"
        names = [attributes["id"] for _, attributes in self.elements if "id" in attributes]
        assert len(names) == len(set(names)), "an id twice"
        for _, attributes in self.elements:
            target = attributes.get("href")
            assert target is None or target[1:] in names, f"a link to {target}"
            for name in ("aria-labelledby", "aria-describedby"):
                assert attributes.get(name) is None or attributes[name] in names

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        assert tag in _ELEMENTS, f"<{tag}>"
        assert len(attributes) == len(attrs), f"an attribute twice: {attrs}"
        for name, value in attrs:
            assert not name.startswith("on") and name not in ("style", "src", "srcset", "action", "data"), name
            assert name != "href" or (value or "").startswith("#"), value
        self.elements.append((tag, attributes))
        if tag not in _LOOSE:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in _LOOSE:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open and self.open[-1] == tag, f"</{tag}> in {self.open[-3:]}"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        last = self.open[-1] if self.open else ""
        if last in ("style", "script"):
            assert last not in self.own, f"a second <{last}>"
            self.own[last] = data
        else:
            self.words.append(data)

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data}")

    def said(self) -> str:
        """All text of the page."""
        return "".join(self.words)
