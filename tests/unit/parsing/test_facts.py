"""What facts depend on."""

from hashlib import sha256

from zeroin.models.encoder import SHIPPED
from zeroin.parsing.facts import FACTS_VERSION


def test_another_encoder_is_another_version_of_facts() -> None:
    """Facts hold vectors: those of another encoder must not meet them in a cache. Change both, together."""
    digest = sha256(SHIPPED.read_bytes()).hexdigest()
    assert (FACTS_VERSION, digest) == (
        2,
        "0825e2abd6da40962249bbde495dfae98c859fe42e35a31da33b378c5c4178d7",
    )
