"""A ledger in PostgreSQL from Python, so through the C library: the same as in a file."""

import os
import pwd
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

import muster

PROGRAMS = Path("/usr/lib/postgresql/15/bin")
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
def server():
    """A server in a temporary directory, reached through a socket there alone."""
    if not (PROGRAMS / "initdb").exists():
        pytest.skip("PostgreSQL 15 is not installed; cmake/deps.sh installs it")
    folder = tempfile.mkdtemp(prefix="muster-pg-")
    user = {}
    if os.geteuid() == 0:  # PostgreSQL runs as no root
        postgres = pwd.getpwnam("postgres")
        os.chown(folder, postgres.pw_uid, postgres.pw_gid)
        user = {"user": "postgres", "group": "postgres", "extra_groups": []}
    try:
        subprocess.run([PROGRAMS / "initdb", "-D", "data", "-U", "muster", "-A", "trust",
                        "--no-sync"], cwd=folder, check=True, stdout=subprocess.DEVNULL, **user)
        control = [PROGRAMS / "pg_ctl", "-D", "data", "-s", "-w"]
        options = f"-k {folder} -c listen_addresses= -c fsync=off"
        subprocess.run([*control, "-l", "log", "-o", options, "start"], cwd=folder, check=True,
                       **user)
        try:
            yield f"postgresql:///postgres?user=muster&host={folder}"
        finally:
            subprocess.run([*control, "-m", "immediate", "stop"], cwd=folder, check=True, **user)
    finally:
        shutil.rmtree(folder)


def test_a_ledger_in_a_database_remembers_as_one_in_a_file(url):
    with muster.Engine(url + "#python") as engine:
        engine.apply(QUEUES, name="queues.yaml")
        state = engine.state_hash()
    with pytest.raises(muster.NotFound):
        muster.Engine(url + "#other", create=False)
    with muster.Engine(url + "#python", create=False) as engine:
        assert engine.state_hash() == state
        with pytest.raises(muster.Unavailable, match="is held by"):
            muster.Engine(url + "#python")


def test_a_password_is_in_no_error():
    for url in ("postgresql://ann:s3cret@/db?host=/no/such/place", "postgres://a:s3cret%zz@h/d"):
        with pytest.raises(muster.MusterError) as raised:
            muster.Engine(url)
        assert "s3cret" not in str(raised.value)
