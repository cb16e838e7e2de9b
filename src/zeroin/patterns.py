"""Regular expressions that are compiled when they are first used: most commands use few of ours."""

from __future__ import annotations

import re
from typing import Any, AnyStr, cast


class _LazyPattern:
    """What stands for a pattern until a method of it is asked for, and hands that method out from then on."""

    def __init__(self, text: Any, flags: int) -> None:
        self._given = (text, flags)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):  # a protocol, such as copying, looks for its hooks
            raise AttributeError(name)
        found = getattr(re.compile(*self._given), name)
        setattr(self, name, found)  # not asked again
        return found


def lazy_pattern(text: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Return a pattern for a constant of a module: as of `re.compile`, but compiled at its first use.

    Call the methods of what is returned; the functions of `re` do not take it.
    """
    return cast("re.Pattern[AnyStr]", _LazyPattern(text, flags))
