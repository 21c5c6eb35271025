"""The gateway of examples/gateway with real processes, killed at random again and again."""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Callable

import pytest

import muster
from world import wait_for

FOLDER = Path(__file__).parents[2] / "examples" / "gateway"
Submit = Callable[[Path, dict[str, Any]], dict[str, Any]]
Process = subprocess.Popen[bytes]
KILLS = int(os.environ.get("MUSTER_KILLS", "8"))
# A job notes its run, its begin and its end; when it is told to leave it says so, and ends by the
# signal. Once it has noted its end it is not told any more.
JOB = """
log=$1; run=${RUN##*/}; trap 'echo "$run left" >> $log; trap - TERM; kill -TERM $$' TERM
echo "$run begins" >> $log; sleep $2 & wait $!; trap "" TERM; echo "$run ends" >> $log
"""
# It counts to 20, and goes on where its checkpoint is.
COUNTER = """
log=$1; echo "${RUN##*/} begins" >> $log; at=$(cat "$CHECKPOINT/at" 2>/dev/null || echo 0)
echo "${RUN##*/} from $at" >> $log
while [ $at -lt 20 ]; do sleep 0.1; at=$((at + 1)); echo $at > "$CHECKPOINT/at"; done
echo "${RUN##*/} ends" >> $log
"""
# What is left of it is in a session of its own.
STRAYS = """
log=$1; run=${RUN##*/}; setsid sleep 600 &
echo "$run begins" >> $log; sleep $2; echo "$run ends" >> $log
"""
STUBBORN = """
log=$1; trap "" TERM; echo "${RUN##*/} begins" >> $log; sleep 600; sleep 600
"""
# Its second process outlives the first one, and notes when it is told to leave.
LEAVES = """
log=$1
sh -c 'trap "echo told left >> $0; exit" TERM
echo ${RUN##*/} begins >> $0; sleep 600 & wait' $log &
wait
"""
FOLLOWS: dict[str, tuple[str, ...]] = {
    "begins": ("left", "ends"), "left": ("begins",), "ends": ()}


@pytest.fixture
def submit(monkeypatch: pytest.MonkeyPatch) -> Submit:
    monkeypatch.syspath_prepend(str(FOLDER))
    found: Submit = __import__("submit").submit
    return found


def begin(program: str, state: Path) -> Process:
    gateway = subprocess.Popen([sys.executable, "-B", FOLDER / program, state])
    deadline = time.monotonic() + 60
    while not (state / "socket").exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    return gateway


def job(state: Path, name: str, cpus: int, seconds: float, script: str = JOB) -> dict[str, Any]:
    log = state / (name.replace("/", "_") + ".log")
    return {"name": name, "cpus": cpus,
            "command": ["sh", "-c", script, "job", str(log), str(seconds)]}


