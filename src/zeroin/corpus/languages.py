"""The language of a file by its name; by its first bytes where there is no extension, or one of two languages."""

from collections.abc import Mapping
from functools import lru_cache

from zeroin.beside import key_by_word
from zeroin.patterns import lazy_pattern

_XML = lazy_pattern(rb"(?:\xef\xbb\xbf)?\s*<(?:\?xml\b|!DOCTYPE\s+TS\b)")  # translations of Qt are called *.ts, too
_SHEBANG = lazy_pattern(rb"#!\s*(\S+)(?:[ \t]+([^\n]*))?")
_VERSION = lazy_pattern(r"[\d.]+$")
_WRAPPERS = frozenset("in template tmpl tpl dist sample example orig bak".split())

BY_BYTES = frozenset({"", "typescript or xml"})  # in place of a language that the first bytes decide
TEXT_LANGUAGES = frozenset("text markdown rst asciidoc latex html xml yaml toml json ini csv diff".split())


def _by_word(heading: str) -> Mapping[str, str]:
    return key_by_word(__file__, "languages.toml", heading)


def language_of(path: str, head: bytes = b"") -> str:
    """Return the language of the file at `path`, "text" if unknown.

    `head`, the first bytes of the file, matters where the name has no extension: its shebang counts; and for *.ts.
    """
    language = _by_name(path[path.rfind("/") + 1 :])
    if language == "typescript" and _XML.match(head):
        return "xml"
    return language or (_by_shebang(head) if head.startswith(b"#!") else "text")


def named_language(path: str) -> str:
    """Return the language that the name of a file tells, or one of `BY_BYTES` where its first bytes decide."""
    language = _by_name(path[path.rfind("/") + 1 :])
    return "typescript or xml" if language == "typescript" else language


@lru_cache(maxsize=1 << 16)  # a path is asked for several times while a tree is opened
def _by_name(name: str) -> str:
    """Return the language of a file's name; "" where only a shebang can tell."""
    known = _by_word("names").get(name.lower())
    if known:
        return known
    stem, dot, extension = name.rpartition(".")
    return _by_extension(stem, extension) if dot and stem else _by_start(name)


def _by_extension(stem: str, extension: str) -> str:
    low = extension.lower()
    found = _by_word("extensions").get(low)
    if extension == "C":
        return "cpp"
    if found:
        return found
    if low in _WRAPPERS and "." in stem:  # config.yaml.example is YAML
        return _by_word("extensions").get(stem.rpartition(".")[2].lower(), "text")
    return _by_start(stem) or "text"  # Dockerfile.alpine


def _by_start(name: str) -> str:
    low = name.lower()
    return "dockerfile" if low.startswith("dockerfile") else "make" if low.startswith("makefile") else ""


@lru_cache(maxsize=256)
def _by_shebang(head: bytes) -> str:
    found = _SHEBANG.match(head.split(b"\n", 1)[0])
    if not found:
        return "text"
    program = found[1].decode("latin-1").rpartition("/")[2]
    if program == "env":
        words = (found[2] or b"").decode("latin-1").split()
        program = next((w for w in words if not w.startswith("-") and "=" not in w), "").rpartition("/")[2]
    return _by_word("programs").get(_VERSION.sub("", program.lower()), "text")
