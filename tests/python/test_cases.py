"""The cases of tests/hand_over through Python: calls that come twice, late, out of order, ..."""

import json
from pathlib import Path
from typing import Any

import pytest

import muster

FILE = json.loads((Path(__file__).parents[1] / "hand_over" / "cases.json").read_text("utf-8"))
Step = dict[str, Any]
SECOND = 1_000_000_000
NOON = 1_767_268_800 * SECOND
CODES = {"InvalidArgument": muster.InvalidArgument, "NotFound": muster.NotFound,
         "FailedPrecondition": muster.FailedPrecondition}
PHASES = {"Pending": muster.Phase.PENDING, "QuotaReserved": muster.Phase.RESERVED,
          "Admitted": muster.Phase.ADMITTED, "Evicting": muster.Phase.EVICTING,
          "Inactive": muster.Phase.INACTIVE, "Finished": muster.Phase.FINISHED}


class Player:
    """Plays a case on an engine with a ledger."""

    def __init__(self, ledger: Path) -> None:
        self.ledger = ledger
        self.now = NOON
        self.engine = self.opened()

    def opened(self) -> muster.Engine:
        return muster.Engine(self.ledger, allow_time_jump=True, relaxed=True)

    def do(self, command: str, earlier: int = 0) -> dict[str, Any]:
        self.now += SECOND
        return self.engine.do(FILE["commands"][command], self.now - earlier * SECOND)

    def told(self, step: Step) -> list[str]:
        decisions = self.engine.decisions(step.get("to"), after=step.get("behind"))
        return [f"{each.number} {each.kind.name.lower().replace('_', '-')} {each.workload}"
                + (f" for {each.by}" if each.by else "") + (", stop" if each.stop else "")
                for each in decisions]

    def play(self, step: Step) -> None:
        if "restart" in step:
            before = self.engine.state_hash()
            self.engine.close()
            self.engine = self.opened()
            assert self.engine.state_hash() == before
        elif "phase" in step:
            assert self.engine.phase("team/" + step["of"]) == PHASES[step["phase"]]
        elif "told" in step:
            assert self.told(step) == step["told"]
        else:
            answer = self.do(step["do"], step.get("earlier", 0))
            for field, value in step.get("gives", {}).items():
                assert answer[field] == value

    def step(self, step: Step) -> None:
        if "refused" not in step:
            self.play(step)
            return
        with pytest.raises(CODES[step["refused"]]) as refused:
            self.play(step)
        assert step["says"] in str(refused.value)


@pytest.mark.parametrize("case", FILE["cases"], ids=lambda case: f"{case['call']} {case['when']}")
def test_case(case: dict[str, Any], tmp_path: Path) -> None:
    player = Player(tmp_path / "ledger")
    for command in ["objects", "register gateway", *case["given"]]:
        player.do(command)
    for step in case["steps"]:
        player.step(step)
    player.engine.check_invariants()
    player.engine.close()