def told(submit: Submit, state: Path, each: dict[str, Any]) -> None:
    """Submits until the gateway, which may be dead for a moment, has answered."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            answer = submit(state, each)
            assert "error" not in answer, answer
            return
        except (OSError, ValueError):
            time.sleep(0.05)
    raise TimeoutError(each["name"])


def lines(state: Path, name: str) -> list[str]:
    log = state / (name.replace("/", "_") + ".log")
    return log.read_text("utf-8").splitlines() if log.exists() else []


def wait_for_ends(state: Path, names: Sequence[str], seconds: float = 120) -> None:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if all(any(line.endswith("ends") for line in lines(state, name)) for name in names):
            return
        time.sleep(0.05)
    raise TimeoutError({name: lines(state, name) for name in names})


def end(gateway: Process) -> None:
    gateway.send_signal(signal.SIGKILL)
    gateway.wait()


def test_plain_fifo_runs_jobs(tmp_path: Path, submit: Submit) -> None:
    gateway = begin("fifo.py", tmp_path)
    try:
        for name in ("team-a/one", "team-a/two"):
            told(submit, tmp_path, job(tmp_path, name, 3, 0.1))
        wait_for_ends(tmp_path, ["team-a/one", "team-a/two"])
        wait_for(lambda: len(list(tmp_path.glob("runs/*/exit"))) == 2)
        assert {each.read_text("utf-8") for each in tmp_path.glob("runs/*/exit")} == {"0\n"}
    finally:
        end(gateway)


def test_a_borrower_makes_room(tmp_path: Path, submit: Submit) -> None:
    gateway = begin("gateway.py", tmp_path)
    try:
        told(submit, tmp_path, job(tmp_path, "team-a/borrows", 4, 4))
        while not lines(tmp_path, "team-a/borrows"):
            time.sleep(0.05)
        told(submit, tmp_path, job(tmp_path, "team-b/owns", 2, 0.1))
        wait_for_ends(tmp_path, ["team-b/owns", "team-a/borrows"])
    finally:
        end(gateway)
    words = [line.split()[1] for line in lines(tmp_path, "team-a/borrows")]
    assert words == ["begins", "left", "begins", "ends"]


def test_a_job_goes_on_from_its_checkpoint(tmp_path: Path, submit: Submit) -> None:
    gateway = begin("gateway.py", tmp_path)
    try:
        told(submit, tmp_path, job(tmp_path, "team-a/counts", 4, 0, COUNTER))
        wait_for(lambda: any(tmp_path.glob("checkpoints/*/at")))
        told(submit, tmp_path, job(tmp_path, "team-b/owns", 2, 0.1))
        wait_for_ends(tmp_path, ["team-b/owns", "team-a/counts"])
    finally:
        end(gateway)
    begins = [int(line.split()[2]) for line in lines(tmp_path, "team-a/counts") if "from" in line]
    assert len(begins) == 2 and begins[0] == 0 and begins[1] > 0


def live(state: Path) -> dict[int, str]:
    """Processes of jobs, with their runs: each has its run's folder in its environment."""
    mark = f"\0RUN={state}/runs/".encode()
    found: dict[int, str] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            environment = b"\0" + (folder / "environ").read_bytes()
        except OSError:
            continue  # it is gone
        if mark in environment:
            found[int(folder.name)] = environment.split(mark)[1].split(b"\0")[0].decode()
    return found


def runners(state: Path) -> dict[int, str]:
    """Processes that watch over a run."""
    found: dict[int, str] = {}
    for folder in (state / "runs").iterdir():
        try:
            pid = int((folder / "pid").read_text("utf-8"))
            if str(folder).encode() in Path(f"/proc/{pid}/cmdline").read_bytes():
                found[pid] = folder.name
        except OSError:
            continue  # it has not begun, or is gone
    return found


def leaders(state: Path) -> dict[int, str]:
    """The first process of each job."""
    found: dict[int, str] = {}
    for pid, run in live(state).items():
        try:
            if os.getsid(pid) == pid:
                found[pid] = run
        except ProcessLookupError:
            continue
    return found


def kill_all(state: Path) -> None:
    """Ends what a test leaves: first what watches over runs, then their processes."""
    while left := sorted({*runners(state), *live(state)}):
        for pid in left:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        time.sleep(0.02)


def kill_one(rng: random.Random, victims: Callable[[], dict[int, str]]) -> str:
    """Kills one of what there is, as soon as there is one; returns its run."""
    def killed() -> str:
        there = victims()
        if there:
            pid = rng.choice(sorted(there))
            try:
                os.kill(pid, signal.SIGKILL)
                return there[pid]
            except ProcessLookupError:
                pass
        return ""
    return str(wait_for(killed))


def check_none_outlives_its_report(state: Path) -> None:
    """What was told to the engine as ended or gone has no process any more, then and later."""
    reported = {folder.parent.name for folder in state.glob("runs/*/reported")}
    left = {pid: run for pid, run in live(state).items() if run in reported}
    assert not left, left


@pytest.mark.parametrize("script", [STRAYS, STUBBORN], ids=["strays", "stubborn"])
def test_what_makes_room_leaves_nothing_behind(tmp_path: Path, submit: Submit,
                                               script: str) -> None:
    gateway = begin("gateway.py", tmp_path)
    try:
        told(submit, tmp_path, job(tmp_path, "team-a/stays", 4, 600, script))
        wait_for(lambda: lines(tmp_path, "team-a/stays"))
        told(submit, tmp_path, job(tmp_path, "team-b/owns", 2, 0.1, STRAYS))
        wait_for(lambda: "ends" in str(lines(tmp_path, "team-b/owns")))
        check_none_outlives_its_report(tmp_path)
        # That of team-b, which follows the start and the make-room.
        wait_for(lambda: (tmp_path / "runs" / "000000003" / "reported").exists())
        check_none_outlives_its_report(tmp_path)
    finally:
        end(gateway)
        kill_all(tmp_path)


