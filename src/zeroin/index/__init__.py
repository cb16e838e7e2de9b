"""The index: a store of facts per blob, the snapshot of a tree assembled from them, history, and the view of all."""
