"""Inverses of operations, for the revert journal."""

from __future__ import annotations

from bramble.editing import operations as ops
from bramble.model.outline import Outline


def inverse_of(operation: ops.Operation, outline: Outline) -> ops.Operation:
    """The operation that reverts this one. Has to be asked for before the operation is applied."""
    match operation:
        case ops.Insert(node=node):
            return ops.Remove(node.id)
        case ops.Remove(node_id=node_id):
            node = outline.node(node_id)
            return ops.Insert(node, _parent_id(outline, node_id), node.position())
        case ops.Move(node_id=node_id):
            return ops.Move(node_id, _parent_id(outline, node_id), outline.node(node_id).position())
        case ops.Retitle(node_id=node_id):
            return ops.Retitle(node_id, outline.node(node_id).title)
        case ops.Fold(node_id=node_id):
            return ops.Fold(node_id, outline.node(node_id).folded)


def _parent_id(outline: Outline, node_id: int) -> int:
    parent = outline.node(node_id).parent
    if parent is None:
        raise ValueError("the root has no place to go back to")
    return parent.id
