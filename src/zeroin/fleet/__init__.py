"""A workspace on several machines: shards of its repositories, held by Ray's actors, asked as one machine asks."""
