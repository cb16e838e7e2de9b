"""A cluster of three nodes on this machine, for as long as the tests of this folder run."""

import json
import os
from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("ray")


@pytest.fixture(scope="session")
def cluster() -> Iterator[Any]:
    """Three nodes; `cluster.address` is where it is."""
    os.environ |= {"RAY_USAGE_STATS_ENABLED": "0", "RAY_worker_niceness": "0"}
    from ray.cluster_utils import Cluster

    quick = {"health_check_initial_delay_ms": 0, "health_check_period_ms": 300, "health_check_failure_threshold": 5}
    made = Cluster(
        initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False, "_system_config": quick}
    )
    for _ in range(2):
        made.add_node(num_cpus=1)
    yield made
    made.shutdown()


def without_times(answer: str | bytes) -> Any:
    """An answer in JSON without what differs from one time to the next."""
    found = json.loads(answer)
    found.pop("stats")
    for cycle in found["cycles"]:
        cycle.pop("seconds", None)
        cycle.pop("cpu_seconds", None)
    return found
