"""Measuring: data adapters, baselines, scoring. Run as ``python -m benchmarks.<name>``; not part of the product."""
