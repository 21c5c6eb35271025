"""A real PostgreSQL in a temporary directory, reached through a socket there alone."""

import os
import pwd
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any, Optional

PROGRAMS = Path("/usr/lib/postgresql/15/bin")


class PostgresServer:
    """One that runs until stop(); nothing cuts the power, so it does not flush."""

    @staticmethod
    def missing() -> Optional[str]:
        """Why there can be none; None: there can."""
        if (PROGRAMS / "initdb").exists():
            return None
        return "PostgreSQL 15 is not installed; cmake/deps.sh installs it"

    def __init__(self) -> None:
        self.folder = tempfile.mkdtemp(prefix="muster-pg-")
        self.user: dict[str, Any] = {}
        if os.geteuid() == 0:  # PostgreSQL does not run as root
            postgres = pwd.getpwnam("postgres")
            os.chown(self.folder, postgres.pw_uid, postgres.pw_gid)
            self.user = {"user": "postgres", "group": "postgres", "extra_groups": []}
        self._run("initdb", "-D", "data", "-U", "muster", "-A", "trust", "--no-sync", "-E", "UTF8",
                  "--locale=C")
        self.start()

    def _run(self, program: str, *arguments: str) -> None:
        subprocess.run([PROGRAMS / program, *arguments], cwd=self.folder, check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **self.user)

    def start(self) -> None:
        """Waits until it takes connections."""
        options = f"-k {self.folder} -c listen_addresses= -c fsync=off -c shared_buffers=16MB"
        self._run("pg_ctl", "-D", "data", "-s", "-w", "-l", "log", "-o", options, "start")

    def crash(self) -> None:
        """As if it had been killed; what it holds stays."""
        self._run("pg_ctl", "-D", "data", "-s", "-m", "immediate", "stop")

    def stop(self) -> None:
        """Nothing stays."""
        self.crash()
        shutil.rmtree(self.folder)

    def sql(self, statement: str) -> None:
        """Runs it in the database of the ledgers."""
        self._run("psql", "-q", "-v", "ON_ERROR_STOP=1", "-h", self.folder, "-U", "muster",
                  "-d", "postgres", "-c", statement)

    def url(self, name: str) -> str:
        """Of the ledger of that name."""
        return f"postgresql:///postgres?user=muster&host={self.folder}#{name}"
