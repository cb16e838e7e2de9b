"""What is known of a tree: facts per blob, their store, the snapshot that is assembled from them, and history."""
