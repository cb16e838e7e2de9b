"""What keys are bound to. A command looks at the cursor and makes operations."""

from __future__ import annotations

from collections.abc import Callable

from bramble.editing.editor import Editor
from bramble.editing.operations import Fold, Insert, Move, Operation, Remove, Retitle
from bramble.model.node import Node

Command = Callable[[str], None]


class CommandTable:
    """All commands by name. Unknown names are typed text."""

    def __init__(self, editor: Editor) -> None:
        self._editor = editor
        self._commands: dict[str, Command] = {
            "new_below": self._new_below,
            "indent": self._indent,
            "outdent": self._outdent,
            "remove": self._remove,
            "toggle_fold": self._toggle_fold,
            "cursor_down": lambda _key: self._walk(1),
            "cursor_up": lambda _key: self._walk(-1),
            "revert_last": lambda _key: self._revert(),
        }

    def run(self, name: str, key: str) -> None:
        command = self._commands.get(name)
        if command is None:
            self._type(key)
        else:
            command(key)

    def names(self) -> list[str]:
        return sorted(self._commands)

    def _perform(self, *operations: Operation, cursor: int | None = None) -> None:
        self._editor.perform(operations, cursor)

    def _revert(self) -> None:
        self._editor.revert_last()

    def _new_below(self, _key: str) -> None:
        here = self._editor.current()
        node = Node(title="")
        if here is None or here.parent is None:
            self._perform(Insert(node, self._editor.outline.root.id, 0), cursor=node.id)
        else:
            self._perform(Insert(node, here.parent.id, here.position() + 1), cursor=node.id)

    def _indent(self, _key: str) -> None:
        here = self._editor.current()
        if here is None or here.parent is None or here.position() == 0:
            return
        above = here.parent.children[here.position() - 1]
        self._perform(Fold(above.id, folded=False), Move(here.id, above.id, len(above.children)))

    def _outdent(self, _key: str) -> None:
        here = self._editor.current()
        if here is None or here.parent is None or here.parent.parent is None:
            return
        self._perform(Move(here.id, here.parent.parent.id, here.parent.position() + 1))

    def _remove(self, _key: str) -> None:
        here = self._editor.current()
        if here is not None:
            neighbour = self._editor.outline.next_visible(here.id, -1)
            self._perform(Remove(here.id), cursor=neighbour.id)

    def _toggle_fold(self, _key: str) -> None:
        here = self._editor.current()
        if here is not None and here.children:
            self._perform(Fold(here.id, folded=not here.folded))

    def _walk(self, offset: int) -> None:
        if self._editor.cursor is not None:
            self._editor.cursor = self._editor.outline.next_visible(self._editor.cursor, offset).id

    def _type(self, key: str) -> None:
        here = self._editor.current()
        if here is None:
            return
        title = here.title[:-1] if key == "backspace" else here.title + key
        self._perform(Retitle(here.id, title))
