"""Only the paths, for other programs: one a line, or separated by NUL."""

from zeroin.answer import Context
from zeroin.context.clean import path_text, raw_path
from zeroin.context.packing.texts import Read


def render(context: Context, _: Read, *, null: bool = False, top: int = 0) -> bytes:
    """Return the paths of all listed files as bytes of the file system; with `top`, the ranking fills them up.

    Without `null`, a path that would break the line (a control character or a line break in it) is written
    with that character escaped; with `null`, every path is exact.
    """
    answer = [j.path for j in context.listed]
    rest = [j.path for j in context.ranking]
    paths = [*answer, *[p for p in rest if p not in set(answer)][: max(0, top - len(answer))]]
    if null:
        return b"".join(raw_path(path) + b"\0" for path in paths)
    return b"".join((raw_path(path) if _plain(path) else path_text(path).encode()) + b"\n" for path in paths)


def _plain(path: str) -> bool:
    """Tell whether nothing in the path needs escaping besides undecodable bytes."""
    valid = path.encode("utf-8", "replace").decode()
    return path_text(valid) == valid
