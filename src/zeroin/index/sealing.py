"""Facts of a file, encrypted so that only a holder of the file can read or make them.

The keys come from the contents (convergent encryption: Douceur et al., ICDCS 2002), so everyone with the file has the
same key, and none is ever transferred. The seal is deterministic and reveals any changed byte: a synthetic
initialization vector (Rogaway and Shrimpton, EUROCRYPT 2006) of keyed BLAKE2b, with SHAKE-256 as the key stream.
"""

from hashlib import blake2b, shake_256
from hmac import compare_digest
from typing import NamedTuple

import numpy as np

_TAG_BYTES = 16


class Seal(NamedTuple):
    """Name and key for the facts of a file: `name`, under which they lie, reveals nothing; `key` encrypts them."""

    name: bytes
    key: bytes

    def closed(self, plain: bytes) -> bytes:
        """Seal some bytes; `opened` is its inverse."""
        tag = self._tag(plain)
        return tag + self._mixed(tag, plain)

    def opened(self, sealed: bytes) -> bytes:
        """Return what was sealed. Raises `ValueError` for data that this key did not seal."""
        tag = sealed[:_TAG_BYTES]
        plain = self._mixed(tag, sealed[_TAG_BYTES:])
        if not compare_digest(tag, self._tag(plain)):
            raise ValueError("a seal is broken")
        return plain

    def _tag(self, plain: bytes) -> bytes:
        return blake2b(plain, key=self.key[:32], digest_size=_TAG_BYTES).digest()

    def _mixed(self, tag: bytes, data: bytes) -> bytes:
        stream = shake_256(self.key[32:] + tag).digest(len(data))
        return (np.frombuffer(data, np.uint8) ^ np.frombuffer(stream, np.uint8)).tobytes()


def seal_of(data: bytes, language: str, version: bytes) -> Seal:
    """Return the seal of a file's contents, for facts of a language by one version of all that makes facts."""
    contents = blake2b(data).digest()
    secret = blake2b(language.encode() + b"\0" + version, key=contents, person=b"zeroin facts").digest()
    name = blake2b(b"name", key=secret, digest_size=16).digest()
    return Seal(name, blake2b(b"key", key=secret).digest())
