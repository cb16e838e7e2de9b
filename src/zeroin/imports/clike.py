"""C, C++, Objective-C and CUDA includes: beside the file, below include folders, by unique suffix."""

from __future__ import annotations

from zeroin.imports.tree import MISSING, Found, Tree, join
from zeroin.tree import Import

LANGUAGES = ("c", "cpp", "objc", "objcpp", "cuda", "metal", "glsl", "hlsl")
_INCLUDE_FOLDERS = ("include", "inc", "includes", "src", "source", "lib", "Headers")
# Headers of the C and C++ standards and of POSIX that repositories sometimes carry a copy of.
_STANDARD = frozenset(
    "assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign stdarg "
    "stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string tgmath threads time uchar wchar wctype "
    "unistd fcntl pthread dirent dlfcn poll sched semaphore strings syslog termios utime windows".split()
)


class IncludeResolver:
    """Finds headers without knowing the compiler's include paths."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._seen: dict[tuple[str, str, bool], Found] = {}

    def resolve(self, doc: int, imported: Import) -> Found:
        """The header that is meant, at most one; a quoted one without a file is missing."""
        module = imported.module.strip().strip('<>"')
        system = "system" in imported.names or imported.module.startswith("<")
        key = (self._tree.folder[doc], module, system)
        if key not in self._seen:
            self._seen[key] = self._find(doc, module.replace("\\", "/"), system)
        return self._seen[key]

    def _find(self, doc: int, module: str, system: bool) -> Found:
        tree = self._tree
        absent: Found = None if system else MISSING
        if not module or not module.isprintable():
            return absent
        if not system:
            path = join(tree.folder[doc], module)
            found = tree.docs.get(path) if path else None
            if found is not None:
                return (found,)
        plain = join("", module)
        if plain is None:  # ../x.h that leaves the repository or starts at an include folder
            plain = module
            while plain.startswith("../"):
                plain = plain[3:]
        if not plain:
            return absent
        if not system or "/" in plain:
            for suffix in (plain, plain + ".in"):  # x.h.in: the build fills it in
                near = tree.by_suffix(doc, suffix)
                if near is not None:
                    return (near,)
            return absent
        if plain.partition(".")[0] in _STANDARD or "." not in plain:
            return None
        roots = [
            at
            for at in tree.by_name.get(plain, ())
            if not tree.folder[at] or tree.folder[at].rpartition("/")[2] in _INCLUDE_FOLDERS
        ]
        return tuple(tree.nearest(doc, roots)) or None
