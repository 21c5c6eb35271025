"""The gateway of examples/gateway over HTTP: jobs become processes, refusals say why."""

import json
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Optional

import pytest

from world import wait_for

PROGRAM = Path(__file__).parents[2] / "examples" / "gateway" / "web.py"


class Client:
    """Asks one gateway."""

    def __init__(self, port: int) -> None:
        self.port = port

    def ask(self, method: str, path: str, body: Optional[object] = None,
            fields: Optional[dict[str, str]] = None) -> tuple[int, Any]:
        """Status and answer. A text is sent as it is."""
        data = body.encode() if isinstance(body, str) else json.dumps(body).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", method=method,
                                         data=None if body is None else data,
                                         headers={"Content-Type": "application/json",
                                                  **(fields or {})})
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as refused:
            with refused:
                return refused.code, json.load(refused)

    def phase(self, name: str) -> str:
        return str(self.ask("GET", f"/jobs/{name}")[1].get("phase"))


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Client]:
    with subprocess.Popen([sys.executable, "-B", PROGRAM, tmp_path, "0"]) as gateway:
        try:
            port = tmp_path / "port"
            yield Client(int(wait_for(lambda: port.exists() and port.read_text("utf-8"))))
        finally:
            gateway.kill()


def job(name: str, cpus: int, *command: str) -> dict[str, Any]:
    return {"name": name, "cpus": cpus, "command": list(command)}


def test_jobs_run_wait_and_are_withdrawn(client: Client, tmp_path: Path) -> None:
    said = tmp_path / "said"
    hello = job("team-a/hello", 1, "sh", "-c", f"echo hello > {said}")
    assert client.ask("POST", "/jobs", hello) == (201, {"created": 1})
    assert client.ask("POST", "/jobs", hello) == (200, {"created": 0})
    wait_for(lambda: client.phase("team-a/hello") == "finished")
    assert said.read_text("utf-8") == "hello\n"
    client.ask("POST", "/jobs", job("team-a/long", 4, "sleep", "600"))
    wait_for(lambda: client.phase("team-a/long") == "admitted")
    client.ask("POST", "/jobs", job("team-a/waits", 4, "true"))
    status, told = client.ask("GET", "/jobs/team-a/waits")
    assert status == 200 and told["phase"] == "pending" and "short of 4 cpu" in told["why"]
    wait_for(lambda: any(tmp_path.glob("runs/*/pid")))
    assert client.ask("DELETE", "/jobs/team-a/long") == (202, {"cancelled": "team-a/long"})
    wait_for(lambda: client.phase("team-a/waits") == "finished")
    status, queues = client.ask("GET", "/queues")
    assert status == 200 and {each["metadata"]["name"] for each in queues} == {"team-a", "team-b"}


def test_a_late_end_is_not_that_of_the_next_job(client: Client, tmp_path: Path) -> None:
    traps = job("team-a/a", 1, "sh", "-c",
                'trap "exit 0" TERM; touch %s; while :; do sleep 0.1; done' % (tmp_path / "up"))
    client.ask("POST", "/jobs", traps)
    wait_for((tmp_path / "up").exists)
    assert client.ask("DELETE", "/jobs/team-a/a")[0] == 202
    runs = job("team-a/a", 1, "sh", "-c", f"touch {tmp_path / 'ran'}; sleep 600")
    assert client.ask("POST", "/jobs", runs)[0] == 201
    wait_for(lambda: any(tmp_path.glob("runs/*/reported")))
    assert client.phase("team-a/a") != "finished"
    wait_for((tmp_path / "ran").exists)
    assert client.phase("team-a/a") == "admitted"


def test_what_was_refused_runs_nothing(client: Client, tmp_path: Path) -> None:
    client.ask("POST", "/jobs", job("team-a/fills", 4, "sleep", "600"))
    wait_for(lambda: client.phase("team-a/fills") == "admitted")
    client.ask("POST", "/jobs", job("team-a/a", 2, "touch", str(tmp_path / "ran")))
    for wrong in (job("team-a/a", -1, "touch", str(tmp_path / "refused")),
                  job("team-a/a", 2, "touch", str(tmp_path / "refused"))):
        client.ask("POST", "/jobs", wrong)
    client.ask("DELETE", "/jobs/team-a/fills")
    wait_for(lambda: client.phase("team-a/a") == "finished")
    assert (tmp_path / "ran").exists() and not (tmp_path / "refused").exists()
    assert len(list(tmp_path.glob("jobs/*"))) == 2


def test_what_is_wrong_is_said(client: Client) -> None:
    for method, path, body, status, words in (
            ("GET", "/jobs/team-a/none", None, 404, "none"),
            ("DELETE", "/jobs/team-a/none", None, 404, "none"),
            ("GET", "/nothing", None, 404, "nothing answers GET /nothing"),
            ("POST", "/jobs", "{", 400, "Expecting"),
            ("POST", "/jobs", {"name": "team-a/x"}, 400, "cpus"),
            ("POST", "/jobs", job("no-namespace", 1, "true"), 400, "namespace/name"),
            ("POST", "/jobs", job("team-a/x", -1, "true"), 400, "count"),
            ("POST", "/jobs", job("team-none/x", 1, "true"), 400, "jobs")):
        found, told = client.ask(method, path, body)
        assert found == status and words in told["error"], (method, path, found, told)


def test_what_a_browser_sends_for_another_site_is_refused(client: Client, tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    runs = job("team-a/evil", 1, "touch", str(ran))
    for fields, status, words in (
            ({"Content-Type": "text/plain"}, 415, "application/json"),
            ({"Content-Type": "application/x-www-form-urlencoded"}, 415, "application/json"),
            ({"Origin": "https://evil.example"}, 403, "evil.example"),
            ({"Origin": "null"}, 403, "null"),
            ({"Origin": f"http://localhost:{client.port + 1}"}, 403, "localhost"),
            ({"Host": f"evil.example:{client.port}"}, 403, "evil.example"),
            ({"Host": "127.0.0.1.evil.example"}, 403, "evil.example")):
        found, told = client.ask("POST", "/jobs", runs, fields)
        assert found == status and words in told["error"], (fields, found, told)
        if status == 403:
            assert client.ask("GET", "/queues", fields=fields)[0] == 403, fields
            assert client.ask("DELETE", "/jobs/team-a/none", fields=fields)[0] == 403, fields
    assert client.ask("GET", "/jobs/team-a/evil")[0] == 404 and not ran.exists()
    own = {"Origin": f"http://127.0.0.1:{client.port}",
           "Content-Type": "application/json; charset=utf-8"}
    assert client.ask("POST", "/jobs", runs, own)[0] == 201


def test_names_in_a_path_are_decoded(client: Client) -> None:
    client.ask("POST", "/jobs", job("team-a/one", 1, "true"))
    assert client.ask("GET", "/jobs/team%2Da/on%65")[1]["name"] == "team-a/one"
    for path in ("/jobs/team-a%2Fone/x", "/jobs/team-a/%ff"):
        assert client.ask("GET", path)[0] == 400, path