@pytest.mark.parametrize("script", [STUBBORN, LEAVES], ids=["stubborn", "leaves"])
def test_what_a_killed_runner_has_left_makes_room(tmp_path: Path, submit: Submit,
                                                  script: str) -> None:
    gateway = begin("gateway.py", tmp_path)
    try:
        told(submit, tmp_path, job(tmp_path, "team-a/stays", 4, 600, script))
        wait_for(lambda: lines(tmp_path, "team-a/stays") and len(live(tmp_path)) > 1)
        kill_one(random.Random(7), lambda: runners(tmp_path))
        told(submit, tmp_path, job(tmp_path, "team-b/owns", 2, 0.1))
        wait_for_ends(tmp_path, ["team-b/owns"], 60)
        check_none_outlives_its_report(tmp_path)
        assert ("told left" in lines(tmp_path, "team-a/stays")) == (script == LEAVES)
    finally:
        end(gateway)
        kill_all(tmp_path)


def check_story(state: Path, names: Sequence[str], killed: set[str]) -> None:
    """Each job ran as was decided: each start once, one at a time, to its end or its kill."""
    with muster.Engine(state / "ledger") as engine:
        assert {engine.phase(name) for name in names} == {muster.Phase.FINISHED}
        assert engine.decisions("gateway") == []
        engine.check_invariants()
        starts = {f"{each.number:09}": each.workload
                  for each in engine.decisions("auditor", limit=1_000_000) if each.starts}
    assert {folder.name for folder in (state / "runs").iterdir()} == set(starts)
    begun: list[str] = []
    for name in names:
        noted = [line.split() for line in lines(state, name)]
        runs = [run for run, word in noted if word == "begins"]
        begun += runs
        assert {starts[run] for run in runs} <= {name}, (name, noted)
        assert runs == sorted(runs), (name, noted)
        for (run, word), (later, after) in zip(noted, noted[1:]):
            fits = after in FOLLOWS[word] and (run == later) == (after != "begins")
            assert fits or (run in killed and run != later and after == "begins"), (name, noted)
        last = max(run for run, workload in starts.items() if workload == name)
        assert last in killed or noted[-1] == [last, "ends"], (name, noted)
    assert len(begun) == len(set(begun))
    # One that was told to leave at once may have gone before it noted anything.
    stopped = {mark.parent.name for mark in state.glob("runs/*/stop")}
    assert set(starts) - set(begun) <= killed | stopped


def test_kills_lose_no_job_and_start_none_twice(tmp_path: Path, submit: Submit) -> None:
    """Kills the gateway with its engine, then a job, the gateway, what watches over a job, ..."""
    rng = random.Random(7)
    with muster.Engine(tmp_path / "ledger") as engine:
        engine.register("auditor")  # keeps every decision to the end
    names: list[str] = []
    killed: set[str] = set()
    gateway = begin("gateway.py", tmp_path)
    try:
        for i in range(KILLS):
            for team in "ab":
                names.append(f"team-{team}/job-{i}")
                told(submit, tmp_path, job(tmp_path, names[-1], rng.choice([1, 1, 2, 2, 3, 4]),
                                           rng.random() * 0.6))
            time.sleep(rng.random() * 0.4)
            if i % 2 == 0:
                end(gateway)
                (tmp_path / "socket").unlink(missing_ok=True)
                check_none_outlives_its_report(tmp_path)
                gateway = begin("gateway.py", tmp_path)
            else:
                victims = leaders if i % 4 == 1 else runners
                killed.add(kill_one(rng, lambda: victims(tmp_path)))
                check_none_outlives_its_report(tmp_path)

        def over() -> bool:
            with muster.Engine.read(tmp_path / "ledger") as reads:
                return {reads.phase(name) for name in names} == {muster.Phase.FINISHED}
        wait_for(over, 600)
    finally:
        end(gateway)
    wait_for(lambda: not live(tmp_path))
    check_story(tmp_path, names, killed)
