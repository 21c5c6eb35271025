"""A ledger in PostgreSQL from Python, so through the C library: the same as in a file."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import muster

sys.path.insert(0, str(Path(__file__).parents[1] / "testing"))
from postgres_server import PostgresServer  # pylint: disable=wrong-import-position

QUEUES = """
apiVersion: v1
kind: Namespace
metadata: {name: lab}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: default}
"""


@pytest.fixture(name="url", scope="module")
def fixture_url() -> Iterator[str]:
    """Of a ledger in a server of its own."""
    missing = PostgresServer.missing()
    if missing is not None:
        pytest.skip(missing)
    server = PostgresServer()
    try:
        yield server.url("python")
    finally:
        server.stop()


def test_a_ledger_in_a_database_remembers_as_one_in_a_file(url: str) -> None:
    with muster.Engine(url) as engine:
        engine.apply(QUEUES, name="queues.yaml")
        state = engine.state_hash()
    with pytest.raises(muster.NotFound):
        muster.Engine(url + "-other", create=False)
    with muster.Engine(url, create=False) as engine:
        assert engine.state_hash() == state
        with pytest.raises(muster.Unavailable, match="is held by"):
            muster.Engine(url)


def test_a_password_is_in_no_error() -> None:
    for url in ("postgresql://ann:s3cret@/db?host=/no/such/place", "postgres://a:s3cret%zz@h/d"):
        with pytest.raises(muster.MusterError) as raised:
            muster.Engine(url)
        assert "s3cret" not in str(raised.value)
